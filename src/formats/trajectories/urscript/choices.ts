import type { ExecutionLimits } from './executionLimits.ts';
import { ScriptProblem } from './tokens.ts';

/** Limit of the executions of a program. */
const MAX_EXECUTIONS = 512;

/** A choice that an execution depends on: a condition that is not known before, or what the manual leaves open. */
export interface Choice {
  readonly line: number;
  readonly text: string;
}

/** Selects one of several ways in which a controller may continue, which are described. */
export type Choose = (ways: readonly string[], line: number) => number;

/** The choices of one execution: the first of them as decided before, all others the first way. */
export class Choices {
  private readonly made: { way: number; readonly ways: readonly string[]; readonly line: number }[] = [];
  private readonly readings = new Map<string, number>();

  constructor(private readonly decided: readonly number[]) {}

  /** Chooses one of several ways. */
  readonly choose: Choose = (ways, line) => {
    const way = this.decided[this.made.length] ?? 0;
    this.made.push({ way, ways, line });
    return way;
  };

  /** Chooses how the manual is read where it leaves several ways open: as before in this execution. */
  private readonly read: Choose = (ways, line) => {
    const [first] = ways;
    const known = this.readings.get(first);
    if (known !== undefined) return known;
    const way = this.choose(ways, line);
    this.readings.set(first, way);
    return way;
  };

  /** Chooses a way as `read` does if the types of all operands are certain, else one for this place alone. */
  wayOf(ways: readonly string[], isCertain: boolean, line: number): number {
    return (isCertain ? this.read : this.choose)(ways, line);
  }

  /** True once another way than in the executions before was chosen, and of the first execution after any choice. */
  get isNew(): boolean {
    return this.made.length > 0 && this.made.length >= this.decided.length;
  }

  /** Writes the readings of the manual, which the further execution depends on. */
  get stateText(): string {
    return [...this.readings].join();
  }

  /** The choices as texts. */
  get chosen(): Choice[] {
    return this.made.map(({ ways, way, line }) => ({ line, text: ways[way] }));
  }

  /** Returns the decisions of the next execution, depth first; undefined if this is the last one. */
  get next(): readonly number[] | undefined {
    let k = this.made.length - 1;
    while (k >= 0 && this.made[k].way === this.made[k].ways.length - 1) k--;
    return k < 0 ? undefined : [...this.made.slice(0, k).map(({ way }) => way), this.made[k].way + 1];
  }
}

/** Characters of all states that are compared; beyond, loops without end are refused at the limit of steps. */
const MAX_CHARACTERS = 8_000_000;

/**
 * Recognizes that an endless loop repeats itself: the program was at the same place in the same state before, so that
 * all further moves are those since then.
 */
export class RepeatedStates {
  private left = MAX_CHARACTERS;

  /** Returns a function that checks whether a state occurred before, for one execution of a loop. */
  ofLoop(): (stateOf: () => string | undefined) => boolean {
    const states = new Set<string>();
    return (stateOf) => {
      const state = this.left > 0 ? stateOf() : undefined;
      if (state === undefined) return false;
      this.left -= state.length;
      return states.size === states.add(state).size;
    };
  }
}

/** What all executions of a program share, and the choices of one of them. */
export interface OneOfSeveral {
  readonly choices: Choices;
  readonly limits: ExecutionLimits;
  readonly states: RepeatedStates;
  /** Checks whether a state occurred before, in any execution. */
  readonly isKnown: ReturnType<RepeatedStates['ofLoop']>;
  /** Numbers the statements. */
  readonly idOf: (statement: object) => number;
}

/**
 * Executes a program once for each way in which its choices may turn out. Throws `ScriptProblem` if there are too many.
 * @param execute executes the program with the given choices
 */
export function executeAll<Execution>(execute: (choices: Choices) => Execution): Execution[] {
  const executions: Execution[] = [];
  for (let decided: readonly number[] | undefined = []; decided !== undefined; ) {
    const choices: Choices = new Choices(decided);
    executions.push(execute(choices));
    decided = choices.next;
    if (decided !== undefined && executions.length === MAX_EXECUTIONS)
      throw new ScriptProblem(
        choices.chosen[decided.length - 1].line,
        `more than ${MAX_EXECUTIONS} ways to execute the program`,
        'Each condition that is not known before doubles them: write the values of some of them out.',
      );
  }
  return executions;
}
