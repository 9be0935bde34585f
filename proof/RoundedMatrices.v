(* Dot products, products of matrices and one step of a chain as they are computed, by Frobenius norms. *)
From Coq Require Import Reals Lra.
Require Import Vectors Roundings.
Open Scope R_scope.

Section Model.
  Variable u : R.
  Hypothesis U : 0 <= u <= / 10000.
  Local Notation computed := (Roundings.computed u).
  Local Notation growth := (Roundings.growth u).
  Local Notation growth_nonneg := (Roundings.growth_nonneg u U).
  Local Notation growth_le := (Roundings.growth_le u U).
  Local Notation rounding_errors := (Roundings.rounding_errors u U).

  (* A rotation, dot product or support: three products that are added from the left. *)
  Definition products a b := Add (Add (Mul (Exact (vx a)) (Exact (vx b))) (Mul (Exact (vy a)) (Exact (vy b)))) (Mul
    (Exact (vz a)) (Exact (vz b))).

  Lemma products_size a b : size (products a b) <= norm a * norm b.
  Proof.
    assert (forall v, norm (Vec (Rabs (vx v)) (Rabs (vy v)) (Rabs (vz v))) = norm v) as N.
    { intro v; unfold norm, dot; simpl; rewrite <- !Rabs_mult.
      rewrite !Rabs_pos_eq by (apply Rle_0_sqr); reflexivity. }
    simpl; rewrite <- (N a), <- (N b); eapply Rle_trans; [| apply dot_le]; unfold dot; simpl; lra.
  Qed.

  Theorem products_rounding a b r : computed (products a b) r -> Rabs (r - dot a b) <= growth 3 * (norm a * norm b).
  Proof.
    intro C; destruct (rounding_errors (products a b) r) as (_ & E); [simpl; tauto | exact C |].
    eapply Rle_trans; [exact E | apply Rmult_le_compat_l; [apply growth_nonneg | apply products_size]].
  Qed.

  (* A rotated point and a position. *)
  Theorem point_rounding a b t r :
    computed (Add (products a b) (Exact t)) r -> Rabs (r - (dot a b + t)) <= growth 4 * (norm a * norm b + Rabs t).
  Proof.
    intro C; destruct (rounding_errors (Add (products a b) (Exact t)) r) as (_ & E); [simpl; tauto | exact C |].
    eapply Rle_trans; [exact E | apply Rmult_le_compat_l; [apply growth_nonneg |]].
    simpl; pose proof (products_size a b); simpl in *; lra.
  Qed.

  (* Matrices by rows, their product, and the Frobenius norm. *)
  Record mat := Mat { first : vec; second : vec; third : vec }.
  Definition transposed m := Mat (Vec (vx (first m)) (vx (second m)) (vx (third m)))
    (Vec (vy (first m)) (vy (second m)) (vy (third m))) (Vec (vz (first m)) (vz (second m)) (vz (third m))).
  Definition applied m v := Vec (dot (first m) v) (dot (second m) v) (dot (third m) v).
  Definition times a b := let c := transposed b in Mat (applied c (first a)) (applied c (second a)) (applied c
    (third a)).
  Definition plus a b := Mat (add (first a) (first b)) (add (second a) (second b)) (add (third a) (third b)).
  Definition minus a b := Mat (sub (first a) (first b)) (sub (second a) (second b)) (sub (third a) (third b)).
  Definition square m := dot (first m) (first m) + dot (second m) (second m) + dot (third m) (third m).
  Definition frobenius m := sqrt (square m).
  (* The nine entries of a product, as they are computed. *)
  Definition computed_row row c r :=
    computed (products row (first c)) (vx r) /\ computed (products row (second c)) (vy r) /\
      computed (products row (third c)) (vz r).
  Definition computed_times a b r :=
    let c := transposed b in computed_row (first a) c (first r) /\ computed_row (second a) c (second r) /\
      computed_row (third a) c (third r).

  Lemma square_nonneg m : 0 <= square m.
  Proof. unfold square; pose proof (dot_self_nonneg (first m)); pose proof (dot_self_nonneg (second m));
    pose proof (dot_self_nonneg (third m)); lra. Qed.

  Lemma frobenius_nonneg m : 0 <= frobenius m.
  Proof. apply sqrt_pos. Qed.

  Lemma frobenius_squared m : frobenius m * frobenius m = square m.
  Proof. apply sqrt_def, square_nonneg. Qed.

  Lemma square_transposed m : square (transposed m) = square m.
  Proof. unfold square, dot; simpl; ring. Qed.

  Lemma frobenius_le m b : 0 <= b -> square m <= b * b -> frobenius m <= b.
  Proof. intros H L; apply Rsqr_incr_0_var; auto; unfold Rsqr; rewrite frobenius_squared; auto. Qed.

  Lemma frobenius_norm m : frobenius m = norm (Vec (norm (first m)) (norm (second m)) (norm (third m))).
  Proof.
    unfold frobenius, square; rewrite <- !norm_squared.
    set (p := norm (first m)); set (q := norm (second m)); set (r := norm (third m)); reflexivity.
  Qed.

  Lemma same_entries m n :
    vx (first m) = vx (first n) -> vy (first m) = vy (first n) -> vz (first m) = vz (first n) ->
    vx (second m) = vx (second n) -> vy (second m) = vy (second n) -> vz (second m) = vz (second n) ->
    vx (third m) = vx (third n) -> vy (third m) = vy (third n) -> vz (third m) = vz (third n) -> m = n.
  Proof. destruct m as [[] [] []], n as [[] [] []]; simpl; congruence. Qed.
  Ltac entries := apply same_entries;
    cbv [plus minus times applied transposed add sub dot first second third vx vy vz]; ring.

  Lemma frobenius_plus a b : frobenius (plus a b) <= frobenius a + frobenius b.
  Proof.
    pose proof (frobenius_nonneg a); pose proof (frobenius_nonneg b); apply frobenius_le; [lra |].
    set (d := dot (first a) (first b) + dot (second a) (second b) + dot (third a) (third b)).
    assert (d <= frobenius a * frobenius b) as D.
    { assert (d <= dot (Vec (norm (first a)) (norm (second a)) (norm (third a))) (Vec (norm (first b)) (norm
      (second b)) (norm (third b)))) as L.
      { unfold d; unfold dot at 4; simpl; pose proof (dot_le (first a) (first b));
        pose proof (dot_le (second a) (second b)); pose proof (dot_le (third a) (third b)); lra. }
      eapply Rle_trans; [exact L |]; eapply Rle_trans; [apply dot_le |]; rewrite <- !frobenius_norm; right;
        reflexivity. }
    replace (square (plus a b)) with (square a + square b + 2 * d) by (unfold square, plus, d, dot; simpl; ring).
    rewrite <- !frobenius_squared; lra.
  Qed.

  Lemma row_rounding row c r :
    computed_row row c r ->
    dot (sub r (applied c row)) (sub r (applied c row)) <= growth 3 * growth 3 * (dot row row * square c).
  Proof.
    assert (forall v x, computed (products row v) x ->
      (x - dot v row) * (x - dot v row) <= growth 3 * growth 3 * (dot row row * dot v v)) as S.
    { intros v x C; apply products_rounding in C; replace (dot v row) with (dot row v) by components.
      rewrite <- !norm_squared.
      replace (growth 3 * growth 3 * (norm row * norm row * (norm v * norm v)))
        with (growth 3 * (norm row * norm v) * (growth 3 * (norm row * norm v))) by ring.
      rewrite <- (Rabs_pos_eq ((x - dot row v) * (x - dot row v))) by apply Rle_0_sqr; rewrite Rabs_mult.
      apply Rmult_le_compat; try apply Rabs_pos; exact C. }
    intros (X & Y & Z); apply S in X; apply S in Y; apply S in Z; unfold square.
    unfold sub, applied; unfold dot at 1; simpl; lra.
  Qed.

  Theorem matrix_rounding a b r : computed_times a b r ->
    frobenius (minus r (times a b)) <= growth 3 * (frobenius a * frobenius b).
  Proof.
    intros (X & Y & Z); apply row_rounding in X; apply row_rounding in Y; apply row_rounding in Z;
      rewrite square_transposed in *.
    pose proof (frobenius_nonneg a); pose proof (frobenius_nonneg b); pose proof (growth_nonneg 3).
    apply frobenius_le; [repeat apply Rmult_le_pos; auto |].
    replace (growth 3 * (frobenius a * frobenius b) * (growth 3 * (frobenius a * frobenius b)))
      with (growth 3 * growth 3 * ((frobenius a * frobenius a) * (frobenius b * frobenius b))) by ring.
    rewrite !frobenius_squared; unfold square at 1 2; unfold minus, times; simpl; lra.
  Qed.

  Definition orthonormal m :=
    dot (first m) (first m) = 1 /\ dot (second m) (second m) = 1 /\ dot (third m) (third m) = 1 /\
    dot (first m) (second m) = 0 /\ dot (first m) (third m) = 0 /\ dot (second m) (third m) = 0.
  Definition rotation m := orthonormal m /\ orthonormal (transposed m).

  Lemma square_times_rotation a m : orthonormal m -> square (times a m) = square a.
  Proof.
    intros (X & Y & Z & XY & XZ & YZ).
    assert (forall v, dot (applied (transposed m) v) (applied (transposed m) v) = dot v v) as E.
    { intro v; transitivity (vx v * vx v * dot (first m) (first m) + vy v * vy v * dot (second m) (second m)
        + vz v * vz v * dot (third m) (third m) + 2 * (vx v * vy v) * dot (first m) (second m)
        + 2 * (vx v * vz v) * dot (first m) (third m) + 2 * (vy v * vz v) * dot (second m) (third m)).
      - unfold applied, transposed, dot; simpl; ring.
      - rewrite X, Y, Z, XY, XZ, YZ; unfold dot; ring. }
    unfold square, times; simpl; rewrite !E; reflexivity.
  Qed.

  Lemma square_rotation_times m a : orthonormal (transposed m) -> square (times m a) = square a.
  Proof.
    intro H; rewrite <- (square_transposed (times m a)), <- (square_transposed a), <- (square_times_rotation
      (transposed a) (transposed m) H).
    unfold square, times, applied, transposed, dot; simpl; ring.
  Qed.

  Lemma frobenius_rotation m : rotation m -> frobenius m = sqrt 3.
  Proof. intros ((X & Y & Z & _) & _); unfold frobenius, square; rewrite X, Y, Z; f_equal; ring. Qed.

  Lemma frobenius_times a b : frobenius (times a b) <= frobenius a * frobenius b.
  Proof.
    assert (forall row c, dot (applied c row) (applied c row) <= dot row row * square c) as S.
    { intros row c; unfold applied, square; unfold dot at 1; simpl.
      assert (forall v, dot v row * dot v row <= dot row row * dot v v) as L by
        (intro v; pose proof (lagrange v row); pose proof (dot_self_nonneg (cross v row)); lra).
      pose proof (L (first c)); pose proof (L (second c)); pose proof (L (third c)); lra. }
    pose proof (frobenius_nonneg a); pose proof (frobenius_nonneg b); apply frobenius_le; [apply Rmult_le_pos;
      auto |].
    replace (frobenius a * frobenius b * (frobenius a * frobenius b)) with ((frobenius a * frobenius a) *
      (frobenius b * frobenius b)) by ring.
    rewrite !frobenius_squared, <- (square_transposed b); unfold square at 1 2; unfold times; simpl.
    pose proof (S (first a) (transposed b)); pose proof (S (second a) (transposed b));
      pose proof (S (third a) (transposed b)); lra.
  Qed.

  (* One step of a chain: a pose that is off by e times one that is off by d. *)
  Theorem chain_rounding p l a b c d e :
    rotation p -> rotation l -> frobenius (minus a p) <= e -> frobenius (minus b l) <= d -> e <= / 100 ->
      d <= / 100 ->
    computed_times a b c -> frobenius (minus c (times p l)) <= e + d + e * d + 10 * u.
  Proof.
    intros P L E D E1 D1 C; apply matrix_rounding in C.
    assert (forall x y, frobenius x <= frobenius y + frobenius (minus x y)) as T.
    { intros x y; replace x with (plus y (minus x y)) at 1; [apply frobenius_plus |].
entries. }
    assert (sqrt 3 <= 1.7321) as S by (apply Rsqr_incr_0_var; [rewrite Rsqr_sqrt |]; unfold Rsqr; lra).
    pose proof (T a p) as A; pose proof (T b l) as B; rewrite (frobenius_rotation p P) in A;
      rewrite (frobenius_rotation l L) in B.
    pose proof (frobenius_nonneg a); pose proof (frobenius_nonneg b); pose proof (frobenius_nonneg (minus a p));
      pose proof (frobenius_nonneg (minus b l)).
    assert (growth 3 * (frobenius a * frobenius b) <= 10 * u) as G.
    { pose proof (growth_nonneg 3); assert (growth 3 <= 3.01 * u) by (eapply Rle_trans; [apply growth_le;
      simpl INR; nra | simpl INR; nra]).
      assert (frobenius a * frobenius b <= 1.7421 * 1.7421) by (apply Rmult_le_compat; lra).
      apply Rle_trans with (3.01 * u * (1.7421 * 1.7421)); [apply Rmult_le_compat; try lra; apply Rmult_le_pos;
        lra | lra]. }
    replace (minus c (times p l)) with
      (plus (minus c (times a b)) (plus (times p (minus b l)) (plus (times (minus a p) l) (times (minus a p) (minus
        b l))))).
    2: { entries. }
    eapply Rle_trans; [apply frobenius_plus |]; eapply Rle_trans; [apply Rplus_le_compat_l, frobenius_plus |].
    eapply Rle_trans; [apply Rplus_le_compat_l, Rplus_le_compat_l, frobenius_plus |].
    pose proof (frobenius_times (minus a p) (minus b l)).
    assert (frobenius (minus a p) * frobenius (minus b l) <= e * d) by (apply Rmult_le_compat; lra).
    unfold frobenius at 2 3; rewrite square_rotation_times by apply P; rewrite square_times_rotation by apply L.
    fold (frobenius (minus b l)) (frobenius (minus a p)); lra.
  Qed.
End Model.
