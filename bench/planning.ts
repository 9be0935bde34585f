import { CollisionModel } from '../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../src/core/collision/states/collisionManager.ts';
import { RobotJointSpace } from '../src/core/collision/validators/robotJointSpace.ts';
import type { RobotModel } from '../src/core/kinematics/robotModel.ts';
import { Random } from '../src/core/math/random.ts';
import { type PlannerName, planners } from '../src/core/planning/index.ts';
import { pathLength, shortcutPath, thoroughShortcuts } from '../src/core/planning/shortcut.ts';
import type { Scene } from '../src/core/scene/scene.ts';
import { type EdgeValidationName, edgeValidations } from '../src/tasks/planning/edgeValidation.ts';
import { planningSpace, wrapStartAndGoals } from '../src/tasks/planning/planningSpace.ts';
import { resolveStartAndGoals } from '../src/tasks/planning/startAndGoals.ts';
import { condensed, withColumns } from './condense.ts';
import { quantile, type Table } from './measure.ts';
import { lengthTable, suiteLengthTable } from './planning/lengths.ts';
import { neighborTable } from './planning/neighbors.ts';
import { type PaperProblem, paperTables } from './planning/paper.ts';
import { type PhaseSuite, phaseTables } from './planning/phases.ts';
import { trackingTable } from './planning/tracking.ts';
import { bundledScenes } from './scenes.ts';
import { sharedSuites } from './suites.ts';

export const about =
  'planning and shortcuts on the bundled scenes and the shared suites: times, checks, lengths, per planner and step';

export const sections = [
  'scenes',
  'lengths',
  'suite-lengths',
  'planners',
  'neighbors',
  'suites',
  'steps',
  'phases',
  'paper',
  'tracking',
];

const SEEDS = 20;
const STEPS = [0.5, 0.75, 1, 1.25];
/**
 * Iterations of the comparison of planners: enough to compare, short enough to wait for. Those that improve use them
 * up.
 */
const COMPARED = { finding: 5000, improving: 2000 };
const TARGETS = [
  'targets of both ms: median at most 2 (mbm-ur5) and 1.2 (mbm-panda), 95 % at most 60 and 25; of ' +
    'length/reference: median at most 1.05',
  'motions: approximate checks and certified ones; thorough ms: what plan adds for the one path that it keeps',
  'cpu ms: of the process, garbage collection and all; on a machine with other work more reliable than wall-clock time',
];
/** Of the table of scenes, what the page shows. */
const SCENE_COLUMNS = ['scene', 'solved', 'both ms', 'both ms 95 %', 'cpu ms', 'motions', 'states', 'length rad'];
/** Greatest distance of two samples of an edge, rad. */
const SAMPLE_STEP = 0.02;

/**
 * Everything is planned twice, and the second time counts: it is warm. Counters repeat on every machine, times do not.
 */
export async function* run(section?: string): AsyncGenerator<Table> {
  const asked = (name: string) => section === undefined || section === name;
  const given = await bundledScenes();
  const scenes = given.flatMap(setUp);
  if (asked('scenes')) yield* sceneTables(scenes);
  if (asked('lengths')) yield lengthTable(given);
  if (asked('suite-lengths')) yield suiteLengthTable(await sharedSuites());
  if (asked('planners')) yield* plannerTables(scenes);
  if (asked('neighbors')) yield neighborTable();
  if (asked('suites') || asked('steps')) yield* suiteTables(scenes, asked('suites'), asked('steps'));
  if (asked('phases')) yield* phaseTables(await phaseSuites(given));
  const ofPaper = given.filter(({ name }) => PAPER.includes(name)).flatMap(paperProblem);
  if (asked('paper')) yield* paperTables(ofPaper);
  if (asked('tracking')) yield await trackingTable(ofPaper);
}

/** The bundled scenes and the shared suites as `planMotion` takes them. */
async function phaseSuites(scenes: readonly Given[]): Promise<PhaseSuite[]> {
  const all: { readonly name: string; readonly problems: readonly Given[] }[] = [
    { name: 'scenes', problems: scenes },
    ...(await sharedSuites()),
  ];
  return all.map(({ name, problems }) => ({
    name,
    problems: problems
      .filter(({ scene }) => scene.start !== undefined && scene.goals.length > 0)
      .map(({ scene, robot }) => ({ scene, robot: robot.description, model: robot })),
  }));
}

/** Tight scenes of the bundled UR5e for the experiment of the growth distance paper. */
const PAPER = ['cage', 'doorway', 'shelf'];

function paperProblem({ name, scene, robot }: Given): (PaperProblem & Given)[] {
  const model = new CollisionModel(robot, scene);
  const ends = resolveStartAndGoals(robot, scene, new CollisionManager(model));
  return 'status' in ends ? [] : [{ name, scene, robot, model, space: new RobotJointSpace(robot), ends }];
}

function* sceneTables(scenes: readonly BenchProblem[]): Generator<Table> {
  for (const edges of Object.keys(edgeValidations) as EdgeValidationName[]) {
    yield {
      title: `rrt-connect, edges ${edges}, ${SEEDS} seeds: medians`,
      inDocs: edges === 'certified' ? withColumns(SCENE_COLUMNS) : condensed([]),
      rows: scenes.map((scene) => ({ scene: scene.name, ...summary(plansOf([scene], { edges })) })),
    };
  }
}

