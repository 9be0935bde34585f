(* Statement (4) for all convex shapes: a body is a set of points whose support function is bounded, and its points are
   within a sphere about the point c that the chain moves. *)
From Coq Require Import Reals Lra List.
Require Import Vectors Bound Span Chain Rigid Rates.
Import ListNotations.
Open Scope R_scope.

(* The rotation back: what a direction is in the frame of a. *)
Fixpoint turned_back chain n t :=
  match chain with
  | [] => n
  | j :: rest =>
    match sort j with
    | Revolute z _ => turned_back rest (rotation z (- q j t) n) t
    | Prismatic _ => turned_back rest n t
    end
  end.

Lemma rotation_back z q n v : dot (rotation z (- q) n) v = dot n (rotation z q v).
Proof. unfold rotation; rewrite cos_neg, sin_neg; generalize (cos q), (sin q); components. Qed.

Lemma turned_back_dot chain n r t : dot (turned_back chain n t) r = dot n (turned chain r t).
Proof.
  revert n; induction chain as [| j rest IH]; intro n; simpl; [reflexivity |].
  destruct (sort j); rewrite IH; [apply rotation_back | reflexivity].
Qed.

Definition axes_unit chain := Forall (fun j => dot (axis (sort j)) (axis (sort j)) = 1) chain.

Lemma turned_norm chain r t : axes_unit chain -> norm (turned chain r t) = norm r.
Proof.
  induction 1 as [| j rest Z _ IH]; simpl; [reflexivity |].
  destruct (sort j); simpl in Z; [rewrite rotation_norm |]; auto.
Qed.

(* The chain with the least d that the sphere of radius rho about c admits, from a towards b. *)
Definition with_reach d j := Joint (sort j) (q j) (q' j) (q'' j) (w j) (w' j) d.

Fixpoint reaching m h rho chain c :=
  match chain with
  | [] => []
  | j :: rest =>
    let beyond := reaching m h rho rest c in
    with_reach
      match sort j with
      | Revolute z o => norm (cross z (sub (position rest c m) o)) + rho + h * speed beyond
      | Prismatic _ => 1
      end j :: beyond
  end.

Section Reaching.
  Variables (m h rho : R) (c : vec).

  Lemma reaching_position chain x t : position (reaching m h rho chain c) x t = position chain x t.
  Proof. induction chain as [| j rest IH]; simpl; [reflexivity |]; rewrite IH; reflexivity. Qed.

  Lemma reaching_velocity chain x t : chain_velocity (reaching m h rho chain c) x t = chain_velocity chain x t.
  Proof. induction chain as [| j rest IH]; simpl; [reflexivity |]; rewrite IH, reaching_position; reflexivity. Qed.

  Lemma reaching_spin chain t : spin (reaching m h rho chain c) t = spin chain t.
  Proof. induction chain as [| j rest IH]; simpl; [reflexivity |]; rewrite IH; reflexivity. Qed.

  Lemma reaching_turned chain r t : turned (reaching m h rho chain c) r t = turned chain r t.
  Proof. induction chain as [| j rest IH]; simpl; [reflexivity |]; rewrite IH; reflexivity. Qed.

  Lemma reaching_keeps chain : Forall (keeps m h) chain -> Forall (keeps m h) (reaching m h rho chain c).
  Proof. induction 1; simpl; constructor; auto. Qed.

  Lemma reaching_reached chain r : axes_unit chain -> norm r <= rho ->
    reached m h (reaching m h rho chain c) (add c r).
  Proof.
    intros U L; induction U as [| j rest Z U IH]; simpl; [exact I |]; split; [| exact IH].
    destruct (sort j) as [z o | z]; simpl in Z; [| lra].
    apply Rplus_le_compat_r; rewrite reaching_position, rigid_position.
    replace (cross z (sub (add (position rest c m) (turned rest r m)) o))
      with (add (cross z (sub (position rest c m) o)) (cross z (turned rest r m))) by components.
    eapply Rle_trans; [apply norm_add |].
    pose proof (norm_cross_unit z (turned rest r m) Z); rewrite (turned_norm rest r m U) in *; lra.
  Qed.
End Reaching.

Lemma keeps_unit m h chain : Forall (keeps m h) chain -> axes_unit chain.
Proof. intro K; eapply Forall_impl; [| exact K]; intros j (Z & _); exact Z. Qed.

(* The theorem of a span for a body a whose support in a direction d is at most s d, with a direction n of any length
   up to N: the file of a certificate rounds its directions. The points of b are at least u + N g high along n. *)
