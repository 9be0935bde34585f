import { create } from '../math/vec3.ts';
import { axes } from './contactManifold.ts';
import type { RigidBody } from './rigidBody.ts';

const u = create();
const v = create();
const n = create();
const pointA = create();
const pointB = create();

/**
 * One point of contact between two bodies with its impulses. A fixed body is undefined. `n` points from A to B. Pooled
 * by its pair, so that impulses persist from step to step (warm start).
 */
export class Contact {
  a: RigidBody | undefined = undefined;
  b: RigidBody | undefined = undefined;
  friction = 0;
  restitution = 0;
  /** Normal, and two tangents. */
  nx = 0;
  ny = 0;
  nz = 0;
  ux = 0;
  uy = 0;
  uz = 0;
  vx = 0;
  vy = 0;
  vz = 0;
  /** Arms: the point relative to both centers of mass; and the point at the start of the step. World axes. */
  ax = 0;
  ay = 0;
  az = 0;
  bx = 0;
  by = 0;
  bz = 0;
  px = 0;
  py = 0;
  pz = 0;
  /** Nearest point of each body in its axes, relative to its center of mass. */
  private readonly localA = create();
  private readonly localB = create();
  /** Gap at the start of the step, metres; negative: overlap. */
  gap = 0;
  /** Gap of the state; `updateGap` computes it. */
  currentGap = 0;
  /** Approach speed along the normal at the start of the step, m/s; negative: approaching. */
  startSpeed = 0;
  /** Accumulated impulses in N s: along the normal and both tangents. */
  normalImpulse = 0;
  tangentImpulseU = 0;
  tangentImpulseV = 0;
  /** Accumulated impulse of `solvePush` in this substep. */
  pushImpulse = 0;
  /** Largest normal impulse of the step. */
  maxImpulse = 0;
  /** Effective masses, kg: of the normal, and the inverse of the 2 × 2 matrix of the tangents. */
  normalMass = 0;
  tangentUU = 0;
  tangentUV = 0;
  tangentVV = 0;
  /** Inverse of the larger eigenvalue of the matrix of the tangents. */
  slidingMass = 0;

  /** Sets geometry and effective masses; impulses stay. */
  prepare(normal: Float64Array, points: Float64Array, offset: number, gap: number): void {
    const { a, b } = this;
    n[0] = this.nx = normal[0];
    n[1] = this.ny = normal[1];
    n[2] = this.nz = normal[2];
    axes(u, v, n);
    this.ux = u[0];
    this.uy = u[1];
    this.uz = u[2];
    this.vx = v[0];
    this.vy = v[1];
    this.vz = v[2];
    this.px = points[offset];
    this.py = points[offset + 1];
    this.pz = points[offset + 2];
    if (a !== undefined) {
      this.ax = this.px - a.x;
      this.ay = this.py - a.y;
      this.az = this.pz - a.z;
    }
    if (b !== undefined) {
      this.bx = this.px - b.x;
      this.by = this.py - b.y;
      this.bz = this.pz - b.z;
    }
    this.gap = gap;
    this.currentGap = gap;
    this.writeFixedPoint(pointA, -0.5);
    this.writeFixedPoint(pointB, 0.5);
    if (a !== undefined) toLocal(this.localA, a, pointA);
    if (b !== undefined) toLocal(this.localB, b, pointB);
    this.maxImpulse = 0;
    this.computeMasses();
    this.startSpeed = this.speedAlong(this.nx, this.ny, this.nz);
  }

  /**
   * Computes the gap of the current state from the points that were nearest at the start of the step. Arms turn with
   * neither body: the point of contact of a ball that rolls stays below its center. Between two free bodies they follow
   * the middle of both points, so that impulses conserve angular momentum.
   */
  updateGap(): void {
    const { a, b } = this;
    if (a !== undefined) toWorld(pointA, a, this.localA);
    else this.writeFixedPoint(pointA, -0.5);
    if (b !== undefined) toWorld(pointB, b, this.localB);
    else this.writeFixedPoint(pointB, 0.5);
    const { nx, ny, nz } = this;
    this.currentGap = nx * (pointB[0] - pointA[0]) + ny * (pointB[1] - pointA[1]) + nz * (pointB[2] - pointA[2]);
    if (a === undefined || b === undefined) return;
    const x = 0.5 * (b.x + this.bx - a.x - this.ax);
    const y = 0.5 * (b.y + this.by - a.y - this.ay);
    const z = 0.5 * (b.z + this.bz - a.z - this.az);
    this.ax += x;
    this.ay += y;
    this.az += z;
    this.bx -= x;
    this.by -= y;
    this.bz -= z;
  }

