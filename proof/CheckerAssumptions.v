(* Prints the axioms that the theorem of the checker rests on: those of Coq's real numbers alone. *)
Require Import Accepted.

Print Assumptions accepted.
