import { FrameSpeed } from '../../../../src/core/cartesian/frameSpeed.ts';
import { timedPath } from '../../../../src/core/cartesian/paths/timedPath.ts';
import { PathTool, toleranceOf } from '../../../../src/core/cartesian/paths/toolPath.ts';
import { ToolTracker } from '../../../../src/core/cartesian/toolTracker.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { poseOfTransform } from '../../../../src/core/kinematics/pose.ts';
import type { RobotDescription, RobotModel } from '../../../../src/core/kinematics/robotModel.ts';
import { type LinkFrame, linkNamed } from '../../../../src/core/kinematics/toolCenterPoint.ts';
import { never } from '../../../../src/core/math/interrupt.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { create } from '../../../../src/core/math/transform.ts';
import type { PathStep } from '../../../../src/core/scene/program.ts';
import type { Trajectory } from '../../../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../../src/core/trajectory/trajectoryCurve.ts';
import { loadRobot, loadScene } from '../../../../src/host/node/files.ts';
import { createSceneRobot, motionLimitsOf } from '../../../../src/tasks/sceneRobot.ts';
import { brokenLimit, leavesPath } from './toolPathOracle.ts';

type Point = PathStep['points'][number];

/** A robot with its tool, a configuration at which tool paths begin, and the frames that they may have. */
export interface PathRobot {
  readonly model: RobotModel;
  readonly tcp: LinkFrame;
  readonly home: Float64Array;
  readonly frames: readonly string[];
}

/** Names of built-in robots, or of scenes with them. */
const ROBOTS = {
  ur5e: { link: 'tool0', home: [0.2, -1.4, 1.7, -1.8, -1.5, 0.3], frames: ['world'] },
  arm7: { link: 'flange', home: [0.2, 0.4, 0.1, -1.7, 0.2, 1.9, 0.3], frames: ['world', 'link1'] },
  scara4: { link: 'tool0', home: [0.3, 1.1, 0.1, 0.4], frames: ['world'] },
  'weld-seam': { link: 'tool0', home: [-0.4, 1.2, -1.5, 1.6, -1.7, -1.5, 0.1], frames: ['world'] },
  turntable: { link: 'tool0', home: [0.4, 0.2, -1.4, 1.7, -1.8, -1.5, 0.3], frames: ['world', 'table'] },
} as const;

export type PathRobotName = keyof typeof ROBOTS;

/** @param jerk limit of all joints; default: those of the robot */
export async function pathRobot(name: PathRobotName, jerk?: number): Promise<PathRobot> {
  const isScene = name === 'weld-seam' || name === 'turntable';
  const limited = (robot: RobotDescription) =>
    jerk === undefined ? robot : { ...robot, joints: robot.joints.map((joint) => ({ ...joint, jerk })) };
  const loaded = isScene ? await loadScene(`scenes/${name}.yaml`) : undefined;
  const model = loaded
    ? createSceneRobot({ ...loaded, robot: limited(loaded.robot) })
    : createRobotModel(limited(await loadRobot(name)));
  const { link, home, frames } = ROBOTS[name];
  return {
    model,
    tcp: { link: linkNamed(model, link), T_link_frame: create() },
    home: Float64Array.from(home),
    frames,
  };
}

/** A tool path from where the tool is at home: from the point there, the function returns all. */
export function pathStep(
  { model, tcp, home }: PathRobot,
  pointsFrom: (first: Required<Pick<Point, 'xyz' | 'quat_wxyz'>>) => readonly Point[],
  given: Partial<PathStep> = {},
): PathStep {
  const step: PathStep = {
    kind: 'path',
    index: 0,
    speed: 1,
    acceleration: 1,
    blend: 0,
    tolerance: { position: 2e-4, angle: 3e-3 },
    constraints: [],
    points: [],
    frame: 'world',
    isYawFree: false,
    tilt: 0,
    pathSpeed: 0.1,
    ...given,
  };
  const { xyz, quat_wxyz } = poseOfTransform(toolOf(model, tcp, { ...step, isYawFree: false }).poseAt(home));
  return { ...step, points: pointsFrom({ xyz, quat_wxyz }) };
}

const toolOf = (model: RobotModel, tcp: LinkFrame, step: PathStep) =>
  new PathTool(model, tcp, step.frame === 'world' ? create() : linkNamed(model, step.frame), step, never);

