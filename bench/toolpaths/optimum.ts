import { FrameSpeed } from '../../src/core/cartesian/frameSpeed.ts';
import { chainInFrame } from '../../src/core/kinematics/composition/chainInFrame.ts';
import { tcpOf } from '../../src/core/kinematics/toolCenterPoint.ts';
import type { PathStep } from '../../src/core/scene/program.ts';
import { TrajectoryCurve } from '../../src/core/trajectory/trajectoryCurve.ts';
import { loadProblems, loadProblemsIn } from '../../src/host/node/scenes.ts';
import { planScene } from '../../src/tasks/planScene.ts';
import { pathFrame } from '../../src/tasks/programs/toolPaths.ts';
import { createSceneRobot, motionLimitsOf, type Problem } from '../../src/tasks/sceneRobot.ts';
import { stateAt } from '../forces/optimum.ts';
import { leastDurationOnGrid, type PaceRow } from '../leastDuration.ts';
import { curveNodes, leastJerkDuration } from '../leastJerkDuration.ts';
import type { Table } from '../measure.ts';
import { railScene, teethScene, weaveScene } from './scenes.ts';
import { leastSmoothWeave } from './smoothWeave.ts';

/** Least number of intervals of the grid. */
const GRID = 80_000;
/** Jerk limit of all joints, rad/s³, and number of nodes of each piece of a motion. */
const JERK = 100;
const PARTS = 8;
/** Way points of the weave, and nodes of the smooth curve through them. */
const WEAVE = 1000;
const NODES = 16_000;

const GENERATED = [
  ['weave, UR5e, 1000', weaveScene(WEAVE)],
  ['corners of 90 deg, UR5e, 1000', teethScene(0)(1000)],
  ['corners of 90 deg, UR5e, blend 1 mm, 1000', teethScene(1e-3)(1000)],
  ['seam, UR10e on a rail, 3000', railScene(3000)],
] as const;

/** Durations of tool paths beside the numeric optimum of the same curve. */
export async function optimumTable(): Promise<Table> {
  const problems: (readonly [string, Problem])[] = [];
  for (const name of ['weld-seam', 'sanding-raster', 'turntable'])
    problems.push([name, (await loadProblems(`scenes/${name}.yaml`))[0]]);
  for (const [name, scene] of GENERATED)
    problems.push([name, (await loadProblemsIn(JSON.stringify(scene), 'bench/toolpaths.json'))[0]]);
  const rows = problems.map(([path, problem]) => {
    const [coarse, { duration, optimum }] = [GRID / 2, GRID].map((count) => besideOptimum(problem, count));
    return {
      path,
      'motion s': duration,
      'optimum s': optimum,
      ratio: duration / optimum,
      'half grid s': coarse.optimum,
    };
  });
  return {
    title: `duration of a tool path beside the numeric optimum of the same curve, ${GRID} intervals or more`,
    rows,
    notes: [
      'optimum: least duration from rest to rest along the planned curve within limits of velocity, acceleration and speed ' +
        'of the tool',
      'target: 1.05',
    ],
  };
}

/**
 * Durations of tool paths under limits of jerk beside a numeric optimum of the same curve: from two constant paces, and
 * on grids of two sizes.
 */
