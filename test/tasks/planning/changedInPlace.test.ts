import { describe, expect, test } from 'vitest';
import type { Pose, RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import { IDENTITY_POSE, type Scene } from '../../../src/core/scene/scene.ts';
import { InputError } from '../../../src/errors.ts';
import { type PlanOptions, planMotion } from '../../../src/tasks/planning/planMotion.ts';
import type { Problem } from '../../../src/tasks/sceneRobot.ts';
import { slider } from '../slider.ts';

/** Data of a problem that may be changed in place. */
type Mutable<T> = { -readonly [K in keyof T]: Mutable<T[K]> };

const DIAMOND = [
  [0.1, 0, 0],
  [-0.1, 0, 0],
  [0, 0.1, 0],
  [0, -0.1, 0],
  [0, 0, 0.1],
  [0, 0, -0.1],
];

/** A pose that may be changed. */
const identity = (): Mutable<Pose> => structuredClone(IDENTITY_POSE) as Mutable<Pose>;

/** A slider, whose ball is a hull of points, between two walls with a gap. */
function createProblem(): { scene: Mutable<Scene>; robot: Mutable<RobotDescription> } {
  const robot = structuredClone(slider()) as Mutable<RobotDescription>;
  robot.links[3].collisions[0].shape = { type: 'convex', points: structuredClone(DIAMOND) };
  const wall = (name: string, y: number) => ({
    name,
    parts: [{ shape: { type: 'box', size: [0.1, 1.4, 1] } }],
    pose: { ...identity(), xyz: [0, y, 0] },
  });
  const scene = {
    name: 'walls',
    robot: { urdf: 'slider' },
    start: [-0.8, 0],
    goals: [{ kind: 'joints', joints: [0.8, 0] }],
    equivalent: false,
    obstacles: [wall('low', -1), wall('high', 0.9)],
    attached: [],
    allow: [],
    padding: 0,
  } as unknown as Mutable<Scene>;
  return { scene, robot };
}

const options: Partial<PlanOptions> = { seed: 3, iterations: 2000 };

/** What a query returns, times aside, or its error. */
function outcomeOf(problem: Problem, given = options): unknown {
  try {
    const { status, reason, trajectory, stats } = planMotion(problem, given);
    return { status, reason, points: trajectory?.points, stats };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return String(error);
  }
}

type Change = (problem: ReturnType<typeof createProblem>) => void;
const changes: Record<string, Change> = {
  'a coordinate of a pose': ({ scene }) => {
    scene.obstacles[0].pose.xyz[1] = -0.82;
  },
  'a pose': ({ scene }) => {
    scene.obstacles[1].pose = { xyz: [0.3, 0.9, 0], quat_wxyz: [1, 0, 0, 0] };
  },
  'a size in its list': ({ scene }) => {
    (scene.obstacles[0].parts[0].shape.size as number[])[1] = 2.1;
  },
  'a type of shape': ({ scene }) => {
    scene.obstacles[0].parts[0].shape = { type: 'sphere', radius: 0.9 };
  },
  'a rounding radius': ({ scene }) => {
    Object.assign(scene.obstacles[0].parts[0].shape, { margin: 0.25 });
  },
  'another obstacle in the list': ({ scene }) => {
    scene.obstacles.push({
      ...structuredClone(scene.obstacles[0]),
      name: 'third',
      pose: identity(),
    });
  },
  'an obstacle less': ({ scene }) => {
    scene.obstacles.pop();
    scene.obstacles.pop();
  },
  padding: ({ scene }) => {
    scene.padding = 0.06;
  },
  'an allowed pair': ({ scene }) => {
    scene.allow.push(['ball', 'low'], ['ball', 'high']);
  },
  'a name that an allowed pair does not know': ({ scene }) => {
    scene.allow.push(['ball', 'lower']);
  },
  'an attached object': ({ scene }) => {
    const shape = { type: 'box', size: [0.4, 0.15, 0.1] };
    scene.attached.push({
      name: 'load',
      parts: [{ shape }],
      pose: identity(),
      link: 'ball',
      touches: [],
    });
  },
  'the pose of the robot': ({ scene }) => {
    scene.robot.pose = { xyz: [0, 0.15, 0], quat_wxyz: [1, 0, 0, 0] };
  },
  'a fixed joint': ({ scene }) => {
    Object.assign(scene.robot, { joints: ['x'], fixed: { y: 0.1 } });
    Object.assign(scene, { start: [-0.8], goals: [{ kind: 'joints', joints: [0.8] }] });
  },
  'a limit of the scene': ({ scene }) => {
    scene.robot.limits = { x: { velocity: 0.2 } };
  },
  'a joint of the robot': ({ robot }) => {
    robot.joints[1] = { ...robot.joints[1], velocity: 0.3 };
  },
  'an axis of the robot': ({ robot }) => {
    robot.joints[2].axis = [0, -1, 0];
  },
  'a point of a hull': ({ robot }) => {
    (robot.links[3].collisions[0].shape.points as number[][])[2][1] = 0.26;
  },
  'the pose of a link': ({ robot }) => {
    robot.links[3].collisions[0].pose = { xyz: [0, 0.15, 0], quat_wxyz: [1, 0, 0, 0] };
  },
  'a disabled pair of the robot': ({ robot }) => {
    robot.allowed.push(['ball', 'low', 'Never']);
  },
  'an object to be dropped': ({ scene }) => {
    Object.assign(scene, { drop: { count: 1 } });
  },
};

describe('planMotion', () => {
  test.each(Object.entries(changes))('plans with the scene as it is after a change of %s', (what, change) => {
    const problem = createProblem();
    const before = outcomeOf(problem);
    expect(outcomeOf(problem)).toEqual(before);
    change(problem);
    const fresh = outcomeOf(structuredClone(problem));
    if (what !== 'a disabled pair of the robot') expect(fresh).not.toEqual(before);
    expect(outcomeOf(problem)).toEqual(fresh);
    expect(outcomeOf(problem)).toEqual(fresh);
  });
});
