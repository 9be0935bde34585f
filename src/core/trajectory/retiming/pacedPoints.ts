import { accelerationAt, POLYNOMIAL_SIZE, positionAt, setCubic } from '../polynomial.ts';
import type { TrajectoryPoint } from '../trajectory.ts';
import { type Arc, type ArcEnd, stateAt, type TimeSpan } from './arc.ts';
import type { PaceGrid } from './paceGrid.ts';

/** Greatest number of intervals of a curved arc that one cubic represents. */
const MAX_MERGED = 32;
/** Share of the tolerance that merging intervals may use. */
const MERGE_SHARE = 0.25;
/** Relative: rates of change of the pace that differ by less are equal. */
const SAME_RATE = 1e-9;
/** Fractions of the time of a piece at which its distance to the given curve is measured. */
const SAMPLES = [0.25, 0.5, 0.75];

/** One segment of the new motion. */
export interface PacedPiece {
  /** The intervals of the grid that it passes. */
  readonly first: number;
  readonly last: number;
  /** True if the arc is passed as it was given: at pace 1, by its own polynomial. */
  readonly kept: boolean;
  /** Distance to the given curve, at most this in each joint (rad, m), at `SAMPLES`. */
  readonly deviation: number;
}

/** When one cubic represents several intervals of a curved arc. */
export interface MergeRules {
  /** Greatest distance to the curve, rad or m, in each joint. */
  readonly toleranceOf: (arc: Arc) => number;
  /** Maximum acceleration of each joint. */
  readonly acceleration: ArrayLike<number>;
}

/** A curve with new times. */
export interface PacedMotion {
  /** Points with velocities, one more than `pieces`. */
  readonly points: TrajectoryPoint[];
  readonly pieces: PacedPiece[];
}

/**
 * Returns the curve of a grid with the times of a pace profile, as cubics: arcs at pace 1 as given, others with a point
 * at each end of an interval at which the pace begins to change differently. Linear arcs remain straight, and cubic
 * arcs at a constant pace remain the same curve.
 * @param squares squared pace at each end of an interval
 * @param start time of the first point
 */
export function pacedPoints(grid: PaceGrid, squares: Float64Array, start: number, rules: MergeRules): PacedMotion {
  const { arcs, count } = grid;
  const points: TrajectoryPoint[] = [pointOf(arcs[0].from, start, Math.sqrt(squares[0]), false)];
  const pieces: PacedPiece[] = [];
  let time = start;
  for (let first = 0; first < count; ) {
    const arc = arcs[grid.arc[first]];
    const end = arcEnd(grid, first);
    if (isGivenPace(squares, first, end)) {
      time += arc.duration;
      const isQuintic = arc.kind === 'quintic';
      if (isQuintic) points.push({ ...points.pop()!, accelerations: arc.from.accelerations });
      points.push(pointOf(arc.to, time, 1, isQuintic));
      pieces.push({ first, last: end - 1, kept: true, deviation: 0 });
      first = end;
      continue;
    }
    while (first < end) {
      const last = lastAlike(grid, squares, first, end, rules);
      const duration = durationOf(grid, squares, first, last);
      const previous = time;
      time += duration;
      const u = last + 1 === end ? arc.duration : grid.from[last + 1];
      points.push(pointOf(stateAt(arc, u), time, Math.sqrt(squares[last + 1]), false));
      const span = { from: grid.from[first], to: u };
      const deviation = deviationOf(grid, squares, first, last, span, points, time - previous);
      pieces.push({ first, last, kept: false, deviation });
      first = last + 1;
    }
  }
  return { points, pieces };
}

/** Returns the interval after the last one of the arc of interval i. */
function arcEnd({ arc, count }: PaceGrid, i: number): number {
  let end = i + 1;
  while (end < count && arc[end] === arc[i]) end++;
  return end;
}

function isGivenPace(squares: Float64Array, first: number, end: number): boolean {
  for (let i = first; i <= end; i++) if (squares[i] !== 1) return false;
  return true;
}

