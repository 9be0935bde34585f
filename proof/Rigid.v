(* Statement (4) as a checker computes it: a support value in a slightly rotated direction, for a body that moves rigidly. *)
From Coq Require Import Reals Lra List Nsatz.
Require Import Vectors Bound Span Chain.
Import ListNotations.
Open Scope R_scope.

Lemma rotation_add z q u v : rotation z q (add u v) = add (rotation z q u) (rotation z q v).
Proof. unfold rotation; generalize (cos q), (sin q); components. Qed.

Lemma rotation_cross z q u v : dot z z = 1 -> rotation z q (cross u v) = cross (rotation z q u) (rotation z q v).
Proof.
  intro Z; pose proof (circle q) as C; revert C; unfold rotation; generalize (cos q), (sin q); intros c s C.
  destruct z as [a1 a2 a3], u as [u1 u2 u3], v as [v1 v2 v3]; unfold dot, add, scale, cross in *; simpl in *.
  apply f_equal3; nsatz.
Qed.

(* What a chain does to a vector r that is fixed in a, and the angular velocity of a relative to b. *)
Fixpoint turned chain r t :=
  match chain with
  | [] => r
  | j :: rest => match sort j with Revolute z _ => rotation z (q j t) (turned rest r t) | Prismatic _ => turned rest r t end
  end.

Fixpoint spin chain t :=
  match chain with
  | [] => zero
  | j :: rest =>
    match sort j with
    | Revolute z _ => rotation z (q j t) (add (spin rest t) (scale (q' j t) z))
    | Prismatic _ => spin rest t
    end
  end.

Lemma rigid_position chain c r t : position chain (add c r) t = add (position chain c t) (turned chain r t).
Proof.
  induction chain as [| j rest IH]; simpl; [reflexivity |]; rewrite IH; destruct (sort j) as [z o | z]; [| components].
  replace (sub (add (position rest c t) (turned rest r t)) o)
    with (add (sub (position rest c t) o) (turned rest r t)) by components.
  rewrite rotation_add; components.
Qed.

(* A point c + r of a has the velocity V + omega x r, V that of c. *)
Theorem rigid_velocity m h chain c r t : Forall (keeps m h) chain ->
  chain_velocity chain (add c r) t = add (chain_velocity chain c t) (cross (spin chain t) (turned chain r t)).
Proof.
  induction 1 as [| j rest (Z & _) _ IH]; simpl; [components |].
  rewrite IH, rigid_position; destruct (sort j) as [z o | z]; simpl in Z; [| components].
  rewrite <- rotation_cross, <- rotation_add by exact Z; apply f_equal; components.
Qed.

(* The theorem of a span: if (4) bounds all vertices c + r of a by u, and b lies above u + g, g bounds the distance. *)
Theorem checked_span chain c arms b n m h u g :
  dot n n = 1 -> Forall (keeps m h) chain -> (forall r, In r arms -> reached m h chain (add c r)) ->
  (forall r, In r arms -> forall e, e = h \/ e = - h ->
    dot n (position chain c m) + e * dot n (chain_velocity chain c m)
    + dot (add n (scale e (cross n (spin chain m)))) (turned chain r m) + bend chain * h * h / 2 <= u) ->
  (forall y, In y b -> u + g <= dot n y) ->
  forall t x y, m - h <= t <= m + h ->
    hull (map (fun r => position chain (add c r) t) arms) x -> hull b y -> g <= norm (sub y x).
Proof.
  intros N K D E B t x y T X Y.
  apply (chain_separates chain (map (add c) arms) b n m h u g) with (t := t); auto; [| | rewrite map_map; exact X].
  - intros p P; apply in_map_iff in P; destruct P as (r & <- & P); auto.
  - intros p P e H; apply in_map_iff in P; destruct P as (r & <- & P).
    rewrite (rigid_velocity m h), rigid_position, rotated_support by exact K; auto.
Qed.

(* The assumptions can be met: an arm of length 1 that turns about the z axis by 1 rad/s, and a point beside it. *)
Definition arm := Joint (Revolute (Vec 0 0 1) zero) (fun t => t) (fun _ => 1) (fun _ => 0) 1 0 1 :: nil.

Example arm_keeps_away t : - (1 / 2) <= t <= 1 / 2 ->
  3 / 8 <= norm (sub (Vec 0 1 0) (position arm (add zero (Vec 1 0 0)) t)).
Proof.
  intro T.
  apply (checked_span arm zero (Vec 1 0 0 :: nil) (Vec 0 1 0 :: nil) (Vec 0 1 0) 0 (1 / 2) (5 / 8) (3 / 8)) with (t := t);
    try (unfold dot; simpl; ring); try lra; try (apply vertex; left; reflexivity).
  - constructor; [split; [unfold dot; simpl; ring |] | constructor]; intros s _; simpl.
    rewrite Rabs_R1, Rabs_R0; repeat split; try lra; [apply d_id | apply d_const].
  - intros r [<- | []]; simpl; split; [| exact I].
    rewrite Rmult_0_r, Rplus_0_r; apply norm_le; [lra |]; unfold dot; simpl; lra.
  - intros r [<- | []] e [-> | ->]; simpl; unfold rotation, dot; simpl; rewrite cos_0, sin_0; lra.
  - intros y [<- | []]; unfold dot; simpl; lra.
Qed.
