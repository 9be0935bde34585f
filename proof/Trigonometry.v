(* The polynomials of sinCos in src/core/math/trigonometry.ts against sine and cosine, and the three parts of pi/2 that
   its reduction subtracts against pi/2: exact real numbers, no rounding (that is in the files *.gappa). s, c and h are
   the doubles of the program. By the tactic interval of coq-interval, which uses Coq's primitive integers. *)
Require Import Reals Interval.Tactic.
Open Scope R_scope.

(* Coefficients of the sine, of the cosine, and the parts of pi/2. *)
Definition s1 : R := -6004799503160649 / 2 ^ 55.
Definition s2 : R := 2401919801261139 / 2 ^ 58.
Definition s3 : R := -7320136532976085 / 2 ^ 65.
Definition s4 : R := 6506786730409597 / 2 ^ 71.
Definition s5 : R := -7571127717829867 / 2 ^ 78.
Definition s6 : R := 1537454791456095 / 2 ^ 83.
Definition c1 : R := 1501199875790163 / 2 ^ 55.
Definition c2 : R := -6405119470031223 / 2 ^ 62.
Definition c3 : R := 457508533350745 / 2 ^ 64.
Definition c4 : R := -5205429506036397 / 2 ^ 74.
Definition c5 : R := 1261860039765105 / 2 ^ 79.
Definition c6 : R := 1757820317994549 / 2 ^ 87.
Definition h1 : R := 1686629713 / 2 ^ 30.
Definition h2 : R := 2242054355 / 2 ^ 65.
Definition h3 : R := 5376105825661043 / 2 ^ 121.

Definition sine_sum (r : R) :=
  r + r * (r * r) * (s1 + r * r * (s2 + r * r * (s3 + r * r * (s4 + r * r * (s5 + r * r * s6))))).
Definition cosine_sum (r : R) :=
  1 - r * r / 2 + r * r * (r * r) * (c1 + r * r * (c2 + r * r * (c3 + r * r * (c4 + r * r * (c5 - r * r * c6))))).

Theorem half_pi : Rabs (PI / 2 - (h1 + h2 + h3)) <= 1 / 2 ^ 122.
Proof. unfold h1, h2, h3. interval with (i_prec 200). Qed.

Theorem sine_polynomial : forall r, Rabs r <= 0.7854 -> Rabs (sin r - sine_sum r) <= 1 / 2 ^ 58.
Proof.
  intros r H. unfold sine_sum, s1, s2, s3, s4, s5, s6.
  interval with (i_taylor r, i_bisect r, i_prec 120, i_degree 16, i_depth 12).
Qed.

Theorem cosine_polynomial : forall r, Rabs r <= 0.7854 -> Rabs (cos r - cosine_sum r) <= 1 / 2 ^ 59.
Proof.
  intros r H. unfold cosine_sum, c1, c2, c3, c4, c5, c6.
  interval with (i_taylor r, i_bisect r, i_prec 120, i_degree 16, i_depth 12).
Qed.
