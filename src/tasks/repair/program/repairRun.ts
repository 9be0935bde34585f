import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import {
  hasSegment,
  type MotionStep,
  type Step,
  stepName,
  tcpSpeedLimit,
  type WaitStep,
} from '../../../core/scene/program.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { closedSegments } from '../../../core/trajectory/closedSegments.ts';
import {
  type Arc,
  arcsOf,
  lineArc,
  partOf,
  stateAt,
  type TimeSpan,
  totalDuration,
  velocityJump,
} from '../../../core/trajectory/retiming/arc.ts';
import { slowedDown } from '../../../core/trajectory/retiming/retime.ts';
import type { Trajectory, TrajectoryPoint } from '../../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../core/trajectory/trajectoryCurve.ts';
import { examineMotion } from '../../../core/trajectory/trajectoryLimits.ts';
import { timelineOf, worldOfStep } from '../../timeline.ts';
import { World } from '../../world.ts';
import { spansOf } from '../changedSpans.ts';
import { repairGeometry } from '../repairGeometry.ts';
import type { RepairOptions } from '../repairOptions.ts';
import { areEquallyLong, RepairWorld, repairTimes } from '../repairWorld.ts';
import { createSpeedExcess } from '../speedExcess.ts';
import { describeStateFault } from '../stateFault.ts';

/** Coefficients of the polynomial of a joint. */
const POLYNOMIAL = 6;
/** Seconds: rounding errors of the duration of a wait, as in the check of programs. */
const WAIT_TOLERANCE = 1e-7;
/** Rad or m: a point of the new motion that is this near to the end of a segment is that end. */
const SAME_STATE = 1e-9;

/** A run of a repaired program. */
export interface RepairedRun {
  readonly points: readonly TrajectoryPoint[];
  /** End of each part, seconds. */
  readonly ends: readonly number[];
  /** Intervals of the given trajectory whose curve and timing are unchanged. */
  readonly kept: readonly TimeSpan[];
  readonly pushed: number;
  readonly searched: number;
  readonly isSlower: boolean;
}

/** A run that is repaired, or the reason why not. */
export type RunRepair = RepairedRun | { readonly reason: string };

/** What all runs of a repair share. */
export interface RunSetting {
  readonly scene: Scene;
  readonly options: RepairOptions;
  readonly interrupt: () => boolean;
}

/**
 * Repairs one run of a program: the geometry of free motions, each within its segment, and the times of all. The result
 * is not proved.
 * @param start time of its first point, seconds
 */
export function repairRun(parts: readonly ProgramPart[], start: number, setting: RunSetting): RunRepair {
  const geometries: Geometry[] = [];
  for (const part of parts) {
    const found = part.step.kind === 'wait' ? waitOf(part, setting) : geometryOf(part, setting);
    if ('reason' in found) return { reason: `${stepName(part.step)}: ${found.reason}` };
    geometries.push(found);
  }
  const count = (key: 'pushed' | 'searched') => geometries.reduce((sum, one) => sum + one[key], 0);
  const counts = { pushed: count('pushed'), searched: count('searched') };
  const arcs = geometries.flatMap((one) => one.arcs);
  if (arcs.length === 0) return { points: [], ends: parts.map(() => start), kept: [], ...counts, isSlower: false };
  const { keepTimes } = setting.options;
  const given = parts.flatMap((part) => part.arcs);
  const first = stepName(parts[0].step);
  if (keepTimes && !areEquallyLong(arcs, given))
    return { reason: `${first}: no valid motion of the same duration is found, so its times cannot be kept` };
  const motions = parts.flatMap(({ step }) => (step.kind === 'wait' ? [] : [step]));
  const world = repairWorld(parts[0].world, motions, setting);
  const isCurveKept = geometries.every(({ isKept }) => isKept);
  const same = slowedDown(arcs, 1, start);
  if (isCurveKept && isWithinLimits(world, arcs, same))
    return { points: same, ends: endsOf(geometries, start), kept: spansOf(arcs), ...counts, isSlower: false };
  const times = repairTimes(world, arcs, { start, keepTimes, isCurveKept });
  const ends = times && endsAmong(times.points, geometries);
  if (times === undefined || ends === undefined) return { reason: `${first}: no timing within the limits is found` };
  const kept = spansOf(times.arcs.filter((_, k) => times.kept[k]));
  return { points: times.points, ends, kept, ...counts, isSlower: !times.kept.every(Boolean) };
}

