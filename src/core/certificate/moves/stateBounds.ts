import type { PoseChart, StateCell } from '../../kinematics/branches/ikBranch.ts';
import { poseError } from '../../kinematics/pose.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { LinkFrame } from '../../kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../math/configuration.ts';
import { compose, create, rotate, type Transform } from '../../math/transform.ts';
import { create as createVec3, cross, norm, sub } from '../../math/vec3.ts';
import { linkPoses } from '../linkPoses.ts';

const ORDER = 6;
/** m, rad: rounding of poses. */
const ROUNDING = 1e-11;
/** rad: rotations of a chart that are larger are not bounded. */
const MAX_ANGLE = 1;
/** Sum of the errors of an inverse that is used: more comes of a matrix that is nearly singular. */
const MAX_RESIDUAL = 1e-6;

/**
 * Encloses the states whose poses are in a chart, on the branch of the inverse kinematics through q: a bound of
 * Kantorovich's kind, with constants of the whole arm. With ℓ the greatest distance of the frame from an axis, columns
 * of J change by at most ℓ S (linear) and S (angular) while the joints move by S = Σ |q − q₀|, so that with Y ≈ J(q₀)⁻¹
 * and E = |Y J − 1|
 *   |q − q₀ − Y ξ|ᵢ <= wᵢ S² + max Eᵢ S,  wᵢ = ℓ ‖Yᵢ linear‖ + ‖Yᵢ angular‖,  S = Σ |Y ξ| + Σ max E S + Σ w S²
 * which has a solution if 4 Σ w Σ |Y ξ| < (1 − Σ max E)². Undefined if it has none.
 */
export function boundStates(
  robot: RobotModel,
  { link, T_link_frame }: LinkFrame,
  q: Configuration,
  { center, twists, position, angle }: PoseChart,
): StateCell | undefined {
  const poses = linkPoses(robot, q);
  const T = create();
  compose(T, poses[link], T_link_frame);
  const axes = axesOf(robot, link, poses);
  if (axes.length !== ORDER) return undefined;
  const columns = axes.map(({ origin, axis }) => columnOf(T, origin, axis));
  const Y = inverse(columns);
  const miss = new Float64Array(ORDER);
  poseError(miss, T, center);
  const turns = twists.map((twist) => lengthOf(twist, 3));
  const turn = turns.reduce((sum, one) => sum + one, 0);
  const tilt = lengthOf(miss, 3) + angle + ROUNDING;
  const reach = reachOf(robot, link, T_link_frame);
  const offset = lengthOf(miss, 0) + position + ROUNDING * (1 + reach);
  if (Y === undefined || !(turn + tilt <= MAX_ANGLE)) return undefined;
  // Rotations in sequence: their rotation vector differs from the sum by at most half of the products of the angles.
  const twisted = tilt + turn * tilt + turn * turn * (twists.length > 1 ? 1 : 0);
  const steps = twists.map((twist) => Y.map((row) => row.reduce((sum, value, k) => sum + value * twist[k], 0)));
  const slack = Y.map((row) => (lengthOf(row, 0) * offset + lengthOf(row, 3) * twisted) * (1 + 1e-9) + 1e-15);
  const weights = Y.map((row) => (reach * lengthOf(row, 0) + lengthOf(row, 3)) * (1 + 1e-9));
  const own = slack.map((value, i) => steps.reduce((sum, step) => sum + Math.abs(step[i]), value));
  const residuals = Y.map((row, i) => residualOf(row, columns, i));
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const left = 1 - total(residuals);
  if (!(left >= 1 - MAX_RESIDUAL)) return undefined;
  const [W, b] = [total(weights) / left, total(own) / left];
  if (!(4 * W * b < 0.99)) return undefined;
  const S = (2 * b * (1 + 1e-9)) / (1 + Math.sqrt(1 - 4 * W * b));
  const spread = (values: readonly number[]) => {
    const out = new Float64Array(robot.dof);
    for (const [i, { variable }] of axes.entries()) out[variable] = values[i];
    return out;
  };
  return {
    q,
    generators: steps.map(spread),
    error: spread(slack.map((value, i) => value + (weights[i] * S + residuals[i]) * S)),
  };
}

interface Axis {
  readonly variable: number;
  readonly origin: Transform;
  readonly axis: Float64Array;
}

/** Returns the turning joints from the base to a link, with their axes in the world; none if another joint moves it. */
function axesOf({ links, joints }: RobotModel, link: number, poses: readonly Transform[]): Axis[] {
  const out: Axis[] = [];
  for (let l = link; links[l].parent >= 0; l = links[l].parent) {
    const { type, variable, multiplier, axis } = joints[links[l].joint];
    if (variable < 0) continue;
    if (type === 'prismatic' || Math.abs(multiplier) !== 1) return [];
    const turned = createVec3();
    rotate(turned, poses[l], axis);
    out.unshift({ variable, origin: poses[l], axis: turned.map((value) => multiplier * value) });
  }
  return new Set(out.map(({ variable }) => variable)).size === out.length ? out : [];
}

function columnOf(T: Transform, origin: Transform, axis: Float64Array): number[] {
  const lever = createVec3();
  sub(lever, Float64Array.of(T[3], T[7], T[11]), Float64Array.of(origin[3], origin[7], origin[11]));
  const linear = createVec3();
  cross(linear, axis, lever);
  return [...linear, ...axis];
}

/** Returns an upper bound on the distance of a frame from the origin of any joint that moves it. */
function reachOf({ links, joints }: RobotModel, link: number, T_link_frame: Transform): number {
  const length = (T: Transform) => norm(Float64Array.of(T[3], T[7], T[11]));
  let sum = length(T_link_frame);
  let reach = 0;
  for (let l = link; links[l].parent >= 0; l = links[l].parent) {
    const joint = joints[links[l].joint];
    if (joint.variable >= 0) reach = sum;
    sum += length(joint.T_parent_joint);
  }
  return reach;
}

const lengthOf = (v: ArrayLike<number>, at: number) => norm(Float64Array.of(v[at], v[at + 1], v[at + 2]));

/** Returns the greatest error of row i of an inverse Y of the matrix of these columns: of Y J from the identity. */
function residualOf(row: readonly number[], columns: readonly (readonly number[])[], i: number): number {
  const errors = columns.map((column, k) => row.reduce((sum, value, m) => sum + value * column[m], i === k ? -1 : 0));
  return Math.max(...errors.map(Math.abs));
}

/** Inverts the matrix of these columns; undefined if it is nearly singular. */
function inverse(columns: readonly (readonly number[])[]): number[][] | undefined {
  const A = columns.map((_, i) => [
    ...columns.map((column) => column[i]),
    ...columns.map((_c, k) => (k === i ? 1 : 0)),
  ]);
  for (let c = 0; c < ORDER; c++) {
    const pivot = A.slice(c).reduce((best, row) => (Math.abs(row[c]) > Math.abs(best[c]) ? row : best));
    const at = A.indexOf(pivot);
    if (!(Math.abs(pivot[c]) > 1e-9)) return undefined;
    [A[c], A[at]] = [pivot, A[c]];
    A[c] = pivot.map((value) => value / pivot[c]);
    for (const [r, row] of A.entries()) if (r !== c) A[r] = row.map((value, k) => value - row[c] * A[c][k]);
  }
  return A.map((row) => row.slice(ORDER));
}
