import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { CertifiedMotionValidator } from '../../src/core/collision/validators/certifiedMotionValidator.ts';
import { transformOfPose } from '../../src/core/kinematics/pose.ts';
import { Random } from '../../src/core/math/random.ts';
import type { LazyPath } from '../../src/core/planning/lazy/lazyPath.ts';
import { rrtConnect } from '../../src/core/planning/rrtConnect.ts';
import { certifyShortcuts, shortcutDefaults } from '../../src/core/planning/shortcut.ts';
import { createPlanner, type Planner } from '../../src/tasks/createPlanner.ts';
import { planningSpace, wrapStartAndGoals } from '../../src/tasks/planning/planningSpace.ts';
import { resolveStartAndGoals } from '../../src/tasks/planning/startAndGoals.ts';
import { cpuMilliseconds, timedPlan } from '../constraints/cpuTime.ts';
import { quantile, type Table } from '../measure.ts';
import {
  buildPeer,
  buildVampPeer,
  type CppPeer,
  debianHint,
  debianVersions,
  vampHint,
  writeForPeer,
} from '../peers/cpp.ts';
import { sceneWords, type Words } from '../peers/words.ts';
import { sharedSuites } from '../suites.ts';

/** Every twelfth problem of the suites: 20 per robot. */
const STRIDE = 12;
/** Blocks of runs, the programs in turn; the least time of each problem counts. */
const BLOCKS = 16;
/** Runs of a problem in a block, one after another: with 80 in all, nearly all code of `plan` is compiled. */
const ROUNDS = 5;
/** The same for VAMP, whose runs are short. */
const VAMP_ROUNDS = 20;
/** Runs of OMPL, in the first block only: they are long. */
const OMPL_RUNS = 1;
const STEP = 0.02;

const VAMP = { 'mbm-ur5': 'vampUr5', 'mbm-panda': 'vampPanda' } as const;

type Suite = Awaited<ReturnType<typeof sharedSuites>>[number];
type SuiteProblem = Suite['problems'][number];

interface VampRun {
  readonly plan: number;
  readonly simplify: number;
  /** The first run, with its environment. */
  readonly first: number;
  readonly length: number;
}

interface OmplRun extends Pick<VampRun, 'plan' | 'simplify'> {
  readonly solved: boolean;
}

/** CPU times of one problem, ms; Infinity where it was not solved. */
interface Times {
  first: number;
  ours: number;
  whole: number;
  ourLength: number;
  vamp: number;
  vampLength: number;
  ompl: number;
}

/** Runs of VAMP for the first run of each problem: the others warm the processor up as runs of ours do. */
const VAMP_FIRST_ROUNDS = 5;

/**
 * What a user meets: the first run of each problem, set-up of its scene included, in a process that other problems
 * have warmed up. Of four problems in turn, two warm up, the third is planned, the fourth searched once.
 */
export async function* suiteFirstRuns(): AsyncGenerator<Table> {
  const suites = await sharedSuites();
  if (suites.length === 0) return;
  yield {
    title: 'suites, first run of each problem in a process warmed up by others: milliseconds of CPU time',
    rows: suites.flatMap(firstRows),
    notes: [
      'medians, in brackets 95th percentiles; ratios: medians of the ratios, in brackets ratios of the 95th percentiles',
      'whole: `plan` with the set-up of its scene, path improvement, timing, the final proof; one search: with its model',
      'and shortcuts, certified; CPU times of all threads, compiler and collector included; VAMP: its first run,',
      `environment included; ${process.env['ELBOWROOM_VAMP'] ? 'VAMP as checked out' : vampHint}`,
    ],
  };
}

function firstRows({ name, problems }: Suite) {
  const usable = problems.filter(hasFreeEnds);
  const part = (k: number) => usable.filter((_, i) => i % 4 === k);
  const planned = part(2);
  const searched = part(3);
  for (const problem of [...part(0), ...part(1)]) {
    planOnce(problem);
    oneSearch(problem)();
  }
  const whole = planned.map(planOnce);
  const search = searched.map(searchOnce);
  return [firstRow(name, 'whole', planned, whole), firstRow(name, 'one search', searched, search)];
}

function firstRow(suite: string, what: string, problems: readonly SuiteProblem[], ours: readonly number[]) {
  const vamp = buildVampPeer(VAMP[suite as keyof typeof VAMP]);
  const words = writeForPeer(`${suite}.txt`, [problems.length, ...problems.flatMap(vampWords)]);
  const theirs = (vamp?.run<(VampRun | null)[]>(words, VAMP_FIRST_ROUNDS) ?? []).map((one) => one?.first);
  const both = ours.flatMap((mine, i) => {
    const other = theirs[i];
    return mine < Number.POSITIVE_INFINITY && other !== undefined ? [{ mine, other }] : [];
  });
  const spread = (list: readonly number[]) =>
    `${quantile(list, 0.5).toPrecision(3)} (${quantile(list, 0.95).toPrecision(3)})`;
  const mine = both.map((one) => one.mine);
  const other = both.map((one) => one.other);
  const ratio = quantile(
    both.map((one) => one.mine / one.other),
    0.5,
  );
  const tail = quantile(mine, 0.95) / quantile(other, 0.95);
  return {
    suite,
    what,
    problems: `${both.length} of ${problems.length}`,
    ours: spread(mine),
    VAMP: spread(other),
    'ours / VAMP': `${ratio.toPrecision(3)} (${tail.toPrecision(3)})`,
  };
}

