import type { CollisionManager } from '../collision/collisionManager.ts';
import type { MotionLimits, Trajectory } from '../trajectory/trajectory.ts';
import { TrajectoryCurve } from '../trajectory/trajectoryCurve.ts';
import { KnotSpline } from './knotSpline.ts';
import { JointGradient, PairGradients } from './pairGradients.ts';
import { type NearPair, SHORTFALL_WEIGHT, SplineProgram } from './splineProgram.ts';

/** How to optimise; `optimizationDefaults` holds what is not given. */
export interface OptimizationOptions {
  /** Cubic pieces of the answer. */
  readonly pieces: number;
  /** Steps of sequential quadratic programming. */
  readonly steps: number;
}

export const optimizationDefaults: OptimizationOptions = { pieces: 28, steps: 24 };

/** Greatest change of a joint in the first step, and the least that is worth a step; rad or m. */
const FIRST_TRUST = 0.12;
const LEAST_TRUST = 2e-3;
/** Places at which distances are looked at: of a piece of width 1. */
const PLACES = 4;
/** Places at which a candidate's clearance is measured: of a piece of width 1. */
const MEASURED = 10;
/** Pairs farther apart than this, metres, beyond what the trust region may take, are not in the program. */
const NEAR = 0.03;
/** How far a part of a robot moves with a change of its joints, m/rad, as a rule. */
const ARM = 1;
/** Pairs of one place, and of all, in the program. */
const PAIRS_AT_PLACE = 5;
const MOST_PAIRS = 320;
/** Places that candidates were found too near at, and that the program looks at from then on: the last so many. */
const MOST_TIGHT = 60;
/** What the program asks for beyond the clearance that is to be kept, metres: distances bend between places and along steps. */
const EXTRA = 2e-4;
/** A step that wins less than this part is none. */
const WORTH = 5e-4;

/** A motion that is worth proving. */
export interface Candidate {
  readonly trajectory: Trajectory;
  readonly duration: number;
}

/**
 * Faster motions from the same start to the same goal, best first: sequential quadratic programming on the knots of a cubic spline and on
 * its duration, with limits of position, velocity, acceleration and jerk, and with a clearance of at least `clearance` metres from the
 * gradients of signed distance. Each keeps limits, and that clearance wherever it was measured; none is proved yet.
 * @param given a timed motion that begins and ends at rest
 */
export function fasterMotions(
  given: Trajectory,
  limits: MotionLimits,
  manager: CollisionManager,
  clearance: number,
  options: Partial<OptimizationOptions> = {},
): Candidate[] {
  return new Optimization(given, limits, manager, clearance, { ...optimizationDefaults, ...options }).run();
}

/** Least distance over all pairs that may not touch, metres, at many places of a motion. */
export function motionClearance(manager: CollisionManager, trajectory: Trajectory, places: number): number {
  const curve = new TrajectoryCurve(trajectory);
  const q = new Float64Array(curve.dof);
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i <= places; i++) {
    curve.position(q, curve.start + ((curve.end - curve.start) * i) / places);
    least = Math.min(least, manager.clearance(q, least).distance);
  }
  return least;
}

class Optimization {
  private readonly spline: KnotSpline;
  private readonly candidate: KnotSpline;
  private readonly program: SplineProgram;
  private readonly gradients: PairGradients;
  private readonly found: JointGradient;
  private readonly q: Float64Array;
  private readonly weights = new Float64Array(4);
  private readonly best: Candidate[] = [];
  /** Pieces and places within them at which some candidate came too near, by number. */
  private readonly tight = new Map<number, readonly [number, number]>();

  constructor(
    private readonly given: Trajectory,
    private readonly limits: MotionLimits,
    private readonly manager: CollisionManager,
    private readonly clearance: number,
    private readonly options: OptimizationOptions,
  ) {
    const dof = given.jointNames.length;
    this.spline = new KnotSpline(dof, options.pieces);
    this.candidate = new KnotSpline(dof, options.pieces);
    this.spline.sample(new TrajectoryCurve(given));
    this.program = new SplineProgram(this.spline, limits, MOST_PAIRS);
    this.gradients = new PairGradients(manager.posed);
    this.found = new JointGradient(dof);
    this.q = new Float64Array(dof);
  }

