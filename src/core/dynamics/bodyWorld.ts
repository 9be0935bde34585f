import { compose, type Transform } from '../math/transform.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { AcceleratedSweeps } from './acceleratedSweeps.ts';
import { BroadPhase } from './broadPhase.ts';
import { type ContactFinder, type ContactFinderName, contactFinders } from './contactFinder.ts';
import { ContactManifold } from './contactManifold.ts';
import { type Collider, ContactPair, freeCollider } from './contactPair.ts';
import { solveStep } from './contactSolver.ts';
import type { RigidBody } from './rigidBody.ts';

export const defaults = {
  /** Acceleration of gravity, m/s². */
  gravity: [0, 0, -9.81] as readonly [number, number, number],
  /** Narrow phase: a key of `contactFinders`. */
  checker: 'growth-distance' as ContactFinderName,
  /**
   * Coefficient of rolling resistance, relative to the size of the body: a ball rolls on unless the slope is less than
   * this. Without it, balls on a level floor never stop.
   */
  rollingResistance: 0.01,
  /**
   * Damping of slow bodies in contact: the fraction of velocity that they lose per second, 1/s. It models the damping
   * of real contacts, and absorbs the energy that incomplete iterations add to tall stacks.
   */
  contactDamping: 5,
};
export type BodyWorldOptions = typeof defaults;

/** A fixed part: its shape, and its pose in the world. */
export interface FixedPart {
  readonly shape: ConvexShape;
  readonly T_world: Transform;
}

/** Longest time step, seconds. */
const MAX_STEP = 1 / 120;
/** Time step relative to √(size / g), the time in which the smallest body falls by half its size. */
const STEP_SHARE = 0.2;
/** Largest overlap that contacts leave, metres, and relative to the size of the smallest body. */
const SLOP = 1e-5;
const RELATIVE_SLOP = 1e-3;
/** Gap up to which contacts are prepared, relative to the largest overlap, besides the motion of a step. */
const NEAR = 20;
/** Bound of the number of convex parts: keys of pairs are safe integers. */
const MAX_COLLIDERS = 1 << 24;
/** Number of steps after which a distant pair is dropped. */
const FORGET = 100;

/**
 * Rigid bodies under gravity among fixed parts, in steps of fixed length. Contacts are found once per step; the solver
 * takes several substeps. Deterministic: equal bodies in equal order give equal bytes.
 */
export class BodyWorld {
  /** Length of a step, seconds. */
  readonly timeStep: number;
  /** Overlap that contacts tolerate, metres. */
  readonly slop: number;
  /** Number of steps since the start. */
  steps = 0;
  /** Share of all velocities that is lost per second: drag. */
  damping = 0;
  gravity: readonly [number, number, number];
  readonly bodies: RigidBody[] = [];
  /** Pairs with contacts, in a fixed order, after `findContacts`. */
  readonly active: ContactPair[] = [];

  /** Solver state of `solveStep`. */
  readonly sweeps = new AcceleratedSweeps();

  readonly contactDamping: number;
  private readonly rollingResistance: number;
  private readonly finder: ContactFinder;
  private readonly manifold = new ContactManifold();
  private readonly colliders: Collider[] = [];
  private readonly pairs = new Map<number, ContactPair>();
  private readonly broadPhase: BroadPhase;
  private stamp = 0;

