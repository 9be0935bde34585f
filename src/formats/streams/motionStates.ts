import { ownValue, parseJson } from '../../errors.ts';
import { type StateLine, StateReader } from './states.ts';

/** One line of a list of states of motion: positions, velocities and accelerations, or an error. */
export interface MotionStateLine extends StateLine {
  /** Velocities and accelerations; undefined: not given. */
  readonly v?: readonly number[];
  readonly a?: readonly number[];
}

/** Reads states with velocities `v` and accelerations `a`: JSON as `StateReader`, or CSV without rates. */
export class MotionStateReader {
  private readonly states: StateReader;

  /**
   * @param jointNames names of the planned joints in the order of q
   * @param name of the list, for errors
   */
  constructor(
    private readonly jointNames: readonly string[],
    name: string,
  ) {
    this.states = new StateReader(jointNames, name);
  }

  /** Reads the state on the next line, as `StateReader.read`. */
  read(text: string): MotionStateLine | undefined {
    const state = this.states.read(text);
    if (state === undefined || state.error !== undefined || text.trim()[0] !== '{') return state;
    const given = parseJson(text, '') as Readonly<Record<string, unknown>>;
    const rates: { v?: readonly number[]; a?: readonly number[] } = {};
    for (const key of ['v', 'a'] as const) {
      const values = this.rates(ownValue(given, key), key);
      if (typeof values === 'string') return { ...state, error: values };
      if (values !== undefined) rates[key] = values;
    }
    return { ...state, ...rates };
  }

  private rates(given: unknown, key: string): readonly number[] | string | undefined {
    if (given === undefined) return undefined;
    const count = this.jointNames.length;
    const isList = Array.isArray(given) && given.length === count && given.every(Number.isFinite);
    return isList ? given : `${key} is not a list of ${count} finite numbers, one per planned joint`;
  }
}
