import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import type {
  JointDescription,
  JointType,
  LinkDescription,
  Pose,
  RobotModel,
} from '../../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';

type Uniform = () => number;

/** Random numbers in [0, 1). */
export const uniform = (seed: number): Uniform => {
  const source = new Random(seed);
  return () => source.next();
};

/** A random arm: turning, sliding, fixed and mimic joints in turned frames, branches, physical inertias, any mount. */
export function randomArm(seed: number): RobotModel {
  const random = uniform(seed);
  const between = (a: number, b: number) => a + (b - a) * random();
  const count = 3 + Math.floor(4 * random());
  const links: LinkDescription[] = [{ name: 'l0', collisions: [] }];
  const joints: JointDescription[] = [];
  for (let i = 1; i <= count; i++) {
    const pick = random();
    const type: JointType = pick < 0.65 ? 'revolute' : pick < 0.85 ? 'prismatic' : i === 1 ? 'revolute' : 'fixed';
    const leader = joints.find((joint) => joint.type !== 'fixed' && !joint.mimic);
    const isMimic = type !== 'fixed' && leader !== undefined && random() < 0.2;
    const lengths = [0, 1, 2].map(() => between(0.05, 0.3));
    const mass = between(0.3, 5);
    links.push({
      name: `l${i}`,
      collisions: [],
      inertial: {
        mass,
        center: [between(-0.1, 0.1), between(-0.1, 0.1), between(0, 0.2)],
        inertia: turned(
          rotation(random),
          lengths.map((_, k) => (mass / 12) * squares(lengths, k)),
        ),
      },
    });
    joints.push({
      name: `j${i}`,
      type,
      parent: `l${i > 2 && random() < 0.15 ? i - 2 : i - 1}`,
      child: `l${i}`,
      origin: { ...quaternionPose(random), xyz: [between(-0.2, 0.2), between(-0.2, 0.2), between(0, 0.4)] },
      axis: unit(random),
      lower: -2,
      upper: 2,
      velocity: 3,
      effort: 100,
      ...(random() < 0.3 && { drive: { armature: between(0, 0.5), damping: between(0, 2), friction: between(0, 3) } }),
      ...(isMimic && { mimic: { joint: leader.name, multiplier: between(-1.5, 1.5), offset: between(-0.5, 0.5) } }),
    });
  }
  const none = { allowed: [], states: {}, groups: {}, warnings: [] };
  const pose = { ...quaternionPose(random), xyz: [between(-1, 1), between(-1, 1), between(0, 1)] as const };
  return createRobotModel({ name: 'random', root: 'l0', links, joints, ...none }, { pose });
}

const squares = (lengths: readonly number[], k: number) =>
  lengths.reduce((sum, x, i) => (i === k ? sum : sum + x * x), 0);

function unit(random: Uniform): [number, number, number] {
  for (;;) {
    const v = [0, 1, 2].map(() => 2 * random() - 1);
    const length = Math.hypot(...v);
    if (length > 0.1 && length < 1) return v.map((x) => x / length) as [number, number, number];
  }
}

function quaternionPose(random: Uniform): Pose {
  const [x, y, z] = unit(random);
  const half = Math.PI * random();
  const s = Math.sin(half);
  return { xyz: [0, 0, 0], quat_wxyz: [Math.cos(half), x * s, y * s, z * s] };
}

function rotation(random: Uniform): number[][] {
  const [w, x, y, z] = quaternionPose(random).quat_wxyz;
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
}

function turned(R: readonly (readonly number[])[], d: readonly number[]): number[] {
  const at = (i: number, k: number) => [0, 1, 2].reduce((sum, m) => sum + R[i][m] * d[m] * R[k][m], 0);
  return [at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)];
}