/** CPU time of `plan` with the set-up of its scene, ms; Infinity where it finds nothing. */
function planOnce({ scene, robot }: SuiteProblem): number {
  const begun = cpuMilliseconds();
  const planner = createPlanner({ scene, robot: robot.description, model: robot });
  const { status } = planner.plan({}, { clock: () => performance.now() });
  return status === 'solved' ? cpuMilliseconds() - begun : Number.POSITIVE_INFINITY;
}

function searchOnce(problem: SuiteProblem): number {
  const begun = cpuMilliseconds();
  oneSearch(problem)();
  return cpuMilliseconds() - begun;
}

/** Problems of the shared suites: ours, VAMP and OMPL with FCL, block by block in turn. */
export async function* suitePeerTables(): AsyncGenerator<Table> {
  const suites = await sharedSuites();
  if (suites.length === 0) {
    yield { title: 'suites beside VAMP and OMPL', rows: [], notes: ['the suites of MotionBenchMaker are not here'] };
    return;
  }
  const ompl = buildPeer('omplPlan', ['fcl', 'ccd', 'ompl']);
  yield {
    title: `suites, every ${STRIDE}th problem, plan and simplify: milliseconds of CPU time, least of ${BLOCKS} blocks in turn, of ${ROUNDS} runs each`,
    rows: suites.map((suite) => rowOf(suite, ompl)),
    notes: [
      'first: one search and its shortcuts, certified, as VAMP and OMPL make; CPU times of all threads, compiler included',
      'ours: search, shortcuts and path improvement of `plan`, certified; whole: with setup, timing and the final proof',
      'medians over the problems that both solved; ratios: medians of the ratios, p95: ratio of the 95th percentiles',
      "VAMP: spheres instead of hulls, states sampled, AVX2, its settings and Halton sequence; OMPL: as in the scenes'",
      `${ompl ? debianVersions() : `without OMPL: ${debianHint}`}; ${process.env['ELBOWROOM_VAMP'] ? 'VAMP as checked out' : vampHint}`,
      'targets: first / VAMP at most 10 (mbm-ur5) and 6 (mbm-panda), p95 7, whole / VAMP 15 and 10',
    ],
  };
}

function rowOf({ name, problems }: Suite, ompl: CppPeer | undefined) {
  const used = problems.filter((_, i) => i % STRIDE === 0).filter(hasFreeEnds);
  const vamp = buildVampPeer(VAMP[name as keyof typeof VAMP]);
  const words = writeForPeer(`${name}.txt`, [used.length, ...used.flatMap(vampWords)]);
  const searches = used.map(oneSearch);
  const planners = used.map(({ scene, robot }) => createPlanner({ scene, robot: robot.description, model: robot }));
  const times = used.map((): Times => {
    const none = Number.POSITIVE_INFINITY;
    return { first: none, ours: none, whole: none, ourLength: none, vamp: none, vampLength: none, ompl: none };
  });
  for (let block = 0; block < BLOCKS; block++) {
    for (const [i, planner] of planners.entries()) {
      for (let round = 0; round < ROUNDS; round++) planOurs(times[i], planner);
      for (let round = 0; round < ROUNDS; round++) times[i].first = Math.min(times[i].first, searches[i]());
    }
    const runs = vamp?.run<(VampRun | null)[]>(words, VAMP_ROUNDS) ?? [];
    for (const [i, one] of runs.entries()) {
      if (one === null) continue;
      times[i].vamp = Math.min(times[i].vamp, one.plan + one.simplify);
      times[i].vampLength = one.length;
    }
    if (ompl && block === 0) for (const [i, problem] of used.entries()) planOmpl(times[i], problem, ompl);
  }
  return summary(name, times);
}

