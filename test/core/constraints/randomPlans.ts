import type { ToolCenterPoint } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { Random } from '../../../src/core/math/random.ts';
import { isRateConstraint, type PathConstraint } from '../../../src/core/scene/constraints.ts';
import type { Obstacle } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { planMotion } from '../../../src/tasks/planning/planMotion.ts';
import type { PlanOptions } from '../../../src/tasks/planning/planOptions.ts';
import type { Problem } from '../../../src/tasks/sceneRobot.ts';
import { chained, linkPose, type OraclePose, oracleExcess, poseOf, turned } from './constraintOracle.ts';

/** Samples of each segment of a trajectory. */
const SAMPLES = 200;
const ITERATIONS = 300;
const PLANNERS = ['rrt-connect', 'rrt-connect', 'rrt', 'rrt-star', 'informed-rrt-star', 'bit-star', 'prm', 'lazy-prm'];

type Triple = [number, number, number];

/** Result of one random plan. */
export interface RandomPlan {
  readonly status: string;
  readonly problem: Problem;
  readonly options: Partial<PlanOptions>;
  /** Largest excess of a sample over a constraint: rad, m; −Infinity if no path was found. */
  readonly worst: number;
  readonly samples: number;
}

/**
 * Plans a random problem: one or two constraints that start and goal satisfy by a margin from 1e-6 to 0.1, or a thin
 * tilt or orientation, with obstacles, and samples the trajectory with the oracle.
 * @param worlds problems whose robots are used
 */
export function randomPlan(worlds: readonly Problem[], seed: number): RandomPlan {
  const random = new Random(seed);
  const given = worlds[random.below(worlds.length)];
  const problem = random.next() < 0.4 ? thinProblem(given, random) : wideProblem(given, random);
  const options = {
    planner: PLANNERS[random.below(PLANNERS.length)] as PlanOptions['planner'],
    seed: random.below(1000),
    iterations: ITERATIONS,
    edges: random.next() < 0.8 ? ('certified' as const) : ('sampled' as const),
    corners: random.next() < 0.8 ? ('blend' as const) : ('stop' as const),
    timing: random.next() < 0.8,
  };
  const { status, trajectory } = planMotion(problem, options);
  const judged = trajectory ? worstExcess(problem, trajectory) : { worst: Number.NEGATIVE_INFINITY, samples: 0 };
  return { status, problem, options, ...judged };
}

const jointsOf = ({ robot }: Problem) =>
  robot.joints.filter(({ type, mimic }) => type !== 'fixed' && mimic === undefined);

function oraclePose({ robot }: Problem, names: readonly string[], q: readonly number[], frame: ToolCenterPoint) {
  return chained(linkPose(robot, new Map(names.map((name, j) => [name, q[j]])), frame.link!), poseOf(frame.pose));
}

/** Returns a function that computes `oraclePose` for many states: the chain of joints is searched once. */
function poser(
  { robot }: Problem,
  names: readonly string[],
  frame: ToolCenterPoint,
): (q: readonly number[]) => OraclePose {
  const chain: { origin: OraclePose; axis: readonly number[]; index: number }[] = [];
  for (let link = frame.link; ; ) {
    const joint = robot.joints.find(({ child }) => child === link);
    if (!joint) break;
    chain.unshift({ origin: poseOf(joint.origin), axis: joint.axis, index: names.indexOf(joint.name) });
    link = joint.parent;
  }
  const last = poseOf(frame.pose);
  return (q) => {
    let pose: OraclePose = { p: [0, 0, 0], r: [1, 0, 0, 0] };
    for (const { origin, axis, index } of chain) {
      pose = chained(pose, origin);
      if (index < 0) continue;
      const sine = Math.sin(q[index] / 2);
      const r = [Math.cos(q[index] / 2), sine * axis[0], sine * axis[1], sine * axis[2]] as const;
      pose = chained(pose, { p: [0, 0, 0], r });
    }
    return chained(pose, last);
  };
}

