import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { startStateOf } from '../../core/scene/configurationOf.ts';
import { kindOf } from '../../core/scene/movingScene.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { type Arc, arcsOf, type TimeSpan } from '../../core/trajectory/retiming/arc.ts';
import {
  inJointOrder,
  isTimed,
  type MotionLimits,
  type Trajectory,
  type TrajectoryPoint,
} from '../../core/trajectory/trajectory.ts';
import { motionFaults } from '../../core/trajectory/trajectoryLimits.ts';
import { createTrajectoryChecker } from '../checking/checkTrajectory.ts';
import { TimeLimit } from '../planning/stopwatch.ts';
import { motionLimitsOf } from '../sceneRobot.ts';
import { World } from '../world.ts';
import { complementOf, rangeOfTimes, spansOf } from './changedSpans.ts';
import { repairProgram } from './program/repairProgram.ts';
import { changesText, metadataOf } from './repairedMotion.ts';
import { repairGeometry } from './repairGeometry.ts';
import { type RepairOptions, type RepairResult, repairDefaults } from './repairOptions.ts';
import { isOfProgram, PROGRAM_REASON } from './repairRefusal.ts';
import { type MotionRepair, repairAmongMoving, repairResults, whyStillInvalid } from './repairResults.ts';
import { areEquallyLong, RepairWorld, repairTimes } from './repairWorld.ts';
import { repairedFrom, withoutSmallFaults } from './smallFaults.ts';

export { type RepairOptions, type RepairResult, repairDefaults } from './repairOptions.ts';

/**
 * Changes a trajectory as little as possible so that it passes the trajectory check. Intervals that are not valid
 * (collisions, limits of positions, constraints) are pushed along clearance gradients, or replaced by a detour; then
 * the motion is slowed down where it exceeds limits of its speeds or accelerations, and stops where its velocity jumps,
 * unless a small blend is found. Start and end states remain, and arcs that are not next to one that is not valid keep
 * their curve (to 1e-6 rad; to 1e-4 rad about velocity jumps, if all curves are valid). Among moving obstacles and
 * other robots, the robot then waits for them at the start or at a point of its curve, or takes another path. Of a
 * program, free motions are repaired within their segments, each in the scene of its time, and lines, arcs and waits
 * are only slowed down.
 * @param hooks clock: monotonic, milliseconds; without it the time limit has no effect
 * @param place prefix of error messages: the file that the trajectory was read from
 * @throws InputError for joints that are not the robot's, and for a path without times where something moves
 */
export function repairTrajectory(
  given: Trajectory,
  robot: RobotModel,
  scene: Scene,
  options: Partial<RepairOptions> = {},
  hooks: { readonly clock?: () => number } = {},
  place?: string,
): RepairResult {
  const all = { ...repairDefaults, ...options };
  const limit = new TimeLimit(hooks.clock, all.timeLimit);
  if (kindOf(scene) === 'program') return repairProgram(given, robot, scene, all, limit, place);
  return repairMotion(given, new World(robot, scene), all, limit, place);
}

/**
 * Repairs a trajectory in its world: removes small faults, then repairs the motion among what is at rest, then among
 * what moves. See `repairTrajectory`.
 * @param limit time limit of the whole repair
 */
function repairMotion(
  given: Trajectory,
  world: World,
  options: RepairOptions,
  limit: TimeLimit,
  place?: string,
): RepairResult {
  const { robot, scene } = world;
  const names = robot.variables.map(({ name }) => name);
  const ordered = inJointOrder(given, names, place);
  const check = createTrajectoryChecker(robot, world.manager, limit.isOver, world.tree);
  const before = check(ordered, place);
  const { good, failed, cleaned } = repairResults(given, before, options, limit);
  if (before.valid) return good;
  if (isOfProgram(given)) return failed(PROGRAM_REASON);
  const start = startStateOf(robot, scene);
  const limits = motionLimitsOf(robot, scene);
  const clean = withoutSmallFaults(ordered, start, limits);
  const { valid, leadIn } = clean.notes.length > 0 ? check(clean.motion) : before;
  if (valid) return cleaned(clean, ordered);
  const base = repairedFrom(clean, { start, limits, leadIn });
  if ('reason' in base) return failed(base.reason);
  const setting = { world, given, ordered, ...base, options, limit, check, before, failed };
  if (world.isStill) return repairStill(setting);
  return repairAmongMoving(setting, repairMotion(base.motion, world.still, options, limit, place));
}

