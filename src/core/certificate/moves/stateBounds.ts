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

/** rad: states farther from the state in the middle, and rates, are not bounded. */
const MAX_MOTION = 0.5;
const STEPS = 20;

/**
 * Encloses the states whose poses are in a chart, on the branch of the inverse kinematics through q: those that the
 * motion with a constant twist reaches from q (`motionBounds`). Undefined if that fails.
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
  // Rotations in sequence: their rotation vector differs from the sum by at most the product of the angles.
  const twisted = tilt + turn * tilt;
  const steps = twists.map((twist) => Y.map((row) => dotOf(row, twist)));
  const slack = Y.map((row) => (lengthOf(row, 0) * offset + lengthOf(row, 3) * twisted) * (1 + 1e-9) + 1e-15);
  const bounds = motionBounds({ Y, columns, levers }, steps, slack);
  if (bounds === undefined) return undefined;
  const spread = (values: readonly number[]) => {
    const out = new Float64Array(robot.dof);
    for (const [i, { variable }] of axes.entries()) out[variable] = values[i];
    return out;
  };
  const [error, rateError] = [spread(bounds.error), spread(bounds.rateError)];
  return { q, generators: steps.map(spread), error, rateError };
}

/** An arm at a state: the columns of its Jacobian, about the inverse of it, and its greatest levers. */
interface ArmState {
  readonly Y: readonly (readonly number[])[];
  readonly columns: readonly (readonly number[])[];
  readonly levers: readonly number[];
}

/**
 * Bounds the motion of the joints along a constant twist ξ. With Y ≈ J(q₀)⁻¹, s the image of ξ by Y but for `slack`,
 * and e = q' − s,
 *   e = −(Y J − 1) q' but for the slack,  Y J − 1 = Y J(q₀) − 1 + B(q − q₀) + rest,  B(u) = Σ uₖ Y ∂J/∂qₖ
 * Let |e| <= σ + t F at the times before t, σ the slack and what the residual of Y adds. Then q − q₀ = t (s + d),
 * |d| <= D = σ + F/2, and |q'| <= |s| + E, E = σ + F. Hence e grows by at most t times the sum of
 *   |B(s) s|, |B(s)| E + |B(D) s| + |B(D)| E, and rest (|s| + E),
 * where `rest` is ½ (‖Yᵢ linear‖ Lⱼ(h) + ‖Yᵢ angular‖ (Σ hₖ, k < j)²), h = |s| + D, Lⱼ(h) = Σₖₘ ℓ hₖ hₘ, ℓ the
 * greatest distance of the frame from the last of the axes j, k and m: second derivatives of column j are at most ℓ
 * and, if both joints come before j, 1. An F not less than that sum holds for all times, if J stays regular. The error
 * of q has half of the terms in t, a third of those in its powers. Undefined if no F is found.
 */
function motionBounds(
  { Y, columns, levers }: ArmState,
  steps: readonly (readonly number[])[],
  given: readonly number[],
): { readonly error: readonly number[]; readonly rateError: readonly number[] } | undefined {
  const residuals = Y.map((row, i) => residualOf(row, columns, i));
  if (!residuals.every((one) => one <= MAX_RESIDUAL)) return undefined;
  const slack = given.map((value, i) => value + residuals[i] * ORDER * MAX_MOTION);
  const forms = bendsOf(Y, columns).map((bends) => formOf(bends, steps));
  const moved = Y.map((_, i) => steps.reduce((sum, step) => sum + Math.abs(step[i]), 0));
  const start = forms.map((form) => mixedTerms(form, slack, slack));
  let F = forms.map(({ own }, i) => own + start[i]);
  for (let step = 0; step < STEPS; step++) {
    const D = slack.map((value, i) => value + F[i] / 2);
    const E = slack.map((value, i) => value + F[i]);
    const [h, rates] = [D, E].map((more) => moved.map((value, i) => value + more[i]));
    if (!rates.every((value) => value <= MAX_MOTION)) return undefined;
    const rest = secondOrder(Y, reachesOf(columns, levers, h), h);
    const mixed = forms.map((form) => mixedTerms(form, D, E));
    const third = rest.map((row) => dotOf(row, rates));
    const next = forms.map(({ own }, i) => (own + mixed[i] + third[i]) * (1 + 1e-9));
    if (next.every((value, i) => value <= F[i])) {
      const change = forms.map((form, i) => rest[i].map((value, j) => value + turnedBy(form, j, D) + residuals[i]));
      if (!isSmall(change)) return undefined;
      const error = forms.map(({ along }, i) => {
        const later = (mixed[i] - start[i] + third[i]) / 3;
        return slack[i] + ((along + start[i]) / 2 + later) * (1 + 1e-9);
      });
      return { error, rateError: slack.map((value, i) => value + next[i]) };
    }
    F = next.map((value) => 1.05 * value);
  }
  return undefined;
}

