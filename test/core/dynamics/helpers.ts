import { BodyWorld, type BodyWorldOptions, type FixedPart } from '../../../src/core/dynamics/bodyWorld.ts';
import { type FreeBody, RigidBody } from '../../../src/core/dynamics/rigidBody.ts';
import { transformOfPose } from '../../../src/core/kinematics/pose.ts';
import type { Pose } from '../../../src/core/kinematics/robotModel.ts';
import { setRotationFromRpy } from '../../../src/core/math/quaternion.ts';
import { create } from '../../../src/core/math/transform.ts';
import { createShape } from '../../../src/core/shapes/index.ts';
import type { ShapeSpec } from '../../../src/core/shapes/shape.ts';

const IDENTITY = [1, 0, 0, 0] as const;
const wood: FreeBody = { density: 800, friction: 0.5, restitution: 0 };

/** A free body of one shape. */
export function bodyOf(
  shape: ShapeSpec,
  xyz: readonly [number, number, number] = [0, 0, 0],
  surface: Partial<FreeBody> = {},
  quat_wxyz: readonly [number, number, number, number] = IDENTITY,
): RigidBody {
  const body = new RigidBody([{ shape: createShape(shape), at: create() }], { ...wood, ...surface });
  body.setPose({ xyz: [...xyz], quat_wxyz: [...quat_wxyz] });
  return body;
}

/** The half-space below a plane through the origin, tilted about y by an angle: it descends along +x. */
export function slope(angle: number): FixedPart {
  return {
    shape: createShape({ type: 'halfspace', normal: [Math.sin(angle), 0, Math.cos(angle)] }),
    T_world: create(),
  };
}

/** A fixed shape. */
export function fixed(shape: ShapeSpec, pose: Pose): FixedPart {
  return { shape: createShape(shape), T_world: transformOfPose(pose) };
}

export function worldOf(
  parts: readonly FixedPart[],
  bodies: readonly RigidBody[],
  options: Partial<BodyWorldOptions> = {},
): BodyWorld {
  const world = new BodyWorld(parts, Math.min(...bodies.map((body) => body.size)), options);
  for (const body of bodies) world.add(body);
  return world;
}

/** Quaternion of a rotation about y. */
export const aboutY = (angle: number) => [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0] as const;

/** Rotation matrix by rows from roll, pitch, yaw. */
export function rotationOf(roll: number, pitch: number, yaw: number): number[][] {
  const T = create();
  setRotationFromRpy(T, roll, pitch, yaw);
  return [0, 4, 8].map((row) => [T[row], T[row + 1], T[row + 2]]);
}

export const G = 9.81;