  run(): Candidate[] {
    const { spline, candidate, program } = this;
    const whole = spline.duration;
    let merit = this.judge(spline, whole);
    let trust = FIRST_TRUST;
    let pairs = this.nearPairs(trust);
    for (let step = 0; step < this.options.steps && trust >= LEAST_TRUST; step++) {
      const status = program.solve(pairs, this.clearance + EXTRA, trust);
      if (status === 'optimal' || status === 'degenerate') {
        program.advance(candidate);
        const next = this.judge(candidate, whole);
        if (next < merit - WORTH) {
          merit = next;
          spline.copy(candidate);
          trust = Math.min(2 * trust, 0.5);
          pairs = this.nearPairs(trust);
          continue;
        }
      }
      trust *= 0.35;
      pairs = this.nearPairs(trust);
    }
    return this.best;
  }

  /** Makes the spline keep its limits, and returns its duration over that of the motion given, and what its distances fall short of. */
  private judge(spline: KnotSpline, whole: number): number {
    spline.unit *= spline.slowdown(this.limits) * (1 + 1e-9);
    const isFree = this.manager.model.pairCount === 0;
    const shortfall = isFree ? 0 : Math.max(0, this.clearance - this.measuredClearance(spline));
    if (shortfall === 0) {
      this.best.unshift({ trajectory: spline.toTrajectory(this.given.jointNames), duration: spline.duration });
      this.best.sort((one, other) => one.duration - other.duration);
    }
    return spline.duration / whole + SHORTFALL_WEIGHT * shortfall;
  }

  private measuredClearance(spline: KnotSpline): number {
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < spline.pieces; k++) {
      const places = Math.ceil(MEASURED * spline.widths[k]);
      for (let i = 1; i <= places; i++) {
        this.place(spline, k, i / places);
        const { distance } = this.manager.clearance(this.q, Math.max(least, this.clearance));
        least = Math.min(least, distance);
        if (distance < this.clearance && i < places) this.tight.set(k * MEASURED + i, [k, i / places]);
      }
    }
    for (const key of this.tight.keys()) if (this.tight.size > MOST_TIGHT) this.tight.delete(key);
    return least;
  }

  private place(spline: KnotSpline, k: number, s: number): void {
    spline.positionWeights(this.weights, k, s);
    for (let j = 0; j < spline.dof; j++) this.q[j] = spline.apply(this.weights, k, j);
  }

  /** The nearest pairs at each place, with their gradients; over all places the nearest first. */
  private nearPairs(trust: number): NearPair[] {
    const { spline } = this;
    const reach = Math.max(0, this.clearance) + NEAR + 2 * ARM * trust;
    const near: NearPair[] = [];
    for (let k = 0; k < spline.pieces; k++) {
      const places = Math.max(1, Math.ceil(PLACES * spline.widths[k]));
      for (let i = k === 0 ? 1 : 0; i < places; i++) near.push(...this.nearAt(k, i / places, reach));
    }
    for (const [k, s] of this.tight.values()) near.push(...this.nearAt(k, s, reach));
    return near.sort(nearestFirst).slice(0, MOST_PAIRS);
  }

  private nearAt(piece: number, s: number, reach: number): NearPair[] {
    const { posed, model } = this.manager;
    const here: NearPair[] = [];
    this.place(this.spline, piece, s);
    posed.pose(this.q);
    for (let pair = 0; pair < model.pairCount; pair++) {
      if (posed.boxDistanceSquared(pair) >= reach * reach) continue;
      this.gradients.signedDistanceUnflagged(this.found, pair);
      if (!(this.found.value < reach)) continue;
      here.push({ piece, s, distance: this.found.value, gradient: this.found.gradient.slice() });
    }
    return here.sort(nearestFirst).slice(0, PAIRS_AT_PLACE);
  }
}

const nearestFirst = (one: NearPair, other: NearPair) => one.distance - other.distance;
