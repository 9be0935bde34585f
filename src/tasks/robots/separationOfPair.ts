import type { RangeProof } from '../../core/collision/selfPairs/rangeProof.ts';
import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import type { Random } from '../../core/math/random.ts';
import { closestApproach } from './closestApproach.ts';

/**
 * Relative to the greatest distance by which a radian of one joint moves the pair: links that a search brings nearer
 * than this, and that are not proved separated, may collide where the search did not come.
 */
const MARGIN = 0.005;

/** What the search for a collision of two links uses. */
export interface SeparationSearch {
  readonly proofs: RangeProof;
  /** Number of cells of the proofs. */
  readonly cells: number;
  /** Lower and upper bound of each joint. */
  readonly ranges: readonly (readonly [number, number])[];
  readonly random: Random;
}

/**
 * Decides whether two links can collide: `proved`: in no state within the limits; `far`: not proved, but no search
 * brought them near each other; `near`: neither; `colliding`: a state in which they collide was found.
 * @param pairs pairs of the manager's model between parts of the two links
 */
export function separationOf(
  manager: CollisionManager,
  pairs: readonly number[],
  { proofs, cells, ranges, random }: SeparationSearch,
): 'proved' | 'far' | 'near' | 'colliding' {
  const share = Math.ceil(cells / Math.max(1, pairs.length));
  const results = pairs.map((pair) => ({ pair, ...proofs.prove(pair, share) }));
  const undecided = results.filter(({ verdict }) => verdict !== 'separated');
  if (undecided.length === 0) return 'proved';
  const margin = MARGIN * Math.max(...undecided.map(({ reach }) => reach));
  const distance = closestApproach(
    manager,
    undecided.map(({ pair }) => pair),
    ranges,
    random,
    undecided.flatMap(({ open }) => open),
  );
  if (distance <= 0) return 'colliding';
  return distance > margin ? 'far' : 'near'; // a joint without limits has an infinite reach
}