/** Returns the largest excess of the samples of a trajectory, as a controller executes it. */
function worstExcess(problem: Problem, { points, jointNames }: Trajectory) {
  const judges = (problem.scene.constraints ?? []).map((one) => judge(problem, jointNames, one));
  let worst = Number.NEGATIVE_INFINITY;
  let samples = 0;
  for (let k = 1; k < points.length; k++) {
    const [from, to] = [points[k - 1], points[k]];
    const duration = to.time_from_start === undefined ? undefined : to.time_from_start - from.time_from_start!;
    for (let i = 0; i <= SAMPLES; i++, samples++) {
      const s = i / SAMPLES;
      const q = Array.from(from.positions, (x0, j) => {
        const x1 = to.positions[j];
        if (duration === undefined) return x0 + s * (x1 - x0);
        const [v0, v1] = [duration * from.velocities![j], duration * to.velocities![j]];
        return x0 + s * (v0 + s * (3 * (x1 - x0) - 2 * v0 - v1 + s * (2 * (x0 - x1) + v0 + v1)));
      });
      for (const excess of judges) worst = Math.max(worst, excess(q));
    }
  }
  return { worst, samples };
}

/** Returns the excess of a constraint as a function of the state. */
function judge(problem: Problem, names: readonly string[], one: PathConstraint): (q: readonly number[]) => number {
  if (one.type === 'joint') {
    const joint = names.indexOf(one.joint);
    return (q) => Math.max(one.range[0] - q[joint], q[joint] - one.range[1]);
  }
  if (isRateConstraint(one) && one.type !== 'speed') return () => Number.NEGATIVE_INFINITY;
  const pose = poser(problem, names, one.frame!);
  return (q) => oracleExcess(one, pose(q));
}

/** Start and goal anywhere; the constraints hold at both by a margin. */
function wideProblem(given: Problem, random: Random): Problem {
  const joints = jointsOf(given);
  const bound = (value: number, j: number) => {
    const { lower = -Math.PI, upper = Math.PI } = joints[j];
    return Math.min(Math.min(upper, Math.PI), Math.max(Math.max(lower, -Math.PI), value));
  };
  const start = joints.map((_, j) => bound(random.between(-Math.PI, Math.PI), j));
  const reach = random.between(0.2, 1.2);
  const goal = start.map((value, j) => bound(value + random.between(-reach, reach), j));
  const count = 1 + random.below(2);
  const constraints = Array.from({ length: count }, () => constraintAbout(given, random, start, goal));
  return withScene(given, start, goal, constraints, randomObstacles(given, random, start, goal));
}

/** The first joint turns the arm about the vertical past an obstacle, in a thin set about the vertical. */
function thinProblem(given: Problem, random: Random): Problem {
  const joints = jointsOf(given);
  const names = joints.map(({ name }) => name);
  const start = joints.map(() => random.between(-2, 2));
  const goal = start.map((value, j) => (j === 0 ? value + random.between(-1.5, 1.5) : value));
  const frame = randomFrame(given, random);
  const pose = oraclePose(given, names, start, frame);
  const within = 10 ** random.between(-2.5, -1);
  const inverse: OraclePose['r'] = [pose.r[0], -pose.r[1], -pose.r[2], -pose.r[3]];
  const tilt = { type: 'tilt', frame, axis: unit(turned(inverse, [0, 0, 1])), towards: [0, 0, 1], within } as const;
  const orientation = { type: 'orientation', frame, quat_wxyz: pose.r, within: [within, within, Math.PI] } as const;
  const isVertical = Math.abs(turned(pose.r, [0, 0, 1])[2]) > 0.999;
  const constraint: PathConstraint = isVertical && random.next() < 0.5 ? orientation : tilt;
  return withScene(given, start, goal, [constraint], randomObstacles(given, random, start, goal));
}

function withScene(
  given: Problem,
  start: readonly number[],
  goal: readonly number[],
  constraints: readonly PathConstraint[],
  obstacles: readonly Obstacle[],
): Problem {
  const { tcp: _, ...rest } = given.scene;
  const goals = [{ kind: 'joints' as const, joints: goal }];
  return { ...given, scene: { ...rest, attached: [], allow: [], start, goals, constraints, obstacles } };
}