function* plannerTables(scenes: readonly BenchProblem[]): Generator<Table> {
  for (const planner of Object.keys(planners) as PlannerName[]) {
    const { improves } = planners[planner];
    const settings = { planner, seeds: 3, iterations: improves ? COMPARED.improving : COMPARED.finding };
    yield {
      title: `${planner}, edges certified, ${settings.seeds} seeds, at most ${settings.iterations} iterations: medians`,
      rows: scenes.map((scene) => ({ scene: scene.name, ...summary(plansOf([scene], settings)) })),
    };
  }
}

/** The suites are absent from a clone by itself; the tables then say so. */
async function* suiteTables(scenes: readonly BenchProblem[], all: boolean, steps: boolean): AsyncGenerator<Table> {
  const suites = (await sharedSuites()).map(({ name, problems }) => ({ name, problems: problems.flatMap(setUp) }));
  if (all)
    yield {
      title: 'suites, rrt-connect, edges certified, 3 seeds',
      rows: suites.map(({ name, problems }) => ({ suite: name, ...summary(plansOf(problems, { seeds: 3 })) })),
      notes: suites.length > 0 ? TARGETS : ['the suites of MotionBenchMaker are not here'],
    };
  if (!steps) return;
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
  const ends = resolveStartAndGoals(robot, scene, manager);
  const space = planningSpace(robot);
  return 'status' in ends ? [] : [{ name, manager, space, ...wrapStartAndGoals(space, ends), reference }];
}

interface Settings {
  readonly planner?: PlannerName;
  readonly edges?: EdgeValidationName;
  readonly seeds?: number;
  readonly iterations?: number;
  readonly stepSize?: number;
}

/** What one plan took. */
interface Plan {
  readonly isSolved: boolean;
  readonly planMs: number;
  readonly shortcutMs: number;
  readonly cpuMs: number;
  readonly motions: number;
  readonly states: number;
  readonly shortcutMotions: number;
  readonly nodes: number;
  readonly length: number;
  /** Length against the reference path's. */
  readonly ratio: number;
  /** What thorough shortcuts of that path take on top, and what length they leave. */
  readonly thoroughMs: number;
  readonly thoroughRatio: number;
}

function plansOf(problems: readonly BenchProblem[], settings: Settings): Plan[] {
  const { seeds = SEEDS } = settings;
  for (const problem of problems) planOnce(problem, 1, settings);
  return problems.flatMap((problem) => Array.from({ length: seeds }, (_, i) => planOnce(problem, i + 1, settings)));
}

function planOnce(problem: BenchProblem, seed: number, settings: Settings): Plan {
  const { planner = 'rrt-connect', edges = 'certified', iterations = 100_000, stepSize } = settings;
  const { manager, space, start, goals, reference = Number.NaN } = problem;
  const motions = edgeValidations[edges].create(manager, space, SAMPLE_STEP);
  const options = Object.fromEntries(Object.entries(planners[planner].options).map(([key, { value }]) => [key, value]));
  if (stepSize !== undefined) options['stepSize'] = stepSize;
  let left = Math.min(iterations, planners[planner].iterations);
  const budget = { isSpent: () => left-- <= 0 };
  manager.counters.states = 0;

  const cpu = process.cpuUsage();
  const begun = performance.now();
  const found = planners[planner].plan({ space, motions, start, goals }, options, new Random(seed, 0), budget);
  const planned = performance.now();
  const { motions: asked } = motions.counters;
  const path = shortcutPath(found.path, space, motions, new Random(seed, 1));
  const shortened = performance.now();
  const { user } = process.cpuUsage(cpu);
  const length = pathLength(path, space);
  const { states } = manager.counters;
  const shortcutMotions = motions.counters.motions - asked;
  const thorough = shortcutPath(path, space, motions, new Random(seed, 2), thoroughShortcuts);
  return {
    isSolved: found.status === 'solved',
    planMs: planned - begun,
    shortcutMs: shortened - planned,
    cpuMs: user / 1000,
    motions: asked,
    states,
    shortcutMotions,
    nodes: found.nodes,
    length,
    ratio: length / reference,
    thoroughMs: performance.now() - shortened,
    thoroughRatio: pathLength(thorough, space) / reference,
  };
}

function summary(plans: readonly Plan[]) {
  const solved = plans.filter((plan) => plan.isSolved);
  const of = (value: (plan: Plan) => number, p = 0.5) =>
    solved.length > 0 ? quantile(solved.map(value), p) : Number.NaN;
  const ratios = solved.some((plan) => plan.ratio > 0)
    ? {
        'length/reference': of((plan) => plan.ratio),
        '90 %': of((plan) => plan.ratio, 0.9),
        'thorough ms': of((plan) => plan.thoroughMs),
        'length/reference then': of((plan) => plan.thoroughRatio),
        '90 % then': of((plan) => plan.thoroughRatio, 0.9),
      }
    : {};
  return {
    solved: `${solved.length}/${plans.length}`,
    'plan ms': of((plan) => plan.planMs),
    'shortcut ms': of((plan) => plan.shortcutMs),
    'both ms': of((plan) => plan.planMs + plan.shortcutMs),
    'both ms 95 %': of((plan) => plan.planMs + plan.shortcutMs, 0.95),
    'cpu ms': of((plan) => plan.cpuMs),
    'cpu ms 95 %': of((plan) => plan.cpuMs, 0.95),
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
