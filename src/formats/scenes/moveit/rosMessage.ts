import type { Path } from '../../text/sourceText.ts';

/** A message of ROS as parsed. */
export type Raw = Readonly<Record<string, unknown>>;

/** Returns true if a message has a list of constraints, at any depth, that is not empty. */
export function hasConstraints(message: unknown): boolean {
  if (Array.isArray(message)) return message.some((one) => isRecord(one) || hasConstraints(one));
  return isRecord(message) && Object.values(message).some(hasConstraints);
}

/**
 * An error in a message; its line is added by the reader. Only the first error is reported: in messages written by
 * programs, later errors mostly follow from it.
 */
export class MessageError extends Error {
  constructor(
    readonly path: Path,
    readonly what: string,
    readonly note: string,
  ) {
    super(what);
  }
}

/** Returns true for a mapping of keys to values. */
export function isRecord(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a mapping as it is, and an empty one instead of anything else. */
export const record = (value: unknown): Raw => (isRecord(value) ? value : {});
