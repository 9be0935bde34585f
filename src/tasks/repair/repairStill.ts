import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Scene } from '../../scene/scene.ts';
import { inJointOrder } from '../../trajectory/jointOrder.ts';
import { type Arc, arcsOf, type TimeSpan, totalDuration } from '../../trajectory/retiming/arc.ts';
import { isTimed, type Trajectory } from '../../trajectory/trajectory.ts';
import { createTrajectoryChecker, describeFaults } from '../checking/checkTrajectory.ts';
import type { TimeLimit } from '../planning/stopwatch.ts';
import { complementOf, rangeOfTimes, spansOf } from './changedSpans.ts';
import { withNewTimes } from './newTimes.ts';
import { metadataOf, stretchesText } from './repairedMotion.ts';
import { repairGeometry } from './repairGeometry.ts';
import type { RepairOptions, RepairResult } from './repairOptions.ts';
import { isOfProgram, PROGRAM_REASON } from './repairRefusal.ts';
import { repairTimes } from './repairTimes.ts';
import { RepairWorld } from './repairWorld.ts';

/** Arcs of the repaired curve, a description of what was replaced, and the trajectory. */
interface Candidate {
  readonly what: string;
  readonly kept: readonly TimeSpan[];
  readonly trajectory: Trajectory;
}

/**
 * Repairs a trajectory in a scene in which nothing else moves: see `repairTrajectory`.
 * @param limit time limit of the whole repair
 */
export function repairStill(
  given: Trajectory,
  robot: RobotModel,
  scene: Scene,
  options: RepairOptions,
  limit: TimeLimit,
  place?: string,
): RepairResult {
  const world = new RepairWorld(robot, scene, limit.isOver);
  const trajectory = inJointOrder(given, world.jointNames, place);
  const before = createTrajectoryChecker(robot, world.manager, limit.isOver)(trajectory, place);
  if (before.valid)
    return { status: 'good', reason: 'the trajectory is valid', changed: [], trajectory: given, before };
  const failed = (reason: string): RepairResult => {
    const cut = limit.hasEnded ? `; the time limit of ${options.timeLimit} s ended the search` : '';
    return { status: 'failed', reason: `${reason}${cut}`, changed: [], trajectory: undefined, before };
  };
  if (isOfProgram(given)) return failed(PROGRAM_REASON);
  const hasTimes = before.faults.every(({ kind }) => kind !== 'time');
  if (!hasTimes && options.keepTimes) return failed('its times do not increase from 0, so they cannot be kept');
  const curve = hasTimes ? trajectory : withNewTimes(trajectory, world.limits);
  if (curve.points.length < 2) return failed('it has a single state, which is kept');
  const candidate = repaired(world, curve, options);
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
  const counts = { pushed, searched, isSlower: false, before: given, after: given };
  if (!timed) return { what: stretchesText(counts), kept: spansOf(arcs), trajectory: pathOf(given, arcs) };
  const tolerance = isCurveValid ? CORNER_TOLERANCE : CURVE_TOLERANCE;
  const start = given.points[0].time_from_start!;
  const times = repairTimes(world, arcs, { start, keepTimes, tolerance });
  if (times === undefined) return { reason: 'no times within the limits are found for the motion' };
  const kept = spansOf(times.arcs.filter((_, k) => times.kept[k]));
  const trajectory = { ...metadataOf(given), points: times.points };
  const isSlower = !times.kept.every(Boolean);
  return { what: stretchesText({ ...counts, isSlower, after: trajectory }), kept, trajectory };
}

/** Seconds: rounding errors of the duration of a curve. */
const TIME_TOLERANCE = 1e-9;
/** Rad or m: distance of blends from corners of a valid curve, and if parts of the curve are replaced. */
const CORNER_TOLERANCE = 5e-5;
const CURVE_TOLERANCE = 5e-7;

/** Returns the path along straight arcs. */
function pathOf(given: Trajectory, arcs: readonly Arc[]): Trajectory {
  const points = [arcs[0].from, ...arcs.map(({ to }) => to)].map(({ positions }) => ({ positions }));
  return { ...metadataOf(given), points };
}
