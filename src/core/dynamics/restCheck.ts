import { AcceleratedSweeps } from './acceleratedSweeps.ts';
import type { BodyWorld } from './bodyWorld.ts';
import { SUBSTEPS, solveVelocities } from './contactSolver.ts';

/** Iterations between two checks for convergence. */
const CHECK_EVERY = 20;

/** Conditions of rest. */
export interface RestTolerance {
  /** Largest overlap of a pair, metres. */
  readonly overlap: number;
  /** Largest gap of contact points with a force, metres. */
  readonly gap: number;
  /** Largest acceleration that contact forces leave, relative to gravity. */
  readonly acceleration: number;
}

/** Result of the check: the bodies that would accelerate or overlap others. */
export interface RestReport {
  /** True if all bodies are at rest. */
  readonly isAtRest: boolean;
  /** Indices of the bodies that are not, in order. */
  readonly moving: readonly number[];
  /** Largest overlap of the contact points, metres. */
  readonly overlap: number;
  /** Number of contact points with a force. */
  readonly contacts: number;
}

/**
 * Checks static equilibrium: are there contact forces within the friction cones that hold all bodies against gravity?
 * Projected Gauss-Seidel on the accelerations: warm, from the forces of the last step, or cold, from none. Bodies that
 * are jammed may be held by forces that a cold start does not find; they would move if the simulation began anew.
 * Velocities and the impulses of the warm start stay as they are.
 */
export function checkRest(
  world: BodyWorld,
  { overlap, gap, acceleration }: RestTolerance,
  maxIterations: number,
  start: 'warm' | 'cold',
): RestReport {
  world.findContacts(gap, 0);
  const { bodies, active } = world;
  const [gx, gy, gz] = world.gravity;
  const g = Math.sqrt(gx * gx + gy * gy + gz * gz);
  let deepest = 0;
  for (const { contacts } of active) for (const contact of contacts) deepest = Math.max(deepest, -contact.gap);
  const moving = new Set<number>();
  bodies.forEach((body, i) => {
    for (const { a, b, contacts } of active) {
      if (a.body !== body && b.body !== body) continue;
      if (contacts.some((contact) => -contact.gap > overlap)) moving.add(i);
    }
  });
  const saved = save(world);
  for (const pair of active) pair.scaleImpulses(start === 'warm' ? SUBSTEPS / world.timeStep : 0);
  for (const body of bodies) {
    body.stop();
    body.vx = gx;
    body.vy = gy;
    body.vz = gz;
  }
  for (const pair of active) pair.applyAccumulated();
  const limit = acceleration * g;
  const sweeps = new AcceleratedSweeps();
  sweeps.start(active);
  for (let k = 0; k < maxIterations; k++) {
    solveVelocities(active, 0);
    if (k % CHECK_EVERY === 0 && bodies.every((body) => body.maxSpeed <= limit)) break;
    if (k + 1 < maxIterations) sweeps.extrapolate(active);
  }
  bodies.forEach((body, i) => {
    if (!(body.maxSpeed <= limit)) moving.add(i);
  });
  const contacts = world.contacts;
  restore(world, saved);
  return {
    isAtRest: moving.size === 0,
    moving: [...moving].sort((i, j) => i - j),
    overlap: deepest,
    contacts,
  };
}

/** Velocities of the bodies, then impulses of the contacts. */
function save({ bodies, active }: BodyWorld): Float64Array {
  const saved = new Float64Array(6 * bodies.length + active.reduce((sum, pair) => sum + pair.impulseCount, 0));
  let k = 0;
  for (const { vx, vy, vz, wx, wy, wz } of bodies) {
    saved.set([vx, vy, vz, wx, wy, wz], k);
    k += 6;
  }
  for (const pair of active) k = pair.copyImpulses(saved, k);
  return saved;
}

function restore({ bodies, active }: BodyWorld, saved: Float64Array): void {
  let k = 0;
  for (const body of bodies) {
    [body.vx, body.vy, body.vz, body.wx, body.wy, body.wz] = saved.subarray(k, k + 6);
    k += 6;
  }
  for (const pair of active) k = pair.setImpulses(saved, k);
}
