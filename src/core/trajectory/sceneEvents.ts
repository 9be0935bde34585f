import { InputError } from '../../errors.ts';
import type { Trajectory, TrajectoryEvent } from './trajectory.ts';

/** Returns true if an event moves joints that are not planned. */
export const isJointMove = ({ set }: TrajectoryEvent): boolean =>
  typeof set === 'object' && set !== null && Object.hasOwn(set, 'joints');

/** Returns the first call of a script that changes what is carried, or moves joints; undefined if none does. */
export const sceneCall = ({ stepCalls = [] }: Trajectory): string | undefined =>
  stepCalls.find((text) => /^on_(attach|detach|set_joints)\(/.test(text));

/** Returns true if points belong to steps of a program whose events are not stated: those of a table. */
export const hasUnknownEvents = ({ pointSteps, stepCalls, events }: Trajectory): boolean =>
  pointSteps !== undefined && (stepCalls ?? events) === undefined;

/**
 * Returns the first event that changes what is carried or may touch, or that moves joints, or why events are not known;
 * undefined if there is none.
 */
export function sceneEventFault(trajectory: Trajectory): string | undefined {
  const { events = [] } = trajectory;
  const call = sceneCall(trajectory);
  if (call !== undefined) return `the script calls ${call}, but the scene has no steps`;
  if (hasUnknownEvents(trajectory)) return 'its points belong to the steps of a program, but the scene has no steps';
  const at = events.findIndex(
    (event) => (event.attach ?? event.detach ?? event.allow ?? event.forbid) !== undefined || isJointMove(event),
  );
  return at < 0 ? undefined : `events[${at}] is ${JSON.stringify(events[at])}, but the scene has no steps`;
}

/**
 * Throws `InputError` if a trajectory changes its scene: functions for single motions would judge it in the scene at
 * its start.
 * @param place prefix of the message
 */
export function requireNoSceneEvents(trajectory: Trajectory, place = 'trajectory'): void {
  const fault = sceneEventFault(trajectory);
  if (fault !== undefined) throw new InputError(`${place}: ${fault}`, 'Give the scene with the steps of this program.');
}
