import type { BodyWorld } from './bodyWorld.ts';
import { checkRest, type RestReport, type RestTolerance } from './restCheck.ts';
import { CONTACT_TOLERANCE, type ContactProof, contactTolerance, proveContacts } from './restProof.ts';

/** Supplies bodies that are added one after another, as soon as they fit without overlap. */
export interface BodySupply {
  /** Number of bodies that are still to be added. */
  readonly left: number;
  /** Adds the next body to the world if there is room; returns false otherwise. */
  add(world: BodyWorld): boolean;
}

export interface SettleOptions {
  /** Largest number of steps. */
  readonly maxSteps: number;
  /** Polled once per step; the simulation ends when it returns true, for example at a time limit. */
  readonly isInterrupted?: () => boolean;
  /** Bodies that are added first; if there is no room for all, the others follow later. */
  readonly supply?: BodySupply;
  /** Called before the first step and after each step; must not change the world. */
  readonly onStep?: () => void;
}

/** Outcome of `settle`. */
export interface SettleResult {
  /** `rest`: proved; `moving`: step limit or interrupt; `overlap`: bodies that cannot be pushed apart. */
  readonly status: 'rest' | 'moving' | 'overlap';
  /** True if no body was moved: the bodies were at rest from the start. */
  readonly isUnchanged: boolean;
  /** Indices of the bodies that are not at rest. */
  readonly moving: readonly number[];
  /** Pairs that overlap at the start: indices as in `ContactProof`. */
  readonly overlapping: ContactProof['overlapping'];
  /** Number of contact points with a force at the end. */
  readonly contacts: number;
  /** Upper bound of the penetration depth at the end, metres. */
  readonly depth: number;
  /** Mechanical energy at the start and at the end, J; bodies that are added later count at the start. */
  readonly energy: readonly [number, number];
}

/** Conditions in which a simulation ends; overlap and gap are smaller among small bodies, as `contactTolerance`. */
const STRICT: RestTolerance = { overlap: 6e-5, gap: 4e-5, acceleration: 2e-3 };
/** Conditions in which no simulation is started: looser, so that settled bodies are not moved. */
const LOOSE: RestTolerance = { overlap: 8e-5, gap: 6e-5, acceleration: 5e-3 };
/** Iterations of checks without forces to start from, and of others. */
const COLD_ITERATIONS = 3000;
const WARM_ITERATIONS = 400;
/** Speed relative to √(g size) of the fastest body below which rest is checked. */
const REST_SPEED = 0.04;
/** Steps between checks for rest, times the number of failed ones up to a limit. */
const CHECK_EVERY = 12;
const MAX_BACKOFF = 5;
/** Steps between attempts to add the next body. */
const SUPPLY_EVERY = 12;
/** Steps within which overlapping bodies must be separated. */
const SEPARATE_STEPS = 600;
/**
 * Drag that stops bodies that slide or roll for long: 0 up to `DRAG_AFTER` seconds, then growing per second to a limit.
 */
const DRAG_AFTER = 4;
const DRAG_GROWTH = 0.2;
const MAX_DRAG = 2;
/** Limit of the drag relative to √(g / size): large bodies need longer to fall. */
const RELATIVE_DRAG = 0.1;

/**
 * Lets the bodies of a world fall until all are at rest: static equilibrium within friction cones, overlaps and gaps
 * proved by the narrow phase. Bodies that overlap at the start are pushed apart first.
 */
export function settle(world: BodyWorld, options: SettleOptions): SettleResult {
  const run = new Settling(world, options);
  return run.run();
}

class Settling {
  private startEnergy = 0;
  private failures = 0;
  private nextCheck = CHECK_EVERY;
  private isUnchanged = true;

  constructor(
    private readonly world: BodyWorld,
    private readonly options: SettleOptions,
  ) {}

  run(): SettleResult {
    const { world, options } = this;
    const overlapping = this.separateOverlaps();
    if (overlapping.length > 0) return this.result('overlap', [], overlapping);
    this.startEnergy = world.energy;
    this.addBodies();
    options.onStep?.();
    const first = this.isSupplied ? this.checkProved(LOOSE) : undefined;
    if (first !== undefined) return this.result('rest', [], [], first.report, first.proof);
    while (world.steps < options.maxSteps && options.isInterrupted?.() !== true) {
      this.step();
      if (!this.isSupplied || world.steps < this.nextCheck || !this.isSlow()) continue;
      const rest = this.isHeld() ? this.checkProved(STRICT) : undefined;
      if (rest !== undefined) return this.result('rest', [], [], rest.report, rest.proof);
      this.failures++;
      this.nextCheck = world.steps + CHECK_EVERY * Math.min(this.failures, MAX_BACKOFF);
    }
    return this.result('moving', this.movingBodies(), []);
  }

