import type { Interrupt } from '../../math/interrupt.ts';
import { ACCELERATION, maxMagnitude, VELOCITY } from '../polynomial.ts';
import type { MotionLimits, Trajectory, TrajectoryPoint } from '../trajectory.ts';
import { TrajectoryCurve } from '../trajectoryCurve.ts';
import { type Arc, type ArcEnd, stateAt } from './arc.ts';
import { type PacedMotion, pacedPoints } from './pacedPoints.ts';
import { type ForceRows, type PaceBounds, PaceGrid, paceProfile } from './paceGrid.ts';

/** Fraction of each limit that is not used where the pace changes: the cubics differ from the exact motion. */
const HEADROOM = 5e-4;
/** The same of limits of speed other than those of joints, whose bounds take fewer intervals the farther they are. */
const SPEED_HEADROOM = 2e-3;
/** Relative: a given rate may exceed its limit by this, as in `examineMotion`. */
const RATE_TOLERANCE = 1e-6;
/** Maximum number of times that the bounds are tightened where the cubics exceed a limit. */
const MAX_ROUNDS = 200;
/** Number of rounds after which too high an acceleration also lowers the pace: where the curve is nearly at rest. */
const PATIENCE = 4;
/** A bound that is exceeded is tightened by this much more than measured. */
const OVERSHOOT = 0.999;
/** Factor of the pace of a segment in which a force remains too large. */
const FORCE_STEP = 1.01;
/** A bound on a force is tightened by this much more than measured, and keeps this share at least. */
const FORCE_OVERSHOOT = 1.05;
const KEPT = 0.8;
/** Bound on the squared pace at the start of a motion with `hasLeadIn`. */
const LEAD_IN_SQUARE = 0.99;
/** Factor of the tolerance for arcs that the given trajectory does not contain. */
const NEW_ARC_TOLERANCE = 50;
/** Factor of the number of intervals of an arc whose cubics deviate too far, and its maximum. */
const REFINEMENT = 2;
const MAX_FINENESS = 128;
/** That factor at first with limits of forces, whose rows take most of the time; they are proved between the rows. */
const FORCE_FINENESS = 0.5;

/** An instant of a motion at which it is too fast, other than by a limit of a joint. */
export interface ExcessSpeed {
  /** Seconds. */
  readonly time: number;
  /** Value ÷ limit, above 1. */
  readonly ratio: number;
}

/** Speeds along a curve that are limited, other than those of joints. */
export interface PaceSpeeds {
  /** Returns the greatest ratio of a speed and its limit at a state. */
  ratio(positions: ArrayLike<number>, velocities: ArrayLike<number>): number;
  /** Returns where a motion exceeds the limits: at most one instant of each segment. */
  excess(motion: Trajectory): readonly ExcessSpeed[];
}

/** Forces along a curve that are limited. */
export interface PaceForces {
  /** Returns the forces at both ends of the intervals of a grid as functions of the pace. */
  rows(grid: PaceGrid): readonly [ForceRows, ForceRows];
  /** Returns by how much bounds of the forces exceed their limits in each segment of a motion. */
  excess(motion: Trajectory): readonly ForceExcess[];
}

/** A segment of a motion in which a force exceeds its limits. */
export interface ForceExcess {
  /** Index of the segment. */
  readonly segment: number;
  /** Index of the joint. */
  readonly joint: number;
  /** By how much the lower and the upper limit are exceeded; 0 or less: not at all. */
  readonly below: number;
  readonly above: number;
}

/** What `retime` needs besides the curve. */
export interface RetimeOptions {
  /** Limits of the joints, in their order. */
  readonly limits: MotionLimits;
  /** Names of the joints, in their order. */
  readonly jointNames: readonly string[];
  /** Time of the first point, seconds. */
  readonly start: number;
  /** Greatest distance (rad, m, in each joint) between the new motion and the curve. */
  readonly tolerance: number;
  /** Ends the computation, which then returns undefined. */
  readonly interrupt: Interrupt;
  /** Limits of speed other than those of joints. */
  readonly speeds?: PaceSpeeds | undefined;
  /** Limits of forces. */
  readonly forces?: PaceForces | undefined;
}

/** A retimed motion. */
export interface RetimedMotion {
  readonly points: readonly TrajectoryPoint[];
  /** For each arc: true if it keeps its duration and its polynomial. */
  readonly kept: readonly boolean[];
}

/**
 * Slows down the motion along a curve as little as needed: nowhere faster than given, at the given pace wherever the
 * limits of velocity and acceleration allow it, at rest at both ends and where the velocity jumps. Jerks are not
 * limited. Undefined if no motion within the limits is found.
 */
