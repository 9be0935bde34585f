/** Characters of a text that count as one step. */
const CHARACTERS_PER_STEP = 16;

/** Comparisons of characters that count as one step. */
const COMPARISONS_PER_STEP = 1000;

/**
 * Limits the work and memory of evaluating untrusted expressions. Counts steps instead of time, so that the same input
 * is accepted or refused on every machine. A step is at most a microsecond or a hundred bytes; what is made is
 * counted even if it is garbage soon, so the limit bounds the memory as well.
 */
export class Budget {
  private left: number;

  /** @param steps limit: evaluated operations, items of collections, and characters of texts divided by 16 */
  constructor(private readonly steps: number) {
    this.left = steps;
  }

  /** Steps counted so far. */
  get used(): number {
    return this.steps - this.left;
  }

  /** Counts steps. Throws `PythonError` when the limit is exceeded; call it before memory is allocated. */
  spend(count: number): void {
    this.left -= count;
    if (!(this.left >= 0)) {
      throw new PythonError(`the expansion is too large: it needs more than ${this.steps.toLocaleString('en')} steps`);
    }
  }

  /** Counts a text of this length before it is made or read. */
  spendText(length: number): void {
    this.spend(length / CHARACTERS_PER_STEP);
  }

  /** Counts the search for a text in another one: in the worst case, each pair of characters is compared. */
  spendSearch(length: number, sought: number): void {
    this.spend((length * sought) / COMPARISONS_PER_STEP);
  }
}

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