export async function jerkTable(): Promise<Table> {
  const rows: Table['rows'][number][] = [];
  for (const [path, scene] of GENERATED) {
    const [{ robot, ...rest }] = await loadProblemsIn(JSON.stringify(scene), 'bench/toolpaths.json');
    const joints = robot.joints.map((joint) => ({ ...joint, jerk: JERK }));
    const problem = { ...rest, robot: { ...robot, joints } };
    const { duration, leastOf, curve, from } = plannedSegment(problem);
    const optimum = leastOf(PARTS, 1);
    rows.push({
      path,
      'motion s': duration,
      'optimum s': optimum,
      ratio: duration / optimum,
      'half grid s': leastOf(PARTS / 2, 1),
      'from a tenth of the pace s': leastOf(PARTS, 0.01),
    });
    if (!path.startsWith('weave')) continue;
    const [coarse, smooth] = [0.5, 1].map((share) => leastSmoothWeave(problem, curve, from, WEAVE, share * NODES));
    rows.push({
      path: `${path}: smooth curve through the way points`,
      'motion s': duration,
      'optimum s': smooth,
      ratio: duration / smooth,
      'half grid s': coarse,
    });
  }
  return {
    title: `the same with a jerk limit of ${JERK} rad/s³ of all joints`,
    rows,
    notes: [
      `optimum: a local minimum, with limits of jerk, at ${PARTS} nodes of each piece of the motion`,
      'target: 1.05',
    ],
  };
}

function plannedSegment(problem: Problem) {
  const { curve, segment, step } = plannedPath(problem);
  const robot = createSceneRobot(problem);
  const limits = motionLimitsOf(robot, problem.scene);
  const inFrame = chainInFrame(robot, tcpOf(robot, problem.scene.tcp), pathFrame(robot, problem.scene, step));
  const speed = new FrameSpeed(inFrame.model, inFrame.tool);
  const { pathSpeed = Number.POSITIVE_INFINITY } = step;
  const { from, to } = segment;
  const leastOf = (parts: number, start: number) =>
    leastJerkDuration(
      curveNodes(curve, from, to, parts, limits, (q, v) => speed.at(q, v) / pathSpeed),
      limits,
      start,
    );
  return { duration: to - from, leastOf, curve, from };
}

function besideOptimum(problem: Problem, count: number) {
  const { curve, segment, step } = plannedPath(problem);
  return { duration: segment.to - segment.from, optimum: leastDuration(problem, step, curve, segment, count) };
}

function plannedPath(problem: Problem) {
  const { trajectory, reason } = planScene(problem, { timeLimit: 120 });
  const segment = trajectory?.segments?.find(({ kind }) => kind === 'path');
  if (!trajectory || !segment) throw new Error(`${problem.scene.name}: ${reason}`);
  const step = problem.scene.steps![segment.step] as PathStep;
  return { curve: new TrajectoryCurve(trajectory), segment, step };
}

/** Least duration of a part of a curve, in at least `count` intervals, each in one of its pieces. */
function leastDuration(
  problem: Problem,
  step: PathStep,
  curve: TrajectoryCurve,
  { from, to }: { readonly from: number; readonly to: number },
  count: number,
): number {
  const { scene } = problem;
  const robot = createSceneRobot(problem);
  const { velocity, acceleration } = motionLimitsOf(robot, scene);
  const inFrame = chainInFrame(robot, tcpOf(robot, scene.tcp), pathFrame(robot, scene, step));
  const speed = new FrameSpeed(inFrame.model, inFrame.tool);
  const ends = Array.from(curve.times).filter((time) => time >= from && time <= to);
  const parts = Math.ceil(count / (ends.length - 1));
  const steps = ends.slice(1).flatMap((end, k) => new Array<number>(parts).fill((end - ends[k]) / parts));
  const most = new Float64Array(steps.length + 1).fill(Number.POSITIVE_INFINITY);
  const rows = steps.map((length, i): PaceRow[] => {
    const { q, v, a } = stateAt(curve, ends[Math.floor(i / parts)] + ((i % parts) + 0.5) * length);
    const rates = [(step.pathSpeed ?? Number.POSITIVE_INFINITY) / speed.at(q, v)];
    for (const [j, rate] of v.entries()) rates.push(velocity[j] / Math.abs(rate));
    for (const k of [i, i + 1]) most[k] = rates.reduce((least, rate) => Math.min(least, rate * rate), most[k]);
    return v.map((rate, j) => ({ factor: rate, square: a[j], fixed: 0, limit: acceleration[j] }));
  });
  return leastDurationOnGrid(steps, rows, most);
}