export function retime(arcs: readonly Arc[], options: RetimeOptions): RetimedMotion | undefined {
  const points: TrajectoryPoint[] = [];
  const kept: boolean[] = [];
  for (const section of sectionsOf(arcs)) {
    const start = points.at(-1)?.time_from_start ?? options.start;
    const motion = retimeSection(section, { ...options, start });
    if (motion === undefined) return undefined;
    const joint = points.pop();
    const [first, ...others] = motion.points;
    points.push({ ...joint, ...first }, ...others);
    kept.push(...motion.kept);
  }
  return { points, kept };
}

/** Divides a curve where it is at rest: the pace of one section does not depend on that of another. */
function sectionsOf(arcs: readonly Arc[]): Arc[][] {
  const sections: Arc[][] = [];
  const isRest = ({ velocities }: ArcEnd) => velocities.every((v) => v === 0);
  for (const [k, arc] of arcs.entries()) {
    if (k === 0 || (isRest(arcs[k - 1].to) && isRest(arc.from))) sections.push([arc]);
    else sections[sections.length - 1].push(arc);
  }
  return sections;
}

/** Retimes one section with a grid that is refined until the cubics are near enough to the curve. */
function retimeSection(arcs: readonly Arc[], options: RetimeOptions): RetimedMotion | undefined {
  const fineness = new Float64Array(arcs.length).fill(options.forces ? FORCE_FINENESS : 1);
  for (;;) {
    const grid = new PaceGrid(arcs, fineness, options.limits.velocity);
    const motion = withinLimits(grid, options);
    if (motion === undefined) return undefined;
    const coarse = new Set<number>();
    for (const { first, deviation } of motion.pieces) {
      if (!(deviation <= toleranceOf(arcs[grid.arc[first]], options))) coarse.add(grid.arc[first]);
    }
    if (coarse.size === 0) return { points: motion.points, kept: keptArcs(grid, motion) };
    for (const k of coarse) fineness[k] *= REFINEMENT;
    if (fineness.some((factor) => factor > MAX_FINENESS)) return undefined;
  }
}

const toleranceOf = ({ given }: Arc, { tolerance }: RetimeOptions): number =>
  given ? tolerance : NEW_ARC_TOLERANCE * tolerance;

function keptArcs({ arc, arcs }: PaceGrid, { pieces }: PacedMotion): boolean[] {
  const kept = new Array<boolean>(arcs.length).fill(false);
  for (const piece of pieces) if (piece.kept) kept[arc[piece.first]] = true;
  return kept;
}

/** Returns the fastest motion whose cubics are within all limits; tightens the bounds where they are not. */
function withinLimits(grid: PaceGrid, options: RetimeOptions): PacedMotion | undefined {
  const bounds = { ...initialBounds(grid, options), forces: options.forces?.rows(grid) };
  if (hasLeadIn(grid.arcs[0], options.start)) bounds.square[0] *= LEAD_IN_SQUARE;
  const { acceleration } = options.limits;
  const rules = { acceleration, toleranceOf: (arc: Arc) => toleranceOf(arc, options) };
  for (let round = 0; round < MAX_ROUNDS && !options.interrupt(); round++) {
    const squares = paceProfile(grid, bounds);
    if (!isPassable(squares)) return undefined;
    const motion = pacedPoints(grid, squares, options.start, rules);
    if (!tighten(bounds, grid, squares, motion, options, round >= PATIENCE)) return motion;
  }
  return undefined;
}

/**
 * Returns true if a motion that begins with this arc begins with an acceleration after time 0, which `check` refuses: a
 * slightly lower pace makes it begin with a cubic.
 */
const hasLeadIn = ({ kind, from }: Arc, start: number): boolean =>
  start > 0 && kind === 'quintic' && from.accelerations.some((a) => a !== 0);

/** Returns true if the pace is never 0 at both ends of an interval. */
function isPassable(squares: Float64Array): boolean {
  for (let i = 1; i < squares.length; i++) if (!(squares[i - 1] + squares[i] > 0)) return false;
  return true;
}

