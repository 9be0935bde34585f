import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import type { Pose, RobotDescription } from '../../../src/kinematics/robotModel.ts';
import { IDENTITY_POSE, type Scene } from '../../../src/scene/scene.ts';
import { type PlanOptions, planMotion } from '../../../src/tasks/planning/planMotion.ts';
import { prepareScene } from '../../../src/tasks/planning/preparedScene.ts';
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

describe('prepareScene', () => {
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

  test('keeps the preparation of a scene object until its content changes', () => {
    const problem = createProblem();
    const first = prepareScene(problem);
    expect(prepareScene(problem)).toBe(first);
    expect(prepareScene({ ...problem })).toBe(first);
    expect(prepareScene({ ...problem, model: first.robot })).not.toBe(first);
    expect(prepareScene(problem)).not.toBe(first);
    const again = prepareScene(problem);
    problem.scene.obstacles[0].pose.xyz[2] = -0; // was 0
    expect(prepareScene(problem)).not.toBe(again);
    expect(prepareScene({ ...problem, robot: structuredClone(problem.robot) })).not.toBe(again);
  });

  test('prepares scenes anew whose shapes are functions', () => {
    const problem = createProblem();
    const support = (out: Float64Array) => out.fill(0);
    problem.scene.obstacles[0].parts[0].shape = { type: 'support', support, points: DIAMOND } as never;
    problem.scene.obstacles[0].parts[0].shape = { type: 'box', size: [0.1, 1.4, 1], note: support };
    expect(prepareScene(problem)).not.toBe(prepareScene(problem));
  });

  test('keeps the preparations of a limited number of scenes', () => {
    const problem = createProblem();
    const first = prepareScene(problem);
    const others = Array.from({ length: 40 }, createProblem);
    for (const other of others) prepareScene(other);
    expect(prepareScene(others[39])).toBe(prepareScene(others[39]));
    expect(prepareScene(problem)).not.toBe(first);
  });

  test('gives a query within a callback of another one a collision manager of its own', () => {
    const problem = createProblem();
    const expected = outcomeOf(structuredClone(problem));
    let nested: unknown;
    let time = 0;
    const progress = () => {
      nested ??= outcomeOf(problem);
    };
    const clock = () => (time += 60);
    const outer = planMotion(problem, { ...options, timeLimit: 1e9 }, { clock, progress });
    expect(nested).toEqual(expected);
    expect(outer.trajectory?.points).toEqual((expected as { points: unknown }).points);
  });

  test('plans the same after queries with other checkers, seeds and edges', () => {
    const problem = createProblem();
    const variants: Partial<PlanOptions>[] = [
      { checker: 'gjk' },
      { edges: 'sampled' },
      { seed: 8 },
      { certificate: true },
      { planner: 'prm', iterations: 50 },
    ];
    for (const variant of [...variants, ...variants]) {
      const given = { ...options, ...variant };
      expect(outcomeOf(problem, given)).toEqual(outcomeOf(structuredClone(problem), given));
    }
  });
});

test('scenes that differ in start and goals share a preparation; those with other limits do not', () => {
  const problem = createProblem();
  const { scene, robot } = problem;
  const of = (change: object) => ({ robot, scene: { ...scene, ...change } as Scene });
  const first = prepareScene(of({}));
  expect(prepareScene(of({ start: [0.8, 0], goals: [{ kind: 'joints', joints: [-0.8, 0] }] }))).toBe(first);
  for (const change of [{ speed: 0.3 }, { tcpSpeed: 0.2 }, { constraints: [] }, { padding: 0.01 }, { name: 'other' }])
    expect(prepareScene(of(change))).not.toBe(first);
});

test('a change in place of one scene has no effect on another with the same obstacles', () => {
  const { scene, robot } = createProblem();
  const other = { ...scene };
  outcomeOf({ scene, robot });
  Object.assign(scene, { speed: 0.1 });
  const fresh = createProblem();
  expect(outcomeOf({ scene: other, robot })).toEqual(outcomeOf(fresh));
  expect(outcomeOf({ scene, robot })).toEqual(outcomeOf({ ...fresh, scene: { ...fresh.scene, speed: 0.1 } }));
});

test('of more than 32 preparations, the least recently used one is dropped', () => {
  const { scene, robot } = createProblem();
  const problems = Array.from({ length: 34 }, () => ({ robot, scene: { ...scene, obstacles: [...scene.obstacles] } }));
  const prepared = problems.slice(0, 32).map(prepareScene);
  prepareScene(problems[0]); // then the second one is the least recently used
  prepared.push(...problems.slice(32).map(prepareScene));
  const isKept = problems.map((problem, i) => i !== 1 && i !== 2 && prepareScene(problem) === prepared[i]);
  expect(isKept.flatMap((kept, i) => (kept ? [] : [i]))).toEqual([1, 2]);
  expect(prepareScene(problems[1])).not.toBe(prepared[1]);
});
