import { freePath, type MotionPath, shiftedPath } from '../../core/cartesian/motionPath.ts';
import { poseError } from '../../core/kinematics/pose.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { norm } from '../../core/math/vec3.ts';
import { dependsOnLinks, type MotionStep, mayBlend, type Step } from '../../core/scene/program.ts';
import type { MotionLimits, Trajectory, TrajectoryPoint } from '../../core/trajectory/trajectory.ts';
import type { TimeShare } from '../planning/stopwatch.ts';
import type { World } from '../world.ts';
import { blendedRun } from './blendedRun.ts';
import { RunChecks } from './checks/runChecks.ts';
import type { RunMotion, TimedRun } from './programRun.ts';
import { distance, goalPoses } from './search/goalPoses.ts';
import { plannedTcpSpeed } from './speedRules.ts';
import type { StepMotions } from './stepMotion.ts';
import type { StepPath } from './stepPath.ts';

/** A motion of a program from rest to rest, before blending. */
export interface RestMotion {
  readonly step: MotionStep;
  readonly world: World;
  /** Start configuration; the motion is the same from configurations that differ by full turns. */
  readonly from: Configuration;
  /** Points without the first, with times from the start. */
  readonly points: readonly TrajectoryPoint[];
  /** Joint path of a line or arc. */
  readonly path: StepPath | undefined;
}

/** Receiver of the motions of a program. */
export interface MotionSink {
  /** Positions at the end of the motions appended so far. */
  readonly positions: readonly number[];
  /** Appends a motion from rest to rest; see `ProgramTrajectory`. */
  motion(step: MotionStep, from: ArrayLike<number>, points: readonly TrajectoryPoint[]): void;
  /** Appends several motions that are timed together. */
  run(timed: TimedRun, motions: readonly RunMotion[]): void;
}

/** Collects the motions of a program between events, and appends them with blends if these are possible. */
export class ProgramRuns {
  /** True if a motion without a stop at its end was appended. */
  hasBlends = false;
  private collected: RestMotion[] = [];

  constructor(
    private readonly robot: RobotModel,
    private readonly steps: readonly Step[],
    private readonly motions: StepMotions,
    private readonly limits: MotionLimits,
    private readonly program: MotionSink,
    /** False: the robot stops at the end of every motion. */
    private readonly isBlending: boolean,
    /** Time for blends. */
    private readonly share: TimeShare,
  ) {}

  /** Adds a motion. It is appended to the program together with the motions that it is blended with. */
  add(motion: RestMotion): void {
    this.collected.push(motion);
    if (!mayBlend(this.steps, motion.step)) this.flush();
  }

  /** Appends the motions that were added. */
  flush(): void {
    const { collected } = this;
    this.collected = [];
    if (this.isBlending && this.appendBlended(collected)) return;
    for (const { step, from, points } of collected) this.program.motion(step, from, points);
  }

  /** Appends motions with blends; returns false if no blend is possible. */
  private appendBlended(collected: readonly RestMotion[]): boolean {
    const run: RunMotion[] = [];
    const radii: number[] = [];
    let at: Configuration = Float64Array.from(this.program.positions);
    for (const [k, motion] of collected.entries()) {
      const { step, world } = motion;
      const paths = this.pathsOf(motion);
      if (!paths) return false;
      for (const [i, path] of paths.entries()) {
        const shifted = shiftedPath(path, at);
        at = shifted.knots[shifted.knots.length - 1].q;
        run.push({ step, path: shifted, tcpSpeed: plannedTcpSpeed(world.scene, step) });
        if (i + 1 < paths.length) radii.push(step.blend);
        else if (k + 1 < collected.length) radii.push(this.radiusAfter(motion, collected[k + 1], at));
      }
    }
    if (!radii.some((radius) => radius > 0)) return false;
    const { robot, limits } = this;
    const timed = this.share.within((interrupt) => {
      const checks = new RunChecks(robot, collected[0].world, limits, run, interrupt);
      return blendedRun({ ...this.motions.tools, interrupt }, limits, run, radii, checks);
    });
    const stopping = collected.reduce((sum, { points }) => sum + (points.at(-1)?.time_from_start ?? 0), 0);
    if (!timed || !(timed.ends[timed.ends.length - 1] < stopping)) return false;
    this.program.run(timed, run);
    this.hasBlends = true;
    return true;
  }

  /**
   * Returns the joint paths of a motion, one per line of a polyline; undefined if it has none, or stops at a corner.
   */
  private pathsOf({ step, path, from, points }: RestMotion): readonly MotionPath[] | undefined {
    if (points.length === 0 || step.kind === 'path') return undefined;
    if (path) return path.legs.map(({ leg, knots }) => ({ leg, knots }));
    const positions = Array.from(from);
    const first: TrajectoryPoint = { time_from_start: 0, positions, velocities: positions.map(() => 0) };
    const jointNames = this.robot.variables.map(({ name }) => name);
    const motion: Trajectory = { jointNames, points: [first, ...points], interpolation: 'cubic' };
    const free = freePath(motion);
    return free && [free];
  }

  /** Returns the radius of the blend after a motion; 0 if the ideal path of the next one does not begin at its end. */
  private radiusAfter({ step, world }: RestMotion, { step: next }: RestMotion, end: Configuration): number {
    if (next.kind !== 'move' && dependsOnLinks(next)) return 0;
    if (step.kind !== 'move') return step.blend;
    const T = this.motions.tools.tracker.pose(end);
    const error = new Float64Array(6);
    const poses = goalPoses(this.robot, world.scene, step);
    if (poses.length < step.goals.length) return 0;
    const isReached = (pose: (typeof poses)[number]) => {
      poseError(error, T, pose);
      return norm(error.subarray(0, 3)) <= REACHED && norm(error.subarray(3, 6)) <= REACHED;
    };
    // the check must not confuse another goal nearby with the one that is reached
    const others = poses.filter((pose) => !isReached(pose));
    const isUnique = others.length < poses.length && others.every((pose) => distance(pose, T) > 2 * step.blend);
    return isUnique ? step.blend : 0;
  }
}

/** Absolute tolerance, metres and radians, within which the end of a motion is a goal. */
const REACHED = 1e-6;
