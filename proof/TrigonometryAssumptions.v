(* Prints the axioms that the bounds on sine and cosine rest on: those of Coq's real numbers and primitive integers. *)
Require Import Trigonometry.

Definition bounds := (half_pi, sine_polynomial, cosine_polynomial).
Print Assumptions bounds.