Theorem supported_span chain c rho (a b : vec -> Prop) (s : vec -> R) n N m h u g :
  0 < norm n <= N -> 0 <= g -> 0 <= h -> Forall (keeps m h) chain ->
  (forall r, a r -> norm r <= rho) -> (forall d r, a r -> dot d r <= s d) ->
  (forall e, e = h \/ e = - h ->
    dot n (position chain c m) + e * dot n (chain_velocity chain c m)
    + s (turned_back chain (add n (scale e (cross n (spin chain m)))) m)
    + N * bend (reaching m h rho chain c) * h * h / 2 <= u) ->
  (forall y, b y -> u + N * g <= dot n y) ->
  forall t r y, m - h <= t <= m + h -> a r -> b y -> g <= norm (sub y (position chain (add c r) t)).
Proof.
  intros (P & L) G H K W S E B t r y T A Y.
  pose proof (keeps_unit m h chain K) as U.
  set (full := reaching m h rho chain c) in *; set (k := / norm n).
  assert (K0 : 0 < k) by (apply Rinv_0_lt_compat, P).
  assert (KN : 1 <= k * N) by (unfold k; apply Rmult_le_reg_l with (norm n); [exact P |]; rewrite <- Rmult_assoc, Rinv_r; lra).
  assert (R1 := reaching_reached m h rho c chain r U (W r A)); fold full in R1.
  assert (K1 := reaching_keeps m h rho c chain K); fold full in K1.
  assert (D : 0 <= bend full).
  { destruct (chain_bounds m h full (add c r) K1 R1 t T) as (_ & D).
    eapply Rle_trans; [apply norm_nonneg | exact D]. }
  assert (D2 : 0 <= bend full * (h * h)) by (apply Rmult_le_pos; [exact D | apply Rmult_le_pos; exact H]).
  rewrite <- (reaching_position m h rho c chain (add c r) t); fold full.
  apply (checked_span full c [r] [y] (scale k n) m h (k * u) g) with (t := t); auto;
    try (apply vertex; left; reflexivity).
  - replace (dot (scale k n) (scale k n)) with (k * k * dot n n) by components.
    rewrite <- norm_squared; unfold k; field; lra.
  - intros r' [<- | []]; exact R1.
  - intros r' [<- | []] e I; specialize (E e I); specialize (S (turned_back chain (add n (scale e (cross n (spin chain m)))) m) r A).
    rewrite turned_back_dot in S.
    unfold full at 1 2 3 4; rewrite reaching_position, reaching_velocity, reaching_spin, reaching_turned.
    replace (dot (scale k n) (position chain c m) + e * dot (scale k n) (chain_velocity chain c m)
      + dot (add (scale k n) (scale e (cross (scale k n) (spin chain m)))) (turned chain r m))
      with (k * (dot n (position chain c m) + e * dot n (chain_velocity chain c m)
        + dot (add n (scale e (cross n (spin chain m)))) (turned chain r m))) by components.
    assert (bend full * (h * h) <= k * N * (bend full * (h * h)))
      by (rewrite <- (Rmult_1_l (bend full * (h * h))) at 1; apply Rmult_le_compat_r; auto).
    assert (k * (dot n (position chain c m) + e * dot n (chain_velocity chain c m)
        + dot (add n (scale e (cross n (spin chain m)))) (turned chain r m) + N * bend full * h * h / 2) <= k * u)
      by (apply Rmult_le_compat_l; lra).
    lra.
  - intros y' [<- | []]; specialize (B y Y).
    replace (dot (scale k n) y) with (k * dot n y) by components.
    assert (k * (u + N * g) <= k * dot n y) by (apply Rmult_le_compat_l; lra).
    assert (1 * g <= k * N * g) by (apply Rmult_le_compat_r; lra); lra.
Qed.

(* The shapes: their points, a bound on their support in the direction d, and on the distance from their center. *)
Definition box hx hy hz r := Rabs (vx r) <= hx /\ Rabs (vy r) <= hy /\ Rabs (vz r) <= hz.
Definition box_support hx hy hz d := hx * Rabs (vx d) + hy * Rabs (vy d) + hz * Rabs (vz d).

Definition flat v := Vec (vx v) (vy v) 0.
Definition cylinder radius half r := norm (flat r) <= radius /\ Rabs (vz r) <= half.
Definition cylinder_support radius half d := radius * norm (flat d) + half * Rabs (vz d).

