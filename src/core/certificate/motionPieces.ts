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
 * that of its velocities. All three are computed whenever they are read: stored, those of a long motion would be most
 * of the memory of a verification. A piece of several motions at the same time has one piece of each in `parts`, which
 * its interval is within, and no coefficients of its own.
 */
export interface MotionPiece {
  readonly start: number;
  readonly end: number;
  readonly isQuintic: boolean;
  readonly coefficients: Float64Array;
  readonly terms: Float64Array;
  readonly rates: Float64Array;
  readonly parts?: readonly MotionPiece[];
  /** Of a piece that is no polynomial of degree 5: computes `jointRates`, in place of the coefficients. */
  readonly ratesOver?: (from: number, middle: number, to: number) => JointRates;
  /** Per joint: number of derivatives, from the velocity on, that are exactly 0 at the start and at the end. */
  readonly rests?: readonly (readonly [number, number])[];
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
  const { points, interpolation } = trajectory;
  const timed = isTimed(trajectory);
  const times = points.map((point, i) => (timed ? point.time_from_start! : i));
  const still = (start: number, end: number) => restingPiece(start, end, points[0].positions);
  const pieces: MotionPiece[] = times[0] > 0 ? [still(0, times[0])] : [];
  for (let k = 0; k + 1 < points.length; k++)
    pieces.push(new CurvePiece(times[k], times[k + 1], points[k], points[k + 1], timed ? interpolation : 'linear'));
  return pieces.length > 0 ? pieces : [still(0, 0)];
}

/** Piece between two points: the quintic for accelerations at both, the cubic for velocities, otherwise the line. */
class CurvePiece implements MotionPiece {
  readonly isQuintic: boolean;
  /** True if the curve depends on the velocities of both points. */
  private readonly isCurved: boolean;

  /** @param stated interpolation that excludes velocities or accelerations of the points */
  constructor(
    readonly start: number,
    readonly end: number,
    private readonly from: TrajectoryPoint,
    private readonly to: TrajectoryPoint,
    stated: Trajectory['interpolation'],
  ) {
    const both = (key: 'velocities' | 'accelerations') => (from[key]?.length ?? 0) > 0 && (to[key]?.length ?? 0) > 0;
    const duration = end - start;
    this.isCurved = duration !== 0 && stated !== 'linear' && both('velocities');
    this.isQuintic = duration > 0 && this.isCurved && stated !== 'cubic' && both('accelerations');
  }

  get coefficients(): Float64Array {
    const T = this.end - this.start;
    const all = new Float64Array(SIZE * this.from.positions.length);
    for (const [j, q] of this.from.positions.entries()) {
      const [mean, v, w, a, b] = this.derivatives(j);
      const c = this.isQuintic ? quintic(T, mean, v, w, a, b) : this.isCurved ? cubic(T, mean, v, w) : [v, 0, 0, 0, 0];
      all.set([q, ...c], SIZE * j);
    }
    return all;
  }

  // Sums of the terms of the coefficients, each times its power of T.

  get terms(): Float64Array {
    const T = this.end - this.start;
    return Float64Array.from(this.from.positions, (q, j) => {
      const [m, x, y, s, r] = this.magnitudes(j);
      if (this.isQuintic) return Math.abs(q) + T * (31 * m + 18 * x + 14 * y + 4 * s + 2 * r);
      return Math.abs(q) + T * (this.isCurved ? 5 * m + 4 * x + 2 * y : m);
    });
  }

  get rates(): Float64Array {
    return Float64Array.from(this.from.positions, (_, j) => {
      const [m, x, y, s, r] = this.magnitudes(j);
      return this.isQuintic ? 120 * m + 66 * x + 55 * y + 14 * s + 8 * r : 3 * m + 2 * x + y;
    });
  }

  get rests(): readonly (readonly [number, number])[] {
    return this.from.positions.map((_, j) => {
      const [, v, w, a, b] = this.derivatives(j);
      const count = (velocity: number, acceleration: number) =>
        velocity !== 0 ? 0 : this.isQuintic && acceleration === 0 ? 2 : 1;
      return [count(v, a), count(w, b)];
    });
  }

  /** Returns the mean velocity of joint j, its velocities at both ends, and its accelerations there. */
  private derivatives(j: number): [number, number, number, number, number] {
    const { from, to, isCurved, isQuintic } = this;
    const T = this.end - this.start;
    const mean = T > 0 ? (to.positions[j] - from.positions[j]) / T : 0;
    const [v, w] = isCurved ? [from.velocities![j], to.velocities![j]] : [mean, mean];
    const [a, b] = isQuintic ? [from.accelerations![j], to.accelerations![j]] : [0, 0];
    return [mean, v, w, a, b];
  }

  /** Returns the magnitudes of `derivatives`, as velocities: accelerations times T. */
  private magnitudes(j: number): number[] {
    const T = this.end - this.start;
    const [m, x, y, a, b] = this.derivatives(j);
    return [m, x, y, a * T, b * T].map(Math.abs);
  }
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
  new CurvePiece(start, end, { positions: q }, { positions: q }, 'linear');

/** Returns the maximum over all pieces of the terms of q, per joint: a bound on |q|, and on what its rounding is of. */
export function reachedPositions(pieces: readonly MotionPiece[], dof: number): Float64Array {
  const reached = new Float64Array(dof);
  for (const { terms } of pieces) for (let j = 0; j < dof; j++) reached[j] = Math.max(reached[j], terms[j]);
  return reached;
}

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
  if (piece.ratesOver !== undefined) return piece.ratesOver(from, middle, to);
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
