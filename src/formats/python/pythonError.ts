/** An error of an expression: its message says what is wrong, its note how to fix it. */
export class PythonError extends Error {
  constructor(
    message: string,
    readonly note = '',
  ) {
    super(message);
  }
}
