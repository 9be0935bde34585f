import { create as createTransform, type Transform } from '../math/transform.ts';
import { create } from '../math/vec3.ts';
import { PairCache } from '../narrowphase/solver.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { Contact } from './contact.ts';
import type { ContactFinder } from './contactFinder.ts';
import type { ContactManifold, ContactQuery } from './contactManifold.ts';
import type { RigidBody } from './rigidBody.ts';

/** Convex part in the world. */
export interface Collider {
  readonly shape: ConvexShape;
  /** The free body that it belongs to; undefined: fixed. */
  readonly body: RigidBody | undefined;
  /** Pose of the part in the world; updated for free bodies. */
  readonly T_world: Transform;
  /** Pose in the frame of the body; undefined for fixed parts. */
  readonly at: Transform | undefined;
}

/** Creates a collider of a free body. */
export function freeCollider(body: RigidBody, shape: ConvexShape, at: Transform): Collider {
  return { shape, body, at, T_world: createTransform() };
}

/** Distance, relative to the size of the pair, up to which a contact point is the same as one of the last step. */
const SAME_POINT = 0.1;

/**
 * Two colliders that are or were near, with the warm start of the narrow phase and the impulses of the contact points.
 */
export class ContactPair {
  /** Contact points of the last update. */
  readonly contacts: Contact[] = [];
  /** Step in which the pair was last updated. */
  stamp = -1;
  /** Accumulated angular impulse of rolling resistance, N m s. */
  private rollX = 0;
  private rollY = 0;
  private rollZ = 0;
  private rollingMass = 0;

  private readonly cache = new PairCache();
  private readonly query: ContactQuery;
  private readonly samePoint: number;
  private before: Contact[] = [];

  /** A is a part of a free body; `friction`, `restitution`: of the pair; `rollingRadius`: metres. */
  constructor(
    readonly a: Collider,
    readonly b: Collider,
    private readonly friction: number,
    private readonly restitution: number,
    private readonly rollingRadius: number,
  ) {
    this.query = {
      a: a.shape,
      T_world_a: a.T_world,
      b: b.shape,
      T_world_b: b.T_world,
      normal: create(),
      gap: 0,
      witness: create(),
    };
    const distance = SAME_POINT * Math.min(a.body!.size, b.body?.size ?? Number.POSITIVE_INFINITY);
    this.samePoint = distance * distance;
  }

  /** Computes the contact points whose gap is at most `reach`; keeps the impulses of points that stay. */
  update(finder: ContactFinder, manifold: ContactManifold, reach: number): void {
    const { query } = this;
    manifold.count = 0;
    if (finder.find(query, reach, this.cache)) manifold.compute(query, reach);
    if (manifold.count === 0 && this.contacts.length === 0) return;
    this.before = this.contacts.slice();
    for (let i = 0; i < manifold.count; i++) {
      const contact = this.matching(manifold, i) ?? new Contact();
      this.contacts[i] = contact;
      contact.a = this.a.body;
      contact.b = this.b.body;
      contact.friction = this.friction;
      contact.restitution = this.restitution;
      contact.prepare(query.normal, manifold.points, 3 * i, manifold.gaps[i]);
    }
    this.contacts.length = manifold.count;
    if (manifold.count === 0) this.rollX = this.rollY = this.rollZ = 0;
    this.rollingMass = 1 / (spinResponse(this.a.body) + spinResponse(this.b.body));
    this.before = [];
  }

  /** Takes the contact of the last step that is nearest to point i, if any is near enough. */
  private matching({ points }: ContactManifold, i: number): Contact | undefined {
    const { before } = this;
    let best = -1;
    let least = this.samePoint;
    for (let k = 0; k < before.length; k++) {
      const x = before[k].px - points[3 * i];
      const y = before[k].py - points[3 * i + 1];
      const z = before[k].pz - points[3 * i + 2];
      const squared = x * x + y * y + z * z;
      if (squared >= least) continue;
      least = squared;
      best = k;
    }
    return best < 0 ? undefined : before.splice(best, 1)[0];
  }

