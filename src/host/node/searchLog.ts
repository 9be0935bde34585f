import type { PlanHooks } from '../../tasks/planning/planOptions.ts';
import type { SearchCourse, SearchStep } from './experimentTask.ts';

/** Records the course of a search from the hooks of `planMotion`. */
export class SearchLog {
  /** The course of the last search; undefined until it has found a path. */
  course: SearchCourse | undefined;
  private steps: SearchStep[] = [];

  /** Hooks that fill the log. A search that replaces one whose path was refuted starts it again. */
  readonly hooks: Pick<PlanHooks, 'searching' | 'better' | 'found'> = {
    searching: () => {
      this.steps = [];
      this.course = undefined;
    },
    better: (length, iterations, ms) => {
      this.steps.push([iterations, rounded(ms), length]);
    },
    found: (length, iterations, ms) => {
      if (this.steps.length === 0) this.steps.push([iterations, rounded(ms), length]);
      this.course = { steps: this.steps, ms: rounded(ms), length };
    },
  };
}

/** Rounds to the resolution of the clock, 1 µs. */
const rounded = (ms: number) => Number(ms.toFixed(3));
