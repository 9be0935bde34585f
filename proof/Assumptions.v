(* Prints the axioms that the theorems rest on: those of Coq's real numbers alone. *)
Require Import Bound Span Chain Rigid Rates Shapes Roundings RoundedPolynomials RoundedMatrices.

Definition theorems :=
  (taylor, second_order_bound, plane_separates, span_separates, rotated_support, bisection,
   chain_bounds, chain_separates, rigid_velocity, checked_span,
   quintic_rates, cubic_rates, cubic_ends, quintic_ends, following_keeps,
   supported_span, box_supported, cylinder_supported, frustum_supported, ellipsoid_supported, margin_supported,
   rounding_errors, cubic_rounding, quintic_rounding, products_rounding, point_rounding, matrix_rounding, chain_rounding).

Print Assumptions theorems.
