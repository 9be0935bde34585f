(* Prints the axioms that the theorems rest on: those of Coq's real numbers alone. *)
Require Import Bound Span Chain Rigid Rates Shapes.

Definition theorems :=
  (taylor, second_order_bound, plane_separates, span_separates, rotated_support, bisection,
   chain_bounds, chain_separates, rigid_velocity, checked_span,
   quintic_rates, cubic_rates, cubic_ends, quintic_ends, following_keeps,
   supported_span, box_supported, cylinder_supported, frustum_supported, ellipsoid_supported, margin_supported).

Print Assumptions theorems.
