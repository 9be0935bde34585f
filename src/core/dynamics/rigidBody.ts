import { combined, inertiaOf, type VolumeIntegrals, volumeIntegrals } from '../hulls/massProperties.ts';
import type { Pose } from '../kinematics/robotModel.ts';
import { setRotationFromQuaternion } from '../math/quaternion.ts';
import { create as createTransform, type Transform } from '../math/transform.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { inverseOf, turn } from './bodyAlgebra.ts';

/** Convex part of a body. */
export interface BodyPart {
  /** Shape of the part. */
  readonly shape: ConvexShape;
  /** Pose in the frame of the body. */
  readonly at: Transform;
}

/** Surface and mass of a free body. */
export interface FreeBody {
  /** Mass in kg; undefined: `density` times the volume. */
  readonly mass?: number;
  /** Density in kg/m³; ignored if `mass` is given. */
  readonly density?: number;
  /** Coefficient of Coulomb friction, 0 or more. */
  readonly friction: number;
  /** Coefficient of restitution, 0 to 1. */
  readonly restitution: number;
}

/** Integrates the parts of a body: overlaps of parts count twice. */
export function bodyIntegrals(parts: readonly BodyPart[]): VolumeIntegrals {
  return combined(parts.map(({ shape, at }) => ({ own: volumeIntegrals(shape), at })));
}

/**
 * Free rigid body. Position `x, y, z` is that of the center of mass in the world, velocities are those of the center of
 * mass and of rotation, in world axes.
 */
export class RigidBody {
  /** Mass in kg. */
  readonly mass: number;
  /** 1 / mass. */
  readonly inverseMass: number;
  readonly friction: number;
  readonly restitution: number;
  /** Radius of a sphere about the center of mass that contains the body, metres. */
  readonly radius: number;
  /** Half of the smallest extent of the bounding box of the smallest part, metres: the scale of tolerances. */
  readonly size: number;

  x = 0;
  y = 0;
  z = 0;
  vx = 0;
  vy = 0;
  vz = 0;
  wx = 0;
  wy = 0;
  wz = 0;
  /** Velocity, and angular velocity, that separates overlapping bodies in one substep and adds no momentum. */
  readonly push = new Float64Array(6);
  /** Unit quaternion w, x, y, z of the body frame in the world. */
  readonly q = Float64Array.of(1, 0, 0, 0);
  /** Pose of the body frame in the world; `updatePose` computes it from the state. */
  readonly T_world_body = createTransform();
  /** Inverse of the inertia tensor in world axes, xx, yy, zz, xy, xz, yz; `updatePose` computes it. */
  readonly inverseInertia = new Float64Array(6);

  /** Center of mass in the frame of the body. */
  private readonly center: readonly [number, number, number];
  /** Inertia tensor and its inverse in the axes of the body. */
  private readonly ownInertia: readonly number[];
  private readonly ownInverse: readonly number[];
  private readonly momentum = new Float64Array(3);

  constructor(
    /** Parts in the frame of the body. */
    readonly parts: readonly BodyPart[],
    { mass, density = 0, friction, restitution }: FreeBody,
    { volume, center, moments }: VolumeIntegrals = bodyIntegrals(parts),
  ) {
    const ratio = mass === undefined ? density : mass / volume;
    this.mass = mass ?? density * volume;
    this.inverseMass = 1 / this.mass;
    this.friction = friction;
    this.restitution = restitution;
    this.center = center;
    this.ownInertia = inertiaOf(moments).map((one) => ratio * one);
    this.ownInverse = inverseOf(this.ownInertia);
    this.radius = radiusAbout(parts, center);
    this.size = Math.min(...parts.map(({ shape: { bounds } }) => halfWidth(bounds)));
  }

