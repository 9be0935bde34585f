import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import type { Random } from '../../core/math/random.ts';
import { Separation } from '../../core/narrowphase/solver.ts';

/** Random states evaluated first, number of descents from the nearest states, and steps per descent. */
const SAMPLES = 256;
const DESCENTS = 24;
const STEPS = 120;

/** Initial step as a share of a joint's range, and its reduction factor after each step without improvement. */
const FIRST_STEP = 0.3;
const SHRINK = 0.92;

/** Share of the values of random states that are at a limit of their joint: links often come nearest there. */
const AT_LIMIT = 0.25;
/** Share of the joints that a step moves. */
const MOVED = 0.5;

/**
 * Searches for the minimum distance of two links, metres: evaluates the given and random states, then descends from the
 * nearest by random steps. Returns 0 if they collide. Finds collisions that are rare among random states; a positive
 * result proves nothing.
 * @param pairs pairs of the manager's model between parts of the two links
 * @param ranges lower and upper bound of each joint
 * @param given states in which the links may be near each other
 */
export function closestApproach(
  manager: CollisionManager,
  pairs: readonly number[],
  ranges: readonly (readonly [number, number])[],
  random: Random,
  given: readonly Configuration[],
): number {
  const found = new Separation();
  const distanceAt = (q: Configuration): number => {
    manager.posed.pose(q);
    let minDistance = Number.POSITIVE_INFINITY;
    for (const pair of pairs) {
      manager.pairDistance(found, pair, minDistance);
      minDistance = Math.min(minDistance, found.distance.upper);
    }
    return minDistance;
  };
  const drawn = Array.from({ length: SAMPLES }, () =>
    Float64Array.from(ranges, (range) =>
      random.next() < AT_LIMIT ? range[random.below(2)] : random.between(range[0], range[1]),
    ),
  );
  const samples = [...given, ...drawn].map((q) => ({ q, distance: distanceAt(q) }));
  samples.sort((a, b) => a.distance - b.distance);
  let minDistance = samples[0].distance;
  for (const { q, distance } of samples.slice(0, DESCENTS)) {
    if (minDistance <= 0) break;
    minDistance = Math.min(minDistance, descend(q, distance, distanceAt, ranges, random));
  }
  return minDistance;
}

/** Minimizes the distance by random steps from `start`; returns the smallest distance found. */
function descend(
  start: Configuration,
  distance: number,
  distanceAt: (q: Configuration) => number,
  ranges: readonly (readonly [number, number])[],
  random: Random,
): number {
  const q = Float64Array.from(start);
  const next = new Float64Array(q.length);
  let minDistance = distance;
  let stepSize = FIRST_STEP;
  for (let step = 0; step < STEPS && minDistance > 0; step++) {
    for (let j = 0; j < q.length; j++) {
      const [lower, upper] = ranges[j];
      const moved = random.next() < MOVED ? q[j] + stepSize * (upper - lower) * random.between(-1, 1) : q[j];
      next[j] = Math.min(Math.max(moved, lower), upper);
    }
    const nextDistance = distanceAt(next);
    if (nextDistance < minDistance) {
      q.set(next);
      minDistance = nextDistance;
    } else stepSize *= SHRINK;
  }
  return minDistance;
}
