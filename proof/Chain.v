(* Statements (2) and (3): bounds on the velocity and the acceleration of a point that a chain of joints moves. *)
From Coq Require Import Reals Lra List.
Require Import Vectors Bound Span.
Import ListNotations.
Open Scope R_scope.

(* The rotation about the unit vector z by the angle q (formula of Rodrigues). *)
Definition rotation z q v :=
  add (scale (cos q) v) (add (scale (sin q) (cross z v)) (scale ((1 - cos q) * dot z v) z)).

Lemma circle q : cos q * cos q + sin q * sin q = 1.
Proof. pose proof (sin2_cos2 q); unfold Rsqr in *; lra. Qed.

Lemma rotation_norm z q v : dot z z = 1 -> norm (rotation z q v) = norm v.
Proof.
  intro Z; unfold norm; apply f_equal, Rminus_diag_uniq.
  transitivity ((dot v v - dot z v * dot z v) * (cos q * cos q + sin q * sin q - 1)
    + (dot z z - 1) * (sin q * sin q * dot v v + (1 - cos q) * (1 - cos q) * (dot z v * dot z v))).
  - unfold rotation; generalize (cos q), (sin q); components.
  - rewrite circle, Z; ring.
Qed.

(* A vector u that rotates about z by the angle q: its derivative is that of u plus q' z x u, rotated alike. *)
Lemma rotation_derivative z q q' u u' t :
  dot z z = 1 -> derivable_pt_lim q t q' -> derivative u t u' ->
  derivative (fun s => rotation z (q s) (u s)) t (rotation z (q t) (add u' (scale q' (cross z (u t))))).
