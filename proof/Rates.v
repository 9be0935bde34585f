(* Bounds on the velocity and the acceleration of a joint that follows a line, a cubic or a quintic of time. *)
From Coq Require Import Reals Lra.
Require Import Vectors Chain.
Open Scope R_scope.

(* A polynomial of degree 5 and its derivatives; those of a line and of a cubic end with zeros. *)
Record polynomial := Polynomial { c0 : R; c1 : R; c2 : R; c3 : R; c4 : R; c5 : R }.

Section Derivatives.
  Variable p : polynomial.
  Definition value u := c0 p + u * (c1 p + u * (c2 p + u * (c3 p + u * (c4 p + u * c5 p)))).
  Definition rate u := c1 p + u * (2 * c2 p + u * (3 * c3 p + u * (4 * c4 p + u * (5 * c5 p)))).
  Definition change u := 2 * c2 p + u * (6 * c3 p + u * (12 * c4 p + u * (20 * c5 p))).
  Definition third u := 6 * c3 p + u * (24 * c4 p + u * (60 * c5 p)).
  Definition fourth u := 24 * c4 p + u * (120 * c5 p).
  Definition fifth := 120 * c5 p.

  Lemma value_derivative u : derivable_pt_lim value u (rate u).
  Proof. unfold value, rate; eapply d_equal; [differentiate | simpl; ring]. Qed.

  Lemma rate_derivative u : derivable_pt_lim rate u (change u).
  Proof. unfold rate, change; eapply d_equal; [differentiate | simpl; ring]. Qed.
End Derivatives.

Lemma abs_step x y t h b : Rabs t <= h -> Rabs y <= b -> Rabs (x + t * y) <= Rabs x + h * b.
Proof.
  intros T Y; eapply Rle_trans; [apply Rabs_triang |]; rewrite Rabs_mult.
  assert (Rabs t * Rabs y <= h * b) by (apply Rmult_le_compat; auto using Rabs_pos); lra.
Qed.

Lemma abs_between x w : Rabs x <= w -> - w <= x <= w.
Proof. intro H; pose proof (Rle_abs x); pose proof (Rle_abs (- x)); rewrite Rabs_Ropp in *; lra. Qed.

Lemma abs_part x k : 0 < k -> Rabs (x / k) = Rabs x / k.
Proof.
  intro K; unfold Rdiv; rewrite Rabs_mult, (Rabs_pos_eq (/ k)); [reflexivity |].
  left; apply Rinv_0_lt_compat, K.
Qed.

(* The finite Taylor series about the middle u of an interval of half width h: the bounds of a quintic. *)
Theorem quintic_rates p u h t : u - h <= t <= u + h ->
  Rabs (rate p t) <= Rabs (rate p u)
    + h * (Rabs (change p u) + h * (Rabs (third p u) / 2 + h * (Rabs (fourth p u) / 6 + h * (Rabs (fifth p) / 24)))) /\
  Rabs (change p t) <= Rabs (change p u)
    + h * (Rabs (third p u) + h * (Rabs (fourth p u) / 2 + h * (Rabs (fifth p) / 6))).
Proof.
  intro T; assert (D : Rabs (t - u) <= h) by (apply Rabs_le; lra).
  rewrite <- !abs_part by lra; split.
  - replace (rate p t) with (rate p u + (t - u) * (change p u + (t - u) * (third p u / 2
      + (t - u) * (fourth p u / 6 + (t - u) * (fifth p / 24)))))
      by (unfold rate, change, third, fourth, fifth; field).
    repeat apply abs_step; auto; apply Rle_refl.
  - replace (change p t) with (change p u + (t - u) * (third p u + (t - u) * (fourth p u / 2
      + (t - u) * (fifth p / 6)))) by (unfold change, third, fourth, fifth; field).
    repeat apply abs_step; auto; apply Rle_refl.
Qed.

(* Where |velocity| of a cubic is computed: at the ends of an interval, and where the acceleration vanishes within. *)
Definition candidate p u0 u1 s := s = u0 \/ s = u1 \/ (c3 p <> 0 /\ u0 < s < u1 /\ s = - c2 p / (3 * c3 p)).

(* A parabola that is bounded at the ends of an interval, and at its vertex if that is within, is bounded on it. *)
Lemma parabola_between a b c u0 u1 u w :
  u0 <= u <= u1 -> Rabs (a + b * u0 + c * u0 * u0) <= w -> Rabs (a + b * u1 + c * u1 * u1) <= w ->
  (forall s, c <> 0 -> u0 < s < u1 -> s = - b / (2 * c) -> Rabs (a + b * s + c * s * s) <= w) ->
  Rabs (a + b * u + c * u * u) <= w.
