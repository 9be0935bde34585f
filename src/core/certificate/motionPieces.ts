import { UNIT_ROUNDOFF } from '../kinematics/poseRounding.ts';
import { firstIndex } from '../math/firstIndex.ts';
import { isTimed, type Trajectory, type TrajectoryPoint } from '../trajectory/trajectory.ts';

/** Coefficients per joint. */
const SIZE = 6;
/** Rounding error by which the bounds on velocity and acceleration are enlarged, relative to the sum of their terms. */
export const RATE_ROUNDING = 256 * UNIT_ROUNDOFF;

/**
 * Piece of a motion on which each joint follows one polynomial: q(t) = c₀ + c₁ u + … + c₅ u⁵ with u = t − start.
 * `coefficients`: six numbers per joint. Per joint, `terms` bounds the sum of the terms of its positions, and `rates`
 * that of its velocities. A piece of several motions at the same time has one piece of each in `parts`, which its
 * interval is within, and no coefficients of its own.
 */
export interface MotionPiece {
  readonly start: number;
  readonly end: number;
  readonly isQuintic: boolean;
  readonly coefficients: Float64Array;
  readonly terms: Float64Array;
  readonly rates: Float64Array;
  readonly parts?: readonly MotionPiece[];
}

/** Positions at one end of a piece, and the velocities and accelerations there if its curve depends on them. */
interface PieceEnd {
  readonly q: readonly number[];
  readonly v?: readonly number[] | undefined;
  readonly a?: readonly number[] | undefined;
}

/**
 * Returns the index of the first piece that ends at t or later, which is within the motion; at a knot two pieces
 * contain t.
 */
export const pieceAt = (pieces: readonly MotionPiece[], t: number): number =>
  firstIndex(pieces.length - 1, (i) => pieces[i].end >= t);

/**
 * Returns the pieces of a motion from t = 0 to its end, without gaps; before the time of its first point it rests
 * there.
 */
export function motionPieces(trajectory: Trajectory): MotionPiece[] {
  const { points } = trajectory;
  const timed = isTimed(trajectory);
  const times = points.map((point, i) => (timed ? point.time_from_start! : i));
  const still = (start: number, end: number) => restingPiece(start, end, points[0].positions);
  const pieces = times[0] > 0 ? [still(0, times[0])] : [];
  for (let k = 0; k + 1 < points.length; k++) {
    const ends = endsOf(points[k], points[k + 1], timed ? trajectory.interpolation : 'linear');
    pieces.push(pieceBetween(times[k], times[k + 1], ...ends));
  }
  return pieces.length > 0 ? pieces : [still(0, 0)];
}

/**
 * Returns the values that the curve between two points depends on: velocities if both points have them, and then
 * accelerations if both have them, unless the stated interpolation excludes them.
 */
function endsOf(from: TrajectoryPoint, to: TrajectoryPoint, stated: Trajectory['interpolation']): [PieceEnd, PieceEnd] {
  const both = (key: 'velocities' | 'accelerations') => (from[key]?.length ?? 0) > 0 && (to[key]?.length ?? 0) > 0;
  const curved = stated !== 'linear' && both('velocities');
  const quintic = curved && stated !== 'cubic' && both('accelerations');
  const endOf = ({ positions, velocities, accelerations }: TrajectoryPoint): PieceEnd => ({
    q: positions,
    v: curved ? velocities : undefined,
    a: quintic ? accelerations : undefined,
  });
  return [endOf(from), endOf(to)];
}

/**
 * Returns the quintic for accelerations at both ends, the cubic Hermite polynomial for velocities, otherwise the
 * straight line.
 */
