/** Exit codes of the process. They are part of the public interface. */
export const ExitCode = {
  /** Success with a positive result: solved, valid, proved. */
  Ok: 0,
  /** Success with a negative result: no path, an invalid state or motion, start or goal in collision. */
  No: 1,
  /** Bad input: wrong usage, file or value. */
  BadInput: 2,
  /** Internal error: a bug in elbowroom. */
  Bug: 70,
  /** Interrupted by the user. */
  Interrupted: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
