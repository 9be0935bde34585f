import type { Configuration } from '../../math/configuration.ts';
import { requireSameObstacles, type Slices } from '../motions/slicedProof.ts';
import type { Clearance, CollisionManager } from './collisionManager.ts';

/**
 * Pairs whose distance or depth is computed between two pauses; the depth of large hulls takes a fraction of a
 * millisecond per pair.
 */
export const PAIRS_A_SLICE = 16;
/** States of scenes with fewer pairs are checked without a pause. */
export const MIN_PAIRS_TO_SLICE = 1000;

/**
 * As `manager.isCollisionFree(q)`; if there are many pairs, pauses after each group of pairs (one part of the robot).
 */
export function* isCollisionFreeInSlices(manager: CollisionManager, q: Configuration): Slices<boolean> {
  const { pairCount, groupPart } = manager.model;
  if (pairCount < MIN_PAIRS_TO_SLICE) return manager.isCollisionFree(q);
  const { generation } = manager.posed;
  for (let group = 0; group < groupPart.length; group++) {
    requireSameObstacles(manager.posed, generation);
    if (!manager.isCollisionFree(q, group, group + 1)) return false;
    yield;
  }
  return true;
}

/** As `manager.firstCollision(q)`; if there are many pairs, pauses after each group of pairs. */
export function* firstCollisionInSlices(
  manager: CollisionManager,
  q: Configuration,
): Slices<[string, string] | undefined> {
  const { pairCount, groupPart } = manager.model;
  if (pairCount < MIN_PAIRS_TO_SLICE) return manager.firstCollision(q);
  const { generation } = manager.posed;
  for (let group = 0; group < groupPart.length; group++) {
    requireSameObstacles(manager.posed, generation);
    const found = manager.firstCollision(q, group, group + 1);
    if (found) return found;
    yield;
  }
  return undefined;
}

/**
 * As `manager.clearance(q)` together with the index of the nearest pair (−1: none); pauses after every PAIRS_A_SLICE
 * pairs.
 */
export function* clearanceInSlices(
  manager: CollisionManager,
  q: Configuration,
): Slices<Clearance & { readonly nearest: number }> {
  const { pairCount } = manager.model;
  let nearest = -1;
  let best: Clearance = { distance: Number.POSITIVE_INFINITY, pair: undefined };
  const { generation } = manager.posed;
  for (let from = 0; from < pairCount; from += PAIRS_A_SLICE) {
    if (from > 0) yield;
    requireSameObstacles(manager.posed, generation);
    const found = manager.clearance(q, best.distance, from, Math.min(pairCount, from + PAIRS_A_SLICE));
    if (manager.nearestPair < 0) continue;
    best = found;
    nearest = manager.nearestPair;
  }
  return { ...best, nearest };
}
