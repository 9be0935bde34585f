(* Prints the axioms that the theorems rest on: those of Coq's real numbers alone. *)
Require Import Bound Span Chain Rigid.

Definition theorems :=
  (taylor, second_order_bound, plane_separates, span_separates, rotated_support, bisection,
   chain_bounds, chain_separates, rigid_velocity, checked_span).

Print Assumptions theorems.
