import type { MotionLimits } from '../../core/trajectory/trajectory.ts';
import { motionFaults } from '../../core/trajectory/trajectoryLimits.ts';
import { accelerationTolerance } from '../../core/trajectory/velocityJumps.ts';
import type { ProposedPoint } from '../../formats/streams/gateMessages.ts';
import { CubicCurve, type JointsAt, type Knot, knotOf, MIN_PIECE, SAME_TIME } from './cubicCurve.ts';

/** Rad or m, and rad/s or m/s: a proposal that begins nearer to the committed motion continues it. */
const SAME_POSITION = 1e-6;
const SAME_VELOCITY = 1e-5;
/** Share of the remaining points of a proposal that a join may leave out. */
const SKIPPED_SHARE = 0.2;
/** Seconds: shortest and longest join that delays a proposal. */
const SHORTEST_JOIN = 0.02;
const LONGEST_JOIN = 10;
/** Bisections of the duration of a join. */
const BISECTIONS = 6;

/** A proposal that is joined to the committed motion. */
export interface Joined {
  /** Points from the join on; the first is a state of the committed motion. */
  readonly knots: readonly Knot[];
  /** The proposal is followed from this time of its own on. */
  readonly follows: number;
  /** True if it begins in the state of the committed motion. */
  readonly isExact: boolean;
}

/**
 * Returns the curve of a proposal. Without velocities, it is the spline with continuous accelerations through its
 * points that begins with the velocity of the committed motion, if it begins there, and ends with acceleration 0.
 */
export function proposedCurve(names: readonly string[], points: readonly ProposedPoint[], committed: CubicCurve) {
  const first = points[0];
  const { q, v } = committed.at(first.time);
  const begins = q.every((value, j) => Math.abs(value - first.positions[j]) <= SAME_POSITION);
  const columns = first.velocities ? [] : names.map((_, j) => splineVelocities(points, j, begins ? v[j] : undefined));
  const knots = points.map(
    ({ time, positions, velocities }, i): Knot => ({
      time_from_start: time,
      positions,
      velocities: velocities ?? columns.map((column) => column[i]),
    }),
  );
  return new CubicCurve(names, knots);
}

/** Solves the tridiagonal system of the velocities of a spline by elimination [Farin02]. */
function splineVelocities(points: readonly ProposedPoint[], j: number, start: number | undefined): number[] {
  const n = points.length - 1;
  if (n === 0) return [0];
  const h = points.slice(1).map(({ time }, i) => time - points[i].time);
  const slope = h.map((step, i) => (points[i + 1].positions[j] - points[i].positions[j]) / step);
  const upper = [0];
  const right = [start ?? slope[0]];
  for (let i = 1; i < n; i++) {
    const pivot = 2 * (h[i - 1] + h[i]) - h[i] * upper[i - 1];
    upper.push(h[i - 1] / pivot);
    right.push((3 * (h[i] * slope[i - 1] + h[i - 1] * slope[i]) - h[i] * right[i - 1]) / pivot);
  }
  const last = (3 * slope[n - 1] - right[n - 1]) / (2 - upper[n - 1]);
  const velocities = [...right, last];
  for (let i = n - 1; i >= 0; i--) velocities[i] = right[i] - upper[i] * velocities[i + 1];
  return velocities;
}

/**
 * Returns the earliest instant from `earliest` on at which a motion may leave the committed one: pieces of both motions
 * about it are not too short. It is not before `now`.
 */
export function leavingTime(committed: CubicCurve, now: number, earliest: number, next?: CubicCurve): number {
  let t = earliest;
  for (let round = 0; round < 2; round++) {
    const before = committed.knots[committed.indexAt(t + SAME_TIME)].time_from_start;
    if (Math.abs(t - before) <= SAME_TIME && before >= now) t = before;
    else if (t > before && t - before < MIN_PIECE) t = before + MIN_PIECE;
    const after = next?.knots.find(({ time_from_start }) => time_from_start > t + SAME_TIME)?.time_from_start;
    if (after !== undefined && after - t < MIN_PIECE) t = after;
  }
  return t;
}

/**
 * Returns the joins of a proposal to the committed motion at t, in the order in which they are tried: as proposed, if
 * it begins in the committed state; else by a cubic to one of its first points at its own time; else by the fastest
 * cubic to its state at t, which delays it.
 */
