import { CollisionManager } from '../src/collision/collisionManager.ts';
import { CollisionModel } from '../src/collision/collisionModel.ts';
import { StraightMotion } from '../src/collision/motion.ts';
import { MotionProver } from '../src/collision/motionProver.ts';
import { PosedBodies } from '../src/collision/posedBodies.ts';
import { planMotion } from '../src/tasks/planMotion.ts';
import { problemEnds } from '../src/tasks/problemEnds.ts';
import { quantile, type Table } from './measure.ts';
import { buildPeer, type CppPeer, debianHint, debianVersions, writeForPeer } from './peers/cpp.ts';
import { sceneWords } from './peers/words.ts';
import { bundledScenes } from './scenes.ts';

export const about = 'plan and simplify beside OMPL with FCL, on the same problems';

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

/** Runs of both in turn, problem by problem; the seeds differ, so medians over them. */
export async function* run(): AsyncGenerator<Table> {
  const ompl = buildPeer('omplPlan', ['fcl', 'ccd', 'ompl']);
  if (ompl === undefined) {
    yield { title: 'plan and simplify beside OMPL', rows: [], notes: [`OMPL or FCL is not here: ${debianHint}`] };
    return;
  }
  const rows = (await bundledScenes()).flatMap((scene) => rowOf(scene, ompl));
  const ratios = rows.map((row) => Number(row['ours / OMPL']));
  yield {
    title: `plan and simplify, ${RUNS} seeds each: medians, milliseconds`,
    rows,
    notes: [
      `ours / OMPL: median over problems ${quantile(ratios, 0.5).toPrecision(3)}`,
      'OMPL: RRTConnect and simplifySolution as they come, states 0.02 rad apart, our own kinematics in C++, FCL with libccd over a dynamic AABB tree',
      'ours: rrt-connect and shortcuts, every motion proved over continuous time; compiler warm; the final proof and the timing are not in it',
      `paths that hit: proved by our prover to collide between the states that OMPL looked at; of ours none is let out. ${debianVersions()}`,
    ],
  };
}

function rowOf({ name, scene, robot }: Awaited<ReturnType<typeof bundledScenes>>[number], ompl: CppPeer) {
  if (scene.start === undefined || scene.goals.some((goal) => goal.kind !== 'joints')) return [];
  const model = new CollisionModel(robot, scene);
  const words = sceneWords(model);
  const ends = problemEnds(robot, scene, new CollisionManager(model));
  if (words === undefined || 'status' in ends) return [];
  const sceneFile = writeForPeer('scene.txt', words);
  const problemFile = writeForPeer('problem.txt', [STEP, ...ends.start, ...ends.goals[0]]);

  const clock = () => performance.now();
  const plan = (seed: number) =>
    planMotion({ scene, robot: robot.description, model: robot }, { seed, edges: 'certified' }, { clock }).stats;
  for (let seed = 1; seed <= WARM_UP; seed++) plan(seed);
  const ours: ReturnType<typeof plan>[] = [];
  const theirs: OmplRun[] = [];
  for (let block = 0; block < 2; block++) {
    for (let i = 0; i < RUNS / 2; i++) ours.push(plan(1 + ours.length));
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
      'plan ms': median(found, (one) => one.planning_ms),
      'shortcut ms': median(found, (one) => one.shortcut_ms),
      'OMPL: solved': `${solved.length}/${theirs.length}`,
      'plan ms ': median(solved, (one) => one.plan),
      'simplify ms': median(solved, (one) => one.simplify),
      'ours / OMPL': oursMs / theirsMs,
      'length, ours': median(found, (one) => one.path_length ?? Number.NaN),
      'length, OMPL': median(solved, (one) => one.length),
      'states, ours': median(found, (one) => one.states_checked),
      'states, OMPL': median(solved, (one) => one.states),
      'OMPL: paths that hit': solved.filter((one) => hits(model, one.path)).length,
    },
  ];
}

/** Whether a path is proved to collide somewhere. */
function hits(model: CollisionModel, path: readonly (readonly number[])[]): boolean {
  const prover = new MotionProver(new PosedBodies(model));
  const motion = new StraightMotion(model.robot.dof);
  return path.some((to, i) => {
    if (i === 0) return false;
    motion.qFrom = Float64Array.from(path[i - 1]);
    motion.qTo = Float64Array.from(to);
    return prover.prove(motion) === 'collision';
  });
}
