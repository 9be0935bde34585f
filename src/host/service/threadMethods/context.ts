import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Interrupt } from '../../../core/math/interrupt.ts';
import type { CheckerName } from '../../../core/narrowphase/index.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { InputError, requireName } from '../../../errors.ts';
import type { Planner } from '../../../tasks/createPlanner.ts';
import type { Progress } from '../threads/protocol.ts';

/** Context of a method on a thread. */
export interface ThreadContext {
  readonly robot: RobotModel;
  /** Scene of the session. */
  readonly scene: Scene;
  /** Returns the planner of the scene; throws `InputError` if there can be none. */
  readonly planner: () => Planner;
  /** Narrow phase of the service. */
  readonly checker: CheckerName;
  /** Monotonic clock, ms. Throws `Cancelled` if the request was cancelled. */
  readonly clock: () => number;
  /** Returns false. Throws `Cancelled` if the request was cancelled. */
  readonly interrupt: Interrupt;
  /** Seconds until the deadline of the request. */
  readonly timeLimit: number;
  readonly progress: (progress: Progress) => void;
}

/** A method on a thread: returns the JSON text of the result, in one line. */
export type ThreadMethod = (params: unknown, context: ThreadContext) => Promise<string>;

/** Thrown in a thread to end a request that was cancelled. */
export class Cancelled extends Error {}

/** Returns `name` if it is a key of the table. Throws `InputError` that begins with the parameter. */
export function requireParameter<K extends string>(
  table: Readonly<Record<K, unknown>>,
  parameter: string,
  name: string,
): K {
  return within(`params.${parameter}`, () => requireName(table, parameter.replaceAll('_', ' '), name));
}

/** Calls a function; its `InputError`s begin with `place`. */
export function within<T>(place: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof InputError) || error.message.startsWith('params')) throw error;
    throw new InputError(`${place}: ${error.message}`, error.note);
  }
}

/** Replaces names of command-line options in a message by those of service parameters. */
export const withoutOptions = (message: string) =>
  message.replace(/--([a-z][a-z-]*)/g, (_, option: string) => option.replaceAll('-', '_'));

/** Joins the lines of a JSON text: strings in it have no line breaks. */
export const oneLine = (text: string) => text.replaceAll('\n', '');

/** Returns the JSON text of an object from the texts of its fields; fields that are undefined are omitted. */
export function objectText(fields: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(fields).filter(([, text]) => text !== undefined);
  return `{${given.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
}