/** Returns the last interval up to which one cubic represents the motion from interval `first` on. */
function lastAlike(grid: PaceGrid, squares: Float64Array, first: number, end: number, rules: MergeRules): number {
  const { arcs, arc, step } = grid;
  const { kind } = arcs[arc[first]];
  const rate = (i: number) => (squares[i + 1] - squares[i]) / step[i];
  const isExact = kind === 'linear' || (kind === 'cubic' && rate(first) === 0);
  let last = first;
  if (isExact) {
    while (last + 1 < end && Math.abs(rate(last + 1) - rate(first)) <= SAME_RATE * Math.abs(rate(first))) last++;
    if (kind === 'linear' || last > first) return last;
  }
  const limit = Math.min(end, first + MAX_MERGED);
  while (last + 1 < limit && isMergeable(grid, squares, first, last + 1, rules)) last++;
  return last;
}

/** Returns true if the cubic over several intervals passes near their ends at their times, within the limits. */
function isMergeable(
  grid: PaceGrid,
  squares: Float64Array,
  first: number,
  last: number,
  { toleranceOf, acceleration }: MergeRules,
): boolean {
  const { arcs, arc, from, step, dof } = grid;
  const { polynomials } = arcs[arc[first]];
  const tolerance = MERGE_SHARE * toleranceOf(arcs[arc[first]]);
  const duration = durationOf(grid, squares, first, last);
  const [pace, nextPace] = [Math.sqrt(squares[first]), Math.sqrt(squares[last + 1])];
  const cubic = new Float64Array(POLYNOMIAL_SIZE);
  for (let j = 0, at = 0; j < dof; j++, at += POLYNOMIAL_SIZE) {
    const x = positionAt(polynomials, at, from[first]);
    const y = positionAt(polynomials, at, from[last] + step[last]);
    const [v, w] = [grid.velocity0[first * dof + j] * pace, grid.velocity1[last * dof + j] * nextPace];
    setCubic(cubic, 0, duration, x, y, v, w);
    for (const t of [0, duration]) if (!(Math.abs(accelerationAt(cubic, 0, t)) <= acceleration[j])) return false;
    let time = 0;
    for (let i = first; i < last; i++) {
      time += durationOf(grid, squares, i, i);
      const given = positionAt(polynomials, at, from[i + 1]);
      if (!(Math.abs(positionAt(cubic, 0, time) - given) <= tolerance)) return false;
    }
  }
  return true;
}

/** Returns the time in which the intervals are passed: x is linear in the time of the curve within each. */
function durationOf({ step }: PaceGrid, squares: Float64Array, first: number, last: number): number {
  let duration = 0;
  for (let i = first; i <= last; i++) duration += (2 * step[i]) / (Math.sqrt(squares[i]) + Math.sqrt(squares[i + 1]));
  return duration;
}

const pointOf = (end: ArcEnd, time: number, pace: number, isQuintic: boolean): TrajectoryPoint => ({
  time_from_start: time,
  positions: end.positions,
  velocities: pace === 1 ? end.velocities : end.velocities.map((v) => v * pace + 0),
  ...(isQuintic && { accelerations: end.accelerations }),
});

/**
 * Returns the distance of the cubic between the last two points to the given curve at the same fraction of it; 0 if it
 * represents several intervals, which `lastAlike` has compared.
 */
function deviationOf(
  grid: PaceGrid,
  squares: Float64Array,
  first: number,
  last: number,
  { from, to }: TimeSpan,
  points: readonly TrajectoryPoint[],
  duration: number,
): number {
  const { polynomials, kind } = grid.arcs[grid.arc[first]];
  if (kind === 'linear' || last > first) return 0;
  const [one, other] = points.slice(-2);
  const [pace, nextPace] = [Math.sqrt(squares[first]), Math.sqrt(squares[last + 1])];
  const cubic = new Float64Array(POLYNOMIAL_SIZE);
  let most = 0;
  for (let j = 0; j < grid.dof; j++) {
    const [x, y, v, w] = [one.positions[j], other.positions[j], one.velocities![j], other.velocities![j]];
    setCubic(cubic, 0, duration, x, y, v, w);
    for (const share of SAMPLES) {
      const passed = (share * (pace + (share / 2) * (nextPace - pace))) / (0.5 * (pace + nextPace));
      const given = positionAt(polynomials, j * POLYNOMIAL_SIZE, from + passed * (to - from));
      most = Math.max(most, Math.abs(positionAt(cubic, 0, share * duration) - given));
    }
  }
  return most;
}
