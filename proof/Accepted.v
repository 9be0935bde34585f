(* The proof that what the checker accepts is true. *)
From Coq Require Import Reals Lra ZArith List Bool.
Require Import Vectors Bound Span Chain Rigid Rates Shapes Enclosures Checker.
Import ListNotations.
Open Scope R_scope.

(* What is proved of one pair at a time of a piece. *)
Definition apart D pad pc pr t := forall x y, points_of (solid_a pr) x -> points_of (solid_b pr) y ->
  real pad < norm (sub (pose [] (resting pr) y 0) (pose (polynomials D pc) (moving pr) x (t - time D (start pc)))).

Lemma rests m h passages x t : position (map (joint_of m h []) passages) x t = pose [] passages x 0.
Proof.
  unfold pose; induction passages as [| p rest IH]; simpl; [reflexivity |]; rewrite IH.
  assert (V : forall s, value match planned p with 0%nat | _ => still end s = 0)
    by (intro; destruct (planned p); unfold value; simpl; ring).
  rewrite !V; reflexivity.
Qed.

Lemma polynomials_within D pc : Forall2 pwithin (ipolynomials D pc) (polynomials D pc).
Proof.
  unfold ipolynomials, polynomials; induction (curves pc) as [| c rest IH]; simpl; constructor; auto.
  apply polynomial_within; unfold itime, time; auto with enclosed.
Qed.

Lemma real_nonneg n : (0 <=? mantissa n)%Z = true -> (0 <=? exponent n)%Z = true -> 0 <= real n.
Proof.
  intros M E; apply Z.leb_le, IZR_le in M; apply Z.leb_le in E.
  assert (P : 0 < IZR (2 ^ exponent n)) by (apply IZR_lt, Z.pow_pos_nonneg; [reflexivity | exact E]).
  unfold real, Rdiv; apply Rmult_le_pos; [exact M | left; apply Rinv_0_lt_compat, P].
Qed.

Lemma separated_over_true D pad pc pr n lo hi : (0 < D)%Z -> 0 <= real pad ->
  separated_over D pad pc pr n lo hi = true -> forall t, time D lo <= t <= time D hi -> apart D pad pc pr t.
