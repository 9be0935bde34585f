import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { isWithinLimits } from '../../src/core/collision/validators/robotJointSpace.ts';
import type { RobotModel } from '../../src/core/kinematics/robotModel.ts';
import type { Configuration } from '../../src/core/math/configuration.ts';
import { Random } from '../../src/core/math/random.ts';
import type { TiltConstraint } from '../../src/core/scene/constraints.ts';
import type { Obstacle, Scene } from '../../src/core/scene/scene.ts';
import { loadScene } from '../../src/host/node/files.ts';
import { createSceneRobot, type Problem } from '../../src/tasks/sceneRobot.ts';
import { UprightTool } from './upright.ts';

/** Scenes per robot. */
export const SCENES = 50;
/** Start and goal are upright within this angle, so that all limits of the tilt have the same ends: rad. */
const ENDS_WITHIN = 0.005;
const OBSTACLES = 5;
/** Minimum distance between the tool at the start and at the goal, metres. */
const MIN_TRAVEL = 0.5;
const MAX_DRAWS = 20_000;
/** Candidates for the goal before the obstacles are drawn again. */
const MAX_GOALS = 60;
/** Step of the walk from the start to the goal without obstacles, rad, and how near it must get. */
const WALK_STEP = 0.05;

const robots = [
  { robot: 'ur5e', file: 'scenes/waiter.yaml', base: 'base_link_inertia', reach: 0.85, shoulder: 0.16 },
  { robot: 'arm7', file: 'scenes/arm7-alcove.yaml', base: 'link0', reach: 0.85, shoulder: 0.33 },
] as const;

/** One scene of the bench: a problem with an upright start and goal and one tilt constraint. */
export interface TiltProblem {
  readonly robot: string;
  readonly index: number;
  /** The problem with the tilt limited to `within` radians. */
  readonly problem: (within: number) => Problem;
}

/**
 * Creates the seeded scenes: a table, five boxes, cylinders and spheres about the arm, a glass in the tool that is held
 * upwards, downwards or sideways, and an upright start and goal that projected steps connect
 * when collisions are ignored, and whose straight motion collides.
 */
export async function tiltProblems(count = SCENES): Promise<TiltProblem[]> {
  const out: TiltProblem[] = [];
  for (const [r, setting] of robots.entries()) {
    const loaded = await loadScene(setting.file);
    const model = createSceneRobot(loaded);
    for (let index = 0; index < count; index++) {
      const random = new Random(1000 * (r + 1) + index);
      const scene = drawScene(loaded.scene, model, setting, random, index);
      out.push({
        robot: setting.robot,
        index,
        problem: (within) => ({ robot: loaded.robot, model, scene: withTilt(scene, within) }),
      });
    }
  }
  return out;
}

const AXES = [
  [0, 0, 1],
  [0, 0, -1],
  [1, 0, 0],
] as const;

type Setting = (typeof robots)[number];

function drawScene(given: Scene, robot: RobotModel, setting: Setting, random: Random, index: number): Scene {
  const axis = AXES[index % AXES.length];
  for (;;) {
    const empty: Scene = {
      name: `${setting.robot} ${index}`,
      robot: given.robot,
      goals: [],
      equivalent: false,
      attached: [],
      allow: [['table', setting.base]],
      padding: 0,
      obstacles: drawObstacles(setting, random),
      constraints: [{ type: 'tilt', axis, towards: [0, 0, 1], within: ENDS_WITHIN }],
    };
    const ends = drawEnds(empty, robot, random);
    if (ends) return { ...empty, start: [...ends[0]], goals: [{ kind: 'joints', joints: [...ends[1]] }] };
  }
}