  /** Writes the point on a fixed surface: that many gaps from the middle, along the normal. */
  private writeFixedPoint(out: Float64Array, side: number): void {
    out[0] = this.px + side * this.gap * this.nx;
    out[1] = this.py + side * this.gap * this.ny;
    out[2] = this.pz + side * this.gap * this.nz;
  }

  /** Velocity of B relative to A at the point, along a direction, m/s. */
  speedAlong(x: number, y: number, z: number): number {
    const { a, b } = this;
    let speed = 0;
    if (b !== undefined) {
      speed += x * (b.vx + b.wy * this.bz - b.wz * this.by);
      speed += y * (b.vy + b.wz * this.bx - b.wx * this.bz);
      speed += z * (b.vz + b.wx * this.by - b.wy * this.bx);
    }
    if (a !== undefined) {
      speed -= x * (a.vx + a.wy * this.az - a.wz * this.ay);
      speed -= y * (a.vy + a.wz * this.ax - a.wx * this.az);
      speed -= z * (a.vz + a.wx * this.ay - a.wy * this.ax);
    }
    return speed;
  }

  /** Applies the impulse j to B and −j to A. */
  apply(jx: number, jy: number, jz: number): void {
    this.b?.applyImpulse(jx, jy, jz, this.bx, this.by, this.bz);
    this.a?.applyImpulse(-jx, -jy, -jz, this.ax, this.ay, this.az);
  }

  /** Applies the accumulated impulses: the warm start. */
  applyAccumulated(): void {
    this.applyComponents(this.normalImpulse, this.tangentImpulseU, this.tangentImpulseV);
  }

  /** Applies impulses along the normal and both tangents in addition. */
  add(normal: number, u: number, v: number): void {
    this.normalImpulse += normal;
    this.tangentImpulseU += u;
    this.tangentImpulseV += v;
    this.applyComponents(normal, u, v);
  }

  private applyComponents(j: number, s: number, t: number): void {
    this.apply(
      j * this.nx + s * this.ux + t * this.vx,
      j * this.ny + s * this.uy + t * this.vy,
      j * this.nz + s * this.uz + t * this.vz,
    );
  }

  /** Changes the normal impulse such that the speed along the normal becomes `target`; it stays 0 or more. */
  solveNormal(target: number): void {
    const speed = this.speedAlong(this.nx, this.ny, this.nz);
    const next = Math.max(0, this.normalImpulse - this.normalMass * (speed - target));
    const j = next - this.normalImpulse;
    this.normalImpulse = next;
    if (next > this.maxImpulse) this.maxImpulse = next;
    this.apply(j * this.nx, j * this.ny, j * this.nz);
  }

  /** Separates overlapping bodies at the given speed, by an impulse of 0 or more that adds no momentum. */
  solvePush(target: number): void {
    const { a, b, nx, ny, nz } = this;
    let speed = 0;
    if (b !== undefined) speed += pushSpeed(b.push, this.bx, this.by, this.bz, nx, ny, nz);
    if (a !== undefined) speed -= pushSpeed(a.push, this.ax, this.ay, this.az, nx, ny, nz);
    const next = Math.max(0, this.pushImpulse - this.normalMass * (speed - target));
    const j = next - this.pushImpulse;
    this.pushImpulse = next;
    if (j === 0) return;
    b?.applyPush(j * nx, j * ny, j * nz, this.bx, this.by, this.bz);
    a?.applyPush(-j * nx, -j * ny, -j * nz, this.ax, this.ay, this.az);
  }