/** Arcs of the repaired curve, a description of what was replaced, and the trajectory. */
interface Candidate {
  readonly what: string;
  readonly kept: readonly TimeSpan[];
  readonly trajectory: Trajectory;
}

/**
 * Repairs a motion in a scene in which nothing else moves, without the faults that `repairMotion` removes.
 * @param setting its world is still
 */
function repairStill(setting: MotionRepair): RepairResult {
  const { world: whole, given, ordered, motion, notes, options, limit, check, before, failed } = setting;
  const world = new RepairWorld(whole.robot, whole.scene, limit.isOver, whole.manager);
  const hasTimes = motionFaults(motion, world.limits).every(({ kind }) => kind !== 'time');
  if (!hasTimes && options.keepTimes) return failed('its times do not increase from 0, so they cannot be kept');
  const curve = hasTimes ? motion : withNewTimes(motion, world.limits);
  if (curve.points.length < 2) return failed('it has a single state, which is kept');
  const candidate = repaired(world, curve, options);
  if ('reason' in candidate) return failed(candidate.reason);
  const after = check(candidate.trajectory);
  if (!after.valid) return failed(whyStillInvalid(after));
  return {
    status: 'repaired',
    reason: [...notes, candidate.what].join(', '),
    changed: hasTimes ? changedSpans(candidate.kept, motion, ordered) : [rangeOfTimes(ordered)],
    trajectory: inJointOrder(candidate.trajectory, given.jointNames),
    before,
  };
}

/** Returns the times of the given trajectory that no span contains; a path may have the start as a further waypoint. */
function changedSpans(kept: readonly TimeSpan[], motion: Trajectory, given: Trajectory): [number, number][] {
  const spans = complementOf(kept, motion);
  if (isTimed(given)) return spans;
  const added = motion.points.length - given.points.length;
  return spans.map(([from, to]) => [Math.max(0, from - added), Math.max(0, to - added)]);
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
  if (keepTimes && !areEquallyLong(arcs, curve))
    return { reason: 'no valid motion is found that takes as long, so its times cannot be kept' };
  const counts = { pushed, searched, isSlower: false, before: given, after: given };
  if (!timed) return { what: changesText(counts), kept: spansOf(arcs), trajectory: pathOf(given, arcs) };
  const start = given.points[0].time_from_start!;
  const times = repairTimes(world, arcs, { start, keepTimes, isCurveKept: isCurveValid });
  if (times === undefined) return { reason: 'no times within the limits are found for the motion' };
  const kept = spansOf(times.arcs.filter((_, k) => times.kept[k]));
  const trajectory = { ...metadataOf(given), points: times.points };
  const isSlower = !times.kept.every(Boolean);
  return { what: changesText({ ...counts, isSlower, after: trajectory }), kept, trajectory };
}

/** Returns the path along straight arcs. */
function pathOf(given: Trajectory, arcs: readonly Arc[]): Trajectory {
  const points = [arcs[0].from, ...arcs.map(({ to }) => to)].map(({ positions }) => ({ positions }));
  return { ...metadataOf(given), points };
}

/** Seconds: shortest time of a line. */
const SHORTEST = 1e-3;
/** Rad/s or m/s: speed of joints without a velocity limit. */
const SPEED = 1;
/** Rad or m: points that differ by less are the same state. */
const SAME = 1e-9;

/**
 * Returns a trajectory with times that increase from 0. Times that already increase are shifted to begin at 0.
 * Otherwise the result is the straight lines between the points, as fast as the velocity limits allow, without repeated
 * points.
 */
function withNewTimes({ points: given, ...rest }: Trajectory, { velocity }: MotionLimits): Trajectory {
  const start = given[0].time_from_start!;
  if (given.every(({ time_from_start: time }, i) => i === 0 || time! > given[i - 1].time_from_start!))
    return { ...rest, points: given.map((point) => ({ ...point, time_from_start: point.time_from_start! - start })) };
  const points: TrajectoryPoint[] = [];
  for (const { positions } of given) {
    const last = points.at(-1);
    let duration = 0;
    for (const [j, x] of positions.entries()) {
      const way = Math.abs(x - (last?.positions[j] ?? x));
      if (way > SAME) duration = Math.max(duration, SHORTEST, way / (velocity[j] < Infinity ? velocity[j] : SPEED));
    }
    if (last === undefined || duration > 0)
      points.push({ time_from_start: (last?.time_from_start ?? 0) + duration, positions });
  }
  // The last state is kept exactly.
  const end = points.pop()!;
  const { positions } = given[given.length - 1];
  return { ...rest, interpolation: 'linear', points: [...points, { ...end, positions }] };
}
