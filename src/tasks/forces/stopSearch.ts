import { FrameSpeed } from '../../core/cartesian/frameSpeed.ts';
import type { CertificatePair } from '../../core/certificate/certificate.ts';
import { BrakingProver } from '../../core/dynamics/arm/brakingProver.ts';
import { InverseDynamics } from '../../core/dynamics/arm/inverseDynamics.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { ELBOW, elbowOf, tcpOf } from '../../core/kinematics/toolCenterPoint.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import { movesJoints } from '../../core/scene/program.ts';
import type { MotionScene, Scene } from '../../core/scene/scene.ts';
import { movedLinks } from '../../core/scene/steps/jointMoves.ts';
import { type Arc, arcsOf } from '../../core/trajectory/retiming/arc.ts';
import type { BrakingPart, StopPiece } from '../../core/trajectory/retiming/brakingPart.ts';
import { intervalsOf, type PaceBounds, PaceGrid } from '../../core/trajectory/retiming/paceGrid.ts';
import { evenParts, type PathStop, pathStop } from '../../core/trajectory/retiming/pathStop.ts';
import { SmoothStops } from '../../core/trajectory/retiming/smoothStop.ts';
import { isTimed, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { InputError } from '../../errors.ts';
import { motionLimitsOf } from '../sceneRobot.ts';
import { sceneArm, torqueLimits } from './sceneArm.ts';
import { StopContacts, type StopWorld } from './stopContacts.ts';
import { torqueRows } from './torqueTiming.ts';

/** What the stops of a motion depend on. */
export type StopScene = MotionScene & Pick<Scene, 'attached' | 'steps'>;

/** A measure of a stop, and of the motion to it from interval `at` of its grid on. */
export type StopMeasure = (stop: PathStop, at: number) => number;

/** The greatest measure of stops, and the instant; Infinity where no stop is proved. */
export interface WorstStop {
  readonly value: number;
  readonly at: number;
}

/** A measure of stops, and its limit. */
export interface StopLimit {
  readonly measure: StopMeasure;
  readonly most: number;
}

/** Seconds: the pace changes at a constant rate within intervals of about this length. */
const STEP = 2e-3;
/** Maximum number of intervals of a motion, about. */
const MAX_INTERVALS = 20_000;
/** Number of intervals between the first stops that are computed. */
const SPACING = 16;
/** Number of intervals by which a stop begins later if none is proved; more after a wait of eight times that. */
const LATER = 8;
/** Relative: a bound may exceed the worst stop that was computed by this. */
const GAP = 0.02;
/** Shares of the possible deceleration that are tried. */
const SHARES = [1, 0.95, 0.8, 0.5];
/** m/s: slower points count as that fast. */
const SLOWEST = 1e-9;
/** Digits of the rows of a stop. */
const DIGITS = 10;
/** Fraction of a limit of torque that the estimate of a stop leaves unused, so that it is proved. */
const HEADROOM = 1e-3;

/** Throws `InputError` for motions whose stops are not computed. */
export function requireStoppable(trajectory: Trajectory): void {
  if (!isTimed(trajectory) || trajectory.setPoints)
    throw new InputError('stops need a motion with times and without set points');
}

/**
 * Returns the scale of the limits of acceleration on each piece of a motion: the least of the steps to which it
 * belongs, of all steps if the motion does not name them.
 */
function accelerationScales({ steps = [] }: StopScene, { points, segments }: Trajectory): number[] {
  const scaleOf = new Map(steps.map((step) => [step.index, 'acceleration' in step ? step.acceleration : 1]));
  const least = Math.min(1, ...scaleOf.values());
  return points.slice(1).map(({ time_from_start: end }, k) => {
    const begin = points[k].time_from_start!;
    if (segments === undefined) return least;
    const own = segments.filter(({ from, to }) => from < end! && to > begin);
    // a piece in a gap of rounding size between segments belongs to none
    return own.length === 0 ? least : Math.min(1, ...own.map(({ step }) => scaleOf.get(step) ?? least));
  });
}

/** Returns upper bounds on the lengths of the path of a frame up to each end of an interval. */
function pathLengths(grid: PaceGrid, speed: FrameSpeed, curve: TrajectoryCurve): Float64Array {
  const lengths = new Float64Array(grid.count + 1);
  for (let n = 0; n < grid.count; n++) {
    const [from, to] = [grid.time(n), grid.time(n + 1)];
    lengths[n + 1] = lengths[n] + (to - from) * speed.bound(curve, from, to, SLOWEST);
  }
  return lengths;
}

/** A range of instants, which stop as its end does: until then they follow the motion. */
interface Range {
  /** Indices of ends of intervals. */
  readonly from: number;
  readonly to: number;
}

/** The stops along one motion of two points or more, which is at rest at its end. */
export class StopSearch {
  /** Seconds, from an instant until the end of its stop. */
  readonly time: StopMeasure;
  /** Metres of the path of the TCP, and of the elbow, if the robot has one that its steps do not move. */
  readonly distances: readonly StopMeasure[];
  private readonly curve: TrajectoryCurve;
  private readonly grid: PaceGrid;
  private readonly bounds: PaceBounds;
  private readonly prover: BrakingProver;
  private readonly smooth: SmoothStops | undefined;
  private readonly contacts: StopContacts | undefined;
  private readonly known = new Map<number, PathStop | undefined>();

  /** @param world in which something else may move; undefined: nothing does */
  constructor(
    robot: RobotModel,
    scene: StopScene,
    trajectory: Trajectory,
    private readonly interrupt: Interrupt,
    world?: StopWorld,
  ) {
    const { velocity, acceleration, jerk } = motionLimitsOf(robot, scene);
    const scales = accelerationScales(scene, trajectory);
    const accelerations = scales.map((scale) => Array.from(acceleration, (limit) => scale * limit));
    const arcs = arcsOf(trajectory);
    this.curve = new TrajectoryCurve(trajectory);
    const step = Math.max(STEP, (this.curve.end - this.curve.start) / MAX_INTERVALS);
    const fineness = (arc: Arc) => Math.max(1, Math.ceil(arc.duration / step / intervalsOf(arc)));
    const grid = new PaceGrid(arcs, arcs.map(fineness), velocity);
    this.grid = grid;
    const arm = scene.torque && sceneArm(robot, scene);
    const limits = scene.torque && torqueLimits(robot, scene.torque);
    const used = limits?.map((limit) => (1 - HEADROOM) * limit);
    const { arc, dof } = grid;
    const most = (own: Float64Array) =>
      own.map((value, k) => Math.max(accelerations[arc[Math.floor(k / dof)]][k % dof], Math.abs(value)));
    this.bounds = {
      square: new Float64Array(0),
      acceleration0: most(grid.acceleration0),
      acceleration1: most(grid.acceleration1),
      forces: arm && torqueRows(new InverseDynamics(arm), used!, velocity, grid),
    };
    const isSmooth = Array.prototype.some.call(jerk, (limit) => limit < Number.POSITIVE_INFINITY);
    const kept = { acceleration: (piece: number) => accelerations[piece], jerk };
    this.prover = new BrakingProver(this.curve, kept, arm && { arm, limits: limits! });
    const { forces } = this.bounds;
    this.smooth = isSmooth ? new SmoothStops(this.curve, grid, { ...kept, forces }, this.prover) : undefined;
    this.contacts = world && StopContacts.of(world, this.curve, interrupt);
    this.time = ({ first, duration }, at) => grid.time(first) - grid.time(at) + duration;
    const elbow = elbowOf(robot.description);
    const moved = (scene.steps ?? []).filter(movesJoints).flatMap((step) => Object.keys(step.moves.joints));
    // The elbow of a short arm may be a finger, whose motion is not that of the trajectory.
    const hasElbow = elbow !== undefined && !movedLinks(robot, new Set(moved)).has(elbow);
    this.distances = [scene.tcp, ...(hasElbow ? [ELBOW] : [])].map((frame): StopMeasure => {
      let lengths: Float64Array | undefined;
      return ({ end }, at) => {
        lengths ??= pathLengths(grid, new FrameSpeed(robot, tcpOf(robot, frame)), this.curve);
        return lengths[end] - lengths[at];
      };
    });
  }

  /** Returns the stop from the start of an interval, else one that begins later; null if interrupted. */
  private stop(first: number): PathStop | undefined | null {
    const { count } = this.grid;
    for (let at = first, step = LATER; ; ) {
      if (this.interrupt()) return null;
      const stop = this.stopFrom(at);
      if (stop || at === count) return stop;
      while (8 * step <= at - first) step *= 2;
      at = Math.min(count, (Math.floor(at / step) + 1) * step); // those that other instants try, too
    }
  }

  private stopFrom(first: number): PathStop | undefined {
    const { grid, bounds, prover, known } = this;
    if (known.has(first)) return known.get(first);
    const isKept = (piece: number, part: BrakingPart) => prover.isKept(piece, part);
    const isHeld = (n: number, isWhole: boolean) => {
      const piece = n < grid.count ? grid.arc[n] : grid.arcs.length - 1;
      const from = n < grid.count ? grid.from[n] : grid.arcs[piece].duration;
      return prover.isHeld(piece, from, isWhole ? grid.step[n] : 0);
    };
    let stop: PathStop | undefined;
    for (const share of SHARES)
      stop ??= this.smooth ? this.smooth.stop(first, share) : pathStop(grid, bounds, first, isKept, isHeld, share);
    stop &&= { ...stop, rows: stop.rows.map(([t, x]) => [t, Number(x.toPrecision(DIGITS))] as const) };
    if (stop && this.contacts?.isFree(this.partsOf(stop), grid.time(first)) === false) stop = undefined;
    known.set(first, stop);
    return stop;
  }

  private partsOf(stop: PathStop): StopPiece[] {
    return this.smooth ? this.smooth.parts(stop) : evenParts(this.curve, stop.rows);
  }

  /**
   * Returns the planes that separate the robot from what moves, during a stop; undefined if they are not proved.
   * @param reached magnitudes of joint values for which the planes are verified
   */
  planes(stop: PathStop, reached: ArrayLike<number>): CertificatePair[] | undefined {
    return this.contacts ? this.contacts.planes(this.partsOf(stop), this.grid.time(stop.first), reached) : [];
  }

  /**
   * Returns an upper bound on a measure of the stops from all instants, and the instant, by branch and bound: near the
   * worst stop, or not above `most` if that is found. Infinity if one is not proved or has no measure (overflow), or if
   * the search is interrupted.
   */
  worst(measure: StopMeasure, most = Number.POSITIVE_INFINITY): WorstStop {
    const { grid } = this;
    let open = this.ranges();
    const measured = (stop: PathStop, at: number) => {
      const value = measure(stop, at);
      return value >= 0 ? value : Number.POSITIVE_INFINITY; // NaN is no bound
    };
    let attained = 0;
    let worst = { value: 0, at: grid.time(0) };
    while (open.length > 0) {
      const bounded = [];
      for (const range of open) {
        const { from, to } = range;
        const stop = this.stop(to);
        if (stop === null || (stop === undefined && to - from === 1))
          return { value: Number.POSITIVE_INFINITY, at: grid.time(from) };
        attained = Math.max(attained, stop ? measured(stop, to) : 0);
        bounded.push({ ...range, value: stop ? measured(stop, from) : Number.POSITIVE_INFINITY });
      }
      open = [];
      for (const { from, to, value } of bounded) {
        const middle = (from + to) >> 1;
        const isLoose = value > (1 + GAP) * attained || (value > most && attained <= most);
        if (isLoose && to - from > 1) open.push({ from, to: middle }, { from: middle, to });
        else if (value > worst.value) worst = { value, at: grid.time(from) };
      }
    }
    return worst;
  }

  /** Returns stops, in the order of time: one within all limits follows each instant; undefined if that fails. */
  within(limits: readonly StopLimit[]): PathStop[] | undefined {
    const stops: PathStop[] = [];
    const open = this.ranges();
    for (let range = open.pop(); range; range = open.pop()) {
      const { from, to } = range;
      if (stops.length > 0 && stops[stops.length - 1].first >= to) continue; // it begins after the whole range
      const stop = this.stop(to);
      if (stop === null) return undefined;
      const middle = (from + to) >> 1;
      if (stop && limits.every(({ measure, most }) => measure(stop, from) <= most)) stops.push(stop);
      else if (to - from === 1) return undefined;
      else open.push({ from: middle, to }, { from, to: middle });
    }
    return stops;
  }

  /** Returns ranges that cover the motion, the last one first. */
  private ranges(): Range[] {
    const ranges: Range[] = [];
    for (let to = this.grid.count; to > 0; to -= SPACING) ranges.push({ from: Math.max(0, to - SPACING), to });
    return ranges;
  }
}
