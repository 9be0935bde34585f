import type { Configuration } from '../math/configuration.ts';
import type { JointSpace } from './planner.ts';

/** Metric of a joint space, with defaults filled in. */
export interface Metric {
  /** Factor of each joint in distances. */
  readonly weights: Float64Array;
  /** π for continuous joints, whose values lie in [−π, π]; infinite for all others. */
  readonly halfTurns: Float64Array;
}

/** Returns the metric of a space; default: unit weights, no continuous joints. */
export function metricOf({ dof, weights, halfTurns }: Pick<JointSpace, 'dof' | 'weights' | 'halfTurns'>): Metric {
  return {
    weights: weights ?? new Float64Array(dof).fill(1),
    halfTurns: halfTurns ?? new Float64Array(dof).fill(Number.POSITIVE_INFINITY),
  };
}

/**
 * `to` − `from` by the shorter rotation. Exactly half a turn keeps its sign, so that the reverse motion takes the same
 * path.
 */
export function shortestDifference(from: number, to: number, halfTurn: number): number {
  const difference = to - from;
  if (difference > halfTurn) return difference - 2 * halfTurn;
  return difference < -halfTurn ? difference + 2 * halfTurn : difference;
}

/** The equivalent value in [−halfTurn, halfTurn]. */
export function withinHalfTurn(value: number, halfTurn: number): number {
  if (Math.abs(value) <= halfTurn) return value;
  return value - 2 * halfTurn * Math.floor(value / (2 * halfTurn) + 0.5);
}

/**
 * Converts a path with wrapped values into one that a controller can follow: it begins at `start`, which is equivalent
 * to the first waypoint, and continuous joints take the shorter rotation from each waypoint to the next. Returns the
 * path itself if no joint wraps.
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

/** Number of full turns between two equivalent values. */
function turnsBetween(from: number, to: number, halfTurn: number): number {
  return halfTurn === Number.POSITIVE_INFINITY ? 0 : Math.floor((to - from) / (2 * halfTurn) + 0.5);
}