  /** Applies the accumulated impulses: the warm start. */
  applyAccumulated(): void {
    for (const contact of this.contacts) contact.applyAccumulated();
    this.twist(this.rollX, this.rollY, this.rollZ);
  }

  /** Multiplies all accumulated impulses by a factor; velocities stay. */
  scaleImpulses(factor: number): void {
    this.rollX *= factor;
    this.rollY *= factor;
    this.rollZ *= factor;
    for (const contact of this.contacts) {
      contact.normalImpulse *= factor;
      contact.tangentImpulseU *= factor;
      contact.tangentImpulseV *= factor;
    }
  }

  /** Number of accumulated impulses: three of rolling, three per contact. */
  get impulseCount(): number {
    return 3 + 3 * this.contacts.length;
  }

  /** Copies the accumulated impulses to places k … of a list; returns the place after them. */
  copyImpulses(out: Float64Array, k: number): number {
    out[k] = this.rollX;
    out[k + 1] = this.rollY;
    out[k + 2] = this.rollZ;
    let next = k + 3;
    for (const contact of this.contacts) {
      out[next] = contact.normalImpulse;
      out[next + 1] = contact.tangentImpulseU;
      out[next + 2] = contact.tangentImpulseV;
      next += 3;
    }
    return next;
  }

  /** Sets the accumulated impulses from places k … of a list; velocities stay. Returns the place after them. */
  setImpulses(list: Float64Array, k: number): number {
    this.rollX = list[k];
    this.rollY = list[k + 1];
    this.rollZ = list[k + 2];
    let next = k + 3;
    for (const contact of this.contacts) {
      contact.normalImpulse = list[next];
      contact.tangentImpulseU = list[next + 1];
      contact.tangentImpulseV = list[next + 2];
      next += 3;
    }
    return next;
  }

  /** Applies the impulses of places k … of a list, times a factor, in addition; returns the place after them. */
  addImpulses(list: Float64Array, k: number, factor: number): number {
    const [x, y, z] = [factor * list[k], factor * list[k + 1], factor * list[k + 2]];
    this.rollX += x;
    this.rollY += y;
    this.rollZ += z;
    this.twist(x, y, z);
    let next = k + 3;
    for (const contact of this.contacts) {
      contact.add(factor * list[next], factor * list[next + 1], factor * list[next + 2]);
      next += 3;
    }
    return next;
  }

  /**
   * Rolling resistance: stops the relative rotation, by an angular impulse of at most `rollingRadius` times the normal
   * impulses.
   */
  solveRolling(): void {
    const { a, b, rollingRadius, rollingMass } = this;
    let load = 0;
    for (const { normalImpulse } of this.contacts) load += normalImpulse;
    const limit = Math.max(0, rollingRadius * load);
    if (limit === 0 && this.rollX === 0 && this.rollY === 0 && this.rollZ === 0) return;
    let x = this.rollX + rollingMass * (a.body!.wx - (b.body?.wx ?? 0));
    let y = this.rollY + rollingMass * (a.body!.wy - (b.body?.wy ?? 0));
    let z = this.rollZ + rollingMass * (a.body!.wz - (b.body?.wz ?? 0));
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length > limit) {
      const factor = limit / length;
      x *= factor;
      y *= factor;
      z *= factor;
    }
    this.twist(x - this.rollX, y - this.rollY, z - this.rollZ);
    this.rollX = x;
    this.rollY = y;
    this.rollZ = z;
  }

  private twist(x: number, y: number, z: number): void {
    this.b.body?.applyTwist(x, y, z);
    this.a.body!.applyTwist(-x, -y, -z);
  }
}

/** Upper bound of the norm of the inverse inertia tensor: the largest sum of absolute values of a row. */
function spinResponse(body: RigidBody | undefined): number {
  if (body === undefined) return 0;
  const [xx, yy, zz, xy, xz, yz] = body.inverseInertia;
  return Math.max(
    Math.abs(xx) + Math.abs(xy) + Math.abs(xz),
    Math.abs(xy) + Math.abs(yy) + Math.abs(yz),
    Math.abs(xz) + Math.abs(yz) + Math.abs(zz),
  );
}
