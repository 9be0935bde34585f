import v8 from 'node:v8';
import vm from 'node:vm';
import { CollisionModel } from '../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../src/core/collision/states/collisionManager.ts';
import { CertifiedMotionValidator } from '../src/core/collision/validators/certifiedMotionValidator.ts';
import { RobotJointSpace } from '../src/core/collision/validators/robotJointSpace.ts';
import { SampledMotionValidator } from '../src/core/collision/validators/sampledMotionValidator.ts';
import { createPlanarTransform, type PlanarTransform } from '../src/core/math/planar.ts';
import { Random } from '../src/core/math/random.ts';
import { baselineCheckers, baselineDistanceSolvers } from '../src/core/narrowphase/baselines.ts';
import { Gjk2d } from '../src/core/narrowphase/planar/gjk2d.ts';
import { GrowthDistance2d } from '../src/core/narrowphase/planar/growthDistance2d.ts';
import { PlanarCache } from '../src/core/narrowphase/planar/planarSolver.ts';
import { PairCache, Separation } from '../src/core/narrowphase/solver.ts';
import { createPolygon } from '../src/core/shapes/planar/polygon.ts';
import { quantile, type Table } from './measure.ts';
import { type BenchBody, randomHulls, randomPolygon, skewedPrimitives } from './narrowphase/bodies.ts';
import { mixedPairs } from './narrowphase/pairs.ts';
import { benchSolvers, forget } from './narrowphase/solvers.ts';
import { bundledScenes } from './scenes.ts';

export const about = 'bytes allocated per query, state and motion once warm';

/** Queries between two readings of the heap size: so few that a scavenge rarely occurs between them. */
const CHUNK = 1000;
const CHUNKS = 11;
/** The compiler works beside us: what it finishes in the first passes counts in the later ones. */
const PASSES = 4;
const PAUSE_MS = 60;
/** Bytes: the heap shrinks by more only where a collection came between. */
const COLLECTED = 4096;
const WARM_UP = 15_000;

/** Median heap growth per chunk of calls, less what reading the heap size allocates. */
export async function* run(): AsyncGenerator<Table> {
  const random = new Random(1);
  const collect = collector();
  yield { title: 'states and motions of 0.5 rad', rows: await robotRows(random, collect) };
  const sets: [string, BenchBody[]][] = [
    ['hulls of 60', await randomHulls(random, 60, 20)],
    ['primitives, 100:1', skewedPrimitives(random, 20)],
  ];
  const rows: Record<string, string | number>[] = [];
  for (const [bodies, list] of sets) {
    const pairs = mixedPairs(random, list, 500, 0.3, 1.1);
    for (const solver of benchSolvers) {
      if (isBaseline(solver.name)) continue;
      const asker = solver.create();
      const cache = new PairCache();
      const bytes = await bytesPerCall(collect, (i) => {
        const { a, b, poses } = pairs[i % pairs.length];
        forget(cache);
        asker.ask(a.shape, poses[0], b.shape, cache);
      });
      rows.push({ query: `${solver.question}, ${solver.name}`, bodies, 'bytes a query': bytes });
    }
  }
  yield { title: 'narrow phase, cold, mixed pairs', rows };
  yield { title: 'the plane, cold', rows: await planarRows(random, collect), notes };
}

const isBaseline = (name: string) => name in baselineCheckers || name in baselineDistanceSolvers;

const notes = [
  `growth of the heap over ${CHUNK} calls (motions: a tenth), median of ${CHUNKS} such chunks, least of ` +
    `${PASSES} passes after a warm-up`,
  'chunks with a collection in them drop out; where it was traced, what is above 0 are numbers that a function ' +
    'which is not inlined takes or gives, 16 bytes each',
];

