/**
 * Configuration q: one value per planned joint, in the robot's order; radians for revolute, metres for prismatic
 * joints.
 */
export type Configuration = Float64Array;

/** Returns the squared Euclidean distance of two configurations. */
export function squaredDistance(a: Configuration, b: Configuration): number {
  let sum = 0;
  for (let j = 0; j < a.length; j++) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

/** Returns the Euclidean distance of two lists of joint values. */
export function distanceBetween(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let j = 0; j < a.length; j++) sum += (a[j] - b[j]) ** 2;
  return Math.sqrt(sum);
}
