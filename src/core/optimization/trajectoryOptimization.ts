import type { CollisionManager } from '../collision/states/collisionManager.ts';
import { type Interrupt, never } from '../math/interrupt.ts';
import type { MotionLimits, Trajectory } from '../trajectory/trajectory.ts';
import { TrajectoryCurve } from '../trajectory/trajectoryCurve.ts';
import { KnotSpline } from './knotSpline.ts';
import { JointGradient, PairGradients } from './pairGradients.ts';
import { type NearPair, programSize, SHORTFALL_WEIGHT, SplineProgram } from './splineProgram.ts';

/** Optimization options; `optimizationDefaults` holds the defaults. */
export interface OptimizationOptions {
  /** Number of cubic pieces of the result. */
  readonly pieces: number;
  /** Iteration limit of sequential quadratic programming. */
  readonly steps: number;
  /** Ends the optimization; its result is then the best so far. */
  readonly interrupt: Interrupt;
}

export const optimizationDefaults: OptimizationOptions = { pieces: 28, steps: 24, interrupt: never };

/** Trust region: initial maximum change of a joint, and the minimum at which the iteration stops; rad or m. */
const FIRST_TRUST = 0.12;
const MIN_TRUST = 2e-3;
/** Sample points per piece of width 1 at which distances are linearised. */
const LINEARIZATION_SAMPLES = 4;
/** Sample points per piece of width 1 at which the clearance of a candidate is evaluated. */
const EVALUATION_SAMPLES = 10;
/** Pairs with a larger distance than this, metres, plus the motion within the trust region, are not in the program. */
const NEAR_DISTANCE = 0.03;
/** Typical motion of a link per change of a joint, m/rad. */
const MOTION_PER_JOINT = 1;
/** Maximum number of pairs in the program, per sample point and in total. */
const MAX_PAIRS_PER_SAMPLE = 5;
const MAX_PAIRS = 320;
/**
 * Sample points at which candidates violated the clearance are added to the program: at most this many, the latest
 * ones.
 */
const MAX_VIOLATIONS = 60;
/**
 * Margin of the program above the required clearance, metres: distances are nonlinear between sample points and along
 * steps.
 */
const EXTRA_CLEARANCE = 2e-4;
/** Minimum relative improvement of a step. */
const MIN_IMPROVEMENT = 5e-4;

/** Maximum number of entries of a matrix of the program: it takes 20 bytes per entry, thus at most 2 GB. */
const MAX_PROGRAM_SIZE = 1e8;

/** Returns true if the program for this number of joints and cubic pieces fits into memory. */
export const canOptimize = (dof: number, pieces: number) => programSize(dof, pieces, MAX_PAIRS) <= MAX_PROGRAM_SIZE;

/** A trajectory that satisfies all limits, to be certified. */
export interface Candidate {
  readonly trajectory: Trajectory;
  readonly duration: number;
}

/**
 * Computes faster trajectories from the same start to the same goal, fastest first: sequential quadratic programming on
 * the knots of a cubic spline and on its duration, with position, velocity, acceleration and jerk limits, and with a
 * clearance of at least `clearance` metres by the gradients of signed distance. Each satisfies the limits, and the
 * clearance at all sample points; none is certified.
 * @param given timed trajectory from rest to rest
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

/**
 * Returns the minimum distance over all checked pairs, metres, at `places` + 1 equidistant times of a trajectory; NaN
 * if it is interrupted.
 */
export function motionClearance(
  manager: CollisionManager,
  trajectory: Trajectory,
  places: number,
  interrupt: Interrupt = never,
): number {
  const curve = new TrajectoryCurve(trajectory);
  const q = new Float64Array(curve.dof);
  let minDistance = Number.POSITIVE_INFINITY;
  for (let i = 0; i <= places; i++) {
    if (interrupt()) return Number.NaN;
    curve.position(q, curve.start + ((curve.end - curve.start) * i) / places);
    minDistance = Math.min(minDistance, manager.clearance(q, minDistance).distance);
  }
  return minDistance;
}