const dotOf = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
};

/** Returns (Y ∂J/∂qₖ)ᵢⱼ at [i][j][k]: joint k turns the axes after it, and moves the frame for those before. */
function bendsOf(Y: readonly (readonly number[])[], columns: readonly (readonly number[])[]): number[][][] {
  const derivatives = columns.map((column, j) =>
    columns.map((other, k) => {
      const [near, far] = j < k ? [column, other] : [other, column];
      return [...crossed(near, far.slice(0, 3)), ...(k < j ? crossed(other, column.slice(3)) : [0, 0, 0])];
    }),
  );
  return Y.map((row) => derivatives.map((ofColumn) => ofColumn.map((one) => dotOf(row, one))));
}

/** Bounds of a row of B(u) v for sums s of the steps of a cell. */
interface Form {
  /** Of B(s) s. */
  readonly along: number;
  /** Of B(s) s', for two sums. */
  readonly own: number;
  /** Of each coefficient of v in B(s) v, and of u in B(u) s. */
  readonly left: readonly number[];
  readonly right: readonly number[];
  /** |B| at [j][k]: j of v, k of u. */
  readonly size: readonly (readonly number[])[];
}

function formOf(bends: readonly (readonly number[])[], steps: readonly (readonly number[])[]): Form {
  const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + Math.abs(value), 0);
  const bent = steps.map((step) => bends.map((row) => dotOf(row, step)));
  const products = bent.map((row) => steps.map((step) => dotOf(row, step)));
  return {
    along: sumOf(products.flatMap((row, a) => row.slice(a).map((one, k) => (k > 0 ? one + products[a + k][a] : one)))),
    own: sumOf(products.flat()),
    left: bends.map((_, j) => sumOf(bent.map((row) => row[j]))),
    right: bends.map((_, k) => sumOf(steps.map((step) => bends.reduce((sum, row, j) => sum + row[k] * step[j], 0)))),
    size: bends.map((row) => row.map(Math.abs)),
  };
}

/** Returns the greatest coefficient j of v in B(s + d) v, |d| <= D. */
const turnedBy = ({ left, size }: Form, j: number, D: readonly number[]) => left[j] + dotOf(size[j], D);

/** Returns the greatest |B(s + d) (s + e) − B(s) s|, |d| <= D, |e| <= E. */
const mixedTerms = (form: Form, D: readonly number[], E: readonly number[]) =>
  E.reduce((sum, value, j) => sum + turnedBy(form, j, D) * value, dotOf(form.right, D));

/** Returns true if 1 + M is regular for all |M| <= N: an eighth power of N has a norm below 1. */
function isSmall(N: readonly (readonly number[])[]): boolean {
  const squared = (A: readonly (readonly number[])[]) =>
    A.map((row) => row.map((_, k) => row.reduce((sum, value, j) => sum + value * A[j][k], 0)));
  const power = squared(squared(squared(N)));
  return power.every((row) => row.reduce((sum, value) => sum + value, 0) < 1 - 1e-9);
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

/** Returns the greatest distances of the frame from each axis within h: joints beyond an axis change its own. */
function reachesOf(columns: readonly (readonly number[])[], levers: readonly number[], h: readonly number[]): number[] {
  const moved = h.map((_, j) => h.reduce((sum, value, k) => (k > j ? sum + levers[k] * value : sum), 0));
  return columns.map((column, j) => Math.min(levers[j], lengthOf(column, 0) + moved[j]));
}

/** Returns `rest` of `motionBounds`, at most the change of Y J of second order within h. */
function secondOrder(Y: readonly (readonly number[])[], reaches: readonly number[], h: readonly number[]): number[][] {
  const upTo = h.map((_, j) => h.reduce((sum, value, k) => (k <= j ? sum + value : sum), 0));
  // Σ ℓ hₖ hₘ over k, m <= j, then over those of which the greater one is n > j
  const linear = h.map((_, j) =>
    h.reduce(
      (sum, value, n) => (n > j ? sum + reaches[n] * value * (upTo[n - 1] + upTo[n]) : sum),
      reaches[j] * upTo[j] * upTo[j],
    ),
  );
  return Y.map((row) =>
    h.map((_, j) => {
      const before = j > 0 ? upTo[j - 1] : 0;
      return 0.5 * (lengthOf(row, 0) * linear[j] + lengthOf(row, 3) * before * before);
    }),
  );
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
