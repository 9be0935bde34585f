/**
 * Gradient of the growth distance: per shape 3 derivatives by the velocity of its centre, 1/m, then 3 by its angular
 * velocity, 1/rad.
 */
export class GrowthGradient {
  readonly a = new Float64Array(6);
  readonly b = new Float64Array(6);
  /**
   * Whether the growth distance is differentiable here: false at kinks, such as shapes that touch face to face when
   * grown, and at equal centres. Edges and faces smaller than 1e-4 of the outer radius of a shape are not detected;
   * edges that are parallel within 1e-4 rad, and radii of curvature above 1000 outer radii, count as kinks.
   */
  differentiable = false;
}
