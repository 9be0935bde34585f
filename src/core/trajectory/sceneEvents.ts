import { InputError } from '../../errors.ts';
import type { Trajectory } from './trajectory.ts';

/** Returns the first event that changes which objects are carried or which pairs may touch; undefined if none does. */
export function sceneEventFault({ events = [], stepCalls = [] }: Trajectory): string | undefined {
  const call = stepCalls.find((text) => /^on_(attach|detach)\(/.test(text));
  if (call !== undefined) return `the script calls ${call}, but the scene has no steps`;
  const at = events.findIndex(
    ({ attach, detach, allow, forbid }) => (attach ?? detach ?? allow ?? forbid) !== undefined,
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
