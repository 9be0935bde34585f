import { StateFilter } from '../../src/core/collision/filter/stateFilter.ts';
import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { CertifiedMotionValidator } from '../../src/core/collision/validators/certifiedMotionValidator.ts';
import { Random } from '../../src/core/math/random.ts';
import type { LazyPath } from '../../src/core/planning/lazy/lazyPath.ts';
import { rrtConnect } from '../../src/core/planning/rrtConnect.ts';
import { certifyShortcuts, thoroughShortcuts } from '../../src/core/planning/shortcut.ts';
import { planningSpace, wrapStartAndGoals } from '../../src/tasks/planning/planningSpace.ts';
import { resolveStartAndGoals } from '../../src/tasks/planning/startAndGoals.ts';
import { cpuMilliseconds } from '../constraints/cpuTime.ts';
import type { sharedSuites } from '../suites.ts';

type Suite = Awaited<ReturnType<typeof sharedSuites>>[number];
type SuiteProblem = Suite['problems'][number];

/** Every twelfth problem of the suites: 20 per robot. */
const STRIDE = 12;
/** Batches of a problem; the last ones of long searches are left out. */
const MAX_BATCHES = 1500;
const ROUNDS = 40;
/** States of a batch. */
const WIDTH = 4;

/** States that one check of a plan gets: as many of `states` as `count` says. */
interface Batch {
  readonly states: readonly Float64Array[];
  readonly count: number;
}

/** The batches of one search and its shortcuts, in their order, and what checks them. */
interface Recorded {
  readonly manager: CollisionManager;
  readonly filter: StateFilter | undefined;
  readonly free: readonly Batch[];
  readonly colliding: readonly Batch[];
}

/** Microseconds of CPU time for the states that plans check, in batches of four; all included. */
export function batchRow({ name, problems }: Suite) {
  const recorded = problems
    .filter((_, i) => i % STRIDE === 0)
    .map(record)
    .filter((one) => one !== undefined);
  const freeStates = recorded.reduce((sum, { free }) => sum + free.reduce((all, { count }) => all + count, 0), 0);
  const collidingBatches = recorded.reduce((sum, { colliding }) => sum + colliding.length, 0);
  const least = {
    free: Number.POSITIVE_INFINITY,
    filter: Number.POSITIVE_INFINITY,
    colliding: Number.POSITIVE_INFINITY,
  };
  let pairChecks = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const checksBefore = recorded.reduce((sum, { manager }) => sum + manager.counters.pairChecks, 0);
    const free = timeOf(() => {
      for (const one of recorded) for (const { states, count } of one.free) one.manager.batch.areFree(states, count);
    });
    pairChecks = recorded.reduce((sum, { manager }) => sum + manager.counters.pairChecks, 0) - checksBefore;
    const filter = timeOf(() => {
      for (const one of recorded) for (const { states, count } of one.free) one.filter?.check(states, count, 'any');
    });
    const colliding = timeOf(() => {
      for (const one of recorded)
        for (const { states, count } of one.colliding) one.manager.batch.areFree(states, count);
    });
    least.free = Math.min(least.free, free);
    least.filter = Math.min(least.filter, filter);
    least.colliding = Math.min(least.colliding, colliding);
  }
  return {
    suite: name,
    'free states': freeStates,
    'free state µs': least.free / freeStates,
    'of it filter µs': least.filter / freeStates,
    'exact checks per free state': pairChecks / freeStates,
    'colliding batches': collidingBatches,
    'colliding batch µs': least.colliding / collidingBatches,
  };
}

/** Microseconds of CPU time. */
function timeOf(run: () => void): number {
  const before = cpuMilliseconds();
  run();
  return 1000 * (cpuMilliseconds() - before);
}

/** Searches once, shortens the path thoroughly, and records the batches; undefined if an end collides. */
function record({ scene, robot }: SuiteProblem): Recorded | undefined {
  const model = new CollisionModel(robot, scene);
  const recording = new CollisionManager(model);
  const space = planningSpace(robot);
  const found = resolveStartAndGoals(robot, scene, recording);
  if ('status' in found) return undefined;
  const [free, colliding]: [Batch[], Batch[]] = [[], []];
  const { batch } = recording;
  const check = batch.areFree.bind(batch);
  batch.areFree = (states, count) => {
    const isFree = check(states, count);
    const copies = Array.from({ length: WIDTH }, (_, i) => Float64Array.from(states[Math.min(i, count - 1)]));
    if (free.length + colliding.length < MAX_BATCHES) (isFree ? free : colliding).push({ states: copies, count });
    return isFree;
  };
  const finish = (path: LazyPath) => {
    path.removeStates();
    return certifyShortcuts(path, space, new Random(1, 1), thoroughShortcuts);
  };
  const motions = new CertifiedMotionValidator(recording, space);
  const problem = { space, motions, ...wrapStartAndGoals(space, found), finish };
  rrtConnect.plan(problem, { stepSize: rrtConnect.options.stepSize.value }, new Random(1, 0), { isSpent: () => false });
  const manager = new CollisionManager(model);
  return { manager, filter: StateFilter.create(manager.posed, manager.padding), free, colliding };
}
