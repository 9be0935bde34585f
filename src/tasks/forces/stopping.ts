import { FrameSpeed } from '../../core/cartesian/frameSpeed.ts';
import { BrakingProver } from '../../core/dynamics/arm/brakingProver.ts';
import { InverseDynamics } from '../../core/dynamics/arm/inverseDynamics.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { elbowOf, tcpOf } from '../../core/kinematics/toolCenterPoint.ts';
import { type Interrupt, never } from '../../core/math/interrupt.ts';
import { startStateOf } from '../../core/scene/configurationOf.ts';
import { kindOf } from '../../core/scene/movingScene.ts';
import { movesJoints } from '../../core/scene/program.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { movedLinks } from '../../core/scene/steps/jointMoves.ts';
import { coveredMotion } from '../../core/trajectory/leadIn/leadIn.ts';
import { type Arc, arcsOf } from '../../core/trajectory/retiming/arc.ts';
import { intervalsOf, type PaceBounds, PaceGrid } from '../../core/trajectory/retiming/paceGrid.ts';
import { type PathStop, pathStop } from '../../core/trajectory/retiming/pathStop.ts';
import { inJointOrder, isTimed, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { InputError } from '../../errors.ts';
import { motionLimitsOf } from '../sceneRobot.ts';
import { sceneArm, torqueLimits } from './sceneArm.ts';
import { torqueRows } from './torqueTiming.ts';

/** How long and how far a robot moves on at most when it stops along its path, from any instant of a motion. */
export interface StoppingReport {
  /** Greatest duration of a stop, seconds. */
  readonly time: number;
  /** When it begins, seconds. */
  readonly at: number;
  /** Greatest distance along the path of the tool center point, m, and when that stop begins. */
  readonly tcp_distance: number;
  readonly tcp_at: number;
  /** The same of the elbow; absent if the robot has none, or steps move it against the arm. */
  readonly elbow_distance?: number;
  readonly elbow_at?: number;
}

/** Seconds: the pace changes at a constant rate within intervals of about this length. */
const STEP = 2e-3;
/** Maximum number of intervals of a motion, about. */
const MAX_INTERVALS = 20_000;
/** Number of intervals between the first stops that are computed. */
const SPACING = 16;
/** Relative: a bound may exceed the worst stop that was computed by this. */
const GAP = 0.02;
/** Shares of the possible deceleration that are tried. */
const SHARES = [1, 0.95, 0.8, 0.5];
/** m/s: slower points count as that fast. */
const SLOWEST = 1e-9;
/** Fraction of a limit of torque that the estimate of a stop leaves unused, so that it is proved. */
const HEADROOM = 1e-3;

/**
 * Computes the worst stops along a motion that keeps its limits, under the limits of acceleration and torque: from each
 * instant, a stop within the time is proved to exist, and one within each distance. Undefined if none is proved for
 * some instant, or if the computation is interrupted. A lead-in is part of the motion. Throws `InputError` for motions
 * without times, lead-ins that depend on the controller, joints with jerk limits, and programs with limits of torque.
 */
export function stoppingReport(
  robot: RobotModel,
  scene: Scene,
  given: Trajectory,
  interrupt: Interrupt = never,
): StoppingReport | undefined {
  requireStoppable(robot, scene, given);
  const names = robot.variables.map(({ name }) => name);
  const covered = coveredMotion(inJointOrder(given, names), startStateOf(robot, scene));
  if ('problem' in covered) throw new InputError(`stops are not computed: ${covered.problem}`);
  const trajectory = covered.motion;
  if (trajectory.points.length < 2) return { time: 0, at: 0, tcp_distance: 0, tcp_at: 0 };
  const stops = new StopSearch(robot, scene, trajectory, interrupt);
  const { curve, grid } = stops;
  const time = stops.worst((first, { duration }, at) => grid.time(first) - grid.time(at) + duration);
  const lengthOf = (isElbow: boolean) => {
    const frame = isElbow ? tcpOf(robot, { isElbow, pose: ORIGIN }) : tcpOf(robot, scene.tcp);
    const lengths = pathLengths(grid, new FrameSpeed(robot, frame), curve);
    return stops.worst((_, { end }, at) => lengths[end] - lengths[at]);
  };
  const tcp = lengthOf(false);
  const elbowName = elbowOf(robot.description);
  const moved = (scene.steps ?? []).filter(movesJoints).flatMap((step) => Object.keys(step.moves.joints));
  // The elbow of a short arm may be a finger, whose motion is not that of the trajectory.
  const hasElbow = elbowName !== undefined && !movedLinks(robot, new Set(moved)).has(elbowName);
  const elbow = hasElbow ? lengthOf(true) : undefined;
  if (time === undefined || tcp === undefined || (hasElbow && elbow === undefined)) return undefined;
  return {
    time: time.value,
    at: time.at,
    tcp_distance: tcp.value,
    tcp_at: tcp.at,
    ...(elbow && { elbow_distance: elbow.value, elbow_at: elbow.at }),
  };
}

const ORIGIN = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const;

/** Throws `InputError` for motions whose stops are not computed. */
function requireStoppable({ variables, name }: RobotModel, scene: Scene, trajectory: Trajectory): void {
  const smooth = variables.filter(({ limits }) => limits.jerk < Number.POSITIVE_INFINITY);
  if (smooth.length > 0)
    throw new InputError(
      `robot "${name}": stops of joints with jerk limits are not computed: "${smooth[0].name}"`,
      'Leave the jerk limits out, if an emergency stop need not keep them.',
    );
  if (!isTimed(trajectory) || trajectory.setPoints)
    throw new InputError('stops need a motion with times and without set points');
  if (scene.torque !== undefined && kindOf(scene) === 'program')
    throw new InputError('stops of programs with limits of torque are not computed', 'Remove `torque`.');
}

/**
 * Returns the scale of the limits of acceleration on each piece of a motion: the least of the steps to which it
 * belongs, of all steps if the motion does not name them.
 */
function accelerationScales({ steps = [] }: Scene, { points, segments }: Trajectory): number[] {
  const scaleOf = new Map(steps.map((step) => [step.index, 'acceleration' in step ? step.acceleration : 1]));
  const least = Math.min(1, ...scaleOf.values());
  return points.slice(1).map(({ time_from_start: end }, k) => {
    const begin = points[k].time_from_start!;
    if (segments === undefined) return least;
    const own = segments.filter(({ from, to }) => from < end! && to > begin);
    return Math.min(1, ...own.map(({ step }) => scaleOf.get(step) ?? least));
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

/** The stops along one motion. */
class StopSearch {
  readonly curve: TrajectoryCurve;
  readonly grid: PaceGrid;
  private readonly bounds: PaceBounds;
  private readonly prover: BrakingProver;
  private readonly known = new Map<number, PathStop | undefined>();

  constructor(
    robot: RobotModel,
    scene: Scene,
    trajectory: Trajectory,
    private readonly interrupt: Interrupt,
  ) {
    const { velocity, acceleration } = motionLimitsOf(robot, scene);
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
    this.prover = new BrakingProver(this.curve, (piece) => accelerations[piece], arm && { arm, limits: limits! });
  }

  private stop(first: number): PathStop | undefined {
    const { grid, bounds, prover, known } = this;
    if (known.has(first)) return known.get(first);
    const isKept = (n: number, x: number, u: number) => prover.isKept(grid.arc[n], grid.from[n], grid.step[n], x, u);
    const isHeld = (n: number, isWhole: boolean) => {
      const piece = n < grid.count ? grid.arc[n] : grid.arcs.length - 1;
      const from = n < grid.count ? grid.from[n] : grid.arcs[piece].duration;
      return prover.isHeld(piece, from, isWhole ? grid.step[n] : 0);
    };
    let stop: PathStop | undefined;
    for (const share of SHARES) stop ??= pathStop(grid, bounds, first, isKept, isHeld, share);
    known.set(first, stop);
    return stop;
  }

  /**
   * Returns an upper bound on a measure of the stops from all instants, and the instant, by branch and bound; undefined
   * if a stop is not proved, or if the search is interrupted.
   * @param measure of a stop that begins at the begin of interval `first`, and of the motion to it from that of `at`
   */
  worst(
    measure: (first: number, stop: PathStop, at: number) => number,
  ): { readonly value: number; readonly at: number } | undefined {
    const { grid } = this;
    let open: Range[] = [];
    for (let to = grid.count; to > 0; to -= SPACING) open.push({ from: Math.max(0, to - SPACING), to });
    let attained = 0;
    let worst = { value: 0, at: grid.time(0) };
    while (open.length > 0) {
      const bounded = [];
      for (const range of open) {
        if (this.interrupt()) return undefined;
        const stop = this.stop(range.to);
        if (stop === undefined && range.to - range.from === 1) return undefined;
        attained = Math.max(attained, stop ? measure(range.to, stop, range.to) : 0);
        bounded.push({ ...range, value: stop ? measure(range.to, stop, range.from) : Number.POSITIVE_INFINITY });
      }
      open = [];
      for (const { from, to, value } of bounded) {
        const middle = (from + to) >> 1;
        if (value > (1 + GAP) * attained && to - from > 1) open.push({ from, to: middle }, { from: middle, to });
        else if (value > worst.value) worst = { value, at: grid.time(from) };
      }
    }
    return worst;
  }
}