function drawObstacles({ reach, shoulder }: Setting, random: Random): Obstacle[] {
  const table: Obstacle = {
    name: 'table',
    parts: [{ shape: { type: 'box', size: [1.8, 1.8, 0.04] } }],
    pose: { xyz: [0, 0, -0.02], quat_wxyz: [1, 0, 0, 0] },
  };
  const others = Array.from({ length: OBSTACLES }, (_, i): Obstacle => {
    const [x, y] = ringPoint(0.3 * reach, 0.9 * reach, random);
    const isPost = i % 2 === 0;
    const height = isPost ? random.between(0.2, 0.7) : random.between(0.06, 0.2);
    const width = random.between(0.05, 0.14);
    const z = isPost ? height / 2 : random.between(shoulder, shoulder + 0.6 * reach);
    const shape =
      i === 4
        ? { type: 'sphere', radius: width }
        : i % 3 === 0
          ? { type: 'cylinder', radius: width / 2, length: height }
          : { type: 'box', size: [width, random.between(0.05, 0.3), height] };
    return {
      name: `obstacle ${i}`,
      parts: [{ shape } as Obstacle['parts'][number]],
      pose: { xyz: [x, y, z], quat_wxyz: [1, 0, 0, 0] },
    };
  });
  return [table, ...others];
}

/** Returns a random point of a ring about the base, by rejection. */
function ringPoint(inner: number, outer: number, random: Random): [number, number] {
  for (;;) {
    const x = random.between(-outer, outer);
    const y = random.between(-outer, outer);
    const radius = Math.sqrt(x * x + y * y);
    if (radius >= inner && radius <= outer) return [x, y];
  }
}

/** Draws a start and a goal; undefined if the obstacles leave too few states. */
function drawEnds(scene: Scene, robot: RobotModel, random: Random): [Configuration, Configuration] | undefined {
  const tool = new UprightTool(robot, axisOf(scene));
  const manager = new CollisionManager(new CollisionModel(robot, scene));
  const draw = () => {
    for (let i = 0; i < MAX_DRAWS; i++) {
      const q = Float64Array.from(robot.variables, ({ limits }) =>
        random.between(Math.max(limits.lower, -Math.PI), Math.min(limits.upper, Math.PI)),
      );
      if (tool.makeUpright(q, ENDS_WITHIN) && isNearZero(robot, q) && manager.isCollisionFree(q)) return q;
    }
    return undefined;
  };
  const start = draw();
  if (start === undefined) return undefined;
  const from = tool.originAt(start);
  for (let i = 0; i < MAX_GOALS; i++) {
    const goal = draw();
    if (goal === undefined || distance(from, tool.originAt(goal)) < MIN_TRAVEL) continue;
    if (isReached(tool, start, goal) && isBlocked(manager, start, goal)) return [start, goal];
  }
  return undefined;
}

/**
 * Returns true if projected steps lead from the start to the goal, collisions ignored: an upright UR5e, for example,
 * cannot turn its second wrist joint over.
 */
function isReached(tool: UprightTool, start: Configuration, goal: Configuration): boolean {
  const q = start.slice();
  for (let left = distance(q, goal); left > WALK_STEP; ) {
    const share = WALK_STEP / left;
    for (let j = 0; j < q.length; j++) q[j] += share * (goal[j] - q[j]);
    if (!tool.makeUpright(q, ENDS_WITHIN) || distance(q, goal) > left - WALK_STEP / 10) return false;
    left = distance(q, goal);
  }
  return true;
}

/** Returns true if a state of the straight motion collides: most of the problems are not trivial. */
function isBlocked(manager: CollisionManager, a: Configuration, b: Configuration): boolean {
  return Array.from({ length: 100 }, (_, k) => a.map((value, j) => value + ((b[j] - value) * k) / 100)).some(
    (q) => !manager.isCollisionFree(q),
  );
}

/** Within half a turn of zero, where all peers search. */
const isNearZero = (robot: RobotModel, q: Configuration) =>
  isWithinLimits(robot, q) && q.every((value) => Math.abs(value) <= Math.PI);

const axisOf = ({ constraints = [] }: Scene) => (constraints as readonly TiltConstraint[])[0].axis;

/** Limits of the tilt by name, radians. */
export const tilts = { '15 deg': (15 * Math.PI) / 180, '1 deg': Math.PI / 180 } as const;

function withTilt(scene: Scene, within: number): Scene {
  const tilt: TiltConstraint = { type: 'tilt', axis: axisOf(scene), towards: [0, 0, 1], within };
  return { ...scene, constraints: [tilt] };
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.sqrt(Array.from(a).reduce((sum, value, i) => sum + (value - b[i]) ** 2, 0));
}
