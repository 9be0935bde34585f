import type { Certificate, TorqueSpan } from '../../core/certificate/certificate.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { durationOf } from '../../core/trajectory/trajectory.ts';
import { torqueLimits } from './sceneArm.ts';
import { createTorqueCheck, type TorqueScene } from './torqueCheck.ts';

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
  const duration = durationOf(motion);
  if (check === undefined) return {};
  if (duration === undefined || motion.setPoints) return undefined;
  const start = motion.points[0].time_from_start!;
  const [begin, end] = [from, to].map((time) => Math.min(duration, Math.max(start, time)));
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
