import type { CollisionManager } from '../../collision/collisionManager.ts';
import type { Configuration } from '../../math/configuration.ts';
import type { Random } from '../../math/random.ts';
import { Separation } from '../../narrowphase/solver.ts';

/** States looked at before a descent, descents from the nearest of them, and steps of each. */
const LOOKS = 32;
const DESCENTS = 2;
const STEPS = 60;

/** A step goes this share of a joint's range at first; after each that leads no nearer, a little less far. */
const FIRST_STEP = 0.2;
const SHRINK = 0.9;

/**
 * The least distance of two links that a short search finds, in metres: the nearest of some random states, then steps that bring the two
 * nearer. 0 where they meet. It finds meetings that are rare among random states; that it finds none proves nothing.
 * @param pairs of the manager's model, those between parts of the two links
 * @param ranges of the joints
 */
export function closestApproach(
  manager: CollisionManager,
  pairs: readonly number[],
  ranges: readonly (readonly [number, number])[],
  random: Random,
): number {
  const found = new Separation();
  const distanceAt = (q: Configuration): number => {
    manager.posed.pose(q);
    let least = Number.POSITIVE_INFINITY;
    for (const pair of pairs) {
      manager.pairDistance(found, pair, least);
      least = Math.min(least, found.distance.upper);
    }
    return least;
  };
  const looks = Array.from({ length: LOOKS }, () => {
    const q = Float64Array.from(ranges, ([lower, upper]) => random.between(lower, upper));
    return { q, distance: distanceAt(q) };
  });
  looks.sort((a, b) => a.distance - b.distance);
  let least = looks[0].distance;
  for (const { q, distance } of looks.slice(0, DESCENTS)) {
    if (least <= 0) break;
    least = Math.min(least, descend(q, distance, distanceAt, ranges, random));
  }
  return least;
}

function descend(
  start: Configuration,
  distance: number,
  distanceAt: (q: Configuration) => number,
  ranges: readonly (readonly [number, number])[],
  random: Random,
): number {
  const q = Float64Array.from(start);
  const next = new Float64Array(q.length);
  let least = distance;
  let reach = FIRST_STEP;
  for (let step = 0; step < STEPS && least > 0; step++) {
    for (let j = 0; j < q.length; j++) {
      const [lower, upper] = ranges[j];
      const moved = q[j] + reach * (upper - lower) * random.between(-1, 1);
      next[j] = Math.min(Math.max(moved, lower), upper);
    }
    const there = distanceAt(next);
    if (there < least) {
      q.set(next);
      least = there;
    } else reach *= SHRINK;
  }
  return least;
}
