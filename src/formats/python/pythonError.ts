/** Characters of a message. Longer ones, which quote texts of the input, are cut. */
const MAX_MESSAGE = 2000;

/** An error in an expression: the message states the problem, the note how to fix it. */
export class PythonError extends Error {
  constructor(
    message: string,
    readonly note = '',
    /** Whether the message begins with the expression. */
    readonly namesExpression = false,
  ) {
    super(message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message);
  }
}
