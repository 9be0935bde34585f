import type { CollisionManager } from '../../collision/collisionManager.ts';
import type { Configuration } from '../../math/configuration.ts';
import { transformPoint } from '../../math/transform.ts';
import { create } from '../../math/vec3.ts';
import { Separation } from '../../narrowphase/solver.ts';

/** The two bodies nearest to each other at a configuration. */
export interface NearestBodies {
  /** Metres, padding not taken off; below zero the depth of the deepest collision, negated. */
  readonly distance: number;
  /** Undefined where no two bodies are looked at; the distance is then Infinity. */
  readonly pair: readonly [string, string] | undefined;
  /** A point of each, nearest to each other, in the world, metres; undefined where the two meet. */
  readonly points: readonly [readonly number[], readonly number[]] | undefined;
}

/** The least clearance at q with the points between which it is measured: what a person wants to see drawn. */
export function nearestBodies(manager: CollisionManager, q: Configuration): NearestBodies {
  const { distance, pair } = manager.clearance(q);
  if (pair === undefined || !(distance > 0)) return { distance, pair, points: undefined };
  const { model, posed } = manager;
  const found = new Separation();
  let least = Number.POSITIVE_INFINITY;
  let points: NearestBodies['points'];
  for (let p = 0; p < model.pairCount; p++) {
    const names = model.namesOf(p);
    if (names[0] !== pair[0] || names[1] !== pair[1]) continue;
    manager.pairSeparation(found, p);
    if (!found.hasWitnesses || !(found.distance.upper < least)) continue;
    least = found.distance.upper;
    const T_world_b = posed.T_world_part[model.pairB[p]];
    const [onA, onB] = [create(), create()];
    transformPoint(onA, T_world_b, found.witnessA);
    transformPoint(onB, T_world_b, found.witnessB);
    points = [[...onA], [...onB]];
  }
  return { distance, pair, points };
}