/** Plans the motion along a tool path from home; undefined if there is none, also if the tool stays where it is. */
export function plannedPath({ model, tcp, home }: PathRobot, step: PathStep): Trajectory | undefined {
  const tool = toolOf(model, tcp, step);
  const followed = tool.manners.map((manner) => tool.follow(home, manner)).find((path) => path && !path.fault);
  if (!followed || followed.sections.length === 0) return undefined;
  const world = { tracker: new ToolTracker(model, tcp), speed: new FrameSpeed(model, tcp) };
  const timed = timedPath({ tool, world, interrupt: never }, followed.ideal, followed.sections, {
    limits: motionLimitsOf(model, {}),
    tolerance: toleranceOf(step),
    tcpSpeed: Number.POSITIVE_INFINITY,
  });
  if ('reached' in timed) return undefined;
  const { points } = timed;
  return { jointNames: model.variables.map(({ name }) => name), points, interpolation: 'cubic' };
}

export function isPathProved({ model, tcp }: PathRobot, step: PathStep, motion: Trajectory): boolean {
  const tool = toolOf(model, tcp, step);
  const curve = new TrajectoryCurve(motion);
  const ideal = tool.ideal(Float64Array.from(motion.points[0].positions));
  return tool.prover.prove(curve, ideal, [curve.start, curve.end], toleranceOf(step)).faults.length === 0;
}

/** Product of a quaternion and a rotation vector's, on the right. */
export function turned([w, x, y, z]: readonly number[], axis: readonly number[], angle: number) {
  const size = Math.hypot(...axis) || 1;
  const [c, i, j, k] = [Math.cos(angle / 2), ...axis.map((a) => (a / size) * Math.sin(angle / 2))];
  return [
    w * c - x * i - y * j - z * k,
    w * i + x * c + y * k - z * j,
    w * j - x * k + y * c + z * i,
    w * k + x * j - y * i + z * c,
  ] as const;
}

const anyAxis = (random: Random) => [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)];

/** A random tool path: small or large steps, turns with and without motion, reversals, repeated points, loops. */
function randomPath(robot: PathRobot, random: Random, blend: number): PathStep {
  // legs of paths with blends turn little: spheres are at corners within which the orientation hardly changes
  const turns = blend > 0 ? [0.01, 0] : [0.6, 0.05];
  const [isSmall, angle] = [random.between(0, 1) < 0.3, random.between(0, 1) < 0.5 ? turns[0] : turns[1]];
  const isYawFree = random.between(0, 1) < 0.4;
  const either = (a: number, b: number) => (random.between(0, 1) < 0.5 ? a : b);
  const pointsFrom = (first: Point) => {
    const points = [first];
    for (let count = 2 + random.below(5); count > 0; count--) {
      const { xyz, quat_wxyz } = points.at(-1)!;
      // four joints turn a tool about its own axis only
      const axis = () => (robot.model.dof === 4 ? [0, 0, 1] : anyAxis(random));
      const turn = () => turned(quat_wxyz!, axis(), random.between(0, angle));
      const kind = random.between(0, 1);
      if (kind < 0.1 && points.length > 1) points.push(points.at(-2)!);
      else if (kind < 0.2) points.push({ xyz, quat_wxyz: turn() });
      else if (kind < 0.27) points.push(first);
      else if (kind < 0.32) points.push({ xyz, quat_wxyz: quat_wxyz! });
      else points.push({ xyz: moved(xyz, random, isSmall ? 1e-3 : 0.03), quat_wxyz: turn() });
    }
    return points;
  };
  return pathStep(robot, pointsFrom, {
    frame: robot.frames[random.below(robot.frames.length)],
    isYawFree,
    tilt: isYawFree ? either(0.05, 0) : 0,
    tolerance: { position: either(2e-4, 2e-3), angle: either(3e-3, 3e-2) },
    blend,
  });
}

const moved = ([x, y, z]: Point['xyz'], random: Random, size: number) =>
  [x + size * random.between(-1, 1), y + size * random.between(-1, 1), z + size * random.between(-1, 1)] as const;

type Change = (points: readonly Point[], at: number, random: Random, step: PathStep) => readonly Point[];

const replaced = (points: readonly Point[], at: number, ...by: readonly Point[]) => points.toSpliced(at, 1, ...by);

