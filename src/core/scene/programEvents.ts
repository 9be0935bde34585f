import type { TrajectoryEvent } from '../trajectory/trajectory.ts';
import { type EventStep, type JointMoveStep, movesJoints, type PathStep, type Step } from './program.ts';

/** Returns the event of a step at a time, with the value of the step. */
export function eventOf(step: EventStep | JointMoveStep, time: number, linkOfTcp: string): TrajectoryEvent {
  const base = { step: step.index, time };
  if (step.kind === 'attach') return { ...base, attach: step.object, link: step.link ?? linkOfTcp };
  if (step.kind === 'detach') return { ...base, detach: step.object };
  if (movesJoints(step)) return { ...base, set: step.moves.values };
  if (step.kind === 'set') return { ...base, set: step.values };
  return { ...base, [step.kind]: step.pairs };
}

/** A change of the signal at a way point of a tool path. */
export interface StatedSignal {
  readonly step: PathStep;
  /** Index of the way point. */
  readonly point: number;
  readonly on: boolean;
}

/** Returns the changes of the signal that the tool paths of a program state, in order, the first value included. */
export function statedSignals(steps: readonly Step[]): StatedSignal[] {
  let value: boolean | undefined;
  return steps.flatMap((step) =>
    step.kind !== 'path'
      ? []
      : step.points.flatMap(({ on }, point) => {
          if (on === undefined || on === value) return [];
          value = on;
          return [{ step, point, on }];
        }),
  );
}

/** Returns true if an event is that of a step, with the same keys and values, at any time. */
export const isEventOf = (event: TrajectoryEvent, step: EventStep | JointMoveStep, linkOfTcp: string): boolean =>
  JSON.stringify(sorted({ ...event, time: 0 })) === JSON.stringify(sorted(eventOf(step, 0, linkOfTcp)));

/** Returns a copy of JSON data with the keys of all objects in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, entry]) => [key, sorted(entry)]),
  );
}
