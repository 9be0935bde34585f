import { CollisionModel } from '../src/core/collision/model/collisionModel.ts';
import { PosedParts } from '../src/core/collision/model/posedParts.ts';
import { StraightMotion } from '../src/core/collision/motions/motion.ts';
import { MotionProver } from '../src/core/collision/motions/motionProver.ts';
import { CollisionManager } from '../src/core/collision/states/collisionManager.ts';
import { CertifiedMotionValidator } from '../src/core/collision/validators/certifiedMotionValidator.ts';
import { Random } from '../src/core/math/random.ts';
import { rrtConnect } from '../src/core/planning/rrtConnect.ts';
import { pathLength, shortcutPath } from '../src/core/planning/shortcut.ts';
import { createPlanner } from '../src/tasks/createPlanner.ts';
import { planningSpace, wrapStartAndGoals } from '../src/tasks/planning/planningSpace.ts';
import { resolveStartAndGoals, type StartAndGoals } from '../src/tasks/planning/startAndGoals.ts';
import { quantile, type Table } from './measure.ts';
import { buildPeer, type CppPeer, debianHint, debianVersions, writeForPeer } from './peers/cpp.ts';
import { sceneWords } from './peers/words.ts';
import { suiteFirstRuns, suitePeerTables } from './planning/suitePeers.ts';
import { bundledScenes } from './scenes.ts';

export const about = 'plan and simplify beside OMPL with FCL, and beside VAMP, on the same problems';

export const sections = ['scenes', 'first-runs', 'suites'];

const RUNS = 10;
/** Runs of ours that warm up the compiler, as a service would be. */
const WARM_UP = 3;
const STEP = 0.02;

interface OmplRun {
  readonly solved: boolean;
  readonly plan: number;
  readonly simplify: number;
  readonly length: number;
  readonly states: number;
  readonly path: readonly (readonly number[])[];
}

/** The bundled scenes beside OMPL; the shared suites beside OMPL and VAMP. */
export async function* run(section?: string): AsyncGenerator<Table> {
  if (section === undefined || section === 'scenes') yield* sceneTables();
  if (section === undefined || section === 'first-runs') yield* suiteFirstRuns();
  if (section === undefined || section === 'suites') yield* suitePeerTables();
}

/** Runs of both in turn, problem by problem; the seeds differ, so medians over them. */
async function* sceneTables(): AsyncGenerator<Table> {
  const ompl = buildPeer('omplPlan', ['fcl', 'ccd', 'ompl']);
  if (ompl === undefined) {
    yield { title: 'plan and simplify beside OMPL', rows: [], notes: [`OMPL or FCL is not here: ${debianHint}`] };
    return;
  }
  const rows = (await bundledScenes()).flatMap((scene) => rowOf(scene, ompl));
  const medianOf = (column: 'first / OMPL' | 'all / OMPL') =>
    quantile(
      rows.map((row) => row[column]),
      0.5,
    ).toPrecision(3);
  yield {
    title: `plan and simplify, ${RUNS} seeds each: medians, milliseconds`,
    rows,
    notes: [
      `first / OMPL: median over problems ${medianOf('first / OMPL')}; all / OMPL: ${medianOf('all / OMPL')}`,
      'first: one search of rrt-connect and its shortcutting, as in OMPL; all: with the path improvement of plan ' +
        'and thorough shortcutting of the path that it keeps',
      'OMPL: RRTConnect and simplifySolution as they come, states 0.02 rad apart, our own kinematics in C++, FCL ' +
        'with libccd over a dynamic AABB tree',
      'ours: every motion of a path proved over continuous time; compiler warm; the final proof and the timing ' +
        'are not in it',
      'paths that hit: proved by our prover to collide between the states that OMPL checked; of ours none is ' +
        `excluded. ${debianVersions()}`,
    ],
  };
}

