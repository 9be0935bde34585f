import { CollisionManager } from '../src/collision/collisionManager.ts';
import { CollisionModel } from '../src/collision/collisionModel.ts';
import { RobotJointSpace } from '../src/collision/robotJointSpace.ts';
import type { RobotModel } from '../src/kinematics/robotModel.ts';
import { Random } from '../src/math/random.ts';
import { planners } from '../src/planning/index.ts';
import { pathLength, shortcutPath } from '../src/planning/shortcut.ts';
import type { Scene } from '../src/scene/scene.ts';
import { edgeChecks } from '../src/tasks/edgeChecks.ts';
import { problemEnds } from '../src/tasks/problemEnds.ts';
import { quantile, type Table } from './measure.ts';
import { bundledScenes } from './scenes.ts';
import { sharedSuites } from './suites.ts';

export const about =
  'planning and shortcuts on the bundled scenes and the shared suites: times, checks, lengths, per planner and step';

const SEEDS = 5;
const STEPS = [0.5, 0.75, 1, 1.25];
/** Iterations of the comparison of planners: enough to compare, short enough to wait for. Those that improve use them up. */
const COMPARED = { finding: 5000, improving: 2000 };
/** Greatest distance of two samples of an edge, rad. */
const SAMPLE_STEP = 0.02;

/** Everything is planned twice, and the second time counts: it is warm. Counters repeat on every machine, times do not. */
export async function* run(): AsyncGenerator<Table> {
  const scenes = (await bundledScenes()).flatMap(setUp);
  for (const edges of Object.keys(edgeChecks)) {
    yield {
      title: `rrt-connect, edges ${edges}, ${SEEDS} seeds: medians`,
      rows: scenes.map((scene) => ({ scene: scene.name, ...summary(plansOf([scene], { edges })) })),
    };
  }
  for (const [planner, { improves }] of Object.entries(planners)) {
    const settings = { planner, seeds: 3, iterations: improves ? COMPARED.improving : COMPARED.finding };
    yield {
      title: `${planner}, edges certified, ${settings.seeds} seeds, at most ${settings.iterations} iterations: medians`,
      rows: scenes.map((scene) => ({ scene: scene.name, ...summary(plansOf([scene], settings)) })),
    };
  }
  const suites = (await sharedSuites()).map(({ name, problems }) => ({ name, problems: problems.flatMap(setUp) }));
  yield {
    title: 'suites, rrt-connect, edges certified, 3 seeds',
    rows: suites.map(({ name, problems }) => ({ suite: name, ...summary(plansOf(problems, { seeds: 3 })) })),
  };
  for (const { name, problems } of [{ name: 'scenes', problems: scenes }, ...suites]) {
    yield {
      title: `${name}: step of rrt-connect, edges certified, 3 seeds`,
      rows: STEPS.map((stepSize) => ({ step: stepSize, ...summary(plansOf(problems, { seeds: 3, stepSize })) })),
    };
  }
}

/** A problem with free ends, and what it takes to plan in it. */
interface BenchProblem {
  readonly name: string;
  readonly manager: CollisionManager;
  readonly space: RobotJointSpace;
  readonly start: Float64Array;
  readonly goals: readonly Float64Array[];
  readonly reference?: number | undefined;
}

interface Given {
  readonly name: string;
  readonly scene: Scene;
  readonly robot: RobotModel;
  readonly reference?: number | undefined;
}

/** No problem where the ends are not free or are not joint values. */
function setUp({ name, scene, robot, reference }: Given): BenchProblem[] {
  if (scene.start === undefined || scene.goals.some((goal) => goal.kind !== 'joints')) return [];
  const manager = new CollisionManager(new CollisionModel(robot, scene));
  const ends = problemEnds(robot, scene, manager);
  return 'status' in ends ? [] : [{ name, manager, space: new RobotJointSpace(robot), ...ends, reference }];
}

interface Settings {
  readonly planner?: string;
  readonly edges?: string;
  readonly seeds?: number;
  readonly iterations?: number;
  readonly stepSize?: number;
}

/** What one plan took. */
interface Plan {
  readonly isSolved: boolean;
  readonly planMs: number;
  readonly shortcutMs: number;
  readonly motions: number;
  readonly states: number;
  readonly shortcutMotions: number;
  readonly nodes: number;
  readonly length: number;
  /** Length against the reference path's. */
  readonly ratio: number;
}

function plansOf(problems: readonly BenchProblem[], settings: Settings): Plan[] {
  const { seeds = SEEDS } = settings;
  for (const problem of problems) planOnce(problem, 1, settings);
  return problems.flatMap((problem) => Array.from({ length: seeds }, (_, i) => planOnce(problem, i + 1, settings)));
}

function planOnce(problem: BenchProblem, seed: number, settings: Settings): Plan {
  const { planner = 'rrt-connect', edges = 'certified', iterations = 100_000, stepSize } = settings;
  const { manager, space, start, goals, reference = Number.NaN } = problem;
  const motions = edgeChecks[edges].create(manager, space, SAMPLE_STEP);
  const options = Object.fromEntries(Object.entries(planners[planner].options).map(([key, { value }]) => [key, value]));
  if (stepSize !== undefined) options['stepSize'] = stepSize;
  let left = Math.min(iterations, planners[planner].iterations);
  const budget = { isSpent: () => left-- <= 0 };
  manager.counters.states = 0;

  const begun = performance.now();
  const found = planners[planner].plan({ space, motions, start, goals }, options, new Random(seed, 0), budget);
  const planned = performance.now();
  const { motions: asked } = motions.counters;
  const path = shortcutPath(found.path, space, motions, new Random(seed, 1));
  const length = pathLength(path, space);
  return {
    isSolved: found.status === 'solved',
    planMs: planned - begun,
    shortcutMs: performance.now() - planned,
    motions: asked,
    states: manager.counters.states,
    shortcutMotions: motions.counters.motions - asked,
    nodes: found.nodes,
    length,
    ratio: length / reference,
  };
}

function summary(plans: readonly Plan[]) {
  const solved = plans.filter((plan) => plan.isSolved);
  const of = (value: (plan: Plan) => number, p = 0.5) =>
    solved.length > 0 ? quantile(solved.map(value), p) : Number.NaN;
  const ratios = solved.some((plan) => plan.ratio > 0)
    ? { 'length/reference': of((plan) => plan.ratio), '90 %': of((plan) => plan.ratio, 0.9) }
    : {};
  return {
    solved: `${solved.length}/${plans.length}`,
    'plan ms': of((plan) => plan.planMs),
    'shortcut ms': of((plan) => plan.shortcutMs),
    'both ms': of((plan) => plan.planMs + plan.shortcutMs),
    'both ms 95 %': of((plan) => plan.planMs + plan.shortcutMs, 0.95),
    motions: of((plan) => plan.motions),
    'mean motions': plans.reduce((sum, plan) => sum + plan.motions, 0) / plans.length,
    'shortcut motions': of((plan) => plan.shortcutMotions),
    states: of((plan) => plan.states),
    'mean states': plans.reduce((sum, plan) => sum + plan.states, 0) / plans.length,
    nodes: of((plan) => plan.nodes),
    'length rad': of((plan) => plan.length),
    ...ratios,
  };
}