/** Arcs of a part; `isKept`: those of the given trajectory. */
interface Geometry {
  readonly arcs: readonly Arc[];
  readonly pushed: number;
  readonly searched: number;
  readonly isKept: boolean;
}

/** Returns the arcs of a wait, with the duration that its step states if the robot is at rest. */
function waitOf({ step, arcs, world }: ProgramPart, setting: RunSetting): Geometry | { reason: string } {
  const geometry = { arcs, pushed: 0, searched: 0, isKept: true };
  const duration = step.kind === 'wait' ? step.duration : 0;
  if (arcs.length === 0)
    return duration > 0 ? { reason: `its duration is 0 s, the step states ${duration} s` } : geometry;
  const fault = faultOf(repairWorld(world, [], setting), arcs);
  if (fault !== undefined) return { reason: `${fault}; the state of a wait is not changed` };
  const rests = arcs.every(({ polynomials }) => polynomials.every((c, i) => i % POLYNOMIAL === 0 || c === 0));
  if (!rests || Math.abs(totalDuration(arcs) - duration) <= WAIT_TOLERANCE) return geometry;
  if (setting.options.keepTimes)
    return { reason: `its duration is ${seconds(arcs)}, the step states ${duration} s, and its times are kept` };
  const { positions } = arcs[0].from;
  return { ...geometry, arcs: duration > 0 ? [lineArc(positions, positions, duration)] : [] };
}

const seconds = (arcs: readonly Arc[]) => `${Number(totalDuration(arcs).toPrecision(6))} s`;

/** Returns the repaired arcs of a motion: only free motions change. */
function geometryOf({ step, arcs, world }: ProgramPart, setting: RunSetting): Geometry | { reason: string } {
  const own = repairWorld(world, [step as MotionStep], setting);
  const isValid = arcs.map((arc) => own.isGivenValid(arc));
  if (isValid.every(Boolean)) return { arcs, pushed: 0, searched: 0, isKept: true };
  const fault = faultOf(own, arcs);
  if (step.kind !== 'move')
    return { reason: `${fault}; lines and arcs are not changed, since they would leave their path` };
  if (setting.options.limitsOnly) return { reason: `${fault}, and only its times may change (--limits-only)` };
  const found = repairGeometry(own, arcs, isValid, { straight: false, seed: setting.options.seed });
  if ('reason' in found) return { reason: `${fault}: ${found.reason}` };
  if (found.arcs.length === 0) return { reason: `it ends where it starts, and no valid motion in between is found` };
  return { ...found, isKept: false };
}

/** Describes the first state of arcs that is not valid; undefined if all are proved valid. */
function faultOf(world: RepairWorld, arcs: readonly Arc[]): string | undefined {
  for (const arc of arcs) {
    const time = world.givenFaultTime(arc);
    if (time === undefined) continue;
    const q = Float64Array.from(stateAt(arc, time).positions);
    const at = arc.given === undefined ? '' : ` at ${Number((arc.given.from + time).toPrecision(6))} s`;
    return `${describeStateFault(world, q) ?? 'it cannot be proved valid'}${at}`;
  }
  return undefined;
}

/** Returns the world of an interval with the limits and constraints of some of its steps. */
function repairWorld(world: World, steps: readonly MotionStep[], { scene, interrupt }: RunSetting): RepairWorld {
  const { steps: _, tcpSpeed: __, ...rest } = world.scene;
  const least = (of: (step: MotionStep) => number) => Math.min(1, ...steps.map(of));
  const tcpSpeed = Math.min(...steps.map((step) => tcpSpeedLimit(scene, step))); // Infinity for no step
  const limited = {
    ...rest,
    speed: (scene.speed ?? 1) * least((step) => step.speed),
    acceleration: (scene.acceleration ?? 1) * least((step) => step.acceleration),
    ...(tcpSpeed < Number.POSITIVE_INFINITY && { tcpSpeed }),
    constraints: [...(scene.constraints ?? []), ...steps.flatMap((step) => step.constraints)],
  };
  return new RepairWorld(world.robot, limited, interrupt, world.manager);
}

