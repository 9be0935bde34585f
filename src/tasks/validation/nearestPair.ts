import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { transformPoint } from '../../core/math/transform.ts';
import { create } from '../../core/math/vec3.ts';
import { Separation } from '../../core/narrowphase/solver.ts';

/** The nearest checked pair at a configuration. */
export interface NearestPair {
  /** Distance without padding, metres; negative: the greatest penetration depth. */
  readonly distance: number;
  /** Undefined if no pair is checked; the distance is then Infinity. */
  readonly pair: readonly [string, string] | undefined;
  /** Witness points in the world frame, metres; undefined if the pair collides. */
  readonly points: readonly [readonly number[], readonly number[]] | undefined;
}

/** Computes the clearance at q with its witness points, for drawings. */
export function nearestPair(manager: CollisionManager, q: Configuration): NearestPair {
  const { distance, pair } = manager.clearance(q);
  if (pair === undefined || !(distance > 0)) return { distance, pair, points: undefined };
  const { model, posed } = manager;
  const found = new Separation();
  let minDistance = Number.POSITIVE_INFINITY;
  let points: NearestPair['points'];
  for (let p = 0; p < model.pairCount; p++) {
    const names = model.namesOf(p);
    if (model.isEnlarged(p)) continue;
    if (names[0] !== pair[0] || names[1] !== pair[1]) continue;
    manager.pairSeparation(found, p);
    if (!found.hasWitnesses || !(found.distance.upper < minDistance)) continue;
    minDistance = found.distance.upper;
    const T_world_b = posed.T_world_part[model.pairB[p]];
    const [onA, onB] = [create(), create()];
    transformPoint(onA, T_world_b, found.witnessA);
    transformPoint(onB, T_world_b, found.witnessB);
    points = [[...onA], [...onB]];
  }
  return { distance, pair, points };
}
