import { type FollowedPath, PathTool } from '../../../../src/core/cartesian/paths/toolPath.ts';
import { AnalyticArm } from '../../../../src/core/kinematics/analyticArm.ts';
import { forwardKinematics, RobotState } from '../../../../src/core/kinematics/forwardKinematics.ts';
import { transformOfPose } from '../../../../src/core/kinematics/pose.ts';
import type { Configuration } from '../../../../src/core/math/configuration.ts';
import { never } from '../../../../src/core/math/interrupt.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { compose, create, invert, type Transform } from '../../../../src/core/math/transform.ts';
import type { PathStep } from '../../../../src/core/scene/program.ts';
import { type PathRobot, pathStep, turned } from './toolPathAttack.ts';

/** Largest change of a joint from one way point to the next, radians. */
const MAX_CHANGE = 0.25;
/** Number of cells of the free angle by which it may change from one way point to the next. */
const SPREAD = 4;

/**
 * Decides by brute force if a tool path in the world with a free rotation about the axis of the tool can be followed
 * from any of some configurations: a graph of all inverse kinematics solutions at equal angles at each way point.
 * @param degrees from one angle to the next
 */
export function ladderFollows(
  { model, tcp }: PathRobot,
  { points }: PathStep,
  sources: readonly Configuration[],
  isValid: (q: Configuration) => boolean,
  degrees: number,
): boolean {
  const arm = AnalyticArm.recognise(model, tcp.link)!;
  const cells = Math.round(360 / degrees);
  const T_frame_link = create();
  invert(T_frame_link, tcp.T_link_frame);
  const isGood = (q: Configuration) =>
    model.variables.every(({ limits }, j) => q[j] >= limits.lower && q[j] <= limits.upper) && isValid(q);
  let reached = new Map<number, Configuration[]>([[0, sources.filter(isGood)]]);
  let isFirst = true;
  for (const { xyz, quat_wxyz } of points.slice(1)) {
    const next = new Map<number, Configuration[]>();
    const base = transformOfPose({ xyz, quat_wxyz: quat_wxyz! });
    const open = isFirst ? new Set([0]) : new Set(reached.keys());
    isFirst = false;
    const wanted = new Set(
      [...open].flatMap((cell) =>
        Array.from({ length: 2 * SPREAD + 1 }, (_, i) => (cell + i - SPREAD + cells) % cells),
      ),
    );
    for (const cell of wanted) {
      const T = spun(base, (cell * degrees * Math.PI) / 180);
      compose(T, T, T_frame_link);
      const found: Configuration[] = [];
      const before = Array.from(
        { length: 2 * SPREAD + 1 },
        (_, i) => reached.get((cell + i - SPREAD + cells) % cells) ?? [],
      ).flat();
      if (before.length === 0) continue;
      for (const solution of arm.solutions(T, before[0])) {
        for (const from of before) {
          const q = solution.map((x, j) => x + 2 * Math.PI * Math.round((from[j] - x) / (2 * Math.PI)));
          if (q.some((x, j) => Math.abs(x - from[j]) > MAX_CHANGE)) continue;
          if (found.some((one) => one.every((x, j) => Math.abs(x - q[j]) < 1e-6)) || !isGood(q)) continue;
          found.push(q);
        }
      }
      if (found.length > 0) next.set(cell, found);
    }
    if (next.size === 0) return false;
    reached = next;
  }
  return true;
}

function spun(T: Transform, angle: number): Transform {
  const out = create();
  const half = 0.5 * angle;
  compose(out, T, transformOfPose({ xyz: [0, 0, 0], quat_wxyz: [Math.cos(half), 0, 0, Math.sin(half)] }));
  return out;
}

/** What follows a random path from any inverse kinematics solution at its start, found within its limits. */
export interface LadderCase {
  readonly greedy: boolean;
  readonly search: boolean;
  readonly bruteForce: boolean;
}

/**
 * Follows a random path with a free rotation of a tilted tool, within narrow joint limits and past a sphere that the
 * joints must avoid: by continuation, by the search of the whole path, and by brute force.
 */
export function ladderCase(given: PathRobot, seed: number, degrees: number): LadderCase {
  const random = new Random(seed);
  const near = (x: number) => x + random.between(0.3, 1.5);
  const variables = given.model.variables.map((variable, j) => ({
    ...variable,
    limits: { ...variable.limits, lower: -near(-given.home[j]), upper: near(given.home[j]) },
  }));
  const T_link_frame = transformOfPose({ xyz: [0.05, 0, 0.15], quat_wxyz: [Math.cos(0.35), 0, Math.sin(0.35), 0] });
  const robot = { ...given, model: { ...given.model, variables }, tcp: { ...given.tcp, T_link_frame } };
  const { model, tcp, home } = robot;
  const center = [random.between(-0.1, 0.5), random.between(-0.4, 0.4), random.between(0.2, 0.6)];
  const radius = random.between(0.02, 0.15);
  const state = new RobotState(model);
  const isValid = (q: Configuration) => {
    forwardKinematics(state, q);
    return state.T_world_link.every(
      (T, k) => k < 3 || Math.hypot(T[3] - center[0], T[7] - center[1], T[11] - center[2]) > radius,
    );
  };
  const [curl, rise, turn] = [random.between(-0.15, 0.15), random.between(-0.3, 0.3), random.between(0, 0.04)];
  const axis = [random.between(-1, 1), random.between(-1, 1), 0];
  const begin = random.between(0, 6.28);
  const step = pathStep(
    robot,
    (first) => {
      const points = [first];
      for (let k = 1; k <= 80; k++) {
        const { xyz, quat_wxyz } = points[k - 1];
        const angle = begin + curl * k;
        const [x, y] = [xyz[0] + 5e-3 * Math.cos(angle), xyz[1] + 5e-3 * Math.sin(angle)];
        points.push({ xyz: [x, y, xyz[2] + 5e-3 * rise], quat_wxyz: turned(quat_wxyz, axis, turn) });
      }
      return points;
    },
    { isYawFree: true, tolerance: { position: 1e-3, angle: 1e-2 } },
  );
  const tool = new PathTool(model, tcp, create(), step, never);
  const T = tool.poseAt(home);
  const T_frame_link = create();
  invert(T_frame_link, T_link_frame);
  compose(T, T, T_frame_link);
  const isWithin = (q: Configuration) =>
    variables.every(({ limits: { lower, upper } }, j) => q[j] >= lower && q[j] <= upper);
  const solutions = AnalyticArm.recognise(model, tcp.link)!.solutions(T, home);
  const sources = solutions.filter((q) => isWithin(q) && isValid(q));
  const isFollowed = (path: FollowedPath | undefined) =>
    path !== undefined &&
    !path.fault &&
    path.sections.every(({ knots }) => knots.every(({ q }) => isValid(q.slice(0, 6)) && isWithin(q.slice(0, 6))));
  return {
    greedy: sources.some((q) => tool.manners.some((manner) => isFollowed(tool.follow(q, manner)))),
    search: sources.length > 0 && [1, 3].some((density) => isFollowed(tool.search(sources, isValid, density))),
    bruteForce: sources.length > 0 && ladderFollows(robot, step, sources, isValid, degrees),
  };
}
