import type { Pose, RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import type { Random } from '../../../src/core/math/random.ts';

/** Arms of spheres for the attacks on the gate, and their kinematics by rotation matrices. */

export type Vec = [number, number, number];

/** A chain of joints; each link is a sphere on its x axis, where the next joint is. */
export interface OracleArm {
  readonly joints: readonly { readonly axis: 'x' | 'y' | 'z'; readonly slides: boolean }[];
  readonly lengths: readonly number[];
  readonly radius: number;
}

/** The arm of `test/core/world/oracle.ts`. */
export const threeJoints: OracleArm = {
  joints: (['z', 'y', 'y'] as const).map((axis) => ({ axis, slides: false })),
  lengths: [0.3, 0.4, 0.3],
  radius: 0.06,
};

/** Links whose indices differ by less are not checked against each other. */
export const FIRST_CHECKED = 3;

/** An arm of two to seven joints, some of which slide. */
export function randomArm(random: Random): OracleArm {
  const count = random.below(2) === 0 ? 7 : 2 + random.below(5);
  const axes = ['z', 'y', 'y', 'z', 'y', 'x', 'z'] as const;
  const joints = axes.slice(0, count).map((axis) => ({ axis, slides: random.below(4) === 0 }));
  return { joints, lengths: joints.map(() => random.between(0.15, count > 4 ? 0.25 : 0.45)), radius: 0.06 };
}

/** Greatest magnitude of the value of each joint. */
export const rangesOf = ({ joints }: OracleArm): number[] => joints.map(({ slides }) => (slides ? 0.5 : 7));

/** Bound on the speed of any point of the arm, and of a ball at its tip, if no joint is faster than `velocity`. */
export function speedBound({ joints, lengths }: OracleArm, velocity: number): number {
  return joints.reduce((sum, { slides }, i) => {
    const slidden = joints.slice(i + 1).filter((one) => one.slides).length * 0.5;
    const reach = lengths.slice(i).reduce((total, length) => total + length, 0.12 + slidden);
    return sum + velocity * (slides ? 1 : reach);
  }, 0);
}

/** Returns the centres of the spheres of all links, and the frame of the last one. */
export function posedArm({ joints, lengths }: OracleArm, q: readonly number[]) {
  let R = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  let origin: Vec = [0, 0, 0];
  const along = (x: number, y: number, z: number) =>
    origin.map((p, i) => p + R[3 * i] * x + R[3 * i + 1] * y + R[3 * i + 2] * z) as Vec;
  const centres = joints.map(({ axis, slides }, i) => {
    if (i > 0) origin = along(lengths[i - 1], 0, 0);
    if (slides) origin = along(axis === 'x' ? q[i] : 0, axis === 'y' ? q[i] : 0, axis === 'z' ? q[i] : 0);
    else R = product(R, turned(axis, q[i]));
    return along(lengths[i], 0, 0);
  });
  return { centres, origin, axes: [0, 1, 2].map((k) => [R[k], R[3 + k], R[6 + k]] as Vec) };
}

function turned(axis: 'x' | 'y' | 'z', angle: number): number[] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  if (axis === 'x') return [1, 0, 0, 0, c, -s, 0, s, c];
  return axis === 'y' ? [c, 0, s, 0, 1, 0, -s, 0, c] : [c, -s, 0, s, c, 0, 0, 0, 1];
}

const product = (a: readonly number[], b: readonly number[]): number[] =>
  Array.from({ length: 9 }, (_, k) => {
    const [row, column] = [3 * Math.floor(k / 3), k % 3];
    return a[row] * b[column] + a[row + 1] * b[3 + column] + a[row + 2] * b[6 + column];
  });

/** Returns an arm as a robot description. */
export function descriptionOf({ joints, lengths, radius }: OracleArm): RobotDescription {
  const at = (xyz: Vec): Pose => ({ xyz, quat_wxyz: [1, 0, 0, 0] });
  const near = joints.flatMap((_, i) =>
    joints.map((__, j) => [i, j]).filter(([a, b]) => b > a && b - a < FIRST_CHECKED),
  );
  const axes = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] } as const;
  return {
    name: 'arm',
    root: 'base',
    links: [
      { name: 'base', collisions: [] },
      ...lengths.map((length, i) => ({
        name: `link${i}`,
        collisions: [{ shape: { type: 'sphere', radius } as const, pose: at([length, 0, 0]), triangles: 0, source: 0 }],
      })),
    ],
    joints: joints.map(({ axis, slides }, i) => ({
      name: `joint${i}`,
      type: slides ? ('prismatic' as const) : ('revolute' as const),
      parent: i === 0 ? 'base' : `link${i - 1}`,
      child: `link${i}`,
      origin: at([i === 0 ? 0 : lengths[i - 1], 0, 0]),
      axis: axes[axis],
      lower: slides ? -0.5 : -7,
      upper: slides ? 0.5 : 7,
      velocity: 100,
      acceleration: 1e4,
    })),
    allowed: near.map(([a, b]) => [`link${a}`, `link${b}`, ''] as const),
    states: {},
    groups: {},
    warnings: [],
  };
}
