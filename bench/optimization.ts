import { CollisionModel } from '../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../src/core/collision/states/collisionManager.ts';
import { Random } from '../src/core/math/random.ts';
import { create, relative, type Transform } from '../src/core/math/transform.ts';
import { createDistanceSolver, growthSolvers } from '../src/core/narrowphase/index.ts';
import { PairCache, Separation } from '../src/core/narrowphase/solver.ts';
import { PillDerivatives } from '../src/core/optimization/pillDerivatives.ts';
import { PillProximity } from '../src/core/optimization/pillProximity.ts';
import { createCapsulePill, createPaddedPolygonPill, type Pill, specOfPill } from '../src/core/optimization/pills.ts';
import { createShape } from '../src/core/shapes/index.ts';
import type { ConvexShape } from '../src/core/shapes/shape.ts';
import { optimizeMotion } from '../src/tasks/planning/optimizeMotion.ts';
import { planMotion } from '../src/tasks/planning/planMotion.ts';
import { nanosecondsPerCall, quantile, type Table } from './measure.ts';
import { randomPose } from './optimization/poses.ts';
import { bundledScenes } from './scenes.ts';
import { sharedSuites } from './suites.ts';

export const about =
  'proximity of pills by quadratic programs beside GJK and growth distance on the same bodies; motions before ' +
  'and after optimisation';

export const sections = ['proximity', 'motions'];

const PAIRS = 400;
/** Of the shared suites, every EVERY-th problem, in the order of the files. */
const EVERY = 3;

export async function* run(section?: string): AsyncGenerator<Table> {
  if (section === undefined || section === 'proximity') yield proximityTable();
  if (section === undefined || section === 'motions') yield* motionTables();
}

interface PillPair {
  readonly a: Pill;
  readonly b: Pill;
  readonly shapeA: ConvexShape;
  readonly shapeB: ConvexShape;
  readonly T_world_a: Transform;
  readonly T_world_b: Transform;
  readonly T_b_a: Transform;
  readonly cache: PairCache;
}

function proximityTable(): Table {
  const kinds: [string, (random: Random) => Pill, (random: Random) => Pill][] = [
    ['capsule, capsule (active set)', capsule, capsule],
    ['polygon of 6, capsule (interior point)', polygon(6), capsule],
    ['polygons of 4', polygon(4), polygon(4)],
    ['polygons of 8', polygon(8), polygon(8)],
  ];
  return {
    title: `Proximity of pills, ${PAIRS} pairs of each kind, gaps and overlaps mixed: ns a pair`,
    rows: kinds.map(([pair, first, second]) => ({ pair, ...proximityRow(pairsOf(first, second)) })),
    notes: [
      'program: proximity and closest points by the method in brackets, for polygons the interior point method',
      'active set: the default method for polygons, from the active constraints at the closest points of GJK; by ' +
        'interior point: pairs that it left to that method, whose cores intersect or are parallel',
      'derivatives: of both, by position and attitude, on top',
      'gjk, growth: cold, of the same bodies as rounded hulls, to a gap of 1e-12 and 1e-10 of the value; warm: ' +
        'gjk with what the pair knew last',
      'difference: greatest between the distances of program and gjk over the pairs that are apart, m; bodies ' +
        'are about 1 m',
    ],
  };
}

function proximityRow(pairs: readonly PillPair[]) {
  const proximity = new PillProximity('interior-point');
  const activeSet = new PillProximity();
  const derivatives = new PillDerivatives();
  const gjk = createDistanceSolver();
  const growth = growthSolvers['growth-distance'].create();
  const out = new Separation();
  let sink = 0;
  const time = (each: (pair: PillPair) => void) =>
    nanosecondsPerCall(pairs.length, () => pairs.forEach(each), 11).least;
  const solve = ({ a, b, T_world_a, T_world_b }: PillPair) => proximity.solve(a, T_world_a, b, T_world_b);
  const distance = ({ shapeA, shapeB, T_b_a }: PillPair, cache: PairCache) =>
    gjk.distance(out, shapeA, T_b_a, shapeB, Number.POSITIVE_INFINITY, cache);
  const cold = new PairCache();
  const forget = () => {
    cold.hasAxis = false;
    cold.hasWitnesses = false;
    cold.hintA = -1;
    cold.hintB = -1;
    cold.simplexShapeA = undefined;
    return cold;
  };
  const program = time((pair) => {
    solve(pair);
    sink += proximity.value;
  });
  const active = time(({ a, b, T_world_a, T_world_b }) => {
    activeSet.solve(a, T_world_a, b, T_world_b);
    sink += activeSet.value;
  });
  const solved = pairs.map(({ a, b, T_world_a, T_world_b }) => {
    const answer = new PillProximity();
    answer.solve(a, T_world_a, b, T_world_b);
    return answer;
  });
  const differentiate = () => {
    for (const answer of solved) {
      derivatives.solve(answer);
      sink += derivatives.a[0];
    }
  };
  let [iterations, steps, difference, apart, byInteriorPoint] = [0, 0, 0, 0, 0];
  for (const pair of pairs) {
    solve(pair);
    distance(pair, forget());
    iterations += proximity.iterations;
    activeSet.solve(pair.a, pair.T_world_a, pair.b, pair.T_world_b);
    if (activeSet.iterations > 0) byInteriorPoint++;
    steps += out.iterations;
    if (out.status !== 'separated') continue;
    apart++;
    difference = Math.max(difference, Math.abs(proximity.distance - out.distance.upper));
  }
  const row = {
    apart,
    program,
    'active set': active,
    'by interior point': byInteriorPoint,
    derivatives: nanosecondsPerCall(pairs.length, differentiate, 11).least,
    gjk: time((pair) => distance(pair, forget())),
    'gjk warm': time((pair) => distance(pair, pair.cache)),
    growth: time(({ shapeA, shapeB, T_b_a }) => growth.solve(out, shapeA, T_b_a, shapeB, forget())),
    'its. program': iterations / pairs.length,
    'its. gjk': steps / pairs.length,
    difference,
  };
  if (Number.isNaN(sink)) throw new Error('a proximity is not a number');
  return row;
}

