import type { Configuration } from '../math/configuration.ts';
import type { JointSpace } from './planner.ts';

/** How differences of joint values count: all entries are there, whether the space names them or not. */
export interface Metric {
  /** What each joint's travel is multiplied by. */
  readonly weights: Float64Array;
  /** Half a turn of joints that wrap, whose values lie within it to either side of zero; infinite for all others. */
  readonly halfTurns: Float64Array;
}

/** Unit weights, and nothing that wraps, where a space says nothing else. */
export function metricOf({ dof, weights, halfTurns }: Pick<JointSpace, 'dof' | 'weights' | 'halfTurns'>): Metric {
  return {
    weights: weights ?? new Float64Array(dof).fill(1),
    halfTurns: halfTurns ?? new Float64Array(dof).fill(Number.POSITIVE_INFINITY),
  };
}

/** `to` − `from`, the short way round. Exactly half a turn keeps its sign, so the way back is the same way. */
export function shortestDifference(from: number, to: number, halfTurn: number): number {
  const difference = to - from;
  if (difference > halfTurn) return difference - 2 * halfTurn;
  return difference < -halfTurn ? difference + 2 * halfTurn : difference;
}

/** The value within half a turn of zero that stands for the same place. */
export function withinHalfTurn(value: number, halfTurn: number): number {
  if (Math.abs(value) <= halfTurn) return value;
  return value - 2 * halfTurn * Math.floor(value / (2 * halfTurn) + 0.5);
}

/**
 * A path over values that wrap as one that a controller can follow: beginning at `start`, which the first point stands for, and from each
 * point to the next by the short way, full turns and all. The path itself where nothing wraps.
 */
export function unwrappedPath(
  path: readonly Configuration[],
  space: Pick<JointSpace, 'dof' | 'halfTurns'>,
  start: Configuration = path[0],
): readonly Configuration[] {
  const { halfTurns } = space;
  if (!halfTurns || path.length === 0) return path;
  const turns = path[0].map((value, i) => turnsBetween(value, start[i], halfTurns[i]));
  return path.map((q, k) => {
    if (k === 0) return start;
    for (let i = 0; i < q.length; i++) {
      const difference = q[i] - path[k - 1][i];
      if (difference > halfTurns[i]) turns[i]--;
      else if (difference < -halfTurns[i]) turns[i]++;
    }
    return q.map((value, i) => (turns[i] === 0 ? value : value + 2 * halfTurns[i] * turns[i]));
  });
}

/** Full turns from a value to one that stands for the same place. */
function turnsBetween(from: number, to: number, halfTurn: number): number {
  return halfTurn === Number.POSITIVE_INFINITY ? 0 : Math.floor((to - from) / (2 * halfTurn) + 0.5);
}
