import { InputError } from '../../../errors.ts';
import { Budget } from '../../python/budget.ts';
import type { Place } from './xacroTree.ts';

/**
 * Limit of the work and memory of an expansion: some 200,000 elements. The largest of 673 published descriptions needs
 * 1.5 % of it; the costliest of 565 hostile ones take 2 s and 405 MB.
 */
const MAX_STEPS = 5_000_000;

/** Steps that an element of a file or of the result counts as. */
export const ELEMENT_STEPS = 20;

/** Steps that a character of the result counts as: it is copied several times until a robot is read from it. */
export const OUTPUT_STEPS = 1 / 4;

/** Steps that a warning counts as, besides its text: each is a line for a person. */
const WARNING_STEPS = 100;

/** Limit of macro calls, includes and lazy properties inside each other. */
const MAX_DEPTH = 300;

/** Number of frames that an error lists at each end of a deep stack. */
const SHOWN_FRAMES = 3;

/**
 * A frame of the expansion stack: a macro, an included file or a property, and the place of its call, include or
 * definition.
 */
export interface Frame {
  readonly what: string;
  readonly place: Place;
}

/** The place of an expansion that is under way, its limits, and its warnings. */
export class ExpansionState {
  readonly budget = new Budget(MAX_STEPS);
  readonly warnings = new Set<string>();
  /** Names of the arguments that the file has declared or used so far. */
  readonly argumentNames = new Set<string>();
  /** Files that are being processed: the robot file, then the files that include each other. */
  readonly files: string[];
  /** The element that is being expanded. */
  place: Place;
  private frames: Frame[] = [];

  constructor(file: string) {
    this.files = [file];
    this.place = { file, line: 1 };
  }

  /** Calls `expand` as part of a macro call, include or property. Errors list these frames. */
  within<T>(frame: Frame, expand: () => T): T {
    const { place } = this;
    this.frames.push(frame);
    if (this.frames.length > MAX_DEPTH) {
      throw this.error(
        `macros, includes and properties are nested more than ${MAX_DEPTH} deep`,
        'Does a macro call itself without end?',
      );
    }
    const result = expand();
    this.frames.pop(); // not after an error, which lists the frames
    this.place = place;
    return result;
  }

  /** Adds a warning about the current element, unless it exists already. */
  warn(what: string): void {
    const warning = `${this.place.file}:${this.place.line}: ${what}`;
    this.budget.spend(WARNING_STEPS + warning.length);
    this.warnings.add(warning);
  }

  /** Returns an error at the current element, with the macros and includes that lead to it. */
  error(what: string, note = ''): InputError {
    return new InputError(`${this.place.file}:${this.place.line}: ${what}${this.trace()}`, note);
  }

  /** Returns the stack as text, innermost frame first: `; in macro "x", called at FILE:LINE; …`. */
  trace(): string {
    const frames = this.frames.map(({ what, place: { file, line } }) => `; in ${what} at ${file}:${line}`).reverse();
    const hidden = frames.length - 2 * SHOWN_FRAMES;
    if (hidden > 0) frames.splice(SHOWN_FRAMES, hidden, `; … ${hidden} more`);
    return frames.join('');
  }
}
