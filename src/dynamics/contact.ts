import { create } from '../math/vec3.ts';
import { axes } from './contactManifold.ts';
import type { RigidBody } from './rigidBody.ts';

const u = create();
const v = create();
const n = create();

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
  /** Point relative to both centers of mass at the start of the step, and the point itself, world axes. */
  ax = 0;
  ay = 0;
  az = 0;
  bx = 0;
  by = 0;
  bz = 0;
  px = 0;
  py = 0;
  pz = 0;
  /** Point in the axes of each body, relative to its center of mass. */
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
    if (a !== undefined) toLocal(this.localA, a, this.ax, this.ay, this.az);
    if (b !== undefined) toLocal(this.localB, b, this.bx, this.by, this.bz);
    this.gap = gap;
    this.currentGap = gap;
    this.maxImpulse = 0;
    this.computeMasses();
    this.startSpeed = this.speedAlong(this.nx, this.ny, this.nz);
  }

  /** Computes the gap of the current state: the point moves with each body. */
  updateGap(): void {
    const { a, b, nx, ny, nz } = this;
    let gap = this.gap;
    if (a !== undefined) gap -= heightOf(this.localA, a, nx, ny, nz) - this.heightOfPoint;
    if (b !== undefined) gap += heightOf(this.localB, b, nx, ny, nz) - this.heightOfPoint;
    this.currentGap = gap;
  }

  private get heightOfPoint(): number {
    return this.px * this.nx + this.py * this.ny + this.pz * this.nz;
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

  /** Parts overlapping bodies at the given speed, by an impulse of 0 or more that adds no momentum. */
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

  /** Stops sliding, by a tangential impulse within the circle of Coulomb friction. */
  solveFriction(): void {
    const su = this.speedAlong(this.ux, this.uy, this.uz);
    const sv = this.speedAlong(this.vx, this.vy, this.vz);
    let ju = this.tangentImpulseU - (this.tangentUU * su + this.tangentUV * sv);
    let jv = this.tangentImpulseV - (this.tangentUV * su + this.tangentVV * sv);
    const limit = this.friction * this.normalImpulse;
    const length = Math.sqrt(ju * ju + jv * jv);
    if (length > limit) {
      const factor = limit / length;
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

/** Writes a vector in the axes of the body. */
function toLocal(out: Float64Array, { T_world_body: T }: RigidBody, x: number, y: number, z: number): void {
  out[0] = T[0] * x + T[4] * y + T[8] * z;
  out[1] = T[1] * x + T[5] * y + T[9] * z;
  out[2] = T[2] * x + T[6] * y + T[10] * z;
}

/** Height of a point of the body along a direction, metres. */
function heightOf(local: Float64Array, body: RigidBody, nx: number, ny: number, nz: number): number {
  const T = body.T_world_body;
  const [lx, ly, lz] = [local[0], local[1], local[2]];
  const x = body.x + T[0] * lx + T[1] * ly + T[2] * lz;
  const y = body.y + T[4] * lx + T[5] * ly + T[6] * lz;
  const z = body.z + T[8] * lx + T[9] * ly + T[10] * lz;
  return x * nx + y * ny + z * nz;
}
