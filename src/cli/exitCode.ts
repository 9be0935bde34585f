/** What the process answers to the shell; docs and scripts rely on these numbers. */
export const ExitCode = {
  /** Answered, yes. */
  Ok: 0,
  /** Answered, no: no path, a state or a motion that is not valid, an end in collision. */
  No: 1,
  /** Bad input: usage, a file, a value. */
  BadInput: 2,
  /** A bug of ours. */
  Bug: 70,
  /** Interrupted by the user. */
  Interrupted: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