function summary(suite: string, times: readonly Times[]) {
  const solved = times.filter(({ ours }) => ours < Number.POSITIVE_INFINITY);
  const withVamp = solved.filter(({ vamp }) => vamp < Number.POSITIVE_INFINITY);
  const withOmpl = solved.filter(({ ompl }) => ompl < Number.POSITIVE_INFINITY);
  const of = (list: readonly Times[], value: (one: Times) => number, p = 0.5) =>
    list.length === 0 ? Number.NaN : quantile(list.map(value), p);
  return {
    suite,
    problems: `${solved.length}, ${withVamp.length}, ${withOmpl.length} of ${times.length}`,
    'first ms': of(solved, ({ first }) => first),
    'ours ms': of(solved, ({ ours }) => ours),
    'ours 95 %': of(solved, ({ ours }) => ours, 0.95),
    'whole ms': of(solved, ({ whole }) => whole),
    'VAMP ms': of(withVamp, ({ vamp }) => vamp),
    'VAMP 95 %': of(withVamp, ({ vamp }) => vamp, 0.95),
    'OMPL ms': of(withOmpl, ({ ompl }) => ompl),
    'first / VAMP': of(withVamp, ({ first, vamp }) => first / vamp),
    'first p95': of(withVamp, ({ first }) => first, 0.95) / of(withVamp, ({ vamp }) => vamp, 0.95),
    'ours / VAMP': of(withVamp, ({ ours, vamp }) => ours / vamp),
    'p95 ': of(withVamp, ({ ours }) => ours, 0.95) / of(withVamp, ({ vamp }) => vamp, 0.95),
    'whole / VAMP': of(withVamp, ({ whole, vamp }) => whole / vamp),
    'OMPL / ours': of(withOmpl, ({ ours, ompl }) => ompl / ours),
    'length / VAMP': of(withVamp, ({ ourLength, vampLength }) => ourLength / vampLength),
  };
}

function planOurs(times: Times, planner: Planner): void {
  const { result, whole, search } = timedPlan(planner, {});
  if (result.status !== 'solved' || whole >= times.whole) return;
  // Both of one plan: the share of the search is least where another program interrupted the rest.
  times.ours = search;
  times.whole = whole;
  times.ourLength = result.stats.path_length ?? Number.NaN;
}

/** Returns a function that searches once, shortcuts the path, and returns the CPU time, ms. */
function oneSearch({ scene, robot }: SuiteProblem): () => number {
  const manager = new CollisionManager(new CollisionModel(robot, scene));
  const space = planningSpace(robot);
  const found = resolveStartAndGoals(robot, scene, manager);
  if ('status' in found) return () => Number.POSITIVE_INFINITY;
  const ends = wrapStartAndGoals(space, found);
  const stepSize = rrtConnect.options.stepSize.value;
  return () => {
    const motions = new CertifiedMotionValidator(manager, space);
    const begun = cpuMilliseconds();
    const finish = (path: LazyPath) => {
      path.removeStates();
      return certifyShortcuts(path, space, new Random(1, 1), shortcutDefaults);
    };
    const problem = { space, motions, ...ends, finish };
    rrtConnect.plan(problem, { stepSize }, new Random(1, 0), { isSpent: () => false });
    return cpuMilliseconds() - begun;
  };
}

function planOmpl(times: Times, { scene, robot }: SuiteProblem, ompl: CppPeer): void {
  const model = new CollisionModel(robot, scene);
  const words = sceneWords(model);
  const ends = resolveStartAndGoals(robot, scene, new CollisionManager(model));
  if (words === undefined || 'status' in ends) return;
  const sceneFile = writeForPeer('suite-scene.txt', words);
  const problemFile = writeForPeer('suite-problem.txt', [STEP, ...ends.start, ...ends.goals[0]]);
  for (const one of ompl.run<OmplRun[]>(sceneFile, problemFile, OMPL_RUNS, 1))
    if (one.solved) times.ompl = Math.min(times.ompl, one.plan + one.simplify);
}

function hasFreeEnds({ scene, robot }: SuiteProblem): boolean {
  if (scene.start === undefined || scene.goals.some((goal) => goal.kind !== 'joints')) return false;
  return !('status' in resolveStartAndGoals(robot, scene, new CollisionManager(new CollisionModel(robot, scene))));
}

/** Start, goal, boxes and cylinders, as `vampPlan.hpp` reads them. The suites have no other obstacles. */
function vampWords({ scene, robot }: SuiteProblem): Words {
  const ends = resolveStartAndGoals(robot, scene, new CollisionManager(new CollisionModel(robot, scene)));
  const boxes: Words[] = [];
  const cylinders: Words[] = [];
  for (const { parts, pose } of scene.obstacles) {
    const { shape } = parts[0];
    const T = transformOfPose(pose);
    if (shape.type === 'box') {
      const size = shape['size'] as readonly number[];
      boxes.push([...pose.xyz, ...pose.quat_wxyz, ...size.map((length) => length / 2)]);
    } else {
      const half = (shape['length'] as number) / 2;
      const end = (side: number) => [3, 7, 11].map((k) => T[k] + side * half * T[k - 1]);
      cylinders.push([...end(-1), ...end(1), shape['radius'] as number]);
    }
  }
  if ('status' in ends) return [];
  return [...ends.start, ...ends.goals[0], boxes.length, ...boxes.flat(), cylinders.length, ...cylinders.flat()];
}