function pieceBetween(start: number, end: number, from: PieceEnd, to: PieceEnd): MotionPiece {
  const T = end - start;
  const dof = from.q.length;
  const isQuintic = from.a !== undefined && to.a !== undefined && T > 0;
  const [coefficients, terms, rates] = [new Float64Array(SIZE * dof), new Float64Array(dof), new Float64Array(dof)];
  for (let j = 0; j < dof; j++) {
    const mean = T > 0 ? (to.q[j] - from.q[j]) / T : 0;
    const isLine = !from.v || !to.v || T === 0;
    const [v, w] = isLine ? [mean, mean] : [from.v![j], to.v![j]];
    const [a, b] = isQuintic ? [from.a![j], to.a![j]] : [0, 0];
    const [m, x, y, s, r] = [mean, v, w, a * T, b * T].map(Math.abs);
    const c = isQuintic ? quintic(T, mean, v, w, a, b) : isLine ? [v, 0, 0, 0, 0] : cubic(T, mean, v, w);
    coefficients.set([from.q[j], ...c], SIZE * j);
    // Sums of the terms of the coefficients, each times its power of T.
    if (isQuintic) rates[j] = 120 * m + 66 * x + 55 * y + 14 * s + 8 * r;
    else rates[j] = 3 * m + 2 * x + y;
    if (isQuintic) terms[j] = Math.abs(from.q[j]) + T * (31 * m + 18 * x + 14 * y + 4 * s + 2 * r);
    else terms[j] = Math.abs(from.q[j]) + T * (isLine ? m : 5 * m + 4 * x + 2 * y);
  }
  return { start, end, isQuintic, coefficients, terms, rates };
}

/**
 * Returns c₁ … c₅ of the Hermite cubic. With m the mean velocity:  c₂ = (3m − 2v − w) / T   c₃ = (v + w − 2m) / T²;
 * both vanish on a line.
 */
function cubic(T: number, m: number, v: number, w: number): number[] {
  return [v, (3 * m - 2 * v - w) / T, (v + w - 2 * m) / T / T, 0, 0];
}

/**
 * Returns c₁ … c₅ of the polynomial of degree 5 with given position, velocity and acceleration at both ends. c₃, c₄ and
 * c₅ are 10, −15 and 6 times the position, −4, 7 and −3 times the velocity, and 1/2, −1 and 1/2 times the acceleration
 * that the parabola of the first end lacks at the other end:
 *   c₃ = (10m − 6v − 4w − 3aT/2 + bT/2)/T²   c₄ = (8v + 7w − 15m + 3aT/2 − bT)/T³
 *   c₅ = (6m − 3v − 3w − aT/2 + bT/2)/T⁴
 */
function quintic(T: number, m: number, v: number, w: number, a: number, b: number): number[] {
  const [s, r] = [a * T, b * T];
  const c3 = 10 * m - 6 * v - 4 * w - 1.5 * s + 0.5 * r;
  const c4 = 8 * v + 7 * w - 15 * m + 1.5 * s - r;
  const c5 = 6 * m - 3 * v - 3 * w - 0.5 * s + 0.5 * r;
  return [v, a / 2, c3 / T / T, c4 / T / T / T, c5 / T / T / T / T];
}

/** Returns a piece on which every joint keeps its value. */
export const restingPiece = (start: number, end: number, q: readonly number[]): MotionPiece =>
  pieceBetween(start, end, { q }, { q });

/** Returns a bound on |q| of joint j on a piece, and on the terms of q, to which its rounding error is relative. */
export function reachedPosition({ terms }: MotionPiece, j: number): number {
  return terms[j];
}

/** Returns the maximum of `reachedPosition` over all pieces, per joint. */
export const reachedPositions = (pieces: readonly MotionPiece[], dof: number): Float64Array =>
  Float64Array.from({ length: dof }, (_, j) =>
    pieces.reduce((max, piece) => Math.max(max, reachedPosition(piece, j)), 0),
  );

/**
 * Per joint: position and velocity at one instant, and bounds on |velocity| and |acceleration| over an interval around
 * it.
 */
export interface JointRates {
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  readonly speed: Float64Array;
  readonly acceleration: Float64Array;
}

