(* Rounding errors of straight-line expressions, in the standard model: an operation returns its result times 1 + d
  with
   |d| <= u. Without overflow and underflow, that is what u = 2^-53 means for doubles. *)
From Coq Require Import Reals Lra Lia.
Require Import Vectors.
Open Scope R_scope.

(* Numbers of the program (`Exact`), numbers that one rounding separates from real ones (`Rounded`), and
  operations. *)
Inductive expression :=
  | Exact (x : R) | Rounded (x : R)
  | Add (a b : expression) | Sub (a b : expression) | Mul (a b : expression) | Div (a b : expression).

Fixpoint value e :=
  match e with
  | Exact x | Rounded x => x
  | Add a b => value a + value b
  | Sub a b => value a - value b
  | Mul a b => value a * value b
  | Div a b => value a / value b
  end.

(* The sum of the sizes of all terms of an expression, as if nothing cancelled. *)
Fixpoint size e :=
  match e with
  | Exact x | Rounded x => Rabs x
  | Add a b | Sub a b => size a + size b
  | Mul a b => size a * size b
  | Div a b => size a / Rabs (value b)
  end.

(* The roundings of each term, at most. *)
Fixpoint count e : nat :=
  match e with
  | Exact _ => 0
  | Rounded _ => 1
  | Add a b | Sub a b => S (max (count a) (count b))
  | Mul a b => S (count a + count b)
  | Div a b => S (count a + 2 * count b)
  end.

(* Divisors are not 0, and nothing cancels in them. *)
Fixpoint divides e : Prop :=
  match e with
  | Exact _ | Rounded _ => True
  | Add a b | Sub a b | Mul a b => divides a /\ divides b
  | Div a b => divides a /\ divides b /\ value b <> 0 /\ size b = Rabs (value b) /\ (count b <= 4)%nat
  end.

Lemma size_nonneg e : divides e -> 0 <= size e.
Proof.
  induction e; simpl; intro D; try apply Rabs_pos; try (apply Rplus_le_le_0_compat; tauto);
    try (apply Rmult_le_pos; tauto).
  destruct D as (? & ? & Z & _); apply Rmult_le_pos; [auto | left; apply Rinv_0_lt_compat, Rabs_pos_lt, Z].
Qed.

