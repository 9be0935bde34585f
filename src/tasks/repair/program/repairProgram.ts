import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { startStateOf } from '../../../core/scene/configurationOf.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { endBefore } from '../../../core/trajectory/closedSegments.ts';
import { inJointOrder, isTimed, type Trajectory, type TrajectoryPoint } from '../../../core/trajectory/trajectory.ts';
import { planDefaults } from '../../planning/planOptions.ts';
import type { TimeLimit } from '../../planning/stopwatch.ts';
import { checkProgram, type ProgramCheckResult } from '../../programs/checks/checkProgram.ts';
import { withSignals } from '../../programs/pathSignals.ts';
import { motionLimitsOf } from '../../sceneRobot.ts';
import { World } from '../../world.ts';
import { complementOf } from '../changedSpans.ts';
import { changesText, metadataOf } from '../repairedMotion.ts';
import type { RepairOptions, RepairResult } from '../repairOptions.ts';
import { repairResults, whyStillInvalid } from '../repairResults.ts';
import { withoutSmallFaults } from '../smallFaults.ts';
import { type RepairedRun, repairRun, runsOf } from './repairRun.ts';

/**
 * Repairs the trajectory of a program: each run between two stops by itself, in the scene of its time. Free motions are
 * pushed away or replaced within their segments, and everything is slowed down where a limit requires it; lines, arcs
 * and the states of waits keep their geometry. Ends of segments keep their states, events and signals their
 * places. See `repairTrajectory`.
 */
export function repairProgram(
  given: Trajectory,
  robot: RobotModel,
  scene: Scene,
  options: RepairOptions,
  limit: TimeLimit,
  place?: string,
): RepairResult {
  const names = robot.variables.map(({ name }) => name);
  const trajectory = inJointOrder(given, names, place);
  const check = (motion: Trajectory) =>
    checkProgram(robot, scene, motion, { checker: planDefaults.checker, place, interrupt: limit.isOver });
  const before = check(trajectory);
  const { good, failed, cleaned } = repairResults(given, before, options, limit);
  if (before.valid) return good;
  const clean = withoutSmallFaults(trajectory, startStateOf(robot, scene), motionLimitsOf(robot, scene));
  const base = clean.notes.length > 0 ? check(clean.motion) : before;
  if (base.valid) return cleaned(clean, trajectory);
  const refusal = refusalOf(clean.motion, new World(robot, scene), base);
  if (refusal !== undefined) return failed(refusal);
  const repaired = repairedRuns(clean.motion, robot, scene, options, limit);
  if ('reason' in repaired) return failed(repaired.reason);
  const { motion, runs } = repaired;
  const after = check(motion);
  if (!after.valid) return failed(whyStillInvalid(after));
  return {
    status: 'repaired',
    reason: [...clean.notes, descriptionOf(runs, trajectory, motion)].join(', '),
    changed: complementOf(
      runs.flatMap(({ kept }) => kept),
      trajectory,
    ),
    trajectory: inJointOrder(motion, given.jointNames),
    before,
  };
}

/** Returns why the trajectory of a program is not repaired; undefined if it may be. */
function refusalOf(trajectory: Trajectory, { isStill }: World, before: ProgramCheckResult): string | undefined {
  if (!isStill)
    return 'programs among moving obstacles or robots are not repaired, since waits depend on them: plan it again';
  if (!isTimed(trajectory)) return 'it has no times (time_from_start), which a program needs';
  if (before.faults.some(({ kind }) => kind === 'time')) return 'its times do not increase from 0';
  // without intervals, segments and events are not those of the steps
  if (before.intervals.length === 0) return before.stepFaults[0]?.what ?? 'it has no segments';
  if (trajectory.points.length < 2) return 'it has a single point: there is no motion to repair';
  return undefined;
}

interface RepairedProgram {
  readonly motion: Trajectory;
  readonly runs: readonly RepairedRun[];
}

function repairedRuns(
  trajectory: Trajectory,
  robot: RobotModel,
  scene: Scene,
  options: RepairOptions,
  limit: TimeLimit,
): RepairedProgram | { readonly reason: string } {
  const segments = [...trajectory.segments!];
  const points: TrajectoryPoint[] = [];
  const runs: RepairedRun[] = [];
  let time = trajectory.points[0].time_from_start!;
  for (const parts of runsOf(robot, scene, trajectory)) {
    const run = repairRun(parts, time, { scene, options, interrupt: limit.isOver });
    if ('reason' in run) return run;
    runs.push(run);
    for (const [i, { segment }] of parts.entries()) {
      segments[segment] = { ...segments[segment], from: time, to: run.ends[i] };
      time = run.ends[i];
    }
    if (run.points.length === 0) continue;
    const joint = points.pop();
    points.push({ ...joint, ...run.points[0] }, ...run.points.slice(1));
  }
  const events = trajectory.events?.map((event) => ({
    ...event,
    time: endBefore(segments, event.step, points[0].time_from_start!),
  }));
  const { pointSteps: _, ...rest } = metadataOf(trajectory);
  return { motion: withSignals(robot, scene, { ...rest, points, segments, ...(events && { events }) }), runs };
}

function descriptionOf(runs: readonly RepairedRun[], before: Trajectory, after: Trajectory): string {
  const count = (key: 'pushed' | 'searched') => runs.reduce((sum, run) => sum + run[key], 0);
  return changesText({
    pushed: count('pushed'),
    searched: count('searched'),
    isSlower: runs.some(({ isSlower }) => isSlower) || durationText(before) !== durationText(after),
    before,
    after,
  });
}

const durationText = ({ points }: Trajectory) =>
  (points[points.length - 1].time_from_start! - points[0].time_from_start!).toFixed(9);
