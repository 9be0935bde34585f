import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { anchorsOf } from '../../src/core/kinematics/forwardKinematics.ts';
import { tcpOf } from '../../src/core/kinematics/toolCenterPoint.ts';
import { compose, create, rotate } from '../../src/core/math/transform.ts';
import type { TiltConstraint } from '../../src/core/scene/constraints.ts';
import type { JointGoal } from '../../src/core/scene/scene.ts';
import { createPlanner, type Planner } from '../../src/tasks/createPlanner.ts';
import { createSceneRobot, type Problem } from '../../src/tasks/sceneRobot.ts';
import { quantile, type Table } from '../measure.ts';
import { buildPeer, type CppPeer, debianHint, debianVersions, writeForPeer } from '../peers/cpp.ts';
import { sceneWords } from '../peers/words.ts';
import { timedPlan } from './cpuTime.ts';
import { type TiltProblem, tilts } from './scenes.ts';
import { UprightTool } from './upright.ts';

/** Runs of each per scene, and their time limit, s. */
const RUNS = 1;
const LIMIT = 10;
/** Plans of ours before those that are measured: until the code is compiled. */
const WARM_UP = 40;
/** Samples per line of a path of OMPL that are compared with the limit of the tilt, and checked for collisions. */
const SAMPLES = 20;

interface OmplRun {
  readonly solved: boolean;
  readonly plan: number;
  readonly simplify: number;
  readonly length: number;
  readonly states: number;
  readonly path: readonly (readonly number[])[];
}

/** The same scenes and tilt constraints with OMPL's ProjectedStateSpace and FCL: runs of both in turn. */
export async function besideOmpl(problems: readonly TiltProblem[]): Promise<Table> {
  const title = `tilt constraints beside OMPL's ProjectedStateSpace with FCL, ${RUNS} run per scene: medians of CPU time`;
  const ompl = buildPeer('omplTilt', ['fcl', 'ccd', 'ompl']);
  if (ompl === undefined) return { title, rows: [], notes: [`OMPL or FCL is not here: ${debianHint}`] };
  const robots = [...new Set(problems.map(({ robot }) => robot))];
  const rows = Object.entries(tilts).flatMap(([tilt, within]) =>
    robots.map((robot) => {
      const own = problems.filter((one) => one.robot === robot);
      for (let seed = 1; seed <= WARM_UP; seed++)
        ours(createPlanner(own[seed % own.length].problem(within)), 1000 + seed);
      const pairs = own.map(({ problem }) => compared(problem(within), ompl));
      const mine = pairs.flatMap((pair) => pair.ours);
      const theirs = pairs.flatMap((pair) => pair.theirs);
      const [mySolved, theirSolved] = [mine.filter(isSolved), theirs.filter(isSolved)];
      const theirMs = median(theirs.map(timeOf));
      return {
        robot,
        'tilt within': tilt,
        'ours: solved': `${mySolved.length}/${mine.length}`,
        'search ms': median(mine.map((one) => one.search)),
        'whole ms': median(mine.map((one) => one.whole)),
        'OMPL: solved': `${theirSolved.length}/${theirs.length}`,
        'plan + simplify ms': theirMs,
        'OMPL / search': theirMs / median(mine.map((one) => one.search)),
        'OMPL / whole': theirMs / median(mine.map((one) => one.whole)),
        'length, ours': median(mySolved.map((one) => one.length)),
        'length, OMPL': median(theirSolved.map((one) => one.length)),
        'OMPL: paths that tilt more': pairs.reduce((sum, pair) => sum + pair.violations, 0),
        'OMPL: paths that collide': pairs.reduce((sum, pair) => sum + pair.collisions, 0),
      };
    }),
  );
  return {
    title,
    rows,
    notes: [
      'search: search, shortcuts and path improvement, every edge proved; whole: with setup, timing, blends and ' +
        'the final proof',
      `OMPL: RRTConnect on a ProjectedStateSpace and simplifySolution as they come, at most ${LIMIT} s; the ` +
        'constraint is the horizontal part of the axis with the sine of the limit as tolerance: the same set; ' +
        'analytic Jacobian',
      'OMPL does not check collisions between the states of its paths; paths that tilt more, or collide: at one of ' +
        `${SAMPLES} samples of the straight lines between their interpolated states, by more than 1e-6 rad`,
      debianVersions(),
    ],
  };
}

const median = (list: readonly number[]) => quantile(list, 0.5);
const isSolved = (one: { readonly solved: boolean }) => one.solved;
const timeOf = ({ plan, simplify }: OmplRun) => plan + simplify;

function ours(planner: Planner, seed: number) {
  const { result, whole, search } = timedPlan(planner, { seed, timeLimit: LIMIT });
  return { solved: result.status === 'solved', search, whole, length: result.stats.path_length ?? Number.NaN };
}

function compared(problem: Problem, ompl: CppPeer) {
  const { scene } = problem;
  const robot = createSceneRobot(problem);
  const planner = createPlanner(problem);
  const words = sceneWords(new CollisionModel(robot, scene));
  if (words === undefined) throw new Error(`${scene.name} has shapes that FCL does not know`);
  const [{ axis, within }] = scene.constraints as readonly TiltConstraint[];
  const { link, T_link_frame } = tcpOf(robot, undefined);
  const anchor = anchorsOf(robot)[link];
  const T = create();
  compose(T, anchor.T_anchor_link, T_link_frame);
  const direction = new Float64Array(3);
  rotate(direction, T, Float64Array.from(axis));
  const [goal] = scene.goals;
  const ends = [scene.start, goal.kind === 'joints' ? goal.joints : undefined] as JointGoal[] as number[][];
  const sceneFile = writeForPeer('tiltScene.txt', words);
  const problemFile = writeForPeer('tiltProblem.txt', [anchor.link, ...direction, within, ...ends.flat()]);
  const mine: ReturnType<typeof ours>[] = [];
  const theirs: OmplRun[] = [];
  for (let seed = 1; seed <= RUNS; seed++) {
    mine.push(ours(planner, seed));
    theirs.push(...ompl.run<OmplRun[]>(sceneFile, problemFile, 1, seed, LIMIT));
  }
  const paths = theirs.map(({ path }) => samplesOf(path));
  const tool = new UprightTool(robot, axis);
  const manager = new CollisionManager(new CollisionModel(robot, scene));
  return {
    ours: mine,
    theirs,
    violations: paths.filter((path) => path.some((q) => tool.tiltAt(q) > within + 1e-6)).length,
    collisions: paths.filter((path) => path.some((q) => !manager.isCollisionFree(q))).length,
  };
}

/** Returns samples of the straight lines of a path. */
function samplesOf(path: OmplRun['path']): Float64Array[] {
  return path.flatMap((to, i) => {
    const from = path[Math.max(0, i - 1)];
    return Array.from({ length: SAMPLES }, (_, k) =>
      Float64Array.from(to, (value, j) => from[j] + ((k + 1) / SAMPLES) * (value - from[j])),
    );
  });
}