Section Model.
  Variable u : R.
  Hypothesis U : 0 <= u <= / 10000.

  Definition rounds r x := Rabs (r - x) <= u * Rabs x.

  (* r is a value that the program may compute for an expression. *)
  Fixpoint computed e r : Prop :=
    match e with
    | Exact x => r = x
    | Rounded x => rounds r x
    | Add a b => exists p q, computed a p /\ computed b q /\ rounds r (p + q)
    | Sub a b => exists p q, computed a p /\ computed b q /\ rounds r (p - q)
    | Mul a b => exists p q, computed a p /\ computed b q /\ rounds r (p * q)
    | Div a b => exists p q, computed a p /\ computed b q /\ rounds r (p / q)
    end.

  (* What k roundings of a term may add to it, relative. *)
  Definition growth k := (1 + u) ^ k - 1.
  Definition near k m r x := Rabs x <= m /\ Rabs (r - x) <= growth k * m.

  Lemma growth_nonneg k : 0 <= growth k.
  Proof. unfold growth; pose proof (pow_R1_Rle (1 + u) k ltac:(lra)); lra. Qed.

  Lemma growth_monotone j k : (j <= k)%nat -> growth j <= growth k.
  Proof. intro H; unfold growth; pose proof (Rle_pow (1 + u) j k ltac:(lra) H); lra. Qed.

  Lemma growth_le k : INR k * u <= 1 -> growth k <= INR k * u + (INR k * u) ^ 2.
  Proof.
    unfold growth; induction k as [| k H]; [simpl; lra |].
    rewrite S_INR; intro L; pose proof (pos_INR k).
    assert (0 <= INR k * u) by (apply Rmult_le_pos; lra).
    specialize (H ltac:(lra)); set (a := INR k * u) in *.
    replace ((INR k + 1) * u) with (a + u) in * by (unfold a; ring).
    assert ((1 + u) ^ k * (1 + u) <= (1 + (a + a ^ 2)) * (1 + u)) by (apply Rmult_le_compat_r; lra).
    assert (0 <= u * (a + u - a * a)) by (apply Rmult_le_pos; nra).
    simpl in *; lra.
  Qed.

  Lemma near_rounds k m r s x : near k m s x -> rounds r s -> near (S k) m r x.
  Proof.
    intros (X & E) H; split; [exact X |]; unfold rounds in H.
    assert (Rabs s <= (1 + growth k) * m) by
      (replace s with (s - x + x) by ring; eapply Rle_trans; [apply Rabs_triang | lra]).
    replace (r - x) with (r - s + (s - x)) by ring; eapply Rle_trans; [apply Rabs_triang |].
    assert (u * Rabs s <= u * ((1 + growth k) * m)) by (apply Rmult_le_compat_l; lra).
    replace (growth (S k) * m) with (u * ((1 + growth k) * m) + growth k * m) by (unfold growth; simpl; ring); lra.
  Qed.

  Lemma near_more j k m r x : (j <= k)%nat -> near j m r x -> near k m r x.
  Proof.
    intros H (X & E); split; [exact X |]; pose proof (growth_monotone j k H); pose proof (Rabs_pos x).
    eapply Rle_trans; [exact E | apply Rmult_le_compat_r; lra].
  Qed.

  Lemma near_sum k m n p q x y : near k m p x -> near k n q y -> near k (m + n) (p + q) (x + y).
  Proof.
    intros (X & E) (Y & F); split.
    - eapply Rle_trans; [apply Rabs_triang | lra].
    - replace (p + q - (x + y)) with (p - x + (q - y)) by ring; eapply Rle_trans; [apply Rabs_triang | lra].
  Qed.

  Lemma near_opposite k m p x : near k m p x -> near k m (- p) (- x).
  Proof.
    intros (X & E); split; [rewrite Rabs_Ropp; exact X |].
    replace (- p - - x) with (- (p - x)) by ring; rewrite Rabs_Ropp; exact E.
  Qed.

  Lemma near_product j k m n p q x y : near j m p x -> near k n q y -> near (j + k) (m * n) (p * q) (x * y).
  Proof.
    intros (X & E) (Y & F); pose proof (Rabs_pos x); pose proof (Rabs_pos y).
    pose proof (growth_nonneg j); pose proof (growth_nonneg k); split.
    - rewrite Rabs_mult; apply Rmult_le_compat; lra.
    - replace (p * q - x * y) with ((p - x) * (q - y) + (p - x) * y + x * (q - y)) by ring.
      eapply Rle_trans; [apply Rabs_triang |]; eapply Rle_trans; [apply Rplus_le_compat_r, Rabs_triang |].
      rewrite !Rabs_mult.
      assert (Rabs (p - x) * Rabs (q - y) <= growth j * m * (growth k * n)) by (apply Rmult_le_compat;
        try apply Rabs_pos; lra).
      assert (Rabs (p - x) * Rabs y <= growth j * m * n) by (apply Rmult_le_compat; try apply Rabs_pos; lra).
      assert (Rabs x * Rabs (q - y) <= m * (growth k * n)) by (apply Rmult_le_compat; try apply Rabs_pos; lra).
      replace (growth (j + k) * (m * n)) with (growth j * m * (growth k * n) + growth j * m * n + m * (growth k * n))
        by (unfold growth; rewrite pow_add; ring); lra.
  Qed.

  Lemma growth_four : growth 4 <= 1 / 2.
  Proof. pose proof (growth_le 4); simpl INR in *; unfold growth in *; nra. Qed.

  Lemma near_inverse k q y : (k <= 4)%nat -> y <> 0 -> near k (Rabs y) q y -> near (2 * k) (/ Rabs y) (/ q) (/ y).
  Proof.
    intros H Y (_ & F); pose proof (Rabs_pos_lt y Y) as P; pose proof (growth_nonneg k) as G.
    pose proof (growth_monotone k 4 H); pose proof growth_four.
    assert (Rabs y - growth k * Rabs y <= Rabs q) as L.
    { replace y with (q + (y - q)) at 1 by ring; rewrite (Rabs_minus_sym q y) in F.
      pose proof (Rabs_triang q (y - q)); lra. }
    assert (0 < Rabs q) as Q by nra.
    assert (q <> 0) by (intro Z; rewrite Z, Rabs_R0 in Q; lra).
    split; [rewrite Rabs_inv; lra |].
    replace (/ q - / y) with ((y - q) * / q * / y) by (field; auto).
    rewrite !Rabs_mult, !Rabs_inv, Rabs_minus_sym; apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra |].
    apply Rmult_le_reg_r with (Rabs q); [lra |]; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    replace (growth (2 * k)) with (growth k * (growth k + 2)) by (unfold growth;
      replace (2 * k)%nat with (k + k)%nat by lia; rewrite pow_add; ring).
    eapply Rle_trans; [exact F |].
    apply Rle_trans with (growth k * (growth k + 2) * (Rabs y - growth k * Rabs y)).
    - replace (growth k * (growth k + 2) * (Rabs y - growth k * Rabs y))
        with (growth k * Rabs y * ((growth k + 2) * (1 - growth k))) by ring.
      rewrite <- (Rmult_1_r (growth k * Rabs y)) at 1; apply Rmult_le_compat_l; nra.
    - apply Rmult_le_compat_l; nra.
  Qed.

  (* A computed value is off by no more than its roundings, of all terms. *)
  Theorem rounding_errors : forall e r, divides e -> computed e r -> near (count e) (size e) r (value e).
  Proof.
    induction e; simpl; intros r D C.
    - subst r; split; [lra |]; replace (x - x) with 0 by ring; unfold growth; simpl; rewrite Rabs_R0; lra.
    - split; [lra |]; unfold growth; simpl; unfold rounds in C; lra.
    - destruct D as (? & ?), C as (p & q & P & Q & R); eapply near_rounds; [| exact R].
      apply near_sum; [eapply near_more; [| apply IHe1; auto] | eapply near_more; [| apply IHe2; auto]]; lia.
    - destruct D as (? & ?), C as (p & q & P & Q & R); eapply near_rounds; [| exact R]; unfold Rminus.
      apply near_sum; [eapply near_more; [| apply IHe1; auto] | apply near_opposite; eapply near_more;
        [| apply IHe2; auto]]; lia.
    - destruct D as (? & ?), C as (p & q & P & Q & R); eapply near_rounds; [| exact R].
      apply near_product; auto.
    - destruct D as (? & ? & ? & Z & ?), C as (p & q & P & Q & R); eapply near_rounds; [| exact R].
      apply near_product; [auto |]; apply near_inverse; auto; rewrite <- Z; auto.
  Qed.

  (* One more operation on a number of the program and a computed value. *)
  Lemma added_last x h r :
    divides h -> computed (Add (Exact x) h) r ->
    Rabs (r - value (Add (Exact x) h)) <= u * Rabs x + growth (S (count h)) * size h.
  Proof.
    simpl; intros D (p & q & -> & Q & R); destruct (rounding_errors h q D Q) as (X & E); unfold rounds in R.
    pose proof (growth_nonneg (count h)).
    assert (Rabs q <= (1 + growth (count h)) * size h) by
      (replace q with (q - value h + value h) by ring; eapply Rle_trans; [apply Rabs_triang | lra]).
    replace (r - (x + value h)) with (r - (x + q) + (q - value h)) by ring; eapply Rle_trans; [apply Rabs_triang |].
    assert (u * Rabs (x + q) <= u * (Rabs x + (1 + growth (count h)) * size h)) by
      (apply Rmult_le_compat_l; [lra |]; eapply Rle_trans; [apply Rabs_triang | lra]).
    replace (growth (S (count h)) * size h) with (u * ((1 + growth (count h)) * size h) + growth (count h) * size h)
      by (unfold growth; simpl; ring); lra.
  Qed.
End Model.