Proof.
  intros U L H V; set (f s := a + b * s + c * s * s).
  change (Rabs (f u0) <= w) in L; change (Rabs (f u1) <= w) in H; change (Rabs (f u) <= w).
  destruct (Req_dec c 0) as [Z | Z].
  { assert (E : forall s, f s = a + b * s) by (intro; unfold f; rewrite Z; ring); rewrite E in *.
    apply abs_between in L; apply abs_between in H; apply Rabs_le.
    destruct (Rle_dec 0 b).
    - assert (b * u0 <= b * u <= b * u1) by (split; apply Rmult_le_compat_l; lra); lra.
    - assert (0 <= - b * (u - u0) /\ 0 <= - b * (u1 - u)) by (split; apply Rmult_le_pos; lra); lra. }
  set (v := - b / (2 * c)).
  assert (S : forall s r, f s - f r = c * (s - r) * (s + r - 2 * v)) by (intros; unfold f, v; field; exact Z).
  (* On each side of the vertex f is monotonic. *)
  assert (M : forall r s, (r <= u <= s) -> (v <= r \/ s <= v) -> Rabs (f r) <= w -> Rabs (f s) <= w -> Rabs (f u) <= w).
  { intros r s I [J | J] R1 R2; pose proof (S u r); pose proof (S u s);
      apply abs_between in R1; apply abs_between in R2; apply Rabs_le; destruct (Rle_dec 0 c).
    - assert (0 <= c * (u - r) * (u + r - 2 * v)) by (repeat apply Rmult_le_pos; lra).
      assert (0 <= c * (s - u) * (u + s - 2 * v)) by (repeat apply Rmult_le_pos; lra); lra.
    - assert (0 <= - c * (u - r) * (u + r - 2 * v)) by (repeat apply Rmult_le_pos; lra).
      assert (0 <= - c * (s - u) * (u + s - 2 * v)) by (repeat apply Rmult_le_pos; lra); lra.
    - assert (0 <= c * (u - r) * (2 * v - u - r)) by (repeat apply Rmult_le_pos; lra).
      assert (0 <= c * (s - u) * (2 * v - u - s)) by (repeat apply Rmult_le_pos; lra); lra.
    - assert (0 <= - c * (u - r) * (2 * v - u - r)) by (repeat apply Rmult_le_pos; lra).
      assert (0 <= - c * (s - u) * (2 * v - u - s)) by (repeat apply Rmult_le_pos; lra); lra. }
  destruct (Rle_dec v u0); [apply (M u0 u1); auto; lra |].
  destruct (Rle_dec u1 v); [apply (M u0 u1); auto; lra |].
  assert (W : Rabs (f v) <= w) by (apply V; auto; lra).
  destruct (Rle_dec u v); [apply (M u0 v) | apply (M v u1)]; auto; lra.
Qed.

(* The acceleration of a cubic is linear and its velocity a parabola: bounds of a line or a cubic. *)
Theorem cubic_rates p u0 u1 u w w' : c4 p = 0 -> c5 p = 0 -> u0 <= u <= u1 ->
  (forall s, candidate p u0 u1 s -> Rabs (rate p s) <= w) ->
  Rabs (change p u0) <= w' -> Rabs (change p u1) <= w' ->
  Rabs (rate p u) <= w /\ Rabs (change p u) <= w'.
Proof.
  intros Z4 Z5 U C L H.
  assert (E : forall s, rate p s = c1 p + 2 * c2 p * s + 3 * c3 p * s * s)
    by (intro s; unfold rate; rewrite Z4, Z5; ring).
  assert (F : forall s, change p s = 2 * c2 p + 6 * c3 p * s + 0 * s * s)
    by (intro s; unfold change; rewrite Z4, Z5; ring).
  split.
  - rewrite E; apply parabola_between with (u0 := u0) (u1 := u1); auto; try (rewrite <- E; apply C; red; auto).
    intros s N I V; rewrite <- E; apply C; right; right; repeat split; try apply I; [lra |].
    rewrite V; field; lra.
  - rewrite F; apply parabola_between with (u0 := u0) (u1 := u1); try rewrite <- F; auto.
    intros; exfalso; lra.
Qed.

(* The polynomials between two points of a motion, T seconds apart: m is the mean velocity, v and w are the velocities,
   a and b the accelerations at both ends, q the position at the first. *)
Definition line q m := Polynomial q m 0 0 0 0.
Definition cubic q m v w T := Polynomial q v ((3 * m - 2 * v - w) / T) ((v + w - 2 * m) / T / T) 0 0.
Definition quintic q m v w a b T :=
  let s := a * T in let r := b * T in
  Polynomial q v (a / 2)
    ((10 * m - 6 * v - 4 * w - 3 / 2 * s + 1 / 2 * r) / T / T)
    ((8 * v + 7 * w - 15 * m + 3 / 2 * s - r) / T / T / T)
    ((6 * m - 3 * v - 3 * w - 1 / 2 * s + 1 / 2 * r) / T / T / T / T).

Theorem cubic_ends q m v w T : T <> 0 -> let p := cubic q m v w T in
  value p 0 = q /\ rate p 0 = v /\ value p T = q + m * T /\ rate p T = w.
Proof. intro; unfold value, rate, cubic; simpl; repeat split; field; auto. Qed.

Theorem quintic_ends q m v w a b T : T <> 0 -> let p := quintic q m v w a b T in
  value p 0 = q /\ rate p 0 = v /\ change p 0 = a /\ value p T = q + m * T /\ rate p T = w /\ change p T = b.
Proof. intro; unfold value, rate, change, quintic; simpl; repeat split; field; auto. Qed.

(* The joint of a chain that follows a polynomial: its value is multiplier times that of its leader, plus an offset. *)
Definition following sort multiplier offset p w w' d :=
  Joint sort (fun t => multiplier * value p t + offset) (fun t => multiplier * rate p t) (fun t => multiplier * change p t)
    (Rabs multiplier * w) (Rabs multiplier * w') d.

(* A joint that follows a polynomial, with bounds on the rates of this polynomial, meets the assumptions of a chain. *)
Theorem following_keeps sort multiplier offset p w w' d m h :
  dot (axis sort) (axis sort) = 1 ->
  (forall t, m - h <= t <= m + h -> Rabs (rate p t) <= w /\ Rabs (change p t) <= w') ->
  keeps m h (following sort multiplier offset p w w' d).
Proof.
  intros Z B; split; [exact Z |]; intros t T; destruct (B t T) as (W & W'); simpl.
  pose proof (value_derivative p t); pose proof (rate_derivative p t).
  repeat split; try (eapply d_equal; [differentiate | simpl; ring]);
    rewrite Rabs_mult; apply Rmult_le_compat_l; auto using Rabs_pos.
Qed.
