import type { RobotState } from '../../kinematics/forwardKinematics.ts';
import { MAX_JOINT_VALUE } from '../../math/magnitudes.ts';
import { norm } from '../../math/vec3.ts';

/** Unit roundoff of single precision. */
const U = 2 ** -24;
/** Factor for terms of second order, products of errors: rotations err by less than MAX_ROTATION_ERROR. */
const SECOND_ORDER = 1.01;
export const MAX_ROTATION_ERROR = 1e-3;
/** Metres: rounding of the double-precision poses and of numbers near zero. */
const FLOOR = 1e-7;
const SQRT3 = Math.sqrt(3);

/**
 * Errors of one pose of the kernel against exact kinematics: of the rotation (Frobenius norm), of the position (m), and
 * the greatest distance of the position from the root (m).
 */
export interface PoseError {
  readonly rotation: number;
  readonly position: number;
  readonly reach: number;
}

/**
 * Bounds the errors of all poses that the kernel computes: the root, then each moving link, for joint values up to
 * `maxValues`. With u the unit roundoff:
 *
 * - Sine and cosine err by at most 5 u. The reduced angle |r| <= π/4 is rounded to single precision (relative u); the
 *   reduction itself, in double precision, errs by less than 1e-9 = 0.02 u for values up to 1e6. The series are cut
 *   behind r⁹ / 9! and r⁸ / 8!; their remainders are below r¹¹ / 11! < 2e-9 and r¹⁰ / 10! < 2.5e-8 = 0.42 u. The terms
 *   behind the first one sum to at most 0.31, each with relative errors below 8 u (3 u from r²), which adds 2.5 u; the
 *   final sum adds u, and sin(r) = r (1 + …) another u.
 * - Each entry of L = K0 + s K1 + c K2 thus errs by 5 u (|K1| + |K2|) and, for the rounding of constants, products and
 *   sums, by 4 u (|K0| + |K1| + |K2|).
 * - The product of two rotations rounds each entry by 3 u of the sum of absolute products; in the Frobenius norm by 3 u
 *   ‖P‖ ‖L‖ = 9 u. So E_child = E_parent + ‖δL‖ + 9 u.
 * - The position p_child = p_parent + P t errs by the error of p_parent, by E_parent |t|, by 5 u |t| for the rounding
 *   of t, by 4 √3 u |t| for that of the products and sums, and by 2 u of the reach for the last sum.
 */
export function poseErrors(state: RobotState, maxValues: ArrayLike<number>): PoseError[] {
  const { links, parents, variables, slides, factors, constants } = state;
  const errors: PoseError[] = [{ rotation: SQRT3 * U, position: 0, reach: 0 }];
  const poseOfLink = new Map([[0, 0]]);
  for (let j = 0; j < links.length; j++) {
    const parent = errors[poseOfLink.get(parents[j])!];
    const K = constants.subarray(33 * j, 33 * j + 33);
    const value = Math.abs(factors[2 * j]) * maxValues[variables[j]] + Math.abs(factors[2 * j + 1]);
    let squares = 0;
    for (let k = 0; k < 9; k++) {
      const swing = Math.abs(K[9 + k]) + Math.abs(K[18 + k]);
      squares += (U * (5 * swing + 4 * (Math.abs(K[k]) + swing))) ** 2;
    }
    const length = Math.sqrt(K[27] ** 2 + K[28] ** 2 + K[29] ** 2) + (slides[j] === 1 ? value : 0);
    const reach = parent.reach + length;
    errors.push({
      rotation: SECOND_ORDER * (parent.rotation + Math.sqrt(squares) + 9 * U),
      position: SECOND_ORDER * (parent.position + (parent.rotation + (5 + 4 * SQRT3) * U) * length + 2 * U * reach),
      reach,
    });
    poseOfLink.set(links[j], j + 1);
  }
  return errors;
}

/**
 * Greatest magnitude of each variable for which the kernel is used: that of the position limits for prismatic joints,
 * on whose travel the errors depend, and for the others what angles are reduced for; less for mimic joints, by their
 * multipliers.
 */