  /**
   * Stops sliding, by a tangential impulse within the circle of Coulomb friction. If the impulse that would stop it is
   * outside, the contact slides: a step with a scalar mass, so that the impulse becomes opposite to the sliding.
   */
  solveFriction(): void {
    const su = this.speedAlong(this.ux, this.uy, this.uz);
    const sv = this.speedAlong(this.vx, this.vy, this.vz);
    let ju = this.tangentImpulseU - (this.tangentUU * su + this.tangentUV * sv);
    let jv = this.tangentImpulseV - (this.tangentUV * su + this.tangentVV * sv);
    // Extrapolated impulses may be negative before their next projection.
    const limit = Math.max(0, this.friction * this.normalImpulse);
    if (ju * ju + jv * jv > limit * limit) {
      ju = this.tangentImpulseU - this.slidingMass * su;
      jv = this.tangentImpulseV - this.slidingMass * sv;
      const length = Math.sqrt(ju * ju + jv * jv);
      const factor = length > limit ? limit / length : 1;
      ju *= factor;
      jv *= factor;
    }
    const du = ju - this.tangentImpulseU;
    const dv = jv - this.tangentImpulseV;
    this.tangentImpulseU = ju;
    this.tangentImpulseV = jv;
    this.apply(du * this.ux + dv * this.vx, du * this.uy + dv * this.vy, du * this.uz + dv * this.vz);
  }

  private computeMasses(): void {
    this.normalMass = 1 / this.response(this.nx, this.ny, this.nz, this.nx, this.ny, this.nz);
    const uu = this.response(this.ux, this.uy, this.uz, this.ux, this.uy, this.uz);
    const uv = this.response(this.ux, this.uy, this.uz, this.vx, this.vy, this.vz);
    const vv = this.response(this.vx, this.vy, this.vz, this.vx, this.vy, this.vz);
    const det = uu * vv - uv * uv;
    this.tangentUU = vv / det;
    this.tangentUV = -uv / det;
    this.tangentVV = uu / det;
    const spread = 0.5 * (uu - vv);
    this.slidingMass = 1 / (0.5 * (uu + vv) + Math.sqrt(spread * spread + uv * uv));
  }

  /** Change of the speed along d by a unit impulse along e: dᵀ J M⁻¹ Jᵀ e. */
  private response(dx: number, dy: number, dz: number, ex: number, ey: number, ez: number): number {
    const { a, b } = this;
    let sum = 0;
    if (a !== undefined) sum += responseOf(a, this.ax, this.ay, this.az, dx, dy, dz, ex, ey, ez);
    if (b !== undefined) sum += responseOf(b, this.bx, this.by, this.bz, dx, dy, dz, ex, ey, ez);
    return sum;
  }
}

function responseOf(
  { inverseMass, inverseInertia: I }: RigidBody,
  rx: number,
  ry: number,
  rz: number,
  dx: number,
  dy: number,
  dz: number,
  ex: number,
  ey: number,
  ez: number,
): number {
  const ax = ry * dz - rz * dy;
  const ay = rz * dx - rx * dz;
  const az = rx * dy - ry * dx;
  const bx = ry * ez - rz * ey;
  const by = rz * ex - rx * ez;
  const bz = rx * ey - ry * ex;
  const ix = I[0] * bx + I[3] * by + I[4] * bz;
  const iy = I[3] * bx + I[1] * by + I[5] * bz;
  const iz = I[4] * bx + I[5] * by + I[2] * bz;
  return inverseMass * (dx * ex + dy * ey + dz * ez) + ax * ix + ay * iy + az * iz;
}

/** Speed of a point along a direction, of the push velocity. */
function pushSpeed(p: Float64Array, rx: number, ry: number, rz: number, x: number, y: number, z: number): number {
  return x * (p[0] + p[4] * rz - p[5] * ry) + y * (p[1] + p[5] * rx - p[3] * rz) + z * (p[2] + p[3] * ry - p[4] * rx);
}

/** Converts a point of the world to the axes of the body, relative to its center of mass. */
function toLocal(out: Float64Array, body: RigidBody, p: Float64Array): void {
  const T = body.T_world_body;
  const x = p[0] - body.x;
  const y = p[1] - body.y;
  const z = p[2] - body.z;
  out[0] = T[0] * x + T[4] * y + T[8] * z;
  out[1] = T[1] * x + T[5] * y + T[9] * z;
  out[2] = T[2] * x + T[6] * y + T[10] * z;
}

/** Inverse of `toLocal`. */
function toWorld(out: Float64Array, body: RigidBody, local: Float64Array): void {
  const T = body.T_world_body;
  const x = local[0];
  const y = local[1];
  const z = local[2];
  out[0] = body.x + T[0] * x + T[1] * y + T[2] * z;
  out[1] = body.y + T[4] * x + T[5] * y + T[6] * z;
  out[2] = body.z + T[8] * x + T[9] * y + T[10] * z;
}