function randomFrame({ robot }: Problem, random: Random): ToolCenterPoint {
  const moving = jointsOf({ robot } as Problem);
  const link = moving[moving.length - 1 - random.below(3)].child;
  const xyz: Triple = [random.between(-0.1, 0.1), random.between(-0.1, 0.1), random.between(-0.1, 0.1)];
  return { link, pose: { xyz, quat_wxyz: [1, 0, 0, 0] } };
}

/** Spheres about the middle of the motion of the tool, clear of both of its ends. */
function randomObstacles(given: Problem, random: Random, start: readonly number[], goal: readonly number[]) {
  const joints = jointsOf(given);
  const names = joints.map(({ name }) => name);
  const frame = { link: joints[joints.length - 1].child, pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } } as const;
  const middle = start.map((value, j) => (value + goal[j]) / 2);
  const { p } = oraclePose(given, names, middle, frame);
  return Array.from({ length: random.below(4) }, (_, i): Obstacle => {
    const xyz = p.map((value) => value + random.between(-0.15, 0.15)) as Triple;
    const shape = { type: 'sphere', radius: random.between(0.01, 0.08) };
    return { name: `ball ${i}`, parts: [{ shape }], pose: { xyz, quat_wxyz: [1, 0, 0, 0] } };
  });
}

/** A random constraint that holds at both states by a margin. */
function constraintAbout(given: Problem, random: Random, start: readonly number[], goal: readonly number[]) {
  const joints = jointsOf(given);
  const names = joints.map(({ name }) => name);
  const frame = randomFrame(given, random);
  const [a, b] = [start, goal].map((q) => oraclePose(given, names, q, frame));
  const margin = 10 ** random.between(-6, -1);
  const kind = random.below(6);
  if (kind === 0) return jointAbout(joints[random.below(joints.length)].name, names, start, goal, margin);
  if (kind <= 2) return tiltAbout(frame, random, a, b, margin);
  if (kind === 3) return orientationAbout(frame, a, b, margin);
  return regionAbout(frame, random, a.p, b.p, margin);
}

function jointAbout(
  joint: string,
  names: readonly string[],
  a: readonly number[],
  b: readonly number[],
  margin: number,
) {
  const ends = [a[names.indexOf(joint)], b[names.indexOf(joint)]];
  return { type: 'joint', joint, range: [Math.min(...ends) - margin, Math.max(...ends) + margin] } as const;
}

function tiltAbout(frame: ToolCenterPoint, random: Random, a: OraclePose, b: OraclePose, margin: number) {
  const axis = unit([random.between(-1, 1), random.between(-1, 1), random.between(0.1, 1)]);
  const towards = unit(turned(a.r, axis).map((value, i) => value + turned(b.r, axis)[i]) as Triple);
  const free = { type: 'tilt', frame, axis, towards, within: 0 } as const;
  return { ...free, within: Math.max(oracleExcess(free, a), oracleExcess(free, b)) + margin };
}

function orientationAbout(frame: ToolCenterPoint, a: OraclePose, b: OraclePose, margin: number) {
  const within = [0, 1, 2].map((axis) => {
    const only = [0, 1, 2].map((i) => (i === axis ? 0 : 10)) as Triple;
    return margin + Math.max(0, oracleExcess({ type: 'orientation', quat_wxyz: a.r, within: only }, b));
  }) as Triple;
  return { type: 'orientation', frame, quat_wxyz: a.r, within } as const;
}

function regionAbout(
  frame: ToolCenterPoint,
  random: Random,
  a: Triple | OraclePose['p'],
  b: OraclePose['p'],
  m: number,
) {
  const xyz = a.map((value, i) => (value + b[i]) / 2) as Triple;
  const half = a.map((value, i) => Math.abs(value - b[i]) / 2);
  const shapes = [
    { type: 'box', size: half.map((value) => 2 * (value + m)) },
    { type: 'sphere', radius: Math.hypot(...half) + m },
    { type: 'cylinder', radius: Math.hypot(half[0], half[1]) + m, length: 2 * (half[2] + m) },
  ];
  const shape = shapes[random.below(shapes.length)] as never;
  return { type: 'region', frame, shape, pose: { xyz, quat_wxyz: [1, 0, 0, 0] } } as const;
}

function unit([x, y, z]: readonly number[]): Triple {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}
