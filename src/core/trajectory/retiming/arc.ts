import {
  accelerationAt,
  POLYNOMIAL_SIZE,
  type Polynomials,
  positionAt,
  setCubic,
  setLine,
  setQuintic,
  velocityAt,
} from '../polynomial.ts';
import { executedPoints, isTimed, type SegmentKind, segmentKinds, type Trajectory } from '../trajectory.ts';
import { velocityTolerance } from '../velocityJumps.ts';

/** State at one end of an arc; values that its kind does not depend on are those of its polynomial. */
export interface ArcEnd {
  readonly positions: readonly number[];
  readonly velocities: readonly number[];
  readonly accelerations: readonly number[];
}

/** Interval of time of a trajectory: seconds, or waypoints for a path. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/**
 * One polynomial piece of a curve through joint space, over a time of its own from 0 to `duration`. A curve is a list
 * of arcs, each of which begins where the arc before it ends; the velocity may jump between them.
 */
export interface Arc {
  readonly kind: SegmentKind;
  /** Seconds (waypoints for a path), greater than 0. */
  readonly duration: number;
  readonly from: ArcEnd;
  readonly to: ArcEnd;
  /** Polynomial of each joint, `POLYNOMIAL_SIZE` coefficients, joint after joint. */
  readonly polynomials: Polynomials;
  /** Times of the given trajectory at which it passes this arc; undefined for an arc that it does not contain. */
  readonly given: TimeSpan | undefined;
  /** True if a repair may replace the arc. */
  readonly mutable: boolean;
}

/** Returns the arcs of a trajectory or path with at least two points and increasing times. */
export function arcsOf(trajectory: Trajectory): Arc[] {
  const kinds = segmentKinds(trajectory);
  const points = executedPoints(trajectory);
  const timed = isTimed(trajectory);
  return kinds.map((kind, k) => {
    const [one, other] = [points[k], points[k + 1]];
    const given = timed ? { from: one.time_from_start!, to: other.time_from_start! } : { from: k, to: k + 1 };
    const [from, to] = [one, other].map(({ positions, velocities, accelerations }) => ({
      positions,
      velocities: velocities ?? [],
      accelerations: accelerations ?? [],
    }));
    return createArc(kind, given.to - given.from, from, to, { given });
  });
}

/** Returns the straight line between two states, at constant velocity. */
export function lineArc(from: readonly number[], to: readonly number[], duration: number, rest?: ArcOrigin): Arc {
  const end = (positions: readonly number[]) => ({ positions, velocities: [], accelerations: [] });
  return createArc('linear', duration, end(from), end(to), rest);
}

/** Returns the cubic between two states with velocities. */
export function cubicArc(from: ArcEnd, to: ArcEnd, duration: number, rest?: ArcOrigin): Arc {
  return createArc('cubic', duration, from, to, rest);
}

interface ArcOrigin {
  readonly given?: TimeSpan | undefined;
  readonly mutable?: boolean;
}

function createArc(kind: SegmentKind, duration: number, from: ArcEnd, to: ArcEnd, origin: ArcOrigin = {}): Arc {
  const { given, mutable = false } = origin;
  const dof = from.positions.length;
  const polynomials = new Float64Array(dof * POLYNOMIAL_SIZE);
  for (let j = 0; j < dof; j++) {
    const at = j * POLYNOMIAL_SIZE;
    const [x, y] = [from.positions[j], to.positions[j]];
    if (kind === 'linear') setLine(polynomials, at, duration, x, y);
    else if (kind === 'cubic') setCubic(polynomials, at, duration, x, y, from.velocities[j], to.velocities[j]);
    else setQuintic(polynomials, at, duration, jointState(from, j), jointState(to, j));
  }
  const filled = (end: ArcEnd, u: number): ArcEnd => {
    const at = (value: typeof velocityAt) =>
      Array.from(end.positions, (_, j) => value(polynomials, j * POLYNOMIAL_SIZE, u));
    return {
      positions: end.positions,
      velocities: kind === 'linear' ? at(velocityAt) : end.velocities,
      accelerations: kind === 'quintic' ? end.accelerations : at(accelerationAt),
    };
  };
  return { kind, duration, from: filled(from, 0), to: filled(to, duration), polynomials, given, mutable };
}

const jointState = ({ positions, velocities, accelerations }: ArcEnd, j: number) => ({
  position: positions[j],
  velocity: velocities[j],
  acceleration: accelerations[j],
});

/** Returns the state at time u of an arc: exactly its ends at 0 and at its duration. */
export function stateAt(arc: Arc, u: number): ArcEnd {
  if (u <= 0) return arc.from;
  if (u >= arc.duration) return arc.to;
  const at = (value: typeof positionAt) =>
    arc.from.positions.map((_, j) => value(arc.polynomials, j * POLYNOMIAL_SIZE, u));
  return { positions: at(positionAt), velocities: at(velocityAt), accelerations: at(accelerationAt) };
}

/** Returns the part of an arc from time u0 to u1: the same curve; the arc itself if that is all of it. */
export function partOf(arc: Arc, u0: number, u1: number): Arc {
  if (u0 <= 0 && u1 >= arc.duration) return arc;
  const given = arc.given && {
    from: arc.given.from + Math.max(0, u0),
    to: arc.given.from + Math.min(u1, arc.duration),
  };
  const { kind, mutable } = arc;
  return createArc(kind, Math.min(u1, arc.duration) - Math.max(0, u0), stateAt(arc, u0), stateAt(arc, u1), {
    given: given && (u1 >= arc.duration ? { from: given.from, to: arc.given!.to } : given),
    mutable,
  });
}

/** Returns the arc, marked as mutable or not. */
export const withMutable = (arc: Arc, mutable: boolean): Arc => (arc.mutable === mutable ? arc : { ...arc, mutable });

/** Returns the sum of the durations. */
export const totalDuration = (arcs: readonly Arc[]): number => arcs.reduce((sum, { duration }) => sum + duration, 0);

/** Returns the arc as a trajectory of two points with the curve of the arc; a path for a straight line. */
export function arcMotion(arc: Arc, jointNames: readonly string[]): Trajectory {
  const { from, to, kind, duration } = arc;
  if (kind === 'linear') return { jointNames, points: [{ positions: from.positions }, { positions: to.positions }] };
  const point = ({ positions, velocities, accelerations }: ArcEnd, time: number) => ({
    time_from_start: time,
    positions,
    velocities,
    ...(kind === 'quintic' && { accelerations }),
  });
  return { jointNames, points: [point(from, 0), point(to, duration)] };
}

/**
 * Returns true if the velocity jumps by more than half of what `velocityJumps` accepts as a rounding error; limits:
 * maximum speed of each joint.
 */
export function velocityJump(before: readonly number[], after: readonly number[], limits: ArrayLike<number>): boolean {
  return before.some((v, j) => !(Math.abs(after[j] - v) <= 0.5 * velocityTolerance(limits[j], v, after[j])));
}
