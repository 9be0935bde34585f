import type {
  CollisionDescription,
  JointDescription,
  JointType,
  LinkDescription,
  Pose,
  RobotDescription,
} from '../../src/core/kinematics/robotModel.ts';
import type { Random } from '../../src/core/math/random.ts';
import type { CollisionObject, Scene } from '../../src/core/scene/scene.ts';
import type { ShapeSpec } from '../../src/core/shapes/shape.ts';

/** A pose turned every which way, its origin within `reach` metres along each axis. */
export function randomPose(random: Random, reach: number): Pose {
  const part = () => random.between(-reach, reach);
  const turn = () => random.between(-1, 1);
  const xyz = [part(), part(), part()] as const;
  const [w, x, y, z] = [turn() + 2, turn(), turn(), turn()];
  const length = Math.sqrt(w * w + x * x + y * y + z * z);
  return { xyz, quat_wxyz: [w / length, x / length, y / length, z / length] };
}

/** Boxes, capsules, cylinders and hulls of about `size` metres. */
export function randomShape(random: Random, size: number): ShapeSpec {
  const length = () => size * random.between(0.2, 1);
  switch (random.below(5)) {
    case 0:
      return { type: 'box', size: [length(), length(), length()] };
    case 1:
      return { type: 'capsule', radius: length() / 3, length: length() };
    case 2:
      return { type: 'cylinder', radius: length() / 2, length: length() };
    case 3:
      return { type: 'sphere', radius: length() / 2, margin: length() / 10 };
    default:
      return {
        type: 'convex',
        points: Array.from({ length: 12 }, () => [0, 1, 2].map(() => size * random.between(-0.6, 0.6))),
      };
  }
}

/**
 * A tree of `count` joints with random placements, axes and bodies; most joints hang on the link before, some on an
 * earlier one. Turning, sliding and following joints are all there.
 */
export function randomRobot(random: Random, count: number): RobotDescription {
  const links: LinkDescription[] = [{ name: 'link0', collisions: randomParts(random) }];
  const joints: JointDescription[] = [];
  for (let i = 1; i <= count; i++) {
    const kind = random.next();
    const type: JointType = kind < 0.6 ? 'revolute' : kind < 0.75 ? 'prismatic' : kind < 0.9 ? 'continuous' : 'fixed';
    const axis = [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1) + 0.1];
    const length = Math.sqrt(axis[0] ** 2 + axis[1] ** 2 + axis[2] ** 2);
    const leader = joints.find((joint) => joint.type !== 'fixed' && !joint.mimic);
    joints.push({
      name: `joint${i}`,
      type,
      parent: `link${random.next() < 0.8 ? i - 1 : random.below(i)}`,
      child: `link${i}`,
      origin: randomPose(random, 0.4),
      axis: [axis[0] / length, axis[1] / length, axis[2] / length],
      ...(leader && leader.type === type && random.next() < 0.5
        ? { mimic: { joint: leader.name, multiplier: random.between(-1, 1), offset: random.between(-0.3, 0.3) } }
        : rangeOf(type)),
      velocity: 2,
    });
    links.push({ name: `link${i}`, collisions: randomParts(random) });
  }
  // One link must have some; no random number is drawn for it, so that the other robots stay as they are.
  if (links.every(({ collisions }) => collisions.length === 0)) links[count] = { ...links[count], collisions: [BOX] };
  return { name: 'random', root: 'link0', links, joints, allowed: [], states: {}, groups: {}, warnings: [] };
}

/** Range of a joint; joints that follow another one state none. */
const rangeOf = (type: JointType) =>
  type === 'revolute' ? { lower: -2.5, upper: 3 } : type === 'prismatic' ? { lower: -0.2, upper: 0.4 } : {};

const BOX: CollisionDescription = {
  shape: { type: 'box', size: [0.1, 0.1, 0.1] },
  pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] },
  triangles: 0,
  source: 0,
};

function randomParts(random: Random): CollisionDescription[] {
  return Array.from({ length: random.below(3) }, (_, source) => ({
    shape: randomShape(random, 0.3),
    pose: randomPose(random, 0.1),
    triangles: 0,
    source,
  }));
}

/** Obstacles scattered around the origin. */
export function randomObstacles(random: Random, count: number, reach: number): CollisionObject[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `obstacle${i}`,
    parts: [{ shape: randomShape(random, 0.4) }],
    pose: randomPose(random, reach),
  }));
}

/** What a collision model needs of a scene. */
export function sceneOf(
  obstacles: readonly CollisionObject[],
  more: Partial<Scene> = {},
): Pick<Scene, 'obstacles' | 'attached' | 'allow' | 'padding'> {
  return { obstacles, attached: [], allow: [], padding: 0, ...more };
}
