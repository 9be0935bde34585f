import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import { robotMetadata } from '../../core/kinematics/robotMetadata.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { distanceBetween } from '../../core/math/configuration.ts';
import { never } from '../../core/math/interrupt.ts';
import { inJointOrder, requireNoSceneEvents, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { fullTurnFaults, unwrapped } from '../../core/trajectory/trajectoryLimits.ts';
import { InputError } from '../../errors.ts';
import { createPlanChecker } from '../checking/checkTrajectory.ts';
import { describeFaults } from '../checking/describeFaults.ts';
import { holdingTorques } from '../forces/holding.ts';
import type { TorqueScene } from '../forces/torqueCheck.ts';
import { type BlendRuleName, blendRules, timedBy } from './blendRules.ts';
import { timedLimits, timingContext } from './timingContext.ts';

/** Options of `timePath`. */
export interface TimePathOptions {
  /** Corner blending: parabolic blends (`blend`), or a stop at each corner (`stop`). */
  readonly corners: BlendRuleName;
  /** Replaces the times of a trajectory, and its velocities: its path is the polyline through its points. */
  readonly replaceTimes: boolean;
}

/** Result of `timePath`. */
export type TimedPath =
  | {
      readonly status: 'timed';
      /** The trajectory, proved valid at every instant. */
      readonly trajectory: Trajectory;
      /** Number of blended corners. */
      readonly blends: number;
      /** Number of repeated points that were dropped. */
      readonly repeated: number;
      /** Names of continuous joints whose jumps by full turns were unwrapped. */
      readonly turned: readonly string[];
      /** Distance between the path and the motion, rad and m (L2 over the joints); 0 without blends. */
      readonly deviation: number;
    }
  | { readonly status: 'failed'; readonly reason: string };

/**
 * Computes the fastest motion along a path, as `planMotion` does along the one that it finds, and proves it. Repeated
 * points are dropped, and jumps of continuous joints by full turns unwrapped. A motion with blends that is not proved
 * is replaced by the one that stops at each corner, which is exactly on the path. Throws `InputError` if the joints are
 * not those of the robot, if the path has times that are not to be replaced, or events that change the scene.
 * @param place prefix of error messages: the file that the path was read from
 */
export function timePath(
  given: Trajectory,
  robot: RobotModel,
  manager: CollisionManager,
  { corners, replaceTimes }: TimePathOptions,
  place = 'path',
): TimedPath {
  const names = robot.variables.map((joint) => joint.name);
  if (hasTimes(given) && !replaceTimes)
    throw new InputError(
      `${place}: it has times`,
      'Give --replace-times to replace them: the path is then the straight lines through its points.',
    );
  requireNoSceneEvents(given, place);
  if (given.signals)
    throw new InputError(`${place}: it has signals, whose times would change`, 'Plan the program with its limits.');
  const context = timingContext(robot, manager.posed, never, never);
  const stated = inJointOrder(given, names, place);
  const meant = unwrapped(stated, context.limits);
  const left = fullTurnFaults(meant, context.limits);
  if (left.length > 0)
    return { status: 'failed', reason: describeFaults({ faults: left, duration: undefined }).join('; ') };
  const turned = fullTurnFaults(stated, context.limits).map(({ joint }) => joint);
  const waypoints = meant.points.map((point) => point.positions);
  const path = waypoints.filter((q, i) => i === 0 || q.some((value, j) => value !== waypoints[i - 1][j]));
  const heavy = overloadOn(path, robot, manager.model.scene);
  if (heavy !== undefined) return { status: 'failed', reason: heavy };
  const check = createPlanChecker(robot, manager);
  let reason = `no motion along the path is proved to keep ${timedLimits(manager.model.scene)}`;
  for (const rule of corners === 'blend' ? (['blend', 'stop'] as const) : (['stop'] as const)) {
    const motion = timedBy(blendRules[rule], path, context);
    if (motion === undefined) continue;
    const trajectory = { ...motion.trajectory, ...robotMetadata(robot) };
    const checked = check(trajectory, place);
    if (checked.valid) {
      const { blends } = motion;
      // Without blends, too, a corner nearer than 1e-6 to the one before may have been left out.
      const deviation = rule === 'blend' ? pathDeviation(trajectory, path) : 0;
      return { status: 'timed', trajectory, blends, repeated: waypoints.length - path.length, turned, deviation };
    }
    reason = describeFaults(checked).join('; ');
  }
  return { status: 'failed', reason };
}

/** Returns which joint is overloaded at rest at a point of a path; undefined if none is. */
function overloadOn(path: readonly (readonly number[])[], robot: RobotModel, scene: TorqueScene): string | undefined {
  const holding = holdingTorques(robot, scene);
  for (const positions of holding === undefined ? [] : path) {
    const found = holding!.overload(Float64Array.from(positions));
    if (found === undefined) continue;
    const [torque, limit] = [Math.abs(found.torque), found.limit].map((value) => Number(value.toPrecision(4)));
    return `${found.joint} takes a torque of ${torque} at rest at [${positions.join(', ')}], its limit is ${limit}`;
  }
  return undefined;
}

/** Returns false for a path, also for one whose times are all equal: messages of ROS have times in any case. */
function hasTimes({ points }: Trajectory): boolean {
  const [first, ...others] = points.map((point) => point.time_from_start);
  return first !== undefined && others.some((time) => time !== first);
}

/** Samples of each piece of the curve. */
const SAMPLES = 8;
/** Steps of the refinement between samples; each leaves two thirds of an interval. */
const REFINEMENTS = 60;

/**
 * Returns how far a motion with blended corners deviates from the polyline that it passes, L2 over the joints, rad and
 * m: the largest distance of a waypoint to the curve, found by samples and refined, so that it is never stated as less.
 * Every point of a blend is nearer to its two segments than their corner is to the blend.
 */
function pathDeviation(trajectory: Trajectory, path: readonly ArrayLike<number>[]): number {
  const curve = new TrajectoryCurve(trajectory);
  const times = sampleTimes(curve);
  const q = new Float64Array(curve.dof);
  const distanceAt = (time: number, waypoint: ArrayLike<number>) => {
    curve.position(q, time);
    return distanceBetween(q, waypoint);
  };
  let deviation = 0;
  let from = 0; // the samples near the waypoint before
  for (const [i, waypoint] of path.entries()) {
    // The curve is no longer than the polyline: the next waypoint is passed after about the length of the segment.
    const reach = i === 0 ? 0 : 2 * (distanceBetween(path[i - 1], waypoint) + deviation);
    let best = from;
    let nearest = distanceAt(times[from], waypoint);
    let passed = 0;
    for (let k = from + 1; k < times.length && (passed <= reach || k <= from + SAMPLES); k++) {
      curve.position(q, times[k - 1]);
      passed += distanceAt(times[k], q.slice());
      const distance = distanceAt(times[k], waypoint);
      if (distance < nearest) [nearest, best] = [distance, k];
    }
    let [low, high] = [times[Math.max(0, best - 1)], times[Math.min(times.length - 1, best + 1)]];
    for (let n = 0; n < REFINEMENTS; n++) {
      const [a, b] = [low + (high - low) / 3, high - (high - low) / 3];
      if (distanceAt(a, waypoint) <= distanceAt(b, waypoint)) high = b;
      else low = a;
    }
    deviation = Math.max(deviation, Math.min(nearest, distanceAt((low + high) / 2, waypoint)));
    from = Math.max(0, best - 1);
  }
  return deviation;
}

/** Returns the times of knots, and equally spaced ones between them. */
function sampleTimes({ times, pieces, end }: TrajectoryCurve): number[] {
  const samples: number[] = [];
  for (let k = 0; k < pieces; k++)
    for (let n = 0; n < SAMPLES; n++) samples.push(times[k] + ((times[k + 1] - times[k]) * n) / SAMPLES);
  return [...samples, end];
}
