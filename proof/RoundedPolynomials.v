(* Positions of src/core/trajectory/polynomial.ts as they are computed: off by no more than docs/proof.md states. *)
From Coq Require Import Reals Lra Lia.
Require Import Roundings.
Open Scope R_scope.

Section Model.
  Variable u : R.
  Hypothesis U : 0 <= u <= / 10000.
  Local Notation computed := (Roundings.computed u).
  Local Notation growth := (Roundings.growth u).
  Local Notation growth_nonneg := (Roundings.growth_nonneg u U).
  Local Notation growth_le := (Roundings.growth_le u U).
  Local Notation added_last := (Roundings.added_last u U).

  (* Coefficients and positions as in src/core/trajectory/polynomial.ts; s is the time since the first point. *)
  Definition horner s c1 c2 c3 c4 c5 := Mul s (Add c1 (Mul s (Add c2 (Mul s (Add c3 (Mul s (Add c4 (Mul s c5)))))))).
  Section Polynomials.
    Variables x y v w a b T s : R.
    Hypotheses (P : 0 < T) (S0 : 0 <= s <= T).
    Let mean := Div (Rounded (y - x)) (Exact T).
    Let half := Div (Exact T) (Exact 2).
    Definition cubic :=
      Add (Exact x) (horner (Rounded s) (Exact v)
        (Div (Sub (Sub (Mul (Exact 3) mean) (Mul (Exact 2) (Exact v))) (Exact w)) (Exact T))
        (Div (Sub (Add (Exact v) (Exact w)) (Mul (Exact 2) mean)) (Mul (Exact T) (Exact T))) (Exact 0) (Exact 0)).
    Definition quintic :=
      Add (Exact x) (horner (Rounded s) (Exact v) (Div (Exact a) (Exact 2))
        (Div (Div (Sub (Sub (Sub (Mul (Exact 10) mean) (Mul (Exact 6) (Exact v))) (Mul (Exact 4) (Exact w)))
          (Mul (Sub (Mul (Exact 3) (Exact a)) (Exact b)) half)) (Exact T)) (Exact T))
        (Div (Div (Div (Add (Sub (Add (Mul (Exact 8) (Exact v)) (Mul (Exact 7) (Exact w))) (Mul (Exact 15) mean))
          (Mul (Sub (Mul (Exact 3) (Exact a)) (Mul (Exact 2) (Exact b))) half)) (Exact T)) (Exact T)) (Exact T))
        (Div (Div (Div (Div (Sub (Sub (Sub (Mul (Exact 6) mean) (Mul (Exact 3) (Exact v))) (Mul (Exact 3) (Exact w)))
          (Mul (Sub (Exact a) (Exact b)) half)) (Exact T)) (Exact T)) (Exact T)) (Exact T))).

    Lemma horner_size c1 c2 c3 c4 c5 :
      0 <= c1 -> 0 <= c2 -> 0 <= c3 -> 0 <= c4 -> 0 <= c5 ->
      s * (c1 + s * (c2 + s * (c3 + s * (c4 + s * c5)))) <= T * (c1 + T * (c2 + T * (c3 + T * (c4 + T * c5)))).
    Proof.
      intros; repeat (apply Rmult_le_compat; try (apply Rplus_le_compat_l); try lra;
        repeat (first [apply Rplus_le_le_0_compat | apply Rmult_le_pos]); try lra).
    Qed.

    Ltac sizes := unfold cubic, quintic, horner, mean, half; simpl;
      rewrite ?(Rabs_pos_eq s), ?(Rabs_pos_eq T), ?(Rabs_pos_eq (T * T)), ?Rabs_R0 by nra;
      repeat match goal with |- context [Rabs (IZR (Zpos ?n))] => rewrite (Rabs_pos_eq (IZR (Zpos n))) by lra end.

    Ltac nonneg := repeat (first [apply Rplus_le_le_0_compat | apply Rmult_le_pos | apply Rabs_pos | apply Rle_refl
      | lra | left; apply Rinv_0_lt_compat; nra]).

    Ltac divisible := simpl; repeat split; try reflexivity; try (symmetry; apply Rabs_mult); try lia; try lra; nra.

    (* The goal is a bound in u from one in growth, at most k u. *)
    Ltac final k M :=
      match goal with |- _ + growth ?c * ?m <= _ =>
        let n := eval compute in c in change c with n; pose proof (growth_nonneg n);
        assert (growth n <= k * u) as G by (eapply Rle_trans; [apply growth_le; simpl INR; nra | simpl INR; nra]);
        assert (0 <= u * Rabs x) by (apply Rmult_le_pos; lra);
        assert (0 <= u * Rabs (y - x)) by (apply Rmult_le_pos; lra);
        assert (0 <= u * (T * Rabs v)) by (repeat apply Rmult_le_pos; lra);
        assert (0 <= u * (T * Rabs w)) by (repeat apply Rmult_le_pos; lra);
        apply Rle_trans with (u * Rabs x + k * u * m); [apply Rplus_le_compat_l, Rmult_le_compat_r;
          [apply size_nonneg; divisible | exact G] |];
        apply Rle_trans with (u * Rabs x + k * (u * m)); [right; ring |];
        pose proof (Rmult_le_compat_l u _ _ (proj1 U) M); lra
      end.

    Theorem cubic_rounding r : computed cubic r ->
      Rabs (r - value cubic) <= 12 * u * (Rabs x + 31 * Rabs (y - x) + T * (18 * Rabs v + 14 * Rabs w)).
    Proof.
      intro C; eapply Rle_trans; [apply added_last; [| exact C] |].
      - divisible.
      - match goal with |- _ + growth ?k * ?m <= _ => assert (m <= 5 * Rabs (y - x) + T * (4 * Rabs v + 2 * Rabs
        w)) as M end.
        { sizes; eapply Rle_trans; [apply horner_size; unfold Rdiv; nonneg | right; field; lra]. }
        pose proof (Rabs_pos x); pose proof (Rabs_pos (y - x)); pose proof (Rabs_pos v); pose proof (Rabs_pos w).
        final 20 M.
    Qed.

    Theorem quintic_rounding r : computed quintic r ->
      Rabs (r - value quintic) <= 30 * u * (Rabs x + 31 * Rabs (y - x) + T * (18 * Rabs v + 14 * Rabs w) + T * T *
        (4 * Rabs a + 2 * Rabs b)).
    Proof.
      intro C; eapply Rle_trans; [apply added_last; [| exact C] |].
      - divisible.
      - match goal with |- _ + growth ?k * ?m <= _ =>
          assert (m <= 31 * Rabs (y - x) + T * (18 * Rabs v + 14 * Rabs w) + T * T * (4 * Rabs a + 2 * Rabs b)) as
            M end.
        { sizes; eapply Rle_trans; [apply horner_size; unfold Rdiv; nonneg | right; field; lra]. }
        pose proof (Rabs_pos x); pose proof (Rabs_pos (y - x)); pose proof (Rabs_pos v); pose proof (Rabs_pos w).
        assert (0 <= u * (T * T * Rabs a)) by (repeat apply Rmult_le_pos; try lra; apply Rabs_pos).
        assert (0 <= u * (T * T * Rabs b)) by (repeat apply Rmult_le_pos; try lra; apply Rabs_pos).
        final 28 M.
    Qed.
  End Polynomials.
End Model.