async function planarRows(random: Random, collect: () => void): Promise<Record<string, string | number>[]> {
  const polygons = Array.from({ length: 40 }, (_, i) => createPolygon(randomPolygon(random, 4 + (i % 12))));
  const pairs = Array.from({ length: 500 }, () => {
    const T: PlanarTransform = createPlanarTransform(
      random.between(-1, 1),
      random.between(-1, 1),
      random.between(-3, 3),
    );
    return { a: polygons[random.below(40)], b: polygons[random.below(40)], T };
  });
  const out = new Separation();
  const cache = new PlanarCache();
  const gjk = new Gjk2d();
  const growth = new GrowthDistance2d();
  const questions: Record<string, (i: number) => void> = {
    'Boolean, gjk-2d': (i) => gjk.check(pairs[i % 500].a, pairs[i % 500].T, pairs[i % 500].b, 0, cache),
    'Boolean, growth-distance-2d': (i) => growth.check(pairs[i % 500].a, pairs[i % 500].T, pairs[i % 500].b, 0, cache),
    'distance, gjk-2d': (i) => {
      const { a, b, T } = pairs[i % 500];
      gjk.distance(out, a, T, b, Number.POSITIVE_INFINITY, true, cache);
    },
    'growth, growth-distance-2d': (i) =>
      growth.growth(out, pairs[i % 500].a, pairs[i % 500].T, pairs[i % 500].b, cache),
  };
  const rows: Record<string, string | number>[] = [];
  for (const [query, ask] of Object.entries(questions)) {
    const bytes = await bytesPerCall(collect, (i) => {
      cache.hasAxis = false;
      ask(i);
    });
    rows.push({ query, 'bytes a query': bytes });
  }
  return rows;
}

async function robotRows(random: Random, collect: () => void): Promise<Record<string, string | number>[]> {
  const scenes = (await bundledScenes()).filter((_, i, all) => i === 0 || i === all.length - 1);
  const rows: Record<string, string | number>[] = [];
  for (const { name, robot, scene } of scenes) {
    const manager = new CollisionManager(new CollisionModel(robot, scene));
    const space = new RobotJointSpace(robot);
    const drawn = Array.from({ length: 4000 }, () => {
      const q = new Float64Array(robot.dof);
      space.sample(q, random);
      return q;
    });
    const free = drawn.filter((q) => manager.isCollisionFree(q)).slice(0, 300);
    const ends = free.map((q) => q.map((x) => x + random.between(-0.2, 0.2)));
    const certified = new CertifiedMotionValidator(manager, space);
    const sampled = new SampledMotionValidator(manager, space, 0.02);
    const calls: Record<string, (i: number) => void> = {
      'state, random': (i) => manager.isCollisionFree(drawn[i % drawn.length]),
      'state, free': (i) => manager.isCollisionFree(free[i % free.length]),
      'motion, certified': (i) => certified.isMotionValid(free[i % free.length], ends[i % free.length]),
      'motion, sampled': (i) => sampled.isMotionValid(free[i % free.length], ends[i % free.length]),
    };
    for (const [query, call] of Object.entries(calls)) {
      const bytes = await bytesPerCall(collect, call, query.startsWith('motion') ? 10 : 1);
      rows.push({ query, scene: name, 'bytes a call': bytes });
    }
  }
  return rows;
}

/** @param cost how many times dearer a call is than a query: as many times fewer are made */
async function bytesPerCall(collect: () => void, call: (i: number) => void, cost = 1): Promise<number> {
  const chunk = CHUNK / cost;
  for (let i = 0; i < WARM_UP / cost; i++) call(i);
  let least = Number.POSITIVE_INFINITY;
  for (let pass = 0; pass < PASSES && least > 0; pass++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    collect();
    const grown: number[] = [];
    for (let c = 0; c < CHUNKS; c++) {
      const before = used();
      for (let i = 0; i < chunk; i++) call(i);
      const growth = used() - before - own();
      if (growth > -COLLECTED) grown.push(Math.max(0, growth) / chunk);
    }
    least = Math.min(least, Math.round(quantile(grown, 0.5)));
  }
  return least;
}

const used = () => v8.getHeapStatistics().used_heap_size;

/** Bytes that reading the heap size allocates. */
function own(): number {
  const before = used();
  return used() - before;
}

function collector(): () => void {
  v8.setFlagsFromString('--expose-gc');
  return vm.runInNewContext('gc') as () => void;
}