/** Returns true if a motion from rest to rest is within all limits. */
function isWithinLimits(world: RepairWorld, arcs: readonly Arc[], points: readonly TrajectoryPoint[]): boolean {
  const { robot, scene, interrupt, jointNames, limits } = world;
  const jumps = arcs.some(
    (arc, k) => k > 0 && velocityJump(arcs[k - 1].to.velocities, arc.from.velocities, limits.velocity),
  );
  if (jumps) return false;
  const start = points[0].time_from_start!; // another start than 0 would be a fault of accelerations there
  const shifted = points.map((point) => ({ ...point, time_from_start: point.time_from_start! - start }));
  const motion = { jointNames, points: shifted };
  if (examineMotion(motion, limits).faults.length > 0) return false;
  return !createSpeedExcess(robot, scene, interrupt)?.excess(motion).length;
}

/** Returns the end of each part of a run whose pace is the given one. */
function endsOf(geometries: readonly Geometry[], start: number): number[] {
  let time = start;
  return geometries.map(({ arcs }) => {
    for (const { duration } of arcs) time += duration; // as in `slowedDown`
    return time;
  });
}

/** Returns the times at which a motion passes the ends of the parts; undefined if it has no point there. */
function endsAmong(points: readonly TrajectoryPoint[], geometries: readonly Geometry[]): number[] | undefined {
  const ends: number[] = [];
  let from = 0;
  for (const [i, { arcs }] of geometries.entries()) {
    const target = arcs.at(-1)?.to.positions;
    const isLast = geometries.slice(i + 1).every((one) => one.arcs.length === 0);
    if (isLast) from = points.length - 1;
    else if (target)
      from = points.findIndex((p, k) => k > from && p.positions.every((x, j) => Math.abs(x - target[j]) <= SAME_STATE));
    if (from < 0) return undefined;
    ends.push(points[from].time_from_start!);
  }
  return ends;
}

/** Segment of a program with its arcs, its step, and the scene at that time. */
interface ProgramPart {
  readonly step: MotionStep | WaitStep;
  /** Index in the segments of the trajectory. */
  readonly segment: number;
  /** Empty for a segment that takes no time. */
  readonly arcs: readonly Arc[];
  readonly world: World;
}

/** Rad/s or m/s: a lower speed counts as rest, as in the check of programs. */
const REST = 1e-6;

/**
 * Divides a trajectory of a program, whose segments and events are those of the steps, into runs: parts of consecutive
 * segments between which the robot does not stop. Joints are in the order of the robot.
 */
export function runsOf(robot: RobotModel, scene: Scene, trajectory: Trajectory): ProgramPart[][] {
  const curve = new TrajectoryCurve(trajectory);
  const segments = closedSegments(trajectory.segments!, curve.start, curve.end);
  const arcs = arcsOf(trajectory);
  const timeline = timelineOf(new World(robot, scene), trajectory, curve);
  let time = curve.start;
  const runs: ProgramPart[][] = [];
  let isJoined = false;
  for (const step of scene.steps!) {
    if (!hasSegment(step)) {
      isJoined = false;
      continue;
    }
    const segment = segments.findIndex((one) => one.step === step.index);
    const to = segments[segment].to;
    const part = { step, segment, arcs: arcsWithin(arcs, time, to), world: worldOfStep(timeline, step.index) };
    if (isJoined && step.kind !== 'wait') runs[runs.length - 1].push(part);
    else runs.push([part]);
    isJoined = canBlend(step) && part.arcs.length > 0 && !isAtRest(part.arcs[part.arcs.length - 1]);
    time = to;
  }
  return runs;
}

const canBlend = (step: Step) => hasSegment(step) && step.kind !== 'wait' && step.blend > 0;

const isAtRest = ({ to }: Arc) => to.velocities.every((v) => Math.abs(v) <= REST);

/** Seconds: ends of segments nearer to a point of the trajectory than this are at the point. */
const SAME_TIME = 1e-9;

function arcsWithin(arcs: readonly Arc[], from: number, to: number): Arc[] {
  return arcs.flatMap((arc) => {
    const span = arc.given!;
    const start = Math.max(0, from - span.from);
    const end = Math.min(arc.duration, to - span.from);
    if (!(end - start > SAME_TIME)) return [];
    return [partOf(arc, start <= SAME_TIME ? 0 : start, end >= arc.duration - SAME_TIME ? arc.duration : end)];
  });
}