export function greatestValues({ model, variables, slides, factors }: RobotState): Float64Array {
  const greatest = new Float64Array(model.dof).fill(MAX_JOINT_VALUE);
  for (let j = 0; j < variables.length; j++) {
    const v = variables[j];
    const { lower, upper } = model.variables[v].limits;
    const byFactor = (MAX_JOINT_VALUE - Math.abs(factors[2 * j + 1])) / Math.max(1, Math.abs(factors[2 * j]));
    const travel = slides[j] === 1 ? Math.max(Math.abs(lower), Math.abs(upper)) : Number.POSITIVE_INFINITY;
    greatest[v] = Math.min(greatest[v], byFactor, travel);
  }
  return greatest;
}

/** Distance (m) from the root within which a box at `offset` of a link stays, `size` its half diagonal. */
export const boxReach = ({ reach }: PoseError, offset: number, size: number): number => reach + offset + size;

/**
 * Bounds the errors (m) of all comparisons of a part's box that grow with the part: of its centre, at `offset` from the
 * origin of the link, and of its projection, `size` its half diagonal. `rotation`: greatest error of any pose.
 *
 * The centre errs as a position does. Axes of boxes, the product of the rotation of the link and of that of the part in
 * the link, err by 12 u more than the link, and cosines between axes of two boxes by the errors of both and 6 u. A
 * projection |d · a| of the offset d of two centres errs by the error of the axis and 5 u, relative to |d|, which is at
 * most the sum of the distances of the two from the root: each of them pays its own share.
 */
export function partMargin(error: PoseError, rotation: number, offset: number, size: number): number {
  const reach = boxReach(error, offset, size);
  const center = error.position + (error.rotation + 6 * SQRT3 * U) * offset + 2 * U * reach;
  const projection = 2 * SQRT3 * (rotation + 20 * U) * size + (rotation + 28 * U) * reach;
  return SECOND_ORDER * (center + projection) + FLOOR;
}

/** As `partMargin`, of an obstacle's box at `offset` from the root, whose pose is exact but for rounding. */
export function obstacleMargin(rotation: number, offset: number, size: number): number {
  return SECOND_ORDER * (rotation + 28 * U) * (offset + SQRT3 * size) + FLOOR;
}

/** Bounds the errors (m) of world boxes of obstacles: rounding of the coordinates and of the comparison. */
export function worldBoxMargin(offset: number, size: number): number {
  return 8 * U * (offset + SQRT3 * size) + FLOOR;
}

/** Returns a number that is not smaller than x >= 0 even after it was rounded to single precision. */
export const roundedUp = (x: number): number => x * (1 + 4 * U);

/** Returns a number that is not greater than x >= 0 even after it was rounded; for x < 0, x. */
export const roundedDown = (x: number): number => (x > 0 ? x * (1 - 4 * U) : x);

/** A joint's axis is a unit vector up to this. */
const UNIT = 1e-9;

/**
 * Returns true if the rotation of T is orthonormal up to 1e-13: the errors of the kernel are bounded for rotations, and
 * a face may be 1e7 m from the origin of its box.
 */
export function isRotation(T: ArrayLike<number>, rows: readonly [number, number, number] = [0, 4, 8]): boolean {
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j <= i; j++) {
      let product = i === j ? -1 : 0;
      for (let k = 0; k < 3; k++) product += T[rows[i] + k] * T[rows[j] + k];
      if (!(Math.abs(product) <= 1e-13)) return false;
    }
  }
  return true;
}

/** Returns true if all joints move their links rigidly: orthonormal rotations and unit axes throughout. */
export function hasRigidJoints(state: RobotState): boolean {
  for (let j = 0; j < state.links.length; j++) {
    const K = state.constants.subarray(33 * j);
    const atZero = Float64Array.from({ length: 9 }, (_, k) => K[k] + K[18 + k]);
    if (!isRotation(atZero, [0, 3, 6]) || !(Math.abs(norm(K.subarray(30, 33)) - 1) <= UNIT)) return false;
  }
  return true;
}
