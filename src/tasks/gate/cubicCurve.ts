import { accelerationAt } from '../../core/trajectory/polynomial.ts';
import type { Trajectory, TrajectoryPoint } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';

/** Point of a cubic motion: time, positions and velocities. */
export type Knot = Required<Pick<TrajectoryPoint, 'time_from_start' | 'positions' | 'velocities'>>;

/** State of the robot at one instant of a motion; the acceleration is that before the instant. */
export interface JointsAt {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly a: Float64Array;
}

/** A motion of cubics that ends at rest. Immutable. */
export class CubicCurve {
  readonly trajectory: Trajectory;
  readonly curve: TrajectoryCurve;

  constructor(
    jointNames: readonly string[],
    /** Points in the order of time, at least one. */
    readonly knots: readonly Knot[],
  ) {
    this.trajectory = { jointNames, points: knots, interpolation: 'cubic' };
    this.curve = new TrajectoryCurve(this.trajectory);
  }

  /** Time of the last point. */
  get end(): number {
    return this.curve.end;
  }

  /** Returns the index of the last point at or before t; 0 if there is none. */
  indexAt(t: number): number {
    const { knots } = this;
    return knots.length > 1 && t >= this.end ? knots.length - 1 : this.curve.pieceAt(t);
  }

  /** Returns the state at t; after its end the robot is at rest. */
  at(t: number): JointsAt {
    const { curve, knots } = this;
    const { dof } = curve;
    if (t > this.end || knots.length === 1)
      return { q: Float64Array.from(knots.at(-1)!.positions), v: new Float64Array(dof), a: new Float64Array(dof) };
    const at = this.indexAt(t);
    const isKnot = knots[at].time_from_start === t;
    const piece = isKnot ? Math.max(0, at - 1) : at;
    const q = isKnot ? Float64Array.from(knots[at].positions) : new Float64Array(dof);
    const v = isKnot ? Float64Array.from(knots[at].velocities) : new Float64Array(dof);
    if (!isKnot) {
      curve.position(q, t);
      curve.velocity(v, t);
    }
    const u = curve.timeInPiece(piece, t);
    const a = new Float64Array(dof);
    for (let j = 0; j < dof; j++) a[j] = accelerationAt(curve.polynomials, curve.polynomialIndex(piece, j), u);
    return { q, v, a };
  }

  /** Returns the points before t, and the state at t as a point. */
  until(t: number): Knot[] {
    const before = this.knots.filter(({ time_from_start }) => time_from_start < t);
    return [...before, knotOf(t, this.at(t))];
  }
}

/** Returns a state as a point. */
export const knotOf = (time: number, { q, v }: Pick<JointsAt, 'q' | 'v'>): Knot => ({
  time_from_start: time,
  positions: Array.from(q),
  velocities: Array.from(v),
});

/** Seconds: of shorter pieces, rounding of positions would change accelerations. */
export const MIN_PIECE = 1e-4;
/** Seconds: instants that are nearer to each other are one. */
export const SAME_TIME = 1e-9;
