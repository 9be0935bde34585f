import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { Random } from '../../src/core/math/random.ts';
import { type Findings, shareOf, type World } from './worlds.ts';

/** Step of the walk from state to state, rad (L2); every so many states it begins anew somewhere else. */
const STEP = 0.05;
const WALK = 50;

/**
 * The verdict must be the same with any cache: each state is checked by a new manager, by one that has checked the
 * preceding states of the walk, and by one that has just checked an unrelated random state.
 */
export function compareCaches(worlds: readonly World[], count: number, seed: number): Findings {
  const wrong: string[] = [];
  let states = 0;
  let free = 0;
  for (const [w, { space, model, name }] of worlds.entries()) {
    const random = new Random(seed, w);
    const warm = new CollisionManager(model);
    const misled = new CollisionManager(model);
    const [q, elsewhere, target] = [1, 2, 3].map(() => new Float64Array(space.dof));
    for (let k = 0; k < shareOf(count, w, worlds.length); k++) {
      if (k % WALK === 0) {
        space.sample(q, random);
        space.sample(target, random);
      }
      space.interpolate(q, q, target, STEP / Math.max(STEP, space.distance(q, target)));
      space.sample(elsewhere, random);
      misled.isCollisionFree(elsewhere);
      const verdicts = [new CollisionManager(model), warm, misled].map((manager) => manager.isCollisionFree(q));
      states++;
      if (verdicts[0]) free++;
      if (verdicts.some((verdict) => verdict !== verdicts[0]))
        wrong.push(`${name}: free? cold ${verdicts[0]}, warm ${verdicts[1]}, misled ${verdicts[2]} at [${q}]`);
    }
  }
  return { lines: [`${states} states (${free} free), each judged with cold, warm and misled caches`], wrong };
}
