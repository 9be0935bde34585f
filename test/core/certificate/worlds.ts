import type { Certificate, CertificatePair, Span } from '../../../src/core/certificate/certificate.ts';
import type { CertifiedScene } from '../../../src/core/certificate/convexParts.ts';
import { createRobotModel, type RobotOptions } from '../../../src/core/kinematics/createRobotModel.ts';
import type { JointDescription, LinkDescription, Pose, RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { type CollisionObject, IDENTITY_POSE } from '../../../src/core/scene/scene.ts';
import type { ShapeSpec } from '../../../src/core/shapes/shape.ts';
import type { Trajectory, TrajectoryPoint } from '../../../src/core/trajectory/trajectory.ts';
import { trajectoryHash } from '../../../src/core/trajectory/trajectoryHash.ts';

/** A motion in a scene, and a certificate written by hand: what `verifyCertificate` takes. */
export interface World {
  readonly robot: RobotModel;
  readonly scene: CertifiedScene;
  readonly trajectory: Trajectory;
  readonly certificate: Certificate;
}

export const at = (x: number, y: number, z: number): Pose => ({ xyz: [x, y, z], quat_wxyz: [1, 0, 0, 0] });

/** A turn about z by `angle` at (x, y, z). */
export const turnedAt = (x: number, y: number, z: number, angle: number): Pose => ({
  xyz: [x, y, z],
  quat_wxyz: [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)],
});

export function link(name: string, ...shapes: [ShapeSpec, Pose?][]): LinkDescription {
  return {
    name,
    collisions: shapes.map(([shape, pose = IDENTITY_POSE], source) => ({ shape, pose, triangles: 0, source })),
  };
}

export function joint(
  type: JointDescription['type'],
  [parent, child]: readonly [string, string],
  axis: readonly [number, number, number],
  more: Partial<JointDescription> = {},
): JointDescription {
  return { name: `to_${child}`, type, parent, child, axis, origin: IDENTITY_POSE, ...more };
}

export function robotOf(
  links: readonly LinkDescription[],
  joints: readonly JointDescription[],
  options: RobotOptions = {},
): RobotModel {
  const root = links[0].name;
  return createRobotModel(
    { name: 'hand-made', root, links, joints, allowed: [], states: {}, groups: {}, warnings: [] },
    options,
  );
}

export const body = (name: string, pose: Pose, ...shapes: ShapeSpec[]): CollisionObject => ({
  name,
  pose,
  parts: shapes.map((shape) => ({ shape })),
});

/** The motion through the given points with the names of the robot's joints. */
export function motionOf(robot: RobotModel, points: readonly TrajectoryPoint[]): Trajectory {
  return { jointNames: robot.variables.map((variable) => variable.name), points };
}

export function pair(a: string, b: string, spans: readonly Span[], partA = 0, partB = 0): CertificatePair {
  return { a, partA, b, partB, spans };
}

export function certificateOf(trajectory: Trajectory, pairs: readonly CertificatePair[]): Certificate {
  const { points } = trajectory;
  return {
    format: 'elbowroom-certificate/1',
    trajectory: trajectoryHash(trajectory),
    duration: points.at(-1)?.time_from_start ?? points.length - 1,
    pairs,
  };
}

/**
 * A cube of 20 cm that slides along x from 0 to 1 m in 2 s, from rest to rest, beside a wall of 4 m that begins at y =
 * 0.15: the plane y = const leaves 5 cm.
 */
export function slidingBox(more: Partial<CertifiedScene> = {}): World {
  const robot = robotOf(
    [link('rail'), link('slider', [{ type: 'box', size: [0.2, 0.2, 0.2] }])],
    [joint('prismatic', ['rail', 'slider'], [1, 0, 0])],
  );
  const wall = body('wall', at(0.5, 0.2, 0), { type: 'box', size: [4, 0.1, 1] });
  const trajectory = motionOf(robot, [
    { time_from_start: 0, positions: [0], velocities: [0] },
    { time_from_start: 2, positions: [1], velocities: [0] },
  ]);
  return {
    robot,
    scene: { obstacles: [wall], attached: [], allow: [], padding: 0, ...more },
    trajectory,
    certificate: certificateOf(trajectory, [pair('slider', 'wall', [[0, 2, 0, 1, 0]])]),
  };
}