Proof.
  intros U P E t T x y A B; unfold separated_over in E; cbv zeta in E.
  set (im := idiv (idiv (iint (lo + hi - 2 * start pc)) (iint 2)) (iint D)) in E.
  set (ih := idiv (idiv (iint (hi - lo)) (iint 2)) (iint D)) in E.
  pose (m := IZR (lo + hi - 2 * start pc) / 2 / IZR D); pose (h := IZR (hi - lo) / 2 / IZR D).
  assert (M : within im m) by (unfold im, m; auto with enclosed).
  assert (H : within ih h) by (unfold ih, h; auto with enclosed).
  pose (chain := map (joint_of m h (polynomials D pc)) (moving pr)); pose (fixed := map (joint_of m h []) (resting pr)).
  pose proof (joints_enclosed _ _ im m ih h (moving pr) (polynomials_within D pc) M H) as C; fold chain in C.
  pose proof (joints_enclosed [] [] im m ih h (resting pr) (Forall2_nil _) M H) as F; fold fixed in F.
  set (ichain := map (ijoint_of (ipolynomials D pc) im ih) (moving pr)) in *.
  set (ifixed := map (ijoint_of [] im ih) (resting pr)) in *.
  destruct (moved_within m h (radius_of (solid_a pr)) zero ih _ izero ichain chain H (radius_within (solid_a pr))
    vwithin_zero C) as (P1 & V1 & O1 & _ & B1).
  destruct (moved_within m h 0 zero ih (iint 0) izero ifixed fixed H (within_int 0) vwithin_zero F) as (P2 & _).
  pose proof (back_within m ichain chain C) as K1; pose proof (back_within m ifixed fixed F) as K2.
  set (a := moved ih (iradius (solid_a pr)) ichain izero) in *; set (b := moved ih (iint 0) ifixed izero) in *.
  pose (v := real_vec n); assert (W : vwithin (enclosed_vec n) v) by apply enclosed_vec_within.
  pose (reach e := dot v (position chain zero m) + e * dot v (chain_velocity chain zero m)
    + support_of (solid_a pr) (turned_back chain (add v (scale e (cross v (spin chain m)))) m)
    + norm v * bend (reaching m h (radius_of (solid_a pr)) chain zero) * h * h / 2).
  pose (begin := dot v (position fixed zero m) - support_of (solid_b pr) (scale (-1) (turned_back fixed v m))).
  destruct (lo <=? hi)%Z eqn:L; cbn [negb] in E; [| discriminate].
  destruct (is_positive (inorm (enclosed_vec n))) eqn:N; cbn [negb] in E; [| discriminate].
  apply (positive_within _ (norm v)) in N; [| auto with enclosed].
  assert (R : forall i e, within i e -> within
    (isub (isub (isub (idot (enclosed_vec n) (iplace b)) (isupport (solid_b pr) (ivscale (iint (-1)) (iback ifixed (enclosed_vec n)))))
      (iadd (iadd (iadd (idot (enclosed_vec n) (iplace a)) (imul i (idot (enclosed_vec n) (ivelocity a))))
        (isupport (solid_a pr) (iback ichain (ivadd (enclosed_vec n) (ivscale i (icross (enclosed_vec n) (ispin a)))))))
        (idiv (imul (imul (imul (inorm (enclosed_vec n)) (ibend a)) ih) ih) (iint 2))))
      (imul (inorm (enclosed_vec n)) (enclosed pad)))
    (begin - reach e - norm v * real pad)).
  { intros i e I; unfold begin, reach.
    assert (S1 := support_within (solid_b pr) _ _ (vwithin_scale _ _ _ _ (within_int (-1)) (K2 _ _ W))).
    assert (S2 := support_within (solid_a pr) _ _ (K1 _ _ (vwithin_add _ _ _ _ W
      (vwithin_scale _ _ _ _ I (vwithin_cross _ _ _ _ W O1))))).
    apply within_sub; [apply within_sub; [apply within_sub; [apply within_dot; assumption | exact S1] |]
      | apply within_mul; [apply within_norm, W | apply enclosed_within]].
    apply within_add; [apply within_add; [apply within_add; [apply within_dot; assumption
      | apply within_mul; [exact I | apply within_dot; assumption]] | exact S2] |].
    apply within_div; [| apply within_int].
    repeat (apply within_mul; [| exact H]); apply within_mul; [apply within_norm, W | exact B1]. }
  match type of E with (if negb (is_positive ?i) then _ else _) = true => destruct (is_positive i) eqn:E1 end;
    cbn [negb] in E; [| discriminate].
  pose proof (positive_within _ _ E1 (R _ _ H)) as G1.
  assert (H0 : within (isub (iint 0) ih) (0 - h)) by auto with enclosed.
  pose proof (positive_within _ _ E (R _ _ H0)) as G2; replace (0 - h) with (- h) in G2 by ring.
  pose (u := Rmax (reach h) (reach (- h))); pose (g := (begin - u) / norm v).
  assert (G : real pad < g).
  { apply Rmult_lt_reg_r with (norm v); [exact N |]; unfold g, Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    unfold u, Rmax; destruct (Rle_dec (reach h) (reach (- h))); lra. }
  apply Rlt_le_trans with g; [exact G |].
  apply Z.leb_le, IZR_le in L; apply IZR_lt in U; pose proof (Rinv_0_lt_compat _ U) as I.
  rewrite <- (rests m h (resting pr) y m), <- (pose_joints m h), <- (zero_add x); fold fixed; fold chain.
  apply (supported_span chain zero (radius_of (solid_a pr)) (points_of (solid_a pr))
    (fun z => exists y, points_of (solid_b pr) y /\ z = position fixed y m) (support_of (solid_a pr)) v (norm v) m h u g);
    auto using solid_bounded, solid_supported; try lra.
  - unfold h; rewrite minus_IZR; unfold Rdiv; apply Rmult_le_pos; lra.
  - apply joints_keep.
  - intros e [-> | ->]; [apply Rmax_l | apply Rmax_r].
  - intros z (y' & Y & ->); unfold g; replace (u + norm v * ((begin - u) / norm v)) with begin by (field; lra).
    rewrite <- (zero_add y'), rigid_position; unfold begin.
    replace (dot v (add (position fixed zero m) (turned fixed y' m)))
      with (dot v (position fixed zero m) + dot v (turned fixed y' m)) by components.
    rewrite <- turned_back_dot; pose proof (solid_supported _ (scale (-1) (turned_back fixed v m)) _ Y) as S.
    replace (dot (scale (-1) (turned_back fixed v m)) y') with (- dot (turned_back fixed v m) y') in S by components; lra.
  - unfold time, m, h, Rdiv in *; rewrite !minus_IZR, !plus_IZR, !mult_IZR; lra.
  - exists y; auto.
Qed.

Lemma bisected_over_true D (f : BinNums.Z -> BinNums.Z -> bool) (holds : R -> Prop) :
  (forall lo hi, f lo hi = true -> forall t, time D lo <= t <= time D hi -> holds t) ->
  forall fuel lo hi, bisected_over fuel f lo hi = true -> forall t, time D lo <= t <= time D hi -> holds t.
Proof.
  intro F; induction fuel as [| less IH]; intros lo hi; simpl; destruct (f lo hi) eqn:E; try discriminate; intros H t T;
    try (apply (F lo hi E); exact T).
  set (m := ((lo + hi) / 2)%Z) in H; destruct (bisected_over less f lo m) eqn:L; [| discriminate].
  destruct (Rle_dec t (time D m)); [apply (IH lo m) | apply (IH m hi)]; auto; lra.
Qed.

#[local] Opaque bisected_over separated_over.

Lemma covered_true D pad pc pr spans lo : (0 < D)%Z -> 0 <= real pad -> covered D pad pc pr spans lo = true ->
  forall t, time D lo <= t <= time D (stop pc) -> apart D pad pc pr t.
Proof.
  intros U P; revert lo; induction spans as [| s rest IH]; intros lo; simpl; [discriminate |].
  destruct (upto s <? lo)%Z; [apply IH |]; destruct (negb (from s <=? lo)%Z); [discriminate |].
  set (hi := Z.min (upto s) (stop pc)).
  destruct (bisected_over most_bisections (separated_over D pad pc pr (normal s)) lo hi) eqn:B; [| discriminate].
  pose proof (bisected_over_true D _ _ (fun l h => separated_over_true D pad pc pr (normal s) l h U P) _ _ _ B) as H.
  intros E t T; destruct (Z.leb_spec (stop pc) (upto s)).
  - apply H; unfold hi; rewrite Z.min_r; auto.
  - unfold hi in H; rewrite Z.min_l in H by (apply Z.lt_le_incl; assumption).
    destruct (Rle_dec t (time D (upto s))); [apply H | apply (IH (upto s) E)]; lra.
Qed.

Lemma contiguous_true D pieces from until : pieces <> [] -> contiguous pieces from until = true ->
  forall t, time D from <= t <= time D until -> exists pc, In pc pieces /\ time D (start pc) <= t <= time D (stop pc).
Proof.
  revert from; induction pieces as [| pc rest IH]; intros from N C t T; [contradiction |].
  simpl in C; apply andb_prop in C; destruct C as (C & R); apply andb_prop in C; destruct C as (S & _).
  apply Z.eqb_eq in S; destruct (Rle_dec t (time D (stop pc))).
  - exists pc; rewrite S; split; [left; reflexivity | lra].
  - destruct rest as [| next rest].
    + simpl in R; apply Z.eqb_eq in R; rewrite R in *; lra.
    + destruct (IH (stop pc)) with (t := t) as (found & F & I); auto; [discriminate | lra |].
      exists found; split; [right; exact F | exact I].
Qed.

(* What the checker accepts is true: at every time of the motion some piece has a state, and at all times of each piece
   every pair is farther apart than the padding. *)
Theorem accepted c : accepts c = true ->
  (forall t, 0 <= t <= time (unit_of_time c) (duration c) ->
    exists pc, In pc (pieces c) /\ time (unit_of_time c) (start pc) <= t <= time (unit_of_time c) (stop pc)) /\
  (forall pc pr t, In pc (pieces c) -> In pr (pairs c) ->
    time (unit_of_time c) (start pc) <= t <= time (unit_of_time c) (stop pc) ->
    apart (unit_of_time c) (padding c) pc pr t).
Proof.
  unfold accepts; intro A; apply andb_prop in A; destruct A as (A & F); apply andb_prop in A; destruct A as (A & C).
  apply andb_prop in A; destruct A as (A & N); apply andb_prop in A; destruct A as (A & E).
  apply andb_prop in A; destruct A as (U & M); apply Z.ltb_lt in U; apply Z.ltb_lt in N; split.
  - intros t T; apply (contiguous_true (unit_of_time c) (pieces c) 0 (duration c)); auto.
    + intro Q; rewrite Q in C; apply Z.eqb_eq in C; rewrite <- C in N; discriminate.
    + unfold time at 1, Rdiv; rewrite Rmult_0_l; exact T.
  - intros pc pr t I J.
    pose proof (proj1 (forallb_forall _ _) F pr J) as G; cbv beta in G.
    pose proof (proj1 (forallb_forall _ _) G pc I) as K; cbv beta in K.
    exact (covered_true _ _ _ _ _ _ U (real_nonneg _ M E) K t).
Qed.