(* Radii at both ends: a cone if one of them is 0. The point at the height z is between them. *)
Definition frustum bottom top half r :=
  exists s, 0 <= s <= 1 /\ vz r = (2 * s - 1) * half /\ norm (flat r) <= (1 - s) * bottom + s * top.
Definition frustum_support bottom top half d :=
  Rmax (bottom * norm (flat d) - half * vz d) (top * norm (flat d) + half * vz d).

(* The image of the unit ball under a scale for each axis. *)
Definition stretched x y z v := Vec (x * vx v) (y * vy v) (z * vz v).
Definition ellipsoid x y z r := exists v, norm v <= 1 /\ r = stretched x y z v.
Definition ellipsoid_support x y z d := norm (stretched x y z d).

(* A shape with a margin: each point is within the margin of a point of the shape. A sphere is a point with one, and
   a capsule is a segment with one. *)
Definition with_margin margin (a : vec -> Prop) r := exists p, a p /\ norm (sub r p) <= margin.
Definition sphere radius := with_margin radius (box 0 0 0).
Definition capsule radius half := with_margin radius (box 0 0 half).

Lemma abs_product x y b : Rabs x <= b -> y * x <= b * Rabs y.
Proof.
  intro H; eapply Rle_trans; [apply Rle_abs |]; rewrite Rabs_mult, Rmult_comm.
  apply Rmult_le_compat_r; [apply Rabs_pos | exact H].
Qed.

Theorem box_supported hx hy hz d r : box hx hy hz r -> dot d r <= box_support hx hy hz d.
Proof.
  intros (X & Y & Z); unfold dot, box_support.
  pose proof (abs_product _ (vx d) _ X); pose proof (abs_product _ (vy d) _ Y); pose proof (abs_product _ (vz d) _ Z); lra.
Qed.

Lemma flat_dot d r : vx d * vx r + vy d * vy r <= norm (flat r) * norm (flat d).
Proof. pose proof (dot_le (flat d) (flat r)) as H; unfold dot in H; simpl in H; lra. Qed.

Theorem cylinder_supported radius half d r : cylinder radius half r -> dot d r <= cylinder_support radius half d.
Proof.
  intros (F & Z); unfold dot, cylinder_support.
  pose proof (abs_product _ (vz d) _ Z); pose proof (flat_dot d r).
  assert (norm (flat r) * norm (flat d) <= radius * norm (flat d)) by (apply Rmult_le_compat_r; [apply norm_nonneg | exact F]).
  lra.
Qed.

Theorem frustum_supported bottom top half d r : frustum bottom top half r -> dot d r <= frustum_support bottom top half d.
Proof.
  intros (s & S & Z & F); unfold dot, frustum_support; rewrite Z.
  pose proof (flat_dot d r).
  assert (norm (flat r) * norm (flat d) <= ((1 - s) * bottom + s * top) * norm (flat d))
    by (apply Rmult_le_compat_r; [apply norm_nonneg | exact F]).
  set (x := bottom * norm (flat d) - half * vz d); set (y := top * norm (flat d) + half * vz d).
  assert ((1 - s) * x <= (1 - s) * Rmax x y) by (apply Rmult_le_compat_l; [lra | apply Rmax_l]).
  assert (s * y <= s * Rmax x y) by (apply Rmult_le_compat_l; [lra | apply Rmax_r]).
  unfold x, y in *; lra.
Qed.

Theorem ellipsoid_supported x y z d r : ellipsoid x y z r -> dot d r <= ellipsoid_support x y z d.
Proof.
  intros (v & V & ->); unfold ellipsoid_support.
  replace (dot d (stretched x y z v)) with (dot (stretched x y z d) v) by (unfold dot; simpl; ring).
  eapply Rle_trans; [apply dot_le |].
  rewrite <- (Rmult_1_r (norm (stretched x y z d))) at 2.
  apply Rmult_le_compat_l; [apply norm_nonneg | exact V].
Qed.

Theorem margin_supported margin (a : vec -> Prop) s d r :
  (forall p, a p -> dot d p <= s) -> with_margin margin a r -> dot d r <= s + margin * norm d.
Proof.
  intros S (p & A & M); replace (dot d r) with (dot d p + dot d (sub r p)) by components.
  pose proof (dot_le d (sub r p)); pose proof (S p A).
  assert (norm d * norm (sub r p) <= norm d * margin) by (apply Rmult_le_compat_l; [apply norm_nonneg | exact M]); lra.
Qed.