/** Returns the bounds of the limits; what the given motion uses within its limits is allowed. */
function initialBounds(grid: PaceGrid, { limits, speeds }: RetimeOptions): PaceBounds {
  const { velocity, acceleration } = limits;
  const { count, dof, velocity0, velocity1 } = grid;
  const square = new Float64Array(count + 1).fill(1);
  const cap = (end: number, ratio: number, headroom: number) => {
    if (!(ratio > 1 + RATE_TOLERANCE)) return;
    const factor = (1 - headroom) / ratio;
    square[end] = Math.min(square[end], factor * factor);
  };
  const capAt = (end: number, i: number, rates: Float64Array, time: number) => {
    for (let j = 0; j < dof; j++) cap(end, Math.abs(rates[i * dof + j]) / velocity[j], HEADROOM);
    if (!speeds) return;
    const { positions, velocities } = stateAt(grid.arcs[grid.arc[i]], time);
    cap(end, speeds.ratio(positions, velocities), SPEED_HEADROOM);
  };
  for (let i = 0; i < count; i++) {
    capAt(i, i, velocity0, grid.from[i]);
    capAt(i + 1, i, velocity1, grid.from[i] + grid.step[i]);
  }
  for (let i = 0; i <= count; i++) if (grid.stops[i]) square[i] = 0;
  const boundsOf = (given: Float64Array) =>
    given.map((value, k) => {
      const limit = acceleration[k % dof];
      const isWithin = Math.abs(value) <= limit * (1 + RATE_TOLERANCE);
      return isWithin ? Math.max((1 - HEADROOM) * limit, Math.abs(value)) : (1 - HEADROOM) * limit;
    });
  return { square, acceleration0: boundsOf(grid.acceleration0), acceleration1: boundsOf(grid.acceleration1) };
}

/**
 * Tightens the bounds of the intervals in which the motion exceeds a limit; returns false if there is none.
 * @param slowsDown lowers the pace where the acceleration is too high, too
 */
function tighten(
  bounds: PaceBounds,
  grid: PaceGrid,
  squares: Float64Array,
  { points, pieces }: PacedMotion,
  { limits, jointNames, speeds, forces }: RetimeOptions,
  slowsDown: boolean,
): boolean {
  const trajectory = { jointNames, points };
  const curve = new TrajectoryCurve(trajectory);
  let isTightened = false;
  const slowDown = (k: number, ratio: number) => {
    isTightened = true;
    for (let i = pieces[k].first; i <= pieces[k].last + 1; i++)
      bounds.square[i] = Math.min(bounds.square[i], OVERSHOOT * (squares[i] / (ratio * ratio)));
  };
  for (const [k, { first, last, kept }] of pieces.entries()) {
    const T = curve.times[k + 1] - curve.times[k];
    for (let j = 0; j < grid.dof; j++) {
      const most = (order: number) => maxMagnitude(curve.polynomials, curve.polynomialIndex(k, j), order, 0, T);
      const speed = most(VELOCITY) / limits.velocity[j];
      if (speed > 1 + RATE_TOLERANCE / 2) slowDown(k, speed);
      const ratio = most(ACCELERATION) / limits.acceleration[j];
      if (!(ratio > 1 + RATE_TOLERANCE / 2)) continue;
      isTightened = true;
      if (kept || slowsDown) slowDown(k, Math.sqrt(ratio));
      for (let i = first; i <= last; i++) {
        const at = i * grid.dof + j;
        bounds.acceleration0[at] = (OVERSHOOT * Math.min(bounds.acceleration0[at], limits.acceleration[j])) / ratio;
        bounds.acceleration1[at] = (OVERSHOOT * Math.min(bounds.acceleration1[at], limits.acceleration[j])) / ratio;
      }
    }
  }
  if (isTightened) return true;
  for (const { time, ratio } of speeds?.excess(trajectory) ?? []) slowDown(curve.pieceAt(time), ratio);
  for (const { segment, joint, below, above } of forces?.excess(trajectory) ?? []) {
    isTightened = true;
    if (slowsDown) slowDown(segment, FORCE_STEP);
    const { first, last } = pieces[segment];
    for (const { lower, upper } of bounds.forces!)
      for (let at = first * grid.dof + joint; at <= last * grid.dof + joint; at += grid.dof) {
        if (above > 0) upper[at] = Math.max(KEPT * upper[at], upper[at] - FORCE_OVERSHOOT * above);
        if (below > 0) lower[at] = Math.min(KEPT * lower[at], lower[at] + FORCE_OVERSHOOT * below);
      }
  }
  return isTightened;
}

/** Returns the motion along a curve without velocity jumps at `1 / factor` of its pace: the same curve. */
export function slowedDown(arcs: readonly Arc[], factor: number, start: number): TrajectoryPoint[] {
  let time = start;
  const scaled = (end: ArcEnd, isQuintic: boolean): TrajectoryPoint => ({
    time_from_start: time,
    positions: end.positions,
    velocities: end.velocities.map((v) => v / factor + 0),
    ...(isQuintic && { accelerations: end.accelerations.map((a) => a / factor / factor + 0) }),
  });
  const points = arcs.map(({ from, duration, kind }, k) => {
    const isAfterQuintic = kind !== 'quintic' && arcs[k - 1]?.kind === 'quintic';
    const point = scaled(isAfterQuintic ? arcs[k - 1].to : from, isAfterQuintic || kind === 'quintic');
    time += duration * factor;
    return point;
  });
  const { to, kind } = arcs[arcs.length - 1];
  return [...points, scaled(to, kind === 'quintic')];
}