export function* joinsOf(
  committed: CubicCurve,
  proposal: CubicCurve,
  t: number,
  limits: MotionLimits,
): Generator<Joined> {
  const names = committed.trajectory.jointNames;
  const from = committed.at(t);
  const start = knotOf(t, from);
  const target = proposal.at(t);
  const rest = proposal.knots.filter(({ time_from_start }) => time_from_start > t + SAME_TIME);
  const hasJerk = Array.prototype.some.call(limits.jerk, Number.isFinite);
  if (isSame(from, target, limits, hasJerk)) {
    yield { knots: [start, ...rest], follows: t, isExact: true };
    return;
  }
  const joins = (to: Knot, a: Float64Array) => {
    const between = hasJerk ? smoothBetween(start, from.a, to, a) : [];
    return keepsLimits(names, [start, ...between, to], limits) ? between : undefined;
  };
  const most = Math.ceil(SKIPPED_SHARE * rest.length);
  for (let k = 0; k < most; k++) {
    const time = rest[k].time_from_start;
    const between = joins(rest[k], proposal.at(time).a);
    if (between === undefined) continue;
    yield { knots: [start, ...between, ...rest.slice(k)], follows: time, isExact: false };
    break;
  }
  const duration = shortest((T) => joins(knotOf(t + T, target), target.a) !== undefined);
  if (duration === undefined) return;
  const to = knotOf(t + duration, target);
  const later = rest.map((knot) => ({ ...knot, time_from_start: knot.time_from_start + duration }));
  yield { knots: [start, ...joins(to, target.a)!, to, ...later], follows: t, isExact: false };
}

function isSame(a: JointsAt, b: JointsAt, limits: MotionLimits, hasJerk: boolean): boolean {
  return a.q.every(
    (value, j) =>
      Math.abs(value - b.q[j]) <= SAME_POSITION &&
      Math.abs(a.v[j] - b.v[j]) <= SAME_VELOCITY &&
      (!hasJerk || Math.abs(a.a[j] - b.a[j]) <= accelerationTolerance(limits.acceleration[j], a.a[j], b.a[j])),
  );
}

/** Returns true if a motion between two states keeps all limits of its joints; it may begin and end at any velocity. */
function keepsLimits(jointNames: readonly string[], points: readonly Knot[], limits: MotionLimits): boolean {
  const faults = motionFaults({ jointNames, points, interpolation: 'cubic' }, limits);
  return faults.every((fault) => fault.kind === 'velocity-jump' && fault.place !== 'inside');
}

/** Returns a short duration that a predicate accepts: doubled until it does, then bisected. */
function shortest(isAccepted: (duration: number) => boolean): number | undefined {
  let high = SHORTEST_JOIN;
  while (!isAccepted(high)) {
    high *= 2;
    if (high > LONGEST_JOIN) return undefined;
  }
  let low = high === SHORTEST_JOIN ? high : high / 2;
  for (let n = 0; n < BISECTIONS && low < high; n++) {
    const middle = 0.5 * (low + high);
    if (isAccepted(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * Returns the two inner points of three cubics of equal duration h that join two states with continuous accelerations,
 * which are piecewise linear: a₀ and a₃ are given, a₁ and a₂ follow from
 *   v₃ − v₀ = h (a₀/2 + a₁ + a₂ + a₃/2),  q₃ − q₀ − 3h v₀ = h² (4a₀/3 + 2a₁ + a₂ + a₃/6)
 */
function smoothBetween(from: Knot, a0: Float64Array, to: Knot, a3: Float64Array): Knot[] {
  const t = from.time_from_start;
  const h = (to.time_from_start - t) / 3;
  const rows = from.positions.map((q0, j) => {
    const v0 = from.velocities[j];
    const sum = (to.velocities[j] - v0) / h - (a0[j] + a3[j]) / 2;
    const a1 = ((to.positions[j] - q0) / h - 3 * v0) / h - (4 / 3) * a0[j] - a3[j] / 6 - sum;
    const a2 = sum - a1;
    const [v1, q1] = [v0 + (h / 2) * (a0[j] + a1), q0 + h * v0 + h * h * (a0[j] / 3 + a1 / 6)];
    return [q1, v1, q1 + h * v1 + h * h * (a1 / 3 + a2 / 6), v1 + (h / 2) * (a1 + a2)];
  });
  return [0, 1].map((k) => ({
    time_from_start: t + (k + 1) * h,
    positions: rows.map((row) => row[2 * k]),
    velocities: rows.map((row) => row[2 * k + 1]),
  }));
}
