/**
 * Configuration q: one value per planned joint, in the robot's order; radians for revolute, metres for prismatic
 * joints.
 */
export type Configuration = Float64Array;