  private get isSupplied(): boolean {
    return (this.options.supply?.left ?? 0) === 0;
  }

  private step(): void {
    const { world } = this;
    if (!this.isSupplied && world.steps % SUPPLY_EVERY === 0) this.addBodies();
    const t = world.steps * world.timeStep;
    world.damping = Math.min(this.maxDrag, Math.max(0, DRAG_GROWTH * (t - DRAG_AFTER)));
    world.step();
    this.options.onStep?.();
    this.isUnchanged = false;
  }

  private addBodies(): void {
    const { world } = this;
    while (!this.isSupplied) {
      const before = world.energy;
      if (!this.options.supply!.add(world)) return;
      this.startEnergy += world.energy - before;
    }
  }

  /** Pushes overlapping bodies apart without gravity; returns the pairs that still overlap. */
  private separateOverlaps(): ContactProof['overlapping'] {
    const { world } = this;
    const { gravity } = world;
    if (proveContacts(world).overlapping.length === 0) return [];
    this.isUnchanged = false;
    world.gravity = [0, 0, 0];
    for (let k = 0; k < SEPARATE_STEPS; k++) {
      world.step();
      for (const body of world.bodies) body.stop();
      if (k % 4 === 3 && proveContacts(world, contactTolerance(world) / 2).overlapping.length === 0) break;
    }
    world.gravity = gravity;
    world.steps = 0;
    return proveContacts(world).overlapping;
  }

  private isSlow(): boolean {
    const { restSpeed } = this;
    return this.world.bodies.every((body) => body.maxSpeed < restSpeed);
  }

  private get restSpeed(): number {
    return REST_SPEED * Math.sqrt(this.g * this.world.size);
  }

  private get maxDrag(): number {
    return Math.min(MAX_DRAG, RELATIVE_DRAG * Math.sqrt(this.g / this.world.size));
  }

  private get g(): number {
    const [x, y, z] = this.world.gravity;
    return Math.sqrt(x * x + y * y + z * z);
  }

  /** Returns conditions of rest for the size of the bodies. */
  private scaled({ overlap, gap, acceleration }: RestTolerance): RestTolerance {
    const scale = contactTolerance(this.world) / CONTACT_TOLERANCE;
    return { overlap: scale * overlap, gap: scale * gap, acceleration };
  }

  /** Whether the forces of the last step, or some near them, hold all bodies. */
  private isHeld(): boolean {
    return checkRest(this.world, this.scaled(STRICT), WARM_ITERATIONS, 'warm').isAtRest;
  }

  /**
   * Rest that a cold start finds, and that the narrow phase confirms; undefined if there is none. Then the forces of
   * the last step are dropped: bodies that are only jammed come loose, as they would if the scene were settled again.
   */
  private checkProved(
    tolerance: RestTolerance,
  ): { readonly report: RestReport; readonly proof: ContactProof } | undefined {
    const report = checkRest(this.world, this.scaled(tolerance), COLD_ITERATIONS, 'cold');
    if (!report.isAtRest) {
      for (const pair of this.world.active) pair.scaleImpulses(0);
      return undefined;
    }
    const proof = proveContacts(this.world);
    if (proof.overlapping.length > 0 || proof.floating.length > 0) return undefined;
    for (const body of this.world.bodies) body.stop();
    return { report, proof };
  }

  /** The bodies that move, or would move from rest. */
  private movingBodies(): number[] {
    const { bodies } = this.world;
    const fast = bodies.flatMap((body, i) => (body.maxSpeed < this.restSpeed ? [] : [i]));
    const { moving } = checkRest(this.world, this.scaled(STRICT), WARM_ITERATIONS, 'warm');
    const { floating, overlapping } = proveContacts(this.world);
    const all = new Set([...fast, ...moving, ...floating, ...overlapping.flat()]);
    return bodies.flatMap((_, i) => (all.has(i) ? [i] : []));
  }

  private result(
    status: SettleResult['status'],
    moving: readonly number[],
    overlapping: ContactProof['overlapping'],
    report?: RestReport,
    proof: ContactProof = proveContacts(this.world),
  ): SettleResult {
    const { world, startEnergy, isUnchanged } = this;
    return {
      status,
      isUnchanged,
      moving,
      overlapping,
      contacts: report?.contacts ?? world.contacts,
      depth: proof.depth,
      energy: [startEnergy, world.energy],
    };
  }
}
