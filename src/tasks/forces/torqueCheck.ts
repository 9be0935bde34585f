import type { Certificate, TorqueSpan } from '../../core/certificate/certificate.ts';
import { TORQUE_ROUNDING, type TorqueInterval, TorqueProver } from '../../core/dynamics/arm/torqueProver.ts';
import { type RobotModel, unitOf } from '../../core/kinematics/robotModel.ts';
import { type Interrupt, never } from '../../core/math/interrupt.ts';
import { isForceConstraint } from '../../core/scene/constraints.ts';
import type { LoadedScene } from '../../core/scene/loads.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { isTimed, type JointUnit, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { InputError } from '../../errors.ts';
import { sceneArm, torqueLimits } from './sceneArm.ts';

/** A joint torque that exceeds its limit, or is not proved to keep it. */
export interface TorqueFault {
  /** Kind of the fault. */
  readonly kind: 'torque';
  /** Name of the joint. */
  readonly joint: string;
  /** Unit of its position: torques of `rad` are in N m, those of `m` are forces in N. */
  readonly unit: JointUnit;
  /** N m or N, signed: the greatest torque found; if none exceeds the limit, the least proved bound. */
  readonly value: number;
  /** The limit, with the sign of the value. */
  readonly limit: number;
  /** Seconds, or waypoints for a path. */
  readonly time: number;
  /** False if no torque above the limit was found, but none is excluded either. */
  readonly isFound: boolean;
}

/** Torques of a motion against their limits. */
export interface TorqueCheckResult {
  /** At most one per joint. */
  readonly faults: readonly TorqueFault[];
  /** Maximum of torque ÷ limit over all joints and times. */
  readonly ratio: number;
  /** By `torque:JOINT`: the limit minus the greatest torque, N m or N. */
  readonly margins: Readonly<Record<string, number>>;
  /** Bounds of all joints over time, without gaps. */
  readonly intervals: readonly TorqueInterval[];
  /** Bounds at rest at the beginning. */
  readonly rest: Pick<TorqueInterval, 'lower' | 'upper'>;
}

/** What a scene states about torques. */
export type TorqueScene = LoadedScene & Pick<Scene, 'gravity' | 'torque'>;

/** The peak that is reported exceeds the greatest torque by this share of the limit at most. */
const ACCURACY = 5e-4;

/** Checks a trajectory, or the part of it in a time interval; `rests`: times at which the arm must be held, too. */
export type TorqueCheck = (
  trajectory: Trajectory,
  from?: number,
  to?: number,
  rests?: readonly number[],
) => TorqueCheckResult;

/**
 * Creates the check of the limits of torque of a scene, which proves them over continuous time, also at rest before a
 * first point after time 0. A path without times is checked at rest at each position. Undefined if the scene states no
 * such limits. Throws `InputError` if the torques or limits of the robot are not known.
 * @param accuracy share of the limit to which greatest torques are found; Infinity: only whether the limits are kept
 */
export function createTorqueCheck(
  robot: RobotModel,
  scene: TorqueScene,
  interrupt: Interrupt = never,
  accuracy = ACCURACY,
): TorqueCheck | undefined {
  if (scene.torque === undefined) return undefined;
  const arm = sceneArm(robot, scene);
  const limits = torqueLimits(robot, scene.torque);
  const prover = new TorqueProver(arm, interrupt);
  return (trajectory, from, to, rests = []) => {
    const curve = new TrajectoryCurve(trajectory);
    const isMotion = isTimed(trajectory) && !trajectory.setPoints;
    const [begin, end] = [from ?? curve.start, to ?? curve.end];
    const goal = { limits, accuracy };
    const atRest = (time: number) => prover.examine(curve, { ...goal, isStatic: true }, time, time);
    const rest = atRest(begin);
    const waits = isMotion && begin === curve.start && begin > 0; // at the first point
    const motion = prover.examine(curve, { ...goal, isStatic: !isMotion }, begin, end);
    const held = rests.map(atRest);
    const reports = [motion, ...(waits ? [rest] : []), ...held];
    const faults: TorqueFault[] = [];
    const margins: Record<string, number> = {};
    let ratio = 0;
    for (const [k, variable] of robot.variables.entries()) {
      const { name: joint } = variable;
      const limit = limits[k];
      if (limit === Number.POSITIVE_INFINITY) continue;
      const peaks = reports.map(({ peaks: all }) => all[k]);
      const peak = peaks.reduce((a, b) => (Math.abs(b.value) > Math.abs(a.value) ? b : a));
      const bound = peaks.reduce((most, one) => Math.max(most, one.bound), 0);
      margins[`torque:${joint}`] = limit - Math.abs(peak.value);
      ratio = Math.max(ratio, Math.abs(peak.value) / limit);
      const isFound = !(Math.abs(peak.value) <= limit * (1 + TORQUE_ROUNDING));
      const isProved = bound <= limit * (1 + TORQUE_ROUNDING) && !reports.some(({ isInterrupted }) => isInterrupted);
      const { time } = peak;
      const signed = (value: number) => (peak.value < 0 ? -value : value);
      const fault = { kind: 'torque', joint, unit: unitOf(variable), limit: signed(limit), time, isFound } as const;
      if (isFound) faults.push({ ...fault, value: peak.value });
      else if (!isProved) faults.push({ ...fault, value: signed(bound) });
      else if (trajectory.setPoints) faults.push({ ...fault, value: Number.POSITIVE_INFINITY, limit, time: begin });
    }
    return { faults, ratio, margins, intervals: motion.intervals, rest: rest.intervals[0] };
  };
}

