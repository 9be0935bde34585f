import type { RobotModel } from '../../kinematics/robotModel.ts';
import { requireStill } from '../../scene/moving.ts';
import { requireSingleMotion } from '../../scene/program.ts';
import type { Scene } from '../../scene/scene.ts';
import { inJointOrder } from '../../trajectory/jointOrder.ts';
import { type Arc, arcsOf, type TimeSpan, totalDuration } from '../../trajectory/retiming/arc.ts';
import { isTimed, type Trajectory } from '../../trajectory/trajectory.ts';
import { type CheckResult, createTrajectoryChecker, describeFaults } from '../checking/checkTrajectory.ts';
import { TimeLimit } from '../planning/stopwatch.ts';
import { withNewTimes } from './newTimes.ts';
import { repairGeometry } from './repairGeometry.ts';
import { isOfProgram } from './repairRefusal.ts';
import { repairTimes } from './repairTimes.ts';
import { RepairWorld } from './repairWorld.ts';

/** Options of `repairTrajectory`; `repairDefaults` contains the defaults. */
export interface RepairOptions {
  /** Only the geometry may change: all times remain. Not with `limitsOnly`. Has no effect on a path without times. */
  readonly keepTimes: boolean;
  /** Only the times may change: a motion whose curve is not valid is not repaired. */
  readonly limitsOnly: boolean;
  /** Seed of all random numbers: equal seeds give equal trajectories. An integer of at most 53 bits. */
  readonly seed: number;
  /** Time limit, s. Has no effect without a clock. */
  readonly timeLimit: number;
}

/** Defaults of `RepairOptions`. */
export const repairDefaults: RepairOptions = { keepTimes: false, limitsOnly: false, seed: 1, timeLimit: 10 };

/**
 * Result of `repairTrajectory`. `good`: the given trajectory is valid. `repaired`: a valid trajectory. `failed`: none
 * is found.
 */
export interface RepairResult {
  /** Status of the repair. */
  readonly status: 'good' | 'repaired' | 'failed';
  /** One line that describes the status. */
  readonly reason: string;
  /**
   * Times of the given trajectory, [from, to] in order, at which the result has another curve or another pace: seconds,
   * or waypoints for a path. Empty unless repaired.
   */
  readonly changed: readonly (readonly [number, number])[];
  /** The given trajectory if it is good; undefined if the repair failed. */
  readonly trajectory: Trajectory | undefined;
  /** Result of the check of the given trajectory. */
  readonly before: CheckResult;
}

/** Arcs of the repaired curve, a description of what was replaced, and the trajectory. */
interface Candidate {
  readonly what: string;
  readonly kept: readonly TimeSpan[];
  readonly trajectory: Trajectory;
}

/**
 * Changes a trajectory as little as possible so that the check of trajectories accepts it. Stretches that are not valid
 * (collisions, limits of positions, constraints) are pushed along clearance gradients, or replaced by a detour; then
 * the motion is slowed down where it exceeds limits of its speeds or accelerations, and stops where its velocity jumps,
 * unless a small blend is found. Start and end states remain, and arcs that are not next to one that is not valid keep
 * their curve (to 1e-6 rad; to 1e-4 rad about velocity jumps, if all curves are valid).
 * @param hooks clock: monotonic, milliseconds; without it the time limit has no effect
 * @param place prefix of error messages: the file that the trajectory was read from
 * @throws InputError for joints that are not the robot's; for a scene that is a program, or in which something moves
 */
export function repairTrajectory(
  given: Trajectory,
  robot: RobotModel,
  scene: Scene,
  options: Partial<RepairOptions> = {},
  hooks: { readonly clock?: () => number } = {},
  place?: string,
): RepairResult {
  requireSingleMotion(scene, place ?? 'trajectory');
  requireStill(scene);
  const all = { ...repairDefaults, ...options };
  const limit = new TimeLimit(hooks.clock, all.timeLimit);
  const world = new RepairWorld(robot, scene, limit.isOver);
  const trajectory = inJointOrder(given, world.jointNames, place);
  const before = createTrajectoryChecker(robot, world.manager, limit.isOver)(trajectory, place);
  if (before.valid)
    return { status: 'good', reason: 'the trajectory is valid', changed: [], trajectory: given, before };
  const failed = (reason: string): RepairResult => {
    const cut = limit.hasEnded ? `; the time limit of ${all.timeLimit} s ended the search` : '';
    return { status: 'failed', reason: `${reason}${cut}`, changed: [], trajectory: undefined, before };
  };
  if (isOfProgram(given))
    return failed('it is the motion of a program, whose segments and events are stated at the given times');
  const hasTimes = before.faults.every(({ kind }) => kind !== 'time');
  if (!hasTimes && all.keepTimes) return failed('its times do not increase from 0, so they cannot be kept');
  const curve = hasTimes ? trajectory : withNewTimes(trajectory, world.limits);
  if (curve.points.length < 2) return failed('it has a single state, which is kept');
  const candidate = repaired(world, curve, all);
  if ('reason' in candidate) return failed(candidate.reason);
  const after = createTrajectoryChecker(robot, world.manager, limit.isOver)(candidate.trajectory);
  if (!after.valid) return failed(`the repaired trajectory is not valid: ${describeFaults(after).join('; ')}`);
  return {
    status: 'repaired',
    reason: candidate.what,
    changed: hasTimes ? complementOf(candidate.kept, trajectory) : [rangeOfTimes(trajectory)],
    trajectory: inJointOrder(candidate.trajectory, given.jointNames),
    before,
  };
}