class Optimization {
  private readonly spline: KnotSpline;
  private readonly candidate: KnotSpline;
  private readonly program: SplineProgram;
  private readonly gradients: PairGradients;
  private readonly pairGradient: JointGradient;
  private readonly q: Float64Array;
  private readonly weights = new Float64Array(4);
  private readonly best: Candidate[] = [];
  /** Sample points (piece and position) at which a candidate violated the clearance, by index. */
  private readonly violations = new Map<number, readonly [number, number]>();

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
    this.program = new SplineProgram(this.spline, limits, MAX_PAIRS, options.interrupt);
    this.gradients = new PairGradients(manager.posed);
    this.pairGradient = new JointGradient(dof);
    this.q = new Float64Array(dof);
  }

  run(): Candidate[] {
    const { spline, candidate, program } = this;
    const initialDuration = spline.duration;
    let merit = this.evaluateMerit(spline, initialDuration);
    let trust = FIRST_TRUST;
    let pairs = this.nearPairs(trust);
    const { steps, interrupt } = this.options;
    for (let step = 0; step < steps && trust >= MIN_TRUST && !interrupt(); step++) {
      const status = program.solve(pairs, this.clearance + EXTRA_CLEARANCE, trust);
      if (status === 'optimal' || status === 'degenerate') {
        program.advance(candidate);
        const next = this.evaluateMerit(candidate, initialDuration);
        if (next < merit - MIN_IMPROVEMENT) {
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

  /**
   * Scales the time of the spline to satisfy the limits; returns the merit: relative duration plus weighted clearance
   * violation.
   */
  private evaluateMerit(spline: KnotSpline, initialDuration: number): number {
    spline.unit *= spline.slowdown(this.limits) * (1 + 1e-9);
    const isFree = this.manager.model.pairCount === 0;
    const shortfall = isFree ? 0 : Math.max(0, this.clearance - this.sampledClearance(spline));
    if (shortfall === 0) {
      this.best.unshift({ trajectory: spline.toTrajectory(this.given.jointNames), duration: spline.duration });
      this.best.sort((one, other) => one.duration - other.duration);
    }
    return spline.duration / initialDuration + SHORTFALL_WEIGHT * shortfall;
  }

  private sampledClearance(spline: KnotSpline): number {
    let minDistance = Number.POSITIVE_INFINITY;
    for (let k = 0; k < spline.pieces; k++) {
      const places = Math.ceil(EVALUATION_SAMPLES * spline.widths[k]);
      for (let i = 1; i <= places; i++) {
        if (this.options.interrupt()) return Number.NEGATIVE_INFINITY;
        this.sampleState(spline, k, i / places);
        const { distance } = this.manager.clearance(this.q, Math.max(minDistance, this.clearance));
        minDistance = Math.min(minDistance, distance);
        if (distance < this.clearance && i < places) this.violations.set(k * EVALUATION_SAMPLES + i, [k, i / places]);
      }
    }
    for (const key of this.violations.keys()) if (this.violations.size > MAX_VIOLATIONS) this.violations.delete(key);
    return minDistance;
  }

  private sampleState(spline: KnotSpline, k: number, s: number): void {
    spline.positionWeights(this.weights, k, s);
    for (let j = 0; j < spline.dof; j++) this.q[j] = spline.apply(this.weights, k, j);
  }

  /** Returns the closest pairs of each sample point with their gradients, the closest overall first. */
  private nearPairs(trust: number): NearPair[] {
    const { spline } = this;
    const maxDistance = Math.max(0, this.clearance) + NEAR_DISTANCE + 2 * MOTION_PER_JOINT * trust;
    const near: NearPair[] = [];
    for (let k = 0; k < spline.pieces; k++) {
      const places = Math.max(1, Math.ceil(LINEARIZATION_SAMPLES * spline.widths[k]));
      for (let i = k === 0 ? 1 : 0; i < places; i++) near.push(...this.nearPairsAt(k, i / places, maxDistance));
    }
    for (const [k, s] of this.violations.values()) near.push(...this.nearPairsAt(k, s, maxDistance));
    return near.sort(nearestFirst).slice(0, MAX_PAIRS);
  }

  private nearPairsAt(piece: number, s: number, maxDistance: number): NearPair[] {
    const { posed, model } = this.manager;
    const near: NearPair[] = [];
    if (this.options.interrupt()) return near;
    this.sampleState(this.spline, piece, s);
    posed.pose(this.q);
    for (let pair = 0; pair < model.pairCount; pair++) {
      if (posed.boxDistanceSquared(pair) >= maxDistance * maxDistance) continue;
      this.gradients.signedDistanceUnchecked(this.pairGradient, pair);
      if (!(this.pairGradient.value < maxDistance)) continue;
      near.push({ piece, s, distance: this.pairGradient.value, gradient: this.pairGradient.gradient.slice() });
    }
    return near.sort(nearestFirst).slice(0, MAX_PAIRS_PER_SAMPLE);
  }
}

const nearestFirst = (one: NearPair, other: NearPair) => one.distance - other.distance;
