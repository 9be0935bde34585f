import { UNIT_ROUNDOFF } from '../kinematics/poseRounding.ts';
import { isStraight, isTimed, type Trajectory } from '../trajectory/trajectory.ts';

/**
 * One stretch of a motion on which every joint follows one cubic: q(t) = c₀ + c₁ u + c₂ u² + c₃ u³ with u = t − start. `coefficients`
 * holds four numbers a joint; `rates`, for each joint, what bounds the terms of its velocity, and so their rounding.
 */
export interface MotionPiece {
  readonly start: number;
  readonly end: number;
  readonly coefficients: Float64Array;
  readonly rates: Float64Array;
}

/** The curve of a motion from t = 0 to its end, without a hole: before its first point it stands there. */
export function motionPieces(trajectory: Trajectory): MotionPiece[] {
  const { points } = trajectory;
  const timed = isTimed(trajectory);
  const straight = isStraight(trajectory);
  const times = points.map((point, i) => (timed ? point.time_from_start! : i));
  const still = (start: number, end: number) => pieceBetween(start, end, points[0].positions, points[0].positions);
  const pieces = times[0] > 0 ? [still(0, times[0])] : [];
  for (let k = 0; k + 1 < points.length; k++) {
    const [from, to] = [points[k], points[k + 1]];
    const ends = straight ? [] : [from.velocities, to.velocities];
    pieces.push(pieceBetween(times[k], times[k + 1], from.positions, to.positions, ends[0], ends[1]));
  }
  return pieces.length > 0 ? pieces : [still(0, 0)];
}

/** Cubic Hermite with velocities at both ends, a straight line without. */
function pieceBetween(
  start: number,
  end: number,
  from: readonly number[],
  to: readonly number[],
  v: readonly number[] | undefined = undefined,
  w: readonly number[] | undefined = undefined,
): MotionPiece {
  const duration = end - start;
  const coefficients = new Float64Array(4 * from.length);
  const rates = new Float64Array(from.length);
  for (let j = 0; j < from.length; j++) {
    const mean = duration > 0 ? (to[j] - from[j]) / duration : 0;
    const [first, last] = [v?.[j] ?? mean, w?.[j] ?? mean];
    // With m the mean velocity:  c₂ = (3m − 2v − w) / T   c₃ = (v + w − 2m) / T²; both vanish on a line
    const isLine = !v || !w || duration === 0;
    const c2 = isLine ? 0 : (3 * mean - 2 * first - last) / duration;
    const c3 = isLine ? 0 : (first + last - 2 * mean) / duration / duration;
    coefficients.set([from[j], first, c2, c3], 4 * j);
    rates[j] = 3 * Math.abs(mean) + 2 * Math.abs(first) + Math.abs(last);
  }
  return { start, end, coefficients, rates };
}

/** Bound on the |q| that joint j reaches on the piece: the terms of its cubic and, where it bends, those that they are made of. What its rounding may cost goes by it. */
export function reachedPosition({ start, end, coefficients, rates }: MotionPiece, j: number): number {
  const T = end - start;
  const [c0, c1, c2, c3] = coefficients.subarray(4 * j, 4 * j + 4).map(Math.abs);
  const bends = c2 > 0 || c3 > 0;
  return c0 + T * (c1 + T * (c2 + T * c3)) + (bends ? rates[j] * T : 0);
}

/** The greatest of `reachedPosition` over all pieces, joint by joint. */
export const reachedPositions = (pieces: readonly MotionPiece[], dof: number): Float64Array =>
  Float64Array.from({ length: dof }, (_, j) =>
    pieces.reduce((most, piece) => Math.max(most, reachedPosition(piece, j)), 0),
  );

/** Of every joint: position and velocity at a moment, and what bounds |velocity| and |acceleration| around it. */
export interface JointRates {
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  readonly speed: Float64Array;
  readonly acceleration: Float64Array;
}

/**
 * Position and velocity at `middle`, bounds over [from, to] within one piece, rounded outwards. Acceleration is linear in t, so greatest at
 * an end; velocity is a parabola, so greatest at an end or where the acceleration is zero.
 */
export function jointRates(piece: MotionPiece, from: number, middle: number, to: number): JointRates {
  const { start, end, coefficients: c, rates } = piece;
  const [position, velocity, speed, acceleration] = [0, 1, 2, 3].map(() => new Float64Array(rates.length));
  const [u0, u, u1] = [from - start, middle - start, to - start];
  const slack = 256 * UNIT_ROUNDOFF;
  for (let j = 0, k = 0; j < rates.length; j++, k += 4) {
    const velocityAt = (s: number) => c[k + 1] + s * (2 * c[k + 2] + 3 * s * c[k + 3]);
    const accelerationAt = (s: number) => 2 * c[k + 2] + 6 * c[k + 3] * s;
    const turn = -c[k + 2] / (3 * c[k + 3]);
    const fastest = turn > u0 && turn < u1 ? [u0, turn, u1] : [u0, u1];
    position[j] = c[k] + u * (c[k + 1] + u * (c[k + 2] + u * c[k + 3]));
    velocity[j] = velocityAt(u);
    speed[j] = Math.max(...fastest.map((s) => Math.abs(velocityAt(s)))) + slack * rates[j];
    acceleration[j] = Math.max(Math.abs(accelerationAt(u0)), Math.abs(accelerationAt(u1)));
    if (end > start) acceleration[j] += (slack * rates[j]) / (end - start);
  }
  return { position, velocity, speed, acceleration };
}
