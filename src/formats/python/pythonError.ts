/** An error in an expression: the message states the problem, the note how to fix it. */
export class PythonError extends Error {
  constructor(
    message: string,
    readonly note = '',
  ) {
    super(message);
  }
}
