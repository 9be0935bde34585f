import type { Value } from './values.ts';

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

/**
 * Writes values, so that the texts of two states are equal only if programs continue from both in the same way: numbers
 * with all digits and their error bounds, lists with the variables that share them.
 */
export class StateText {
  private readonly lists = new Map<Value, number>();
  private readonly parts: string[] = [];

  /** Adds variables by name. */
  add(variables: Iterable<readonly [string, { readonly value: Value; readonly type: string }]>): void {
    for (const [name, { value, type }] of variables) {
      this.parts.push(`${name}:${type}=`);
      this.addValue(value);
    }
    this.parts.push('|');
  }

  /** Adds another part of a state. */
  addText(text: string): void {
    this.parts.push(text, '|');
  }

  get text(): string {
    return this.parts.join('');
  }

  private addValue(value: Value): void {
    if (value.kind !== 'list') {
      this.parts.push(JSON.stringify(value), ';');
      return;
    }
    const known = this.lists.get(value);
    this.parts.push(known === undefined ? `[${value.owners} ` : `#${known};`);
    if (known !== undefined) return;
    this.lists.set(value, this.lists.size);
    for (const item of value.items) this.addValue(item);
    this.parts.push(']');
  }
}