/** Joins the results of the intervals of a motion: the greatest ratio, the least margins. */
export function joinedTorques(
  results: readonly TorqueCheckResult[],
): Pick<TorqueCheckResult, 'faults' | 'ratio' | 'margins'> {
  const margins: Record<string, number> = {};
  for (const { margins: own } of results)
    for (const [key, margin] of Object.entries(own)) margins[key] = Math.min(margin, margins[key] ?? margin);
  return {
    faults: results.flatMap(({ faults }) => faults),
    ratio: results.reduce((most, { ratio }) => Math.max(most, ratio), 0),
    margins,
  };
}

/** Throws `InputError` if a scene limits torques, momentum or power, which `task` does not judge. */
export function refuseForces({ torque, constraints }: Pick<Scene, 'torque' | 'constraints'>, task: string): void {
  const force = constraints?.find(isForceConstraint);
  if (force !== undefined)
    throw new InputError(`the scene limits ${force.type}, which ${task} does not judge`, 'Remove it from `safety`.');
  if (torque !== undefined)
    throw new InputError(`the scene limits torques, which ${task} does not judge`, 'Remove `torque` from the scene.');
}

/** Bounds of a span exceed the torques by this share of the limit, so that other bounds can prove them. */
const SLACK = 0.02;
/** Spans are joined while their bounds are not farther apart than this share of the limit. */
const RANGE = 0.15;

/**
 * Returns the bounds of torques that a certificate states for the part of a motion in [from, to], which may begin
 * before and end after it: the robot then rests. Nothing if the scene does not limit torques; undefined if they are not
 * proved.
 * @param motion from time 0 on
 */
export function certifiedTorques(
  robot: RobotModel,
  scene: TorqueScene,
  motion: Trajectory,
  from: number,
  to: number,
  interrupt: Interrupt,
): Pick<Certificate, 'torques'> | undefined {
  const check = createTorqueCheck(robot, scene, interrupt);
  if (check === undefined) return {};
  if (!isTimed(motion) || motion.setPoints) return undefined;
  const { start, end: last } = new TrajectoryCurve(motion);
  const [begin, end] = [from, to].map((time) => Math.min(last, Math.max(start, time)));
  const { faults, intervals, rest } = check(motion, begin, end);
  if (faults.length > 0) return undefined;
  const limits = torqueLimits(robot, scene.torque!);
  // Before the first point the robot rests there.
  const waits = Math.max(0, from) < begin ? [{ from: Math.max(0, from), to: begin, ...rest }] : [];
  return {
    torques: robot.variables.flatMap(({ name: joint }, k) => {
      const limit = limits[k];
      if (limit === Number.POSITIVE_INFINITY) return [];
      const spans: TorqueSpan[] = [];
      for (const { from: t0, to: t1, lower, upper } of [...waits, ...intervals]) {
        const least = Math.max(-limit, lower[k] - SLACK * limit);
        const most = Math.min(limit, upper[k] + SLACK * limit);
        const last = spans.at(-1);
        const [below, above] = [Math.min(least, last?.[2] ?? least), Math.max(most, last?.[3] ?? most)];
        if (last && above - below <= RANGE * limit) spans[spans.length - 1] = [last[0], t1, below, above];
        else spans.push([t0, t1, least, most]);
      }
      return [{ joint, spans }];
    }),
  };
}
