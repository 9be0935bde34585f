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

/** rad: states farther from the state in the middle are not bounded. */
const MAX_MOTION = 0.5;
const STEPS = 20;

/**
 * Encloses the states whose poses are in a chart, on the branch of the inverse kinematics through q. Along a constant
 * twist ξ, with Y ≈ J(q₀)⁻¹, R = |Y J(q₀) − 1| and e = q' − Y ξ,
 *   |e| <= slack + (R + M(h)) h,  M(h)ᵢⱼ = Σₖ |Y ∂J/∂qₖ|ᵢⱼ hₖ + ½ (‖Yᵢ linear‖ Lⱼ(h) + ‖Yᵢ angular‖ (Σ hₖ, k < j)²)
 * where h >= |Y ξ| + |e| bounds q − q₀, and Lⱼ(h) = Σₖₘ ℓ hₖ hₘ, ℓ the greatest distance of the frame from the last of
 * the axes j, k and m: second derivatives of column j are at most ℓ and, if both joints come before j, 1. A bound E of
 * e that satisfies this holds, since h > M(h) h: J stays regular. M(t h) has terms of at most t and t² times those of
 * M(h), so that q has a half and a third of them. Undefined if no E is found.
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
  const turn = twists.reduce((sum, twist) => sum + lengthOf(twist, 3), 0);
  const tilt = lengthOf(miss, 3) + angle + ROUNDING;
  const levers = leversOf(robot, link, T_link_frame);
  const offset = lengthOf(miss, 0) + position + ROUNDING * (1 + levers[0]);
  if (Y === undefined || !(turn + tilt <= MAX_ANGLE)) return undefined;
  // Rotations in sequence: their rotation vector differs from the sum by at most half of the product of the angles.
  const twisted = tilt + turn * tilt;
  const steps = twists.map((twist) => Y.map((row) => dotOf(row, twist)));
  const slack = Y.map((row) => (lengthOf(row, 0) * offset + lengthOf(row, 3) * twisted) * (1 + 1e-9) + 1e-15);
  const residuals = Y.map((row, i) => residualOf(row, columns, i));
  if (!residuals.every((one) => one <= MAX_RESIDUAL)) return undefined;
  const bends = bendsOf(Y, columns);
  const moved = Y.map((_, i) => steps.reduce((sum, step) => sum + Math.abs(step[i]), 0));
  const spread = (values: readonly number[]) => {
    const out = new Float64Array(robot.dof);
    for (const [i, { variable }] of axes.entries()) out[variable] = values[i];
    return out;
  };
  let E: readonly number[] = slack;
  for (let step = 0; step < STEPS; step++) {
    const h = moved.map((value, i) => value + E[i]);
    if (!h.every((value) => value <= MAX_MOTION)) return undefined;
    const sum = h.reduce((total, value) => total + value, 0);
    const [linear, angular] = secondOrder(levers, h);
    const first = bends.map((rows) => rows.reduce((total, row, j) => total + dotOf(row, h) * h[j], 0));
    const rest = Y.map((row) => 0.5 * (lengthOf(row, 0) * linear + lengthOf(row, 3) * angular));
    const own = slack.map((value, i) => value + residuals[i] * sum);
    const next = own.map((value, i) => value + (first[i] + rest[i]) * (1 + 1e-9));
    if (next.every((value, i) => value <= E[i])) {
      const error = own.map((value, i) => value + (first[i] / 2 + rest[i] / 3) * (1 + 1e-9));
      return { q, generators: steps.map(spread), error: spread(error), rateError: spread(E) };
    }
    E = next.map((value) => 1.05 * value);
  }
  return undefined;
}

const dotOf = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
};

/** Returns |Y ∂J/∂qₖ|ᵢⱼ at [i][j][k]: joint k turns the axes after it, and moves the frame for those before. */
function bendsOf(Y: readonly (readonly number[])[], columns: readonly (readonly number[])[]): number[][][] {
  const derivatives = columns.map((column, j) =>
    columns.map((other, k) => {
      const [near, far] = j < k ? [column, other] : [other, column];
      return [...crossed(near, far.slice(0, 3)), ...(k < j ? crossed(other, column.slice(3)) : [0, 0, 0])];
    }),
  );
  return Y.map((row) => derivatives.map((ofColumn) => ofColumn.map((one) => Math.abs(dotOf(row, one)))));
}

/** Returns the cross product of the axis of a column and a vector. */
const crossed = ([, , , x, y, z]: readonly number[], [a, b, c]: readonly number[]): number[] => [
  y * c - z * b,
  z * a - x * c,
  x * b - y * a,
];

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

/** Returns, base first, upper bounds on the distances of a frame from the joints that move it. */
function leversOf({ links, joints }: RobotModel, link: number, T_link_frame: Transform): number[] {
  const length = (T: Transform) => norm(Float64Array.of(T[3], T[7], T[11]));
  const levers: number[] = [];
  let sum = length(T_link_frame);
  for (let l = link; links[l].parent >= 0; l = links[l].parent) {
    const joint = joints[links[l].joint];
    if (joint.variable >= 0) levers.unshift(sum);
    sum += length(joint.T_parent_joint);
  }
  return levers;
}

/** Returns Σⱼ Lⱼ(h) hⱼ and Σⱼ (Σ hₖ, k < j)² hⱼ. */
function secondOrder(levers: readonly number[], h: readonly number[]): [number, number] {
  let [linear, angular, before] = [0, 0, 0];
  for (const [j, own] of h.entries()) {
    // Σ ℓ hₖ hₘ over k, m <= j, then over those of which the greater one is n > j
    let all = before + own;
    let reach = levers[j] * all * all;
    for (let n = j + 1; n < h.length; n++) {
      reach += levers[n] * h[n] * (2 * all + h[n]);
      all += h[n];
    }
    linear += reach * own;
    angular += before * before * own;
    before += own;
  }
  return [linear, angular];
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
