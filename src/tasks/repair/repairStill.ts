import { type Arc, arcsOf, type TimeSpan } from '../../core/trajectory/retiming/arc.ts';
import { inJointOrder, isTimed, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { motionFaults } from '../../core/trajectory/trajectoryLimits.ts';
import { complementOf, rangeOfTimes, spansOf } from './changedSpans.ts';
import { withNewTimes } from './newTimes.ts';
import { changesText, metadataOf } from './repairedMotion.ts';
import { repairGeometry } from './repairGeometry.ts';
import type { RepairOptions, RepairResult } from './repairOptions.ts';
import { type MotionRepair, whyStillInvalid } from './repairResults.ts';
import { areEquallyLong, repairTimes } from './repairTimes.ts';
import { RepairWorld } from './repairWorld.ts';

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
export function repairStill(setting: MotionRepair): RepairResult {
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