const capsule = (random: Random): Pill => createCapsulePill(random.between(0.05, 0.2), random.between(0.3, 1));

const polygon =
  (corners: number) =>
  (random: Random): Pill =>
    createPaddedPolygonPill(
      random.between(0.02, 0.1),
      Array.from({ length: corners }, (_, i) => {
        const angle = (2 * Math.PI * i) / corners;
        return [random.between(0.35, 0.45) * Math.cos(angle), random.between(0.35, 0.45) * Math.sin(angle)];
      }),
    );

function pairsOf(first: (random: Random) => Pill, second: (random: Random) => Pill): PillPair[] {
  const random = new Random(1);
  return Array.from({ length: PAIRS }, () => {
    const [a, b] = [first(random), second(random)];
    const [T_world_a, T_world_b] = [randomPose(random, 0.6), randomPose(random, 0.6)];
    const T_b_a = create();
    relative(T_b_a, T_world_b, T_world_a);
    const [shapeA, shapeB] = [a, b].map((pill) => createShape(specOfPill(pill)));
    return { a, b, shapeA, shapeB, T_world_a, T_world_b, T_b_a, cache: new PairCache() };
  });
}

type Planned = Awaited<ReturnType<typeof sharedSuites>>[number]['problems'][number];

async function* motionTables(): AsyncGenerator<Table> {
  const scenes = await bundledScenes();
  const sets: [string, readonly Pick<Planned, 'scene' | 'robot'>[]][] = [['bundled scenes', scenes]];
  for (const { name, problems } of await sharedSuites()) {
    sets.push([`${name}, every ${EVERY}rd problem`, problems.filter((_, i) => i % EVERY === 0)]);
  }
  yield {
    title: 'Motions of plan, before and after optimisation: medians of after ÷ before',
    rows: sets.map(([set, problems]) => ({ set, ...motionRow(problems) })),
    notes: [
      'bound: the same ratio for the minimum duration that the limits alone permit between these ends, a lower ' +
        'bound of every motion',
      'slower than bound: motions of plan that take at least 1.15 times as long as the bound, and what ' +
        'optimisation makes of these',
      'less clear: answers that come nearer to something than the motion of plan does, at 400 moments; every ' +
        'answer is proved before it is one',
    ],
  };
}

function motionRow(problems: readonly Pick<Planned, 'scene' | 'robot'>[]) {
  const ratios: number[] = [];
  const bounds: number[] = [];
  const slow: number[] = [];
  const lengths: number[] = [];
  const accelerations: number[] = [];
  let [improved, lessClear, ms] = [0, 0, 0];
  for (const { scene, robot } of problems) {
    const { trajectory, stats } = planMotion({ scene, robot: robot.description, model: robot });
    if (trajectory === undefined) continue;
    const manager = new CollisionManager(new CollisionModel(robot, scene));
    const begun = process.cpuUsage();
    const { status, before, after } = optimizeMotion(trajectory, robot, manager);
    const { user, system } = process.cpuUsage(begun);
    ms += (user + system) / 1000;
    if (!before || !after) continue;
    if (status === 'improved') improved++;
    if (after.clearance < before.clearance) lessClear++;
    const bound = (stats.least_duration ?? 0) / before.duration;
    ratios.push(after.duration / before.duration);
    bounds.push(bound);
    lengths.push(after.length / before.length);
    accelerations.push(after.acceleration / before.acceleration);
    if (bound < 1 / 1.15) slow.push(after.duration / before.duration);
  }
  return {
    motions: ratios.length,
    improved,
    duration: quantile(ratios, 0.5),
    bound: quantile(bounds, 0.5),
    'slower than bound': slow.length,
    'their duration': slow.length > 0 ? quantile(slow, 0.5) : 1,
    length: quantile(lengths, 0.5),
    acceleration: quantile(accelerations, 0.5),
    'less clear': lessClear,
    'cpu ms each': ms / ratios.length,
  };
}