  /** Sets the pose of the body frame; velocities stay. */
  setPose({ xyz, quat_wxyz }: Pose): void {
    const T = this.T_world_body;
    setRotationFromQuaternion(T, quat_wxyz);
    const norm = lengthOf(quat_wxyz);
    for (let k = 0; k < 4; k++) this.q[k] = quat_wxyz[k] / norm;
    const [cx, cy, cz] = this.center;
    this.x = xyz[0] + T[0] * cx + T[1] * cy + T[2] * cz;
    this.y = xyz[1] + T[4] * cx + T[5] * cy + T[6] * cz;
    this.z = xyz[2] + T[8] * cx + T[9] * cy + T[10] * cz;
    this.updatePose();
  }

  /** Pose of the body frame; the quaternion has unit length and w >= 0. */
  get pose(): Pose {
    const [w, x, y, z] = this.q;
    const norm = (w < 0 ? -1 : 1) * lengthOf(this.q);
    const T = this.T_world_body;
    return { xyz: [T[3], T[7], T[11]], quat_wxyz: [w / norm, x / norm + 0, y / norm + 0, z / norm + 0] };
  }

  /** Sets all velocities to 0. */
  stop(): void {
    this.vx = this.vy = this.vz = this.wx = this.wy = this.wz = 0;
  }

  /** Speed in m/s that no point of the body exceeds. */
  get maxSpeed(): number {
    const { vx, vy, vz, wx, wy, wz, radius } = this;
    return Math.sqrt(vx * vx + vy * vy + vz * vz) + radius * Math.sqrt(wx * wx + wy * wy + wz * wz);
  }

  /**
   * Moves the body for h seconds without forces. The angular momentum is conserved exactly; the rotation is that of the
   * midpoint rule, which is of second order.
   */
  advance(h: number): void {
    this.x += h * this.vx;
    this.y += h * this.vy;
    this.z += h * this.vz;
    const { momentum, q } = this;
    this.angularMomentum(momentum);
    const w = q[0];
    const x = q[1];
    const y = q[2];
    const z = q[3];
    turn(q, 0.25 * h, this.wx, this.wy, this.wz);
    this.updateRotation();
    this.velocityOf(momentum);
    q[0] = w;
    q[1] = x;
    q[2] = y;
    q[3] = z;
    turn(q, 0.5 * h, this.wx, this.wy, this.wz);
    this.updatePose();
    this.velocityOf(momentum);
  }

  /** Moves the body by `push` for h seconds, and sets it to 0. Velocities stay. */
  advancePush(h: number): void {
    const { push, q } = this;
    this.x += h * push[0];
    this.y += h * push[1];
    this.z += h * push[2];
    turn(q, 0.5 * h, push[3], push[4], push[5]);
    push.fill(0);
    this.updatePose();
  }

  /** As `applyImpulse`, but changes `push`. */
  applyPush(jx: number, jy: number, jz: number, rx: number, ry: number, rz: number): void {
    const { push, inverseMass: m, inverseInertia: I } = this;
    const x = ry * jz - rz * jy;
    const y = rz * jx - rx * jz;
    const z = rx * jy - ry * jx;
    push[0] += m * jx;
    push[1] += m * jy;
    push[2] += m * jz;
    push[3] += I[0] * x + I[3] * y + I[4] * z;
    push[4] += I[3] * x + I[1] * y + I[5] * z;
    push[5] += I[4] * x + I[5] * y + I[2] * z;
  }

  /** Kinetic energy in J. */
  get kineticEnergy(): number {
    const { vx, vy, vz, wx, wy, wz, momentum } = this;
    this.angularMomentum(momentum);
    const spin = wx * momentum[0] + wy * momentum[1] + wz * momentum[2];
    return 0.5 * (this.mass * (vx * vx + vy * vy + vz * vz) + spin);
  }

  /** Writes the angular momentum about the center of mass, kg m²/s, to `out`: R I Rᵀ ω. */
  angularMomentum(out: Float64Array): void {
    const T = this.T_world_body;
    const [xx, yy, zz, xy, xz, yz] = this.ownInertia;
    const { wx, wy, wz } = this;
    const a = T[0] * wx + T[4] * wy + T[8] * wz;
    const b = T[1] * wx + T[5] * wy + T[9] * wz;
    const c = T[2] * wx + T[6] * wy + T[10] * wz;
    const la = xx * a + xy * b + xz * c;
    const lb = xy * a + yy * b + yz * c;
    const lc = xz * a + yz * b + zz * c;
    out[0] = T[0] * la + T[1] * lb + T[2] * lc;
    out[1] = T[4] * la + T[5] * lb + T[6] * lc;
    out[2] = T[8] * la + T[9] * lb + T[10] * lc;
  }