/** Computes position and velocity at `middle`, and bounds over [from, to] within one piece, rounded outwards. */
export function jointRates(piece: MotionPiece, from: number, middle: number, to: number): JointRates {
  if (piece.parts !== undefined) return joined(piece.parts.map((part) => jointRates(part, from, middle, to)));
  const { start, end, coefficients: c, rates, isQuintic } = piece;
  const [position, velocity, speed, acceleration] = [0, 1, 2, 3].map(() => new Float64Array(rates.length));
  const u = middle - start;
  for (let j = 0, k = 0; j < rates.length; j++, k += SIZE) {
    position[j] = c[k] + u * (c[k + 1] + u * (c[k + 2] + u * (c[k + 3] + u * (c[k + 4] + u * c[k + 5]))));
    velocity[j] = c[k + 1] + u * (2 * c[k + 2] + u * (3 * c[k + 3] + u * (4 * c[k + 4] + u * 5 * c[k + 5])));
    const bounds = isQuintic
      ? quinticBounds(c, k, u, Math.max(middle - from, to - middle))
      : cubicBounds(c, k, from - start, to - start);
    speed[j] = bounds[0] + RATE_ROUNDING * rates[j];
    acceleration[j] = bounds[1] + (end > start ? (RATE_ROUNDING * rates[j]) / (end - start) : 0);
  }
  return { position, velocity, speed, acceleration };
}

/** Appends the values of several motions to each other. */
function joined(all: readonly JointRates[]): JointRates {
  const row = (key: keyof JointRates) => Float64Array.from(all.flatMap((rates) => Array.from(rates[key])));
  const [position, velocity, speed, acceleration] = [
    row('position'),
    row('velocity'),
    row('speed'),
    row('acceleration'),
  ];
  return { position, velocity, speed, acceleration };
}

/**
 * Bounds |velocity| and |acceleration| of a cubic: the acceleration is extreme at the ends, the velocity also where the
 * acceleration is zero.
 */
function cubicBounds(c: Float64Array, k: number, u0: number, u1: number): [number, number] {
  const velocityAt = (s: number) => c[k + 1] + s * (2 * c[k + 2] + 3 * s * c[k + 3]);
  const accelerationAt = (s: number) => 2 * c[k + 2] + 6 * c[k + 3] * s;
  const vertex = -c[k + 2] / (3 * c[k + 3]);
  const candidates = vertex > u0 && vertex < u1 ? [u0, vertex, u1] : [u0, u1];
  return [
    Math.max(...candidates.map((s) => Math.abs(velocityAt(s)))),
    Math.max(Math.abs(accelerationAt(u0)), Math.abs(accelerationAt(u1))),
  ];
}

/**
 * Bounds |velocity| and |acceleration| of a quintic by its (finite) Taylor series around u: for |τ| <= h, with a, j, s,
 * r the acceleration and the higher derivatives at u,
 *   |v(u + τ)| <= max |v ± a h| + |j| h²/2 + |s| h³/6 + |r| h⁴/24
 *   |a(u + τ)| <= max |a ± j h| + |s| h²/2 + |r| h³/6
 */
function quinticBounds(c: Float64Array, k: number, u: number, h: number): [number, number] {
  const v = c[k + 1] + u * (2 * c[k + 2] + u * (3 * c[k + 3] + u * (4 * c[k + 4] + u * 5 * c[k + 5])));
  const a = 2 * c[k + 2] + u * (6 * c[k + 3] + u * (12 * c[k + 4] + u * 20 * c[k + 5]));
  const j = 6 * c[k + 3] + u * (24 * c[k + 4] + u * 60 * c[k + 5]);
  const s = Math.abs(24 * c[k + 4] + u * 120 * c[k + 5]);
  const r = Math.abs(120 * c[k + 5]);
  return [
    Math.abs(v) + h * (Math.abs(a) + h * (Math.abs(j) / 2 + h * (s / 6 + (h * r) / 24))),
    Math.abs(a) + h * (Math.abs(j) + h * (s / 2 + (h * r) / 6)),
  ];
}