function repaired(world: RepairWorld, given: Trajectory, options: RepairOptions): Candidate | { reason: string } {
  const { keepTimes, limitsOnly, seed } = options;
  const timed = isTimed(given);
  const curve = arcsOf(given);
  const isValid = curve.map((arc) => world.isGivenValid(arc));
  const isCurveValid = isValid.every(Boolean);
  if (limitsOnly && !isCurveValid)
    return { reason: 'its curve is not valid, and only its times may change (--limits-only)' };
  const geometry = isCurveValid
    ? { arcs: curve, pushed: 0, searched: 0 }
    : repairGeometry(world, curve, isValid, { straight: !timed, seed });
  if ('reason' in geometry) return geometry;
  const { arcs, pushed, searched } = geometry;
  if (arcs.length === 0) return { reason: 'it ends where it starts, and no valid motion in between is found' };
  if (keepTimes && Math.abs(totalDuration(arcs) - totalDuration(curve)) > TIME_TOLERANCE)
    return { reason: 'no valid motion is found that takes as long, so its times cannot be kept' };
  const parts = [
    ...(pushed > 0 ? [`${stretches(pushed)} pushed away`] : []),
    ...(searched > 0 ? [`${stretches(searched)} replaced by a detour`] : []),
  ];
  if (!timed) return { what: parts.join(', '), kept: spansOf(arcs), trajectory: pathOf(given, arcs) };
  const tolerance = isCurveValid ? CORNER_TOLERANCE : CURVE_TOLERANCE;
  const start = given.points[0].time_from_start!;
  const times = repairTimes(world, arcs, { start, keepTimes, tolerance });
  if (times === undefined) return { reason: 'no times within the limits are found for the motion' };
  const kept = spansOf(times.arcs.filter((_, k) => times.kept[k]));
  const trajectory = { ...metadataOf(given), points: times.points };
  if (!times.kept.every(Boolean)) parts.push(`slowed down, ${durationsOf(given, trajectory)}`);
  return { what: parts.join(', ') || 'corners blended', kept, trajectory };
}

/** Seconds: rounding errors of the duration of a curve. */
const TIME_TOLERANCE = 1e-9;
/** Rad or m: distance of blends from corners of a valid curve, and if parts of the curve are replaced. */
const CORNER_TOLERANCE = 5e-5;
const CURVE_TOLERANCE = 5e-7;

const stretches = (count: number) => `${count} ${count === 1 ? 'stretch' : 'stretches'}`;

const spansOf = (arcs: readonly Arc[]): TimeSpan[] => arcs.flatMap(({ given }) => (given ? [given] : []));

/** Returns the path along straight arcs. */
function pathOf(given: Trajectory, arcs: readonly Arc[]): Trajectory {
  const points = [arcs[0].from, ...arcs.map(({ to }) => to)].map(({ positions }) => ({ positions }));
  return { ...metadataOf(given), points };
}

/** Returns what describes the given trajectory, without what described its points only. */
function metadataOf(given: Trajectory): Trajectory {
  const { interpolation: _, setPoints: __, statedHash: ___, ...rest } = given;
  return rest;
}

function durationsOf({ points: before }: Trajectory, { points: after }: Trajectory): string {
  const seconds = (points: Trajectory['points']) =>
    `${(points[points.length - 1].time_from_start! - points[0].time_from_start!).toFixed(3)} s`;
  return `${seconds(before)} became ${seconds(after)}`;
}

/** Returns the least and the greatest time of a trajectory. */
function rangeOfTimes({ points }: Trajectory): [number, number] {
  const times = points.map(({ time_from_start: time }) => time!);
  return [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
}

/** Returns the times of a trajectory that no span contains. */
function complementOf(kept: readonly TimeSpan[], { points }: Trajectory): [number, number][] {
  const start = points[0].time_from_start ?? 0;
  const end = points[points.length - 1].time_from_start ?? points.length - 1;
  const gaps: [number, number][] = [];
  let from = start;
  for (const span of kept) {
    if (span.from > from) gaps.push([from, span.from]);
    from = Math.max(from, span.to);
  }
  return from < end ? [...gaps, [from, end]] : gaps;
}