function rowOf({ name, scene, robot }: Awaited<ReturnType<typeof bundledScenes>>[number], ompl: CppPeer) {
  if (scene.start === undefined || scene.goals.some((goal) => goal.kind !== 'joints')) return [];
  const model = new CollisionModel(robot, scene);
  const words = sceneWords(model);
  const ends = resolveStartAndGoals(robot, scene, new CollisionManager(model));
  if (words === undefined || 'status' in ends) return [];
  const sceneFile = writeForPeer('scene.txt', words);
  const problemFile = writeForPeer('problem.txt', [STEP, ...ends.start, ...ends.goals[0]]);

  const clock = () => performance.now();
  const planner = createPlanner({ scene, robot: robot.description, model: robot });
  const plan = (seed: number) => planner.plan({ seed, edges: 'certified' }, { clock }).stats;
  const searchOnce = oneSearch(model, ends);
  for (let seed = 1; seed <= WARM_UP; seed++) {
    plan(seed);
    searchOnce(seed);
  }
  const first: ReturnType<typeof searchOnce>[] = [];
  const ours: ReturnType<typeof plan>[] = [];
  const theirs: OmplRun[] = [];
  for (let block = 0; block < 2; block++) {
    for (let i = 0; i < RUNS / 2; i++) {
      first.push(searchOnce(1 + ours.length));
      ours.push(plan(1 + ours.length));
    }
    theirs.push(...ompl.run<OmplRun[]>(sceneFile, problemFile, RUNS / 2, 1 + block));
  }
  const solved = theirs.filter((one) => one.solved);
  const found = ours.filter((one) => one.status === 'solved');
  if (solved.length === 0 || found.length === 0) return [];
  const median = <T>(list: readonly T[], value: (one: T) => number) => quantile(list.map(value), 0.5);
  const oursMs = median(found, (one) => one.planning_ms + one.shortcut_ms);
  const theirsMs = median(solved, (one) => one.plan + one.simplify);
  return [
    {
      problem: name,
      'ours: solved': `${found.length}/${ours.length}`,
      'first ms': median(first, (one) => one.ms),
      'all ms': oursMs,
      'OMPL: solved': `${solved.length}/${theirs.length}`,
      'plan ms ': median(solved, (one) => one.plan),
      'simplify ms': median(solved, (one) => one.simplify),
      'first / OMPL': median(first, (one) => one.ms) / theirsMs,
      'all / OMPL': oursMs / theirsMs,
      'length, first': median(first, (one) => one.length),
      'length, all': median(found, (one) => one.path_length ?? Number.NaN),
      'length, OMPL': median(solved, (one) => one.length),
      'states, ours': median(found, (one) => one.states_checked),
      'states, OMPL': median(solved, (one) => one.states),
      'OMPL: paths that hit': solved.filter((one) => hits(model, one.path)).length,
    },
  ];
}

/** The first path of a search and its shortcuts: what OMPL's two calls come to. */
function oneSearch(model: CollisionModel, given: StartAndGoals) {
  const manager = new CollisionManager(model);
  const space = planningSpace(model.robot);
  const ends = wrapStartAndGoals(space, given);
  const { stepSize } = rrtConnect.options;
  return (seed: number) => {
    const motions = new CertifiedMotionValidator(manager, space);
    const begun = performance.now();
    const budget = { isSpent: () => false };
    const problem = { space, motions, ...ends };
    const found = rrtConnect.plan(problem, { stepSize: stepSize.value }, new Random(seed, 0), budget);
    const path = shortcutPath(found.path, space, motions, new Random(seed, 1));
    return { ms: performance.now() - begun, length: pathLength(path, space) };
  };
}

/** Whether a path is proved to collide somewhere. */
function hits(model: CollisionModel, path: readonly (readonly number[])[]): boolean {
  const prover = new MotionProver(new PosedParts(model));
  const motion = new StraightMotion(model.robot.dof);
  return path.some((to, i) => {
    if (i === 0) return false;
    motion.qFrom = Float64Array.from(path[i - 1]);
    motion.qTo = Float64Array.from(to);
    return prover.prove(motion) === 'collision';
  });
}
