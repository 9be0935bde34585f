import { linkPoses } from '../../../../src/core/certificate/linkPoses.ts';
import { poseOfTransform } from '../../../../src/core/kinematics/pose.ts';
import type { RobotModel } from '../../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import type { CollisionObject, Scene } from '../../../../src/core/scene/scene.ts';
import { edgeValidations } from '../../../../src/tasks/planning/edgeValidation.ts';
import { planningSpace } from '../../../../src/tasks/planning/planningSpace.ts';
import { stillWorld } from '../../../../src/tasks/world.ts';
import { at, body, joint, link, robotOf } from '../../../core/certificate/worlds.ts';

/** A planar arm of boxes with posts around it, and a motion that folds it, turns the first joint, and unfolds it. */
export interface PlanarCase {
  readonly robot: RobotModel;
  readonly posts: readonly { readonly angle: number; readonly radius: number }[];
  readonly motion: readonly (readonly number[])[];
}

/** A planar arm whose links are boxes. */
export function planarArm(lengths: readonly number[], width: number, ranges: readonly number[]): RobotModel {
  const names = ['base', ...lengths.map((_, i) => `link${i + 1}`)];
  return robotOf(
    [
      link('base'),
      ...lengths.map((l, i) => link(names[i + 1], [{ type: 'box', size: [l, width, 0.04] }, at(l / 2, 0, 0)])),
    ],
    lengths.map((_, i) =>
      joint('revolute', [names[i], names[i + 1]], [0, 0, 1], {
        origin: at(i === 0 ? 0 : lengths[i - 1], 0, 0),
        ...(Number.isFinite(ranges[i]) ? { lower: -ranges[i], upper: ranges[i] } : {}),
        velocity: 2,
      }),
    ),
  );
}

export const post = (name: string, angle: number, radius: number): CollisionObject =>
  body(name, at(radius * Math.cos(angle), radius * Math.sin(angle), 0), {
    type: 'cylinder',
    radius: 0.015,
    length: 0.1,
  });

export function sceneOf(
  start: readonly number[],
  goal: readonly number[],
  obstacles: readonly CollisionObject[],
): Scene {
  return {
    name: 'planar',
    robot: { urdf: '' },
    obstacles,
    attached: [],
    allow: [],
    padding: 0,
    start,
    goals: [{ kind: 'joints', joints: goal }],
  } as unknown as Scene;
}

/** The scene with the pose of the last link in a state as its goal. */
export function poseGoalScene(robot: RobotModel, scene: Scene, q: readonly number[]): Scene {
  const last = robot.links.length - 1;
  const T = linkPoses(robot, Float64Array.from(q))[last];
  const tolerance = { position: 1e-4, angle: 1e-3 };
  return {
    ...scene,
    goals: [{ kind: 'pose', pose: { link: robot.links[last].name, ...poseOfTransform(T), tolerance } }],
  };
}

export function randomCase(seed: number): PlanarCase {
  const random = new Random(seed);
  const count = 2 + random.below(2);
  const lengths = Array.from({ length: count }, () => random.between(0.2, 0.45));
  const ranges = [
    random.below(2) === 0 ? Number.POSITIVE_INFINITY : random.between(2.6, 3.1),
    ...lengths.slice(1).map(() => random.between(1.9, 2.6)),
  ];
  const robot = planarArm(lengths, random.between(0.03, 0.06), ranges);
  const angle = random.between(-0.5, 0.5);
  const ends = [angle - random.between(0.5, 1.2), angle + random.between(0.5, 1.2)];
  const others = () => ranges.slice(1).map((range) => random.between(-range, range));
  const fold = ranges.slice(1).map((range, i) => (i === 0 ? range - 0.01 : random.between(-1, 1)));
  const [start, goal] = random.below(2) === 0 ? ends : ends.toReversed();
  const second =
    random.below(2) === 0 ? [] : [{ angle: angle + 2 * random.between(0.8, 1.2), radius: random.between(0.1, 0.5) }];
  return {
    robot,
    posts: [{ angle, radius: lengths[0] + random.between(-0.15, 0.12) }, ...second],
    motion: [
      [start, ...others()],
      [start, ...fold],
      [goal, ...fold],
      [goal, ...others()],
    ],
  };
}

/** Returns true if straight edges through the states are certified. */
export function isMotionValid(robot: RobotModel, scene: Scene, states: readonly (readonly number[])[]): boolean {
  return stillWorld(robot, scene).query(scene, 'growth-distance', undefined, ({ manager, provers }) => {
    const motions = edgeValidations.certified.create(manager, planningSpace(robot), 0.02, () => false, { provers });
    return (
      states.every((q) => motions.isStateValid(Float64Array.from(q))) &&
      states.slice(1).every((q, i) => motions.isMotionValid(Float64Array.from(states[i]), Float64Array.from(q)))
    );
  });
}