/** Other way points for the same motion, changed next to index `at`. */
const CHANGES: Readonly<Record<string, Change>> = {
  inserted: (points, at, random, { tolerance: { position, angle } }) => {
    const { xyz, quat_wxyz } = points[at];
    const other = { xyz: moved(xyz, random, 3 * position), quat_wxyz: turned(quat_wxyz!, anyAxis(random), angle) };
    return replaced(points, at, other, points[at]);
  },
  'extra turn': (points, at, random) => {
    const { xyz, quat_wxyz } = points[at];
    const axis = [random.between(-0.3, 0.3), random.between(-0.3, 0.3), 1];
    return replaced(points, at, points[at], { xyz, quat_wxyz: turned(quat_wxyz!, axis, 0.5) }, points[at]);
  },
  moved: (points, at, random, { tolerance }) =>
    replaced(points, at, { ...points[at], xyz: moved(points[at].xyz, random, 2.5 * tolerance.position) }),
  turned: (points, at, random, { tolerance: { angle } }) =>
    replaced(points, at, {
      ...points[at],
      quat_wxyz: turned(points[at].quat_wxyz!, anyAxis(random), angle * random.between(0.5, 4)),
    }),
  dropped: (points, at) => points.toSpliced(at, 1),
  reversed: (points) => points.toReversed(),
  swapped: (points, at) => points.toSpliced(at - 1, 2, points[at], points[at - 1]),
  'doubled loop': (points, at) => points.toSpliced(at + 1, 0, points[at - 1], points[at]),
};

/** Other motions for the same way points. */
function changedMotions(motion: Trajectory, random: Random): Trajectory[] {
  const { points } = motion;
  const end = points.at(-1)!.time_from_start!;
  const with_ = (change: (value: number, j: number, k: number) => number): Trajectory => ({
    ...motion,
    points: points.map((point, k) => ({ ...point, positions: point.positions.map((x, j) => change(x, j, k)) })),
  });
  const disturbed = Array.from({ length: 4 }, () => {
    const [joint, at, size] = [
      random.below(points[0].positions.length),
      random.below(points.length),
      10 ** random.between(-5, -1.7),
    ];
    const wave = random.between(1, 20);
    return [
      with_((x, j) => (j === joint ? x + size : x)),
      with_((x, j, k) => (j === joint && k === at ? x + size : x)),
      with_((x, j, k) => (j === joint ? x + size * Math.sin(wave * k) : x)),
    ];
  });
  const backwards = points.toReversed().map(({ time_from_start, positions, velocities }) => ({
    time_from_start: end - time_from_start!,
    positions,
    velocities: velocities!.map((v) => -v),
  }));
  const half = points.slice(0, Math.max(2, Math.ceil(points.length / 2)));
  return [...disturbed.flat(), { ...motion, points: backwards }, { ...motion, points: half }];
}

/** Blends of random paths, metres. */
const BLENDS = [0, 0, 1e-3, 6e-3];

/** Counts of what was proved and what was not, and what was proved although the oracle denies it. */
interface AttackTally {
  proved: number;
  refused: number;
  readonly wrong: string[];
}

/**
 * Plans a random tool path, and compares the proofs of its motion, of changed motions and of changed way points with
 * the oracle; undefined if the path has no motion.
 */
export function attackToolPath(robot: PathRobot, seed: number, samples: number): AttackTally | undefined {
  const random = new Random(seed);
  const step = randomPath(robot, random, BLENDS[new Random(seed + 1_000_000).below(BLENDS.length)]);
  const motion = plannedPath(robot, step);
  if (!motion) return undefined;
  const tally: AttackTally = { proved: 0, refused: 0, wrong: [] };
  const judge = (name: string, judged: PathStep, of: Trajectory) => {
    const isProved = isPathProved(robot, judged, of);
    tally[isProved ? 'proved' : 'refused']++;
    if (name === 'own' && !isProved) tally.wrong.push('own motion not proved');
    const limit = name === 'own' ? brokenLimit(robot, judged, of, samples) : undefined;
    if (limit !== undefined) tally.wrong.push(`${name}: ${limit}`);
    const time = isProved ? leavesPath(robot.model, robot.tcp, judged, of, samples, 1.01) : undefined;
    if (time !== undefined) tally.wrong.push(`${name}: leaves its path at ${time} s`);
  };
  judge('own', step, motion);
  for (const [k, other] of changedMotions(motion, random).entries()) judge(`motion ${k}`, step, other);
  const at = 1 + random.below(step.points.length - 1);
  for (const [name, change] of Object.entries(CHANGES))
    judge(name, { ...step, points: change(step.points, at, random, step) }, motion);
  for (const share of step.blend > 0 ? [0, 0.5, 0.9] : [])
    judge(`blend by ${share}`, { ...step, blend: share * step.blend }, motion);
  for (const frame of robot.frames) if (frame !== step.frame) judge(`frame ${frame}`, { ...step, frame }, motion);
  return tally;
}