  /** Adds the impulse (jx, jy, jz), N s, at the point (rx, ry, rz) relative to the center of mass. */
  applyImpulse(jx: number, jy: number, jz: number, rx: number, ry: number, rz: number): void {
    const m = this.inverseMass;
    this.vx += m * jx;
    this.vy += m * jy;
    this.vz += m * jz;
    this.applyTwist(ry * jz - rz * jy, rz * jx - rx * jz, rx * jy - ry * jx);
  }

  /** Adds an angular impulse, N m s. */
  applyTwist(x: number, y: number, z: number): void {
    const I = this.inverseInertia;
    this.wx += I[0] * x + I[3] * y + I[4] * z;
    this.wy += I[3] * x + I[1] * y + I[5] * z;
    this.wz += I[4] * x + I[5] * y + I[2] * z;
  }

  /** Computes the pose and the inertia tensor in world axes from position and quaternion. */
  updatePose(): void {
    this.updateRotation();
    const T = this.T_world_body;
    const [cx, cy, cz] = this.center;
    T[3] = this.x - (T[0] * cx + T[1] * cy + T[2] * cz);
    T[7] = this.y - (T[4] * cx + T[5] * cy + T[6] * cz);
    T[11] = this.z - (T[8] * cx + T[9] * cy + T[10] * cz);
  }

  private updateRotation(): void {
    const T: Transform = this.T_world_body;
    const w = this.q[0];
    const x = this.q[1];
    const y = this.q[2];
    const z = this.q[3];
    T[0] = 1 - 2 * (y * y + z * z);
    T[1] = 2 * (x * y - w * z);
    T[2] = 2 * (x * z + w * y);
    T[4] = 2 * (x * y + w * z);
    T[5] = 1 - 2 * (x * x + z * z);
    T[6] = 2 * (y * z - w * x);
    T[8] = 2 * (x * z - w * y);
    T[9] = 2 * (y * z + w * x);
    T[10] = 1 - 2 * (x * x + y * y);
    const [xx, yy, zz, xy, xz, yz] = this.ownInverse;
    const I = this.inverseInertia;
    for (let m = 0; m < 6; m++) {
      const i = m < 3 ? 4 * m : m < 5 ? 0 : 4;
      const j = m < 3 ? 4 * m : m < 4 ? 4 : 8;
      const a = xx * T[j] + xy * T[j + 1] + xz * T[j + 2];
      const b = xy * T[j] + yy * T[j + 1] + yz * T[j + 2];
      const c = xz * T[j] + yz * T[j + 1] + zz * T[j + 2];
      I[m] = T[i] * a + T[i + 1] * b + T[i + 2] * c;
    }
  }

  /** Sets ω = I⁻¹ L for the current rotation. */
  private velocityOf(momentum: Float64Array): void {
    this.wx = this.wy = this.wz = 0;
    this.applyTwist(momentum[0], momentum[1], momentum[2]);
  }
}

/** Distance of the farthest vertex of the bounding boxes of the parts from a point. */
function radiusAbout(parts: readonly BodyPart[], center: readonly number[]): number {
  let radius = 0;
  for (const { shape, at } of parts) {
    const [x, y, z] = [0, 1, 2].map((k) => at[4 * k + 3] - center[k]);
    const toOrigin = Math.sqrt(x * x + y * y + z * z) + lengthOf(shape.center);
    radius = Math.max(radius, toOrigin + shape.outerRadius);
  }
  return radius;
}

const halfWidth = (bounds: Float64Array): number =>
  Math.min(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]) / 2;

function lengthOf(list: ArrayLike<number>): number {
  let squared = 0;
  for (let i = 0; i < list.length; i++) squared += list[i] * list[i];
  return Math.sqrt(squared);
}
