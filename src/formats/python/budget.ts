import { PythonError } from './pythonError.ts';

/**
 * Limits the work and memory of evaluating untrusted expressions. Counts steps instead of time, so that the same input
 * is accepted or refused on every machine.
 */
export class Budget {
  private left: number;

  /** @param steps limit: evaluated operations, items of collections, and characters of strings divided by 16 */
  constructor(private readonly steps: number) {
    this.left = steps;
  }

  /** Counts steps. Throws `PythonError` when the limit is exceeded; call it before memory is allocated. */
  spend(count: number): void {
    this.left -= count;
    if (!(this.left >= 0)) {
      throw new PythonError(`the expansion is too large: it needs more than ${this.steps.toLocaleString('en')} steps`);
    }
  }

  /** Counts a string of this length before it is made. */
  spendText(length: number): void {
    this.spend(length / 16);
  }
}
