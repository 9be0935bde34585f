import type { AcceleratedSweeps } from './acceleratedSweeps.ts';
import type { Contact } from './contact.ts';
import type { ContactPair } from './contactPair.ts';
import type { RigidBody } from './rigidBody.ts';

/** Substeps per step. */
export const SUBSTEPS = 4;
/** Sweeps of Gauss-Seidel per substep: for the velocities, and for the overlaps. */
const SWEEPS = 4;
const OVERLAP_SWEEPS = 3;
/** Ratio of the masses of two bodies in contact up to which the sweeps suffice; above it they grow in proportion. */
const MASS_RATIO = 20;
const MAX_SWEEP_FACTOR = 64;
/** Rate at which overlaps are removed, 1/s: stiffer contacts make piles jitter. */
const PUSH_RATE = 40;
/**
 * Maximum separation speed of overlapping bodies: in steps of gravity, and in sizes of the smallest body per second.
 */
const MAX_PUSH_STEPS = 4;
const MAX_PUSH_SIZES = 5;
/** Speed relative to √(g size) below which bodies that touch are slow. */
const SLOW = 0.3;
/** Approach speeds below this many steps of gravity do not bounce. */
const BOUNCE_STEPS = 2;

/** State of a world that a step reads and updates. */
export interface StepState {
  readonly bodies: readonly RigidBody[];
  /** Pairs with contacts, of the state at the start of the step. */
  readonly active: readonly ContactPair[];
  readonly sweeps: AcceleratedSweeps;
  /** Seconds. */
  readonly timeStep: number;
  /** Overlap that contacts leave, and size of the smallest body, metres. */
  readonly slop: number;
  readonly size: number;
  /** m/s² */
  readonly gravity: readonly [number, number, number];
  /** Shares of the velocities that are lost per second: of all bodies, and of slow ones in contact. */
  readonly damping: number;
  readonly contactDamping: number;
}

/**
 * Advances the bodies of a world by one step of several substeps [Macklin19]: gravity, warm start [Catto05],
 * accelerated sweeps of projected Gauss-Seidel over the contact impulses, new positions. Gaps above 0 are speculative:
 * bodies may approach by no more than the gap. Overlaps are removed by velocities of their own, which add no momentum;
 * hits bounce at the end of the step.
 */
export function solveStep(world: StepState): void {
  const { active, bodies, timeStep, slop, sweeps } = world;
  const [gx, gy, gz] = world.gravity;
  const h = timeStep / SUBSTEPS;
  const g = Math.sqrt(gx * gx + gy * gy + gz * gz);
  const maxPush = Math.max(MAX_PUSH_STEPS * g * timeStep, MAX_PUSH_SIZES * world.size);
  const drag = 1 / (1 + h * world.damping);
  const slowDrag = 1 / (1 + h * Math.max(world.damping, world.contactDamping));
  const slow = SLOW * Math.sqrt(g * world.size);
  const touching = new Set<RigidBody>();
  for (const { a, b, contacts } of active) {
    if (!contacts.some(({ gap }) => gap <= slop)) continue;
    touching.add(a.body!);
    if (b.body !== undefined) touching.add(b.body);
  }
  const factor = sweepFactor(active);
  for (let k = 0; k < SUBSTEPS; k++) {
    for (const body of bodies) {
      const kept = touching.has(body) && body.maxSpeed < slow ? slowDrag : drag;
      body.vx = (body.vx + h * gx) * kept;
      body.vy = (body.vy + h * gy) * kept;
      body.vz = (body.vz + h * gz) * kept;
      body.wx *= kept;
      body.wy *= kept;
      body.wz *= kept;
    }
    for (const pair of active) pair.applyAccumulated();
    sweeps.start(active);
    for (let i = 0; i < factor * SWEEPS; i++) {
      if (i > 0) sweeps.extrapolate(active);
      solveVelocities(active, h);
    }
    for (let i = 0; i < factor * OVERLAP_SWEEPS; i++) solveOverlaps(active, slop, maxPush, i === 0, i % 2 === 0);
    for (const body of bodies) {
      body.advance(h);
      body.advancePush(h);
    }
    for (const { contacts } of active) for (const contact of contacts) contact.updateGap();
  }
  const bounceSpeed = BOUNCE_STEPS * g * timeStep;
  for (const { contacts } of active) for (const contact of contacts) bounce(contact, bounceSpeed);
}

/** Returns the factor of the number of sweeps: a heavy body on a light one needs more to converge. */
function sweepFactor(active: readonly ContactPair[]): number {
  let ratio = 1;
  for (const { a, b } of active) {
    if (a.body === undefined || b.body === undefined) continue;
    ratio = Math.max(ratio, a.body.mass / b.body.mass, b.body.mass / a.body.mass);
  }
  return Math.min(MAX_SWEEP_FACTOR, Math.max(1, Math.ceil(ratio / MASS_RATIO)));
}

/**
 * One symmetric sweep over all contacts: in order, then in reverse. Friction and rolling first, so that no normal speed
 * is left. Gaps may close within h seconds; h = 0: not at all.
 */
export function solveVelocities(active: readonly ContactPair[], h: number): void {
  for (let i = 0; i < active.length; i++) solvePair(active[i], h);
  for (let i = active.length - 1; i >= 0; i--) solvePair(active[i], h);
}

function solvePair(pair: ContactPair, h: number): void {
  pair.solveRolling();
  for (const contact of pair.contacts) contact.solveFriction();
  for (const contact of pair.contacts) contact.solveNormal(h > 0 ? Math.min(0, -contact.currentGap / h) : 0);
}

function solveOverlaps(
  active: readonly ContactPair[],
  slop: number,
  maxPush: number,
  isFirst: boolean,
  isForward: boolean,
): void {
  for (let i = 0; i < active.length; i++) {
    for (const contact of active[isForward ? i : active.length - 1 - i].contacts) {
      if (isFirst) contact.pushImpulse = 0;
      // Contacts without overlap take part: others must not push bodies into them.
      const target = -(contact.currentGap + slop) * PUSH_RATE;
      contact.solvePush(Math.min(target, maxPush));
    }
  }
}

/** Restores the speed of a contact that hit in this step, times the coefficient of restitution. */
function bounce(contact: Contact, bounceSpeed: number): void {
  if (contact.restitution === 0 || contact.startSpeed > -bounceSpeed || contact.maxImpulse === 0) return;
  contact.solveNormal(-contact.restitution * contact.startSpeed);
}