Proof.
  intros Z Q (UX & UY & UZ); unfold derivative, rotation, dot; simpl.
  repeat split; (eapply d_equal; [differentiate |]);
    apply Rminus_diag_uniq; generalize (cos (q t)), (sin (q t)); intros c s.
  - transitivity (s * q' * vx (u t) * (dot z z - 1)); [unfold dot; simpl; ring | rewrite Z; ring].
  - transitivity (s * q' * vy (u t) * (dot z z - 1)); [unfold dot; simpl; ring | rewrite Z; ring].
  - transitivity (s * q' * vz (u t) * (dot z z - 1)); [unfold dot; simpl; ring | rewrite Z; ring].
Qed.

Lemma derivative_add f g t a b : derivative f t a -> derivative g t b -> derivative (fun s => add (f s) (g s)) t (add a b).
Proof. intros (? & ? & ?) (? & ? & ?); repeat split; simpl; apply d_plus; auto. Qed.

Lemma derivative_constant c t : derivative (fun _ => c) t zero.
Proof. repeat split; apply d_const. Qed.

Lemma derivative_from o f t a : derivative f t a -> derivative (fun s => sub (f s) o) t a.
Proof. intros (? & ? & ?); repeat split; simpl; (eapply d_equal; [differentiate | simpl; ring]). Qed.

Lemma derivative_to o f t a : derivative f t a -> derivative (fun s => add o (f s)) t a.
Proof. intros (? & ? & ?); repeat split; simpl; (eapply d_equal; [differentiate | simpl; ring]). Qed.

Lemma derivative_scale q f t q' a :
  derivable_pt_lim q t q' -> derivative f t a ->
  derivative (fun s => scale (q s) (f s)) t (add (scale q' (f t)) (scale (q t) a)).
Proof. intros ? (? & ? & ?); repeat split; simpl; apply d_mult; auto. Qed.

Lemma derivative_along z q t q' : derivable_pt_lim q t q' -> derivative (fun s => scale (q s) z) t (scale q' z).
Proof. intros; repeat split; simpl; (eapply d_equal; [differentiate | simpl; ring]). Qed.

Lemma derivative_cross z f t a : derivative f t a -> derivative (fun s => cross z (f s)) t (cross z a).
Proof. intros (? & ? & ?); repeat split; simpl; (eapply d_equal; [differentiate | simpl; ring]). Qed.

(* A point moves at most as far as its greatest speed takes it. *)
Lemma displacement f f' m h S t :
  (forall s, m - h <= s <= m + h -> derivative f s (f' s)) ->
  (forall s, m - h <= s <= m + h -> norm (f' s) <= S) ->
  m - h <= t <= m + h -> norm (sub (f t) (f m)) <= h * S.
Proof.
  intros F B T; set (D := sub (f t) (f m)).
  assert (0 <= S) by (pose proof (norm_nonneg (f' t)); pose proof (B t T); lra).
  assert (along : forall s, m - h <= s <= m + h -> Rabs (dot D (f' s)) <= norm D * S).
  { intros s I; eapply Rle_trans; [apply cauchy_schwarz |].
    apply Rmult_le_compat_l; [apply norm_nonneg | auto]. }
  assert (mean : exists c, m - h <= c <= m + h /\ dot D (f t) - dot D (f m) = dot D (f' c) * (t - m)).
  { destruct (Rtotal_order t m) as [L | [-> | L]].
    - destruct (MVT_cor2 (fun s => dot D (f s)) (fun s => dot D (f' s)) t m L) as (c & E & C);
        [intros; apply d_dot, F; lra |]; exists c; split; lra.
    - exists m; split; [| ring]; lra.
    - destruct (MVT_cor2 (fun s => dot D (f s)) (fun s => dot D (f' s)) m t L) as (c & E & C);
        [intros; apply d_dot, F; lra |]; exists c; split; lra. }
  destruct mean as (c & C & E).
  assert (Q : norm D * norm D <= norm D * (h * S)).
  { rewrite norm_squared.
    replace (dot D D) with (dot D (f t) - dot D (f m)) by (unfold D; components).
    rewrite E; eapply Rle_trans; [apply Rle_abs |]; rewrite Rabs_mult.
    replace (norm D * (h * S)) with (norm D * S * h) by ring.
    apply Rmult_le_compat; try apply Rabs_pos; [auto |]; apply Rabs_le; lra. }
  destruct (norm_nonneg D) as [P | <-]; [apply Rmult_le_reg_l with (norm D); auto |].
  apply Rmult_le_pos; lra.
Qed.

(* A joint turns about the line through o along z, or slides along z: as in the frame before it at the value 0. *)
Inductive kind := Revolute (z o : vec) | Prismatic (z : vec).
Definition axis k := match k with Revolute z _ => z | Prismatic z => z end.

(* Its value, the derivatives of the value, bounds w and w' on those, and the bound d on its effect on a point. *)
Record joint := Joint { sort : kind; q : R -> R; q' : R -> R; q'' : R -> R; w : R; w' : R; d : R }.

(* A chain begins at b and ends at a; p is the point of a when all values are 0. *)
Fixpoint position chain p t :=
  match chain with
  | [] => p
  | j :: rest =>
    let x := position rest p t in
    match sort j with
    | Revolute z o => add o (rotation z (q j t) (sub x o))
    | Prismatic z => add x (scale (q j t) z)
    end
  end.

Fixpoint chain_velocity chain p t :=
  match chain with
  | [] => zero
  | j :: rest =>
    let x := position rest p t in
    let x' := chain_velocity rest p t in
    match sort j with
    | Revolute z o => rotation z (q j t) (add x' (scale (q' j t) (cross z (sub x o))))
    | Prismatic z => add x' (scale (q' j t) z)
    end
  end.

Fixpoint chain_acceleration chain p t :=
  match chain with
  | [] => zero
  | j :: rest =>
    let u := fun o => sub (position rest p t) o in
    let x' := chain_velocity rest p t in
    let x'' := chain_acceleration rest p t in
    match sort j with
    | Revolute z o => rotation z (q j t)
        (add (add x'' (add (scale (q'' j t) (cross z (u o))) (scale (q' j t) (cross z x'))))
             (scale (q' j t) (cross z (add x' (scale (q' j t) (cross z (u o)))))))
    | Prismatic z => add x'' (scale (q'' j t) z)
    end
  end.

(* The sums of (2) and (3), from a towards b. *)
Fixpoint speed chain := match chain with [] => 0 | j :: rest => d j * w j + speed rest end.
Fixpoint bend chain :=
  match chain with
  | [] => 0
  | j :: rest =>
    d j * w' j + match sort j with Revolute _ _ => d j * w j * w j + 2 * w j * speed rest | Prismatic _ => 0 end
    + bend rest
  end.

(* The assumptions on a joint, over the interval [m - h, m + h]. *)
Definition keeps m h j :=
  dot (axis (sort j)) (axis (sort j)) = 1 /\
  forall t, m - h <= t <= m + h ->
    derivable_pt_lim (q j) t (q' j t) /\ derivable_pt_lim (q' j) t (q'' j t) /\
    Rabs (q' j t) <= w j /\ Rabs (q'' j t) <= w' j.

(* d is at least the distance from the axis at the middle plus what the joints beyond may add to it; or 1. *)
Fixpoint reached m h chain p :=
  match chain with
  | [] => True
  | j :: rest =>
    match sort j with
    | Revolute z o => norm (cross z (sub (position rest p m) o)) + h * speed rest <= d j
    | Prismatic _ => 1 <= d j
    end /\ reached m h rest p
  end.

Lemma chain_derivatives m h chain p : Forall (keeps m h) chain -> forall t, m - h <= t <= m + h ->
  derivative (position chain p) t (chain_velocity chain p t) /\
  derivative (chain_velocity chain p) t (chain_acceleration chain p t).
Proof.
  induction 1 as [| j rest (Z & J) _ IH]; intros t T; [split; apply derivative_constant |].
  destruct (IH t T) as (P & V); destruct (J t T) as (Q & Q' & _); simpl; destruct (sort j) as [z o | z]; simpl in Z.
  - split.
    + apply derivative_to, (rotation_derivative z (q j) (q' j t) (fun s => sub (position rest p s) o)); auto.
      apply derivative_from; auto.
    + apply (rotation_derivative z (q j) (q' j t)
        (fun s => add (chain_velocity rest p s) (scale (q' j s) (cross z (sub (position rest p s) o))))); auto.
      apply derivative_add; auto.
      apply (derivative_scale (q' j) (fun s => cross z (sub (position rest p s) o))); auto.
      apply derivative_cross, derivative_from; auto.
  - split; apply derivative_add; auto; apply derivative_along; auto.
Qed.

Lemma norm_scale_le s v a b : Rabs s <= a -> norm v <= b -> norm (scale s v) <= a * b.
Proof.
  intros; rewrite norm_scale; apply Rmult_le_compat; auto; [apply Rabs_pos | apply norm_nonneg].
Qed.

(* Statements (2) and (3). *)
Theorem chain_bounds m h chain p : Forall (keeps m h) chain -> reached m h chain p ->
  forall t, m - h <= t <= m + h ->
  norm (chain_velocity chain p t) <= speed chain /\ norm (chain_acceleration chain p t) <= bend chain.
Proof.
  induction 1 as [| j rest (Z & J) K IH]; [intros; simpl; rewrite norm_zero; lra |].
  intros (D & I) t T; destruct (IH I t T) as (V & A); destruct (J t T) as (_ & _ & W & W'); simpl.
  destruct (sort j) as [z o | z]; simpl in Z.
  - set (x' := chain_velocity rest p t) in *; set (x'' := chain_acceleration rest p t) in *.
    assert (U : norm (cross z (sub (position rest p t) o)) <= d j).
    { replace (sub (position rest p t) o)
        with (add (sub (position rest p m) o) (sub (position rest p t) (position rest p m))) by components.
      replace (cross z (add (sub (position rest p m) o) (sub (position rest p t) (position rest p m))))
        with (add (cross z (sub (position rest p m) o)) (cross z (sub (position rest p t) (position rest p m))))
        by components.
      eapply Rle_trans; [apply norm_add |].
      pose proof (norm_cross_unit z (sub (position rest p t) (position rest p m)) Z).
      assert (norm (sub (position rest p t) (position rest p m)) <= h * speed rest).
      { apply (displacement (position rest p) (chain_velocity rest p)); auto;
          intros s S; [apply (chain_derivatives m h rest p K s S) | apply (IH I s S)]. }
      lra. }
    set (u := cross z (sub (position rest p t) o)) in *.
    assert (V1 : norm (add x' (scale (q' j t) u)) <= d j * w j + speed rest).
    { eapply Rle_trans; [apply norm_add |]; pose proof (norm_scale_le _ _ _ _ W U); lra. }
    split; rewrite rotation_norm by auto; [exact V1 |].
    assert (B1 := norm_scale_le _ _ _ _ W' U).
    assert (B2 := norm_scale_le _ _ _ _ W (Rle_trans _ _ _ (norm_cross_unit z x' Z) V)).
    assert (B3 := norm_scale_le _ _ _ _ W (Rle_trans _ _ _ (norm_cross_unit z _ Z) V1)).
    eapply Rle_trans; [apply norm_add |].
    eapply Rle_trans; [apply Rplus_le_compat_r, norm_add |].
    eapply Rle_trans; [apply Rplus_le_compat_r, Rplus_le_compat_l, norm_add |].
    lra.
  - pose proof (norm_unit z Z) as N.
    pose proof (Rle_trans _ _ _ (Rabs_pos _) W); pose proof (Rle_trans _ _ _ (Rabs_pos _) W').
    assert (w j <= d j * w j) by (rewrite <- (Rmult_1_l (w j)) at 1; apply Rmult_le_compat_r; auto).
    assert (w' j <= d j * w' j) by (rewrite <- (Rmult_1_l (w' j)) at 1; apply Rmult_le_compat_r; auto).
    split; (eapply Rle_trans; [apply norm_add |]); rewrite norm_scale, N; lra.
Qed.

(* The theorem of a span: the inequalities that a checker computes at the middle of an interval, for the vertices of a
   that the chain moves and the vertices of b, bound the distance of the two bodies during all of it. *)
Theorem chain_separates chain a b n m h u g :
  dot n n = 1 -> Forall (keeps m h) chain -> (forall p, In p a -> reached m h chain p) ->
  (forall p, In p a -> forall e, e = h \/ e = - h ->
    dot n (position chain p m) + e * dot n (chain_velocity chain p m) + bend chain * h * h / 2 <= u) ->
  (forall y, In y b -> u + g <= dot n y) ->
  forall t x y, m - h <= t <= m + h ->
    hull (map (fun p => position chain p t) a) x -> hull b y -> g <= norm (sub y x).
Proof.
  intros N K D E B t x y T X Y.
  set (move p := Point (position chain p) (chain_velocity chain p) (chain_acceleration chain p)).
  assert (I : exists p, In p a).
  { clear - X; destruct a as [| p a]; [exfalso | exists p; left; reflexivity]; induction X; auto. }
  destruct I as (p0 & I).
  apply (span_separates (map move a) b n m h (bend chain) u g) with (t := t); auto.
  - destruct (chain_bounds m h chain p0 K (D p0 I) t T) as (_ & P).
    pose proof (norm_nonneg (chain_acceleration chain p0 t)); lra.
  - intros p P; apply in_map_iff in P; destruct P as (p1 & <- & P); intros s S; simpl.
    destruct (chain_derivatives m h chain p1 K s S); destruct (chain_bounds m h chain p1 K (D p1 P) s S); auto.
  - intros p P; apply in_map_iff in P; destruct P as (p1 & <- & P); simpl.
    pose proof (E p1 P (- h) (or_intror eq_refl)); lra.
  - intros p P; apply in_map_iff in P; destruct P as (p1 & <- & P); simpl.
    pose proof (E p1 P h (or_introl eq_refl)); lra.
  - unfold at_time; rewrite map_map; exact X.
Qed.
