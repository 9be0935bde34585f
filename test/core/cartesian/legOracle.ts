import type { CartesianLeg } from '../../../src/core/cartesian/cartesianLeg.ts';
import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';

// Independent of the sources: kinematics by Rodrigues' formula on 3 × 4 matrices, Hermite interpolation, slerp by the
// matrix exponential, and the nearest point of a leg by a dense search.

type Matrix = readonly number[];
interface Frame {
  readonly link: number;
  readonly T_link_frame: ArrayLike<number>;
}

const multiply = (a: ArrayLike<number>, b: ArrayLike<number>): Matrix =>
  Array.from({ length: 12 }, (_, k) => {
    const [row, column] = [4 * Math.floor(k / 4), k % 4];
    const sum = a[row] * b[column] + a[row + 1] * b[4 + column] + a[row + 2] * b[8 + column];
    return column === 3 ? sum + a[row + 3] : sum;
  });

/** Rotation about a unit axis, without translation. */
function rotation([x, y, z]: ArrayLike<number> & Iterable<number>, angle: number): Matrix {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const t = 1 - c;
  return [
    t * x * x + c,
    t * x * y - s * z,
    t * x * z + s * y,
    0,
    t * x * y + s * z,
    t * y * y + c,
    t * y * z - s * x,
    0,
    t * x * z - s * y,
    t * y * z + s * x,
    t * z * z + c,
    0,
  ];
}

/** Pose of a frame on a link. */
export function toolPose(model: RobotModel, frame: Frame, q: ArrayLike<number>): Matrix {
  const chain: number[] = [];
  for (let l = frame.link; model.links[l].joint >= 0; l = model.links[l].parent) chain.unshift(model.links[l].joint);
  let T: Matrix = Array.from(model.T_world_root);
  for (const index of chain) {
    const { T_parent_joint, axis, type, variable, multiplier, offset } = model.joints[index];
    T = multiply(T, T_parent_joint);
    const value = variable < 0 ? offset : multiplier * q[variable] + offset;
    if (type === 'prismatic')
      T = multiply(T, [1, 0, 0, value * axis[0], 0, 1, 0, value * axis[1], 0, 0, 1, value * axis[2]]);
    else if (type !== 'fixed') T = multiply(T, rotation(axis, value));
  }
  return multiply(T, frame.T_link_frame);
}

/** Angle between two orientations. */
function angleBetween(A: ArrayLike<number>, B: ArrayLike<number>): number {
  let sum = 0;
  for (const k of [0, 1, 2, 4, 5, 6, 8, 9, 10]) sum += (A[k] - B[k]) ** 2;
  return 2 * Math.asin(Math.min(1, Math.sqrt(sum / 8)));
}

/** Pose of a leg at s, from its ends and, for an arc, from the positions that it states. */
export function legPose(leg: CartesianLeg, s: number): Matrix {
  const [A, B] = [leg.start, leg.end];
  const E = Array.from({ length: 9 }, (_, k) => {
    const [i, j] = [Math.floor(k / 3), k % 3];
    return B[4 * i] * A[4 * j] + B[4 * i + 1] * A[4 * j + 1] + B[4 * i + 2] * A[4 * j + 2];
  });
  const axis = [E[7] - E[5], E[2] - E[6], E[3] - E[1]];
  const sine = Math.hypot(...axis) / 2;
  const angle = Math.atan2(sine, (E[0] + E[4] + E[8] - 1) / 2);
  const R =
    sine === 0
      ? Array.from(A)
      : multiply(
          rotation(
            axis.map((x) => x / (2 * sine)),
            s * angle,
          ),
          A,
        );
  const out = Float64Array.from(A);
  if (leg.kind === 'arc') leg.poseAt(out, s);
  return R.map((value, k) => (k % 4 < 3 ? value : leg.kind === 'arc' ? out[k] : A[k] + s * (B[k] - A[k])));
}

/** Distance of the origins of two poses, and the angle between them, or between their z axes. */
export function deviation(T: Matrix, wanted: Matrix, isYawFree = false): { position: number; angle: number } {
  const chord = Math.hypot(T[2] - wanted[2], T[6] - wanted[6], T[10] - wanted[10]);
  return {
    position: Math.hypot(T[3] - wanted[3], T[7] - wanted[7], T[11] - wanted[11]),
    angle: isYawFree ? 2 * Math.asin(Math.min(1, chord / 2)) : angleBetween(T, wanted),
  };
}

/** Positions of a motion of cubics at a time. */
function positionsAt({ points }: Trajectory, t: number): number[] {
  const k = Math.max(
    1,
    points.findIndex((point) => point.time_from_start! >= t),
  );
  const [a, b] = [points[k - 1], points[k]];
  const T = b.time_from_start! - a.time_from_start!;
  const u = (t - a.time_from_start!) / T;
  const [h00, h10, h01, h11] = [(1 + 2 * u) * (1 - u) ** 2, u * (1 - u) ** 2, u * u * (3 - 2 * u), u * u * (u - 1)];
  return a.positions.map(
    (p, j) => h00 * p + h10 * T * a.velocities![j] + h01 * b.positions[j] + h11 * T * b.velocities![j],
  );
}

/**
 * Largest deviations of a motion from a leg over dense samples: at each, the fraction with the least weighted deviation
 * that does not precede the one before; and the largest speed of the origin by differences.
 */
export function legDeviation(
  { model, frame }: { readonly model: RobotModel; readonly frame: Frame },
  motion: Trajectory,
  leg: CartesianLeg,
  samples: number,
): { position: number; angle: number; speed: number } {
  const end = motion.points.at(-1)!.time_from_start!;
  const worst = { position: 0, angle: 0, speed: 0 };
  let s = 0;
  let before: Matrix | undefined;
  const cost = (T: Matrix, at: number) => {
    const { position, angle } = deviation(T, legPose(leg, at));
    return (position / 1e-4) ** 2 + (angle / 1e-3) ** 2;
  };
  for (let i = 0; i <= samples; i++) {
    const T = toolPose(model, frame, positionsAt(motion, (i / samples) * end));
    // ternary search between the fraction before and the end
    let [low, high] = [s, Math.min(1, s + 0.1)];
    for (let step = 0; step < 30; step++) {
      const [x, y] = [low + (high - low) / 3, high - (high - low) / 3];
      if (cost(T, x) < cost(T, y)) high = y;
      else low = x;
    }
    s = i === samples ? 1 : (low + high) / 2;
    const { position, angle } = deviation(T, legPose(leg, s));
    worst.position = Math.max(worst.position, position);
    worst.angle = Math.max(worst.angle, angle);
    if (before)
      worst.speed = Math.max(
        worst.speed,
        Math.hypot(T[3] - before[3], T[7] - before[7], T[11] - before[11]) / (end / samples),
      );
    before = T;
  }
  return worst;
}
