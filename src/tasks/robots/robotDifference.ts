import type { Pose, RobotDescription } from '../../core/kinematics/robotModel.ts';
import { robotAllowedPairs } from '../../core/scene/allowedCollisions.ts';
import type { ShapeSpec } from '../../core/shapes/shape.ts';

/** Tolerance of numbers, relative above 1 and absolute below: conversion to roll, pitch and yaw has rounding errors. */
const SAME = 1e-12;

/**
 * Compares the parts of two robots that planning uses: links with their convex parts, joints with their limits, and
 * allowed pairs; not the armature of joints, which URDF does not have. Returns the place of the first difference and
 * the two values; undefined if there is none.
 */
export function robotDifference(a: RobotDescription, b: RobotDescription): string | undefined {
  const plain = (robot: RobotDescription) => ({
    root: robot.root,
    links: robot.links.map(({ name, collisions }) => ({
      name,
      collisions: collisions.map(({ shape, pose, source }) => ({
        shape: shape.type === 'convex' ? sortedPoints(shape) : shape,
        pose: alignedPose(pose),
        source,
      })),
    })),
    joints: robot.joints.map(({ origin, axis, type, drive: { armature: _, ...drive } = {}, ...joint }) => ({
      ...joint,
      type,
      drive,
      origin: alignedPose(origin),
      ...(type === 'fixed' ? {} : { axis }),
    })),
    allowed: allowedNames(robot),
  });
  return difference(plain(a), plain(b), '');
}

/** Returns a convex shape with its vertices in an order of their own, without edges, which follow from them. */
function sortedPoints({ edges: _, points, ...shape }: ShapeSpec): object {
  const sorted = [...(points as readonly (readonly number[])[])].sort(
    (p, q) => p[0] - q[0] || p[1] - q[1] || p[2] - q[2],
  );
  return { ...shape, points: sorted };
}

/** Returns the pose with the quaternion whose first number that is not near zero is positive. */
function alignedPose({ xyz, quat_wxyz }: Pose): Pose {
  const first = quat_wxyz.find((x) => Math.abs(x) > SAME) ?? 1;
  const [w, x, y, z] = quat_wxyz;
  return { xyz, quat_wxyz: first < 0 ? [-w, -x, -y, -z] : [w, x, y, z] };
}

const allowedNames = (robot: RobotDescription): string[] =>
  robotAllowedPairs(robot)
    .list()
    .map(([a, b]) => [a, b].sort().join(' and '))
    .sort();

function difference(a: unknown, b: unknown, place: string): string | undefined {
  if (typeof a === 'number' && typeof b === 'number') {
    if (Object.is(a, b) || Math.abs(a - b) <= SAME * Math.max(1, Math.abs(a))) return undefined;
    return `${place}: ${a}, ${b}`;
  }
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null)
    return a === b ? undefined : `${place}: ${JSON.stringify(a)}, ${JSON.stringify(b)}`;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const key of keys) {
    const [left, right] = [a, b].map((one) => (one as Record<string, unknown>)[key]);
    const found = difference(left, right, place === '' ? key : `${place}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
