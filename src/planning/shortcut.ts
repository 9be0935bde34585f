import type { Configuration } from '../math/configuration.ts';
import type { Random } from '../math/random.ts';
import type { JointSpace, MotionValidator } from './planner.ts';

/** How long to look for shortcuts. Counts, not seconds: equal seeds give equal paths. */
export const shortcutDefaults = {
  /** Random shortcuts tried at most. */
  attempts: 200,
  /** Shortcuts that fail or gain nothing, one after the other, before it is given up. */
  failures: 40,
};

/** Relative: a shortcut that saves less than this share of the path's length is not worth its check. */
const LEAST_GAIN = 1e-4;

/**
 * A shorter valid path with the same ends: corners are cut off where the straight way is free [GeraertsOvermars07 §3]. First whole
 * corners, then straight lines between two random points of the path, then whole corners again. Never longer than the path given.
 */
export function shortcutPath(
  path: readonly Configuration[],
  space: JointSpace,
  motions: MotionValidator,
  random: Random,
  { attempts, failures } = shortcutDefaults,
): Configuration[] {
  let best = dropCorners(path, motions);
  let failed = 0;
  for (let attempt = 0; attempt < attempts && failed < failures && best.length > 2; attempt++) {
    const shorter = cutBetweenRandomPoints(best, space, motions, random);
    failed = shorter ? 0 : failed + 1;
    if (shorter) best = shorter;
  }
  return dropCorners(best, motions);
}

/** Sum of the distances from point to point. */
export function pathLength(path: readonly Configuration[], space: JointSpace): number {
  let length = 0;
  for (let i = 1; i < path.length; i++) length += space.distance(path[i - 1], path[i]);
  return length;
}

/** From each point on to the farthest later one that a straight valid motion leads to. */
function dropCorners(path: readonly Configuration[], motions: MotionValidator): Configuration[] {
  const kept = path.slice(0, 1);
  for (let i = 0; i < path.length - 1; ) {
    let next = path.length - 1;
    while (next > i + 1 && !motions.isMotionValid(path[i], path[next])) next--;
    kept.push(path[next]);
    i = next;
  }
  return kept;
}

/** The path with a straight line between two random places on it; undefined if that is blocked or saves next to nothing. */
function cutBetweenRandomPoints(
  path: readonly Configuration[],
  space: JointSpace,
  motions: MotionValidator,
  random: Random,
): Configuration[] | undefined {
  const length = pathLength(path, space);
  const one = random.next() * length;
  const two = random.next() * length;
  const from = placeAt(path, space, Math.min(one, two));
  const to = placeAt(path, space, Math.max(one, two));
  if (from.segment === to.segment) return undefined;
  const along = Math.abs(two - one);
  if (along - space.distance(from.q, to.q) < LEAST_GAIN * length) return undefined;
  if (!motions.isMotionValid(from.q, to.q)) return undefined;
  // The pieces left over of the two cut segments lie on proved motions.
  return [...path.slice(0, from.segment + 1), from.q, to.q, ...path.slice(to.segment + 1)];
}

/** The point of the path that lies `along` from its start, and the segment it is on. */
function placeAt(
  path: readonly Configuration[],
  space: JointSpace,
  along: number,
): { segment: number; q: Configuration } {
  let rest = along;
  for (let segment = 0; ; segment++) {
    const step = space.distance(path[segment], path[segment + 1]);
    if (rest <= step || segment === path.length - 2) {
      const q = new Float64Array(space.dof);
      space.interpolate(q, path[segment], path[segment + 1], step > 0 ? Math.min(1, rest / step) : 0);
      return { segment, q };
    }
    rest -= step;
  }
}
