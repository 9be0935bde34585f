import { isMotionStep, type Step } from '../../../core/scene/program.ts';
import type { MotionLimits, Trajectory, TrajectorySegment } from '../../../core/trajectory/trajectory.ts';
import { scaledLimits } from '../stepMotion.ts';

/** Returns the scaled limits of the step that each point belongs to: those of the robot for waits. */
export const limitsOfPoints = (
  { points }: Trajectory,
  segments: readonly TrajectorySegment[],
  steps: readonly Step[],
  limits: MotionLimits,
): MotionLimits[] =>
  points.map(({ time_from_start: time }) => {
    const segment = segments.find(({ to }) => time! <= to);
    const step = steps[segment?.step ?? -1];
    return step && isMotionStep(step) ? scaledLimits(limits, step) : limits;
  });
