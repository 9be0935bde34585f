(* Prints the axioms that the theorems rest on: those of Coq's real numbers alone. *)
Require Import Bound Span Chain Rigid.
Print Assumptions taylor.
Print Assumptions second_order_bound.
Print Assumptions plane_separates.
Print Assumptions span_separates.
Print Assumptions rotated_support.
Print Assumptions bisection.
Print Assumptions chain_bounds.
Print Assumptions chain_separates.
Print Assumptions rigid_velocity.
Print Assumptions checked_span.
