import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { tcpOf } from '../../core/kinematics/toolCenterPoint.ts';
import { hasEvent, hasSegment } from '../../core/scene/program.ts';
import { eventOf, statedSignals } from '../../core/scene/programEvents.ts';
import type { Scene } from '../../core/scene/scene.ts';
import type { Trajectory, TrajectoryEvent, TrajectorySegment } from '../../core/trajectory/trajectory.ts';
import { InputError } from '../../errors.ts';
import { type CompletedMotion, completeJoints } from '../checking/completeJoints.ts';

/**
 * Returns a motion as its controller executes it: joints and steps that it does not list are those of the scene.
 * @param place prefix of messages
 */
export function completeMotion(read: Trajectory, robot: RobotModel, scene: Scene, place: string): CompletedMotion {
  const { trajectory, notes } = completeJoints(read, robot, scene, place);
  return { trajectory: completeProgram(trajectory, robot, scene, place), notes };
}

/**
 * Returns a trajectory with segments and events. A table states only the step of each point; kinds, names and events
 * are then those of the scene's steps. Other trajectories are returned unchanged. Throws `InputError` if the step of a
 * point is neither a motion nor a wait.
 * @param place prefix of messages
 */
export function completeProgram(trajectory: Trajectory, robot: RobotModel, scene: Scene, place: string): Trajectory {
  const { pointSteps, points, segments: given } = trajectory;
  const { steps } = scene;
  if (!pointSteps || !steps || given) return trajectory;
  const timed = steps.filter(hasSegment).map(({ index }) => index);
  const unknown = pointSteps.find((step) => !timed.includes(step));
  if (unknown !== undefined)
    throw new InputError(
      `${place}: segment: step ${unknown} of the scene is neither a motion nor a wait`,
      `Motions and waits are the steps ${timed.join(', ')}.`,
    );
  const linkOfTcp = robot.links[tcpOf(robot, scene.tcp).link].name;
  const segments: TrajectorySegment[] = [];
  const events: TrajectoryEvent[] = [];
  let end = points[0].time_from_start ?? 0;
  for (const step of steps) {
    if (hasEvent(step)) events.push(eventOf(step, end, linkOfTcp));
    if (!hasSegment(step)) continue;
    const { index, kind, name } = step;
    const to = points[pointSteps.lastIndexOf(index)]?.time_from_start ?? end;
    segments.push({ step: index, ...(name === undefined ? {} : { name }), kind, from: end, to });
    end = to;
  }
  // In a table, a signal where a path begins has the step of the point that ends the one before.
  const stated = statedSignals(steps);
  const signals = trajectory.signals?.map((one, k) => ({ ...one, step: stated[k]?.step.index ?? one.step }));
  return { ...trajectory, segments, events, ...(signals && { signals }) };
}