  /**
   * @param size half of the smallest extent of the smallest body that will be added, metres: sets time step and
   *   tolerances
   */
  constructor(
    private readonly fixed: readonly FixedPart[],
    readonly size: number,
    options: Partial<BodyWorldOptions> = {},
  ) {
    const { gravity, checker, rollingResistance, contactDamping } = { ...defaults, ...options };
    this.gravity = gravity;
    this.rollingResistance = rollingResistance;
    this.contactDamping = contactDamping;
    this.finder = contactFinders[checker].create();
    const g = Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]);
    this.timeStep = g > 0 ? Math.min(MAX_STEP, STEP_SHARE * Math.sqrt(size / g)) : MAX_STEP;
    this.slop = Math.min(SLOP, RELATIVE_SLOP * size);
    for (const { shape, T_world } of fixed) this.colliders.push({ shape, T_world, body: undefined, at: undefined });
    this.broadPhase = new BroadPhase(this.colliders, this.fixed.length);
  }

  /** Number of narrow-phase queries since the start. */
  get checks(): number {
    return this.finder.checks;
  }

  /** Number of contact points after `findContacts`. */
  get contacts(): number {
    return this.active.reduce((sum, pair) => sum + pair.contacts.length, 0);
  }

  /** Adds a free body. */
  add(body: RigidBody): void {
    this.bodies.push(body);
    for (const { shape, at } of body.parts) this.colliders.push(freeCollider(body, shape, at));
  }

  /** Removes the body that was added last. */
  removeLast(): void {
    const body = this.bodies.pop();
    while (this.colliders.at(-1)?.body !== undefined && this.colliders.at(-1)?.body === body) this.colliders.pop();
    for (const [key, { a, b }] of this.pairs) if (a.body === body || b.body === body) this.pairs.delete(key);
  }

  /** Advances all bodies by one step. */
  step(): void {
    this.findContacts(NEAR * this.slop, this.timeStep);
    solveStep(this);
    this.steps++;
  }

  /**
   * Finds the contacts of pairs whose gap is at most `margin` metres plus what they can move in `duration` seconds.
   */
  findContacts(margin: number, duration: number): void {
    const { broadPhase, active, pairs, stamp } = this;
    this.updatePoses();
    // A body that is hit may become as fast as the fastest one within the step.
    const fastest = this.bodies.reduce((most, body) => Math.max(most, body.maxSpeed), this.fallSpeed(duration));
    broadPhase.update(margin + fastest * duration);
    active.length = 0;
    for (let k = 0; k < broadPhase.count; k++) {
      const i = broadPhase.first[k];
      const j = broadPhase.second[k];
      const key = i * MAX_COLLIDERS + j;
      const pair = this.pairAt(key, i, j);
      pair.stamp = stamp;
      const speed = pair.a.body!.maxSpeed + (pair.b.body?.maxSpeed ?? 0) + this.fallSpeed(duration);
      pair.update(this.finder, this.manifold, margin + Math.max(speed, fastest) * duration);
      if (pair.contacts.length > 0) active.push(pair);
    }
    this.stamp++;
    if (stamp % FORGET !== 0) return;
    for (const [key, pair] of pairs) if (pair.stamp < stamp - FORGET) pairs.delete(key);
  }

  /** Returns the pairs whose bounding boxes are within `margin` metres; `fixedIndex`: of a fixed part b. */
  nearPairs(margin: number): { readonly a: Collider; readonly b: Collider; readonly fixedIndex: number }[] {
    const { broadPhase, colliders } = this;
    this.updatePoses();
    broadPhase.update(margin);
    return Array.from({ length: broadPhase.count }, (_, k) => ({
      a: colliders[broadPhase.first[k]],
      b: colliders[broadPhase.second[k]],
      fixedIndex: broadPhase.second[k],
    }));
  }

  /** Mechanical energy in J: kinetic, and potential relative to the origin. */
  get energy(): number {
    const [gx, gy, gz] = this.gravity;
    return this.bodies.reduce(
      (sum, body) => sum + body.kineticEnergy - body.mass * (gx * body.x + gy * body.y + gz * body.z),
      0,
    );
  }

  private pairAt(key: number, i: number, j: number): ContactPair {
    const known = this.pairs.get(key);
    if (known !== undefined) return known;
    const [a, b] = [this.colliders[i], this.colliders[j]];
    const own = a.body!;
    const other = b.body;
    const friction = other === undefined ? own.friction : Math.sqrt(own.friction * other.friction);
    const restitution = other === undefined ? own.restitution : Math.sqrt(own.restitution * other.restitution);
    const size = Math.min(own.size, other?.size ?? Number.POSITIVE_INFINITY);
    const created = new ContactPair(a, b, friction, restitution, this.rollingResistance * size);
    this.pairs.set(key, created);
    return created;
  }

  /** Speed that gravity adds in the given time. */
  private fallSpeed(duration: number): number {
    const [gx, gy, gz] = this.gravity;
    return duration * Math.sqrt(gx * gx + gy * gy + gz * gz);
  }

  private updatePoses(): void {
    for (let i = this.fixed.length; i < this.colliders.length; i++) {
      const { T_world, body, at } = this.colliders[i];
      compose(T_world, body!.T_world_body, at!);
    }
  }
}
