import { firstIndex } from '../../math/firstIndex.ts';
import type { DiagramCell, RecordPoint } from './coordinationRecord.ts';

/** Piecewise linear function of time: constant before its first and after its last point. */
type Curve = readonly RecordPoint[];

/** Returns the problems of a schedule by itself: it must run from 0 to `duration` at a pace between 0 and 1. */
export function paceProblems(points: Curve, duration: number): string[] {
  if (points.length < 2) return ['it has fewer than two points'];
  const [[start, from], [, to]] = [points[0], points[points.length - 1]];
  if (start !== 0 || from !== 0) return [`it starts at [${start}, ${from}] instead of [0, 0]`];
  if (to !== duration) return [`it ends at ${to}, the trajectory at ${duration}`];
  for (let k = 1; k < points.length; k++) {
    const [time, own] = points[k];
    const [before, ownBefore] = points[k - 1];
    if (!(time > before)) return [`its times do not increase: ${time} comes after ${before}`];
    if (!(own >= ownBefore)) return [`it runs backwards from ${ownBefore} to ${own} at ${time}`];
    if (!(own - ownBefore <= time - before)) return [`it is faster than the trajectory from ${before} to ${time}`];
  }
  return [];
}

/** Returns the problems of a tolerated delay by itself: from time 0 on, never negative, never decreasing. */
export function delayProblems(points: Curve): string[] {
  if (points.length === 0) return ['it has no points'];
  if (points[0][0] !== 0) return [`it starts at ${points[0][0]} instead of 0`];
  for (const [k, [time, delay]] of points.entries()) {
    if (!(delay >= 0)) return [`it is ${delay} at ${time}`];
    if (k > 0 && !(time > points[k - 1][0]))
      return [`its times do not increase: ${time} comes after ${points[k - 1][0]}`];
    if (k > 0 && !(delay >= points[k - 1][1])) return [`it decreases at ${time}: a delay remains`];
  }
  return [];
}

/** Two robots on their schedules, of which one may be late. */
export interface LateRobot {
  /** Schedule of the robot that may be late, and its tolerated delay. */
  readonly late: Curve;
  readonly delay: Curve;
  /** Schedule of the robot on time. */
  readonly other: Curve;
  /** Free cells; those that are `slack` larger on all sides are proved, too. */
  readonly free: readonly DiagramCell[];
  /** True if the late robot is the first one of the cells. */
  readonly isFirst: boolean;
  /** Seconds: how much may be lost to rounding. */
  readonly slack: number;
}

/**
 * Returns a time at which the states that both robots may be in are not all in free cells; undefined if there is none.
 * At t the other robot is at own(t), the late one anywhere between where its schedule has it at t − delay(t) and at t.
 *
 * Time is divided where either schedule reaches a side of a cell. In between, all states are within the rectangle of
 * the least and greatest times of both robots. It must be covered by cells that reach over all of it in the other
 * robot's time, side by side in the late robot's. Wherever time is divided, the rectangles contain all states.
 */
export function timeOutsideFree({ late, delay, other, free, isFirst, slack }: LateRobot): number | undefined {
  const cells = free.map(([a0, a1, b0, b1]) => (isFirst ? [a0, a1, b0, b1] : [b0, b1, a0, a1]) as DiagramCell);
  const tolerance = 0.5 * slack;
  const behind = (t: number) => {
    const d = valueAt(delay, t);
    return valueAt(late, t - d - 8 * Number.EPSILON * (t + d));
  };
  for (const [from, to] of intervals([late, delay, other], cells)) {
    const low = Math.min(behind(from), behind(to));
    const high = valueAt(late, to);
    const [lowOther, highOther] = [valueAt(other, from), valueAt(other, to)];
    const across = cells
      .filter(([, , d0, d1]) => d0 - tolerance <= lowOther && highOther <= d1 + tolerance)
      .sort((one, next) => one[0] - next[0]);
    let covered = low;
    let isCovered = false;
    for (const [c0, c1] of across) {
      if (c0 - tolerance > covered) break;
      if (c1 + tolerance < low) continue;
      covered = Math.max(covered, c1 + tolerance);
      isCovered = true;
      if (covered >= high) break;
    }
    if (!isCovered || covered < high) return from;
  }
  return undefined;
}

/**
 * Returns the intervals between all times at which a curve has a point, or a schedule crosses a side of a cell, and the
 * last time by itself: from then on nothing changes.
 */
function intervals([late, delay, other]: readonly Curve[], cells: readonly DiagramCell[]): [number, number][] {
  const sides = (...indices: number[]) => [...new Set(cells.flatMap((cell) => indices.map((i) => cell[i])))];
  const times = new Set([0, ...[late, delay, other].flatMap((curve) => curve.map(([time]) => time))]);
  for (const time of crossings(late, sides(0, 1))) times.add(time);
  for (const time of crossings(other, sides(2, 3))) times.add(time);
  const sorted = [...times].sort((a, b) => a - b);
  const last = sorted[sorted.length - 1];
  return [...sorted.slice(1).map((time, k): [number, number] => [sorted[k], time]), [last, last]];
}

/** Returns the times at which a schedule reaches values, up to rounding. */
function crossings(curve: Curve, values: readonly number[]): number[] {
  const times: number[] = [];
  const sorted = values.toSorted((a, b) => a - b);
  let k = 1;
  for (const value of sorted) {
    while (k < curve.length - 1 && curve[k][1] < value) k++;
    const [[time, own], [before, ownBefore]] = [curve[k], curve[k - 1]];
    if (value >= ownBefore && value <= own && own > ownBefore)
      times.push(Math.min(time, before + ((value - ownBefore) / (own - ownBefore)) * (time - before)));
  }
  return times;
}

/** Returns the value of a curve at a time. */
function valueAt(curve: Curve, time: number): number {
  if (!(time > curve[0][0])) return curve[0][1];
  const last = curve.length - 1;
  if (time >= curve[last][0]) return curve[last][1];
  const next = firstIndex(last, (i) => !(curve[i][0] <= time));
  const [[from, start], [to, end]] = [curve[next - 1], curve[next]];
  return start + (end - start) * ((time - from) / (to - from));
}
