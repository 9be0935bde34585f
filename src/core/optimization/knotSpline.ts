import type { MotionLimits, Trajectory } from '../trajectory/trajectory.ts';
import type { TrajectoryCurve } from '../trajectory/trajectoryCurve.ts';

/**
 * Widths of the first pieces and, mirrored, of the last, relative to 1 for all others: motions accelerate and
 * decelerate at their ends.
 */
const END_WIDTHS = [0.25, 0.25, 0.5, 0.5];

/**
 * Weights of a point within a piece on the knots at its ends: on their positions and on their velocities per unit of
 * time.
 */
export type Weights = Float64Array;

/**
 * A trajectory from rest to rest as a cubic Hermite spline over knots at fixed times, up to one factor `unit` in
 * seconds: each knot has a position and a velocity per unit. Positions, velocities and accelerations per unit are
 * linear in the knots.
 */
export class KnotSpline {
  readonly pieces: number;
  /** Width of each piece, and time of each knot, in units. */
  readonly widths: Float64Array;
  readonly times: Float64Array;
  /** Joint values, knot by knot. */
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  unit = 1;

  /** @param pieces number of pieces, at least eight */
  constructor(
    readonly dof: number,
    pieces: number,
  ) {
    this.pieces = pieces;
    this.widths = new Float64Array(pieces).fill(1);
    for (const [k, width] of END_WIDTHS.entries()) {
      this.widths[k] = width;
      this.widths[pieces - 1 - k] = width;
    }
    this.times = new Float64Array(pieces + 1);
    for (let k = 0; k < pieces; k++) this.times[k + 1] = this.times[k] + this.widths[k];
    this.positions = new Float64Array(dof * (pieces + 1));
    this.velocities = new Float64Array(dof * (pieces + 1));
  }

  get duration(): number {
    return this.times[this.pieces] * this.unit;
  }

  /** Samples positions and velocities of a trajectory at the knots; the duration is kept. */
  sample(curve: TrajectoryCurve): void {
    const { dof, pieces, times } = this;
    this.unit = (curve.end - curve.start) / times[pieces];
    for (let k = 0; k <= pieces; k++) {
      const at = dof * k;
      curve.position(this.positions.subarray(at, at + dof), curve.start + times[k] * this.unit);
      const velocity = this.velocities.subarray(at, at + dof);
      if (k === 0 || k === pieces) velocity.fill(0);
      else curve.velocity(velocity, curve.start + times[k] * this.unit);
      for (let j = 0; j < dof; j++) velocity[j] *= this.unit;
    }
  }

  copy(other: KnotSpline): void {
    this.positions.set(other.positions);
    this.velocities.set(other.velocities);
    this.unit = other.unit;
  }

  /** Computes the weights of q at s in [0, 1] of piece k: of the knots k and k + 1, position and velocity each. */
  positionWeights(out: Weights, k: number, s: number): void {
    const w = this.widths[k];
    out[0] = 1 + s * s * (2 * s - 3);
    out[1] = w * s * (1 + s * (s - 2));
    out[2] = s * s * (3 - 2 * s);
    out[3] = w * s * s * (s - 1);
  }

  /** Computes the weights of dq/dt, per unit. */
  velocityWeights(out: Weights, k: number, s: number): void {
    const w = this.widths[k];
    out[0] = (6 * s * (s - 1)) / w;
    out[1] = 1 + s * (3 * s - 4);
    out[2] = -out[0];
    out[3] = s * (3 * s - 2);
  }

  /** Computes the weights of d²q/dt², per unit squared. */
  accelerationWeights(out: Weights, k: number, s: number): void {
    const w = this.widths[k];
    out[0] = (12 * s - 6) / (w * w);
    out[1] = (6 * s - 4) / w;
    out[2] = -out[0];
    out[3] = (6 * s - 2) / w;
  }

  /** Computes the weights of d³q/dt³, per unit cubed. */
  jerkWeights(out: Weights, k: number): void {
    const w = this.widths[k];
    out[0] = 12 / (w * w * w);
    out[1] = 6 / (w * w);
    out[2] = -out[0];
    out[3] = out[1];
  }

  /** Returns Σ weights · knots of joint j in piece k. */
  apply(weights: Weights, k: number, j: number): number {
    const { positions, velocities, dof } = this;
    const a = dof * k + j;
    const b = a + dof;
    return (
      weights[0] * positions[a] + weights[1] * velocities[a] + weights[2] * positions[b] + weights[3] * velocities[b]
    );
  }

  toTrajectory(jointNames: readonly string[]): Trajectory {
    const { dof, pieces, times, unit, positions, velocities } = this;
    const points = Array.from({ length: pieces + 1 }, (_, k) => ({
      time_from_start: times[k] * unit,
      positions: Array.from(positions.subarray(dof * k, dof * (k + 1))),
      velocities: Array.from(velocities.subarray(dof * k, dof * (k + 1)), (v) => v / unit + 0),
    }));
    return { jointNames, points };
  }

  /**
   * Returns the smallest time scaling factor with which the trajectory satisfies the velocity, acceleration and jerk
   * limits; below 1 if it could be faster.
   */
  slowdown({ velocity, acceleration, jerk }: MotionLimits): number {
    const { dof, pieces, unit } = this;
    const weights = new Float64Array(4);
    let maxFactor = 0;
    for (let k = 0; k < pieces; k++) {
      for (let j = 0; j < dof; j++) {
        this.accelerationWeights(weights, k, 0);
        const first = this.apply(weights, k, j);
        this.accelerationWeights(weights, k, 1);
        const last = this.apply(weights, k, j);
        const stationary = first / (first - last);
        for (const s of [0, 1, stationary > 0 && stationary < 1 ? stationary : 0]) {
          this.velocityWeights(weights, k, s);
          maxFactor = Math.max(maxFactor, Math.abs(this.apply(weights, k, j)) / (velocity[j] * unit));
        }
        const maxAcceleration = Math.max(Math.abs(first), Math.abs(last));
        maxFactor = Math.max(maxFactor, Math.sqrt(maxAcceleration / acceleration[j]) / unit);
        this.jerkWeights(weights, k);
        maxFactor = Math.max(maxFactor, cubeRoot(Math.abs(this.apply(weights, k, j)) / jerk[j]) / unit);
      }
    }
    return maxFactor;
  }
}

/** Returns the cube root by Newton iteration from above: identical on every engine. */
function cubeRoot(x: number): number {
  if (!(x > 0)) return 0;
  let root = Math.max(1, x);
  for (let i = 0; i < 200; i++) {
    const next = (2 * root + x / (root * root)) / 3;
    if (!(next < root)) break;
    root = next;
  }
  return root;
}
