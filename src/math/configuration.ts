/** One value for each planned joint, in the robot's order of `q`: radians for turning joints, metres for sliding ones. */
export type Configuration = Float64Array;
