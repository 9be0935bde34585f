import { expect, test } from 'vitest';
import { StateFilter } from '../../../../src/core/collision/filter/stateFilter.ts';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import { RobotJointSpace } from '../../../../src/core/collision/validators/robotJointSpace.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { create } from '../../../../src/core/math/transform.ts';
import { checkers } from '../../../../src/core/narrowphase/index.ts';
import { PairCache, Separation } from '../../../../src/core/narrowphase/solver.ts';
import { loadScene } from '../../../../src/host/node/files.ts';
import { createSceneRobot } from '../../../../src/tasks/sceneRobot.ts';
import { randomWorld } from '../../../helpers/filterWorlds.ts';

/** Claims of planes, those of pairs within 0.1 mm of the padding, those of self-collision pairs, and contacts. */
const counts = () => ({ claims: 0, close: 0, selfClaims: 0, contacts: 0 });

/**
 * For random pairs, finds a contact by bisection, caches the plane of a state beside it, and compares what the plane
 * claims of four states nearby with the distance and the exact check of the pair.
 */
function attack(model: CollisionModel, random: Random, rounds: number, found: ReturnType<typeof counts>): string[] {
  const manager = new CollisionManager(model);
  const { posed, padding } = manager;
  const filter = StateFilter.create(posed, padding);
  const wrong: string[] = [];
  if (!filter) return wrong;
  const checker = checkers['growth-distance'].create();
  const space = new RobotJointSpace(model.robot);
  const states = Array.from({ length: 4 }, () => new Float64Array(space.dof));
  const [from, to, q] = Array.from({ length: 3 }, () => new Float64Array(space.dof));
  const out = new Separation();
  const T = create();
  for (let i = 0; i < rounds; i++) {
    const pair = random.below(model.pairCount);
    const cache = new PairCache();
    const isFree = (state: Float64Array) => {
      posed.pose(state);
      return !manager.collides(pair);
    };
    space.sample(from, random);
    let tries = 0;
    do space.sample(to, random);
    while (isFree(to) === isFree(from) && ++tries < 8);
    if (tries === 8) continue;
    let [free, hit] = isFree(from) ? [0, 1] : [1, 0];
    for (let step = 0; step < 30; step++) {
      const t = 0.5 * (free + hit);
      space.interpolate(q, from, to, t);
      if (isFree(q)) free = t;
      else hit = t;
    }
    found.contacts++;
    for (const scale of [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6]) {
      space.interpolate(q, from, to, free + (hit > free ? -0.3 : 0.3) * scale);
      posed.pose(q);
      posed.relativePose(T, pair);
      checker.check(model.shapeOf(model.pairA[pair]), T, model.shapeOf(model.pairB[pair]), padding, cache);
      for (const state of states) space.interpolate(state, from, to, free + scale * (random.next() - 0.5));
      if (filter.check(states, 4, 'never') < 0) wrong.push('out of range');
      for (const [lane, state] of states.entries()) {
        if (!filter.planeSeparates(pair, lane, cache, padding)) continue;
        const isExactlyFree = isFree(state);
        const distance = manager.pairSeparation(out, pair);
        found.claims++;
        if (model.isSelfPair(pair)) found.selfClaims++;
        if (distance < padding + 1e-4) found.close++;
        if (!(distance > model.scene.padding) || !isExactlyFree)
          wrong.push(`pair ${pair} ${model.namesOf(pair)} at [${state.join()}]: ${distance}`);
      }
    }
  }
  return wrong;
}

test('a cached plane separates no pair of random worlds that the exact check does not, around contacts', () => {
  const random = new Random(11);
  const found = counts();
  const wrong: string[] = [];
  for (let i = 0; i < 60; i++)
    wrong.push(...attack(randomWorld(random), random, 400, found).map((what) => `world ${i}: ${what}`));
  expect(wrong).toEqual([]);
  expect(found.contacts).toBeGreaterThan(500);
  expect(found.claims).toBeGreaterThan(2000);
  expect(found.selfClaims).toBeGreaterThan(1000);
  expect(found.close).toBeGreaterThan(100);
});

test.each(['shelf', 'dual-arm-shelf', 'gantry-bins'])('the same in %s', async (name) => {
  const loaded = await loadScene(`scenes/${name}.yaml`);
  const found = counts();
  const model = new CollisionModel(createSceneRobot(loaded), loaded.scene);
  expect(attack(model, new Random(12), 1500, found)).toEqual([]);
  expect(found.claims).toBeGreaterThan(100);
});

test('a plane claims nothing once another filter has overwritten the poses', () => {
  const random = new Random(13);
  const model = randomWorld(random);
  const manager = new CollisionManager(model);
  const [filter, other] = [0, 1].map(() => StateFilter.create(manager.posed, manager.padding)!);
  const q = new Float64Array(model.robot.dof);
  const caches = Array.from({ length: model.pairCount }, () => new PairCache());
  const checker = checkers['growth-distance'].create();
  const T = create();
  const claims = () => {
    let count = 0;
    for (let pair = 0; pair < model.pairCount; pair++)
      if (filter.planeSeparates(pair, 0, caches[pair], manager.padding)) count++;
    return count;
  };
  manager.posed.pose(q);
  for (const [pair, cache] of caches.entries()) {
    manager.posed.relativePose(T, pair);
    checker.check(model.shapeOf(model.pairA[pair]), T, model.shapeOf(model.pairB[pair]), manager.padding, cache);
  }
  filter.check([q], 1, 'never');
  const before = claims();
  other.check([q], 1, 'never');
  expect([before > 0, claims()]).toEqual([true, 0]);
});
