import { InputError, requireName } from '../../errors.ts';
import type { LinkGeometry } from '../../formats/robots/urdfDocument.ts';

/** One option of a command: its help text, and the parser of its value. */
export interface Option<T> {
  /** Help text: a noun phrase, with the unit. */
  readonly meaning: string;
  /** Placeholder of the value in help: N, FILE, RAD. Undefined for a flag, which has no value. */
  readonly value?: string;
  /** One letter: `o` for `-o`. */
  readonly alias?: string;
  /** True if the option may be given more than once. */
  readonly repeatable?: boolean;
  readonly choices?: readonly string[];
  /** The default as help shows it; empty if none is shown. */
  readonly shown: string;
  /** Parses the texts given (none if the option is absent). Throws `InputError` with `--name` in the message. */
  readonly read: (texts: readonly string[], name: string) => T;
}

/** Returns a flag: true if given. */
export function flag(meaning: string): Option<boolean> {
  return { meaning, shown: '', read: (texts) => texts.length > 0 };
}

/** Returns an option whose value is any text; undefined if absent. */
export function text(value: string, meaning: string, alias?: string): Option<string | undefined> {
  return { meaning, value, shown: '', ...(alias ? { alias } : {}), read: (texts) => texts[0] };
}

/** Returns an option whose value is a key of a table. */
export function choice<K extends string>(
  table: Readonly<Record<K, unknown>>,
  byDefault: NoInfer<K>,
  meaning: string,
): Option<K> {
  const choices = Object.keys(table);
  const read = ([given = byDefault]: readonly string[], name: string) => requireName(table, name, given);
  return { meaning, value: 'NAME', choices, shown: byDefault, read };
}

/**
 * Returns an option whose value is a key of a table; undefined if absent, with `shown` as the default that help shows.
 */
export function optionalChoice<K extends string>(
  table: Readonly<Record<K, unknown>>,
  shown: string,
  meaning: string,
): Option<K | undefined> {
  const read = ([given]: readonly string[], name: string) =>
    given === undefined ? undefined : requireName(table, name, given);
  return { meaning, value: 'NAME', choices: Object.keys(table), shown, read };
}

interface Range {
  readonly min?: number;
  readonly max?: number;
  /** True if `min` itself is not allowed. */
  readonly exclusive?: boolean;
}

/** Returns an integer option. */
export function integer(byDefault: number, meaning: string, range: Range = {}): Option<number> {
  return {
    meaning,
    value: 'N',
    shown: String(byDefault),
    read: ([given], name) => (given === undefined ? byDefault : readInteger(given, name, range)),
  };
}

/** Returns an integer option; undefined if absent, with `shown` as the default that help shows. */
export function optionalInteger(shown: string, meaning: string, range: Range = {}): Option<number | undefined> {
  return {
    meaning,
    value: 'N',
    shown,
    read: ([given], name) => (given === undefined ? undefined : readInteger(given, name, range)),
  };
}

/** Returns an option whose value is a number in the given unit. */
export function quantity(byDefault: number, unit: string, meaning: string, range: Range = {}): Option<number> {
  return {
    meaning,
    value: unit.toUpperCase(),
    shown: `${byDefault} ${unit}`,
    read: ([given], name) => (given === undefined ? byDefault : readNumber(given, name, unit, range)),
  };
}

/**
 * Returns a repeatable option whose values are NAME=VALUE pairs, each name once.
 * @param mayBeEmpty true if a value may be empty: NAME=
 */
export function pairs(value: string, meaning: string, mayBeEmpty = false): Option<Readonly<Record<string, string>>> {
  const read = (texts: readonly string[], name: string) => {
    const found = new Map<string, string>();
    for (const given of texts) {
      const at = given.indexOf('=');
      if (!(at > 0 && (mayBeEmpty || at < given.length - 1)))
        throw new InputError(`${name} is "${given}"`, `Give ${value}: ${name} ${value.toLowerCase()}`);
      const [key, text] = [given.slice(0, at), given.slice(at + 1)];
      const before = found.get(key);
      if (before !== undefined)
        throw new InputError(`${name} ${key} is given 2 times: ${before}, ${text}`, 'Give it once.');
      found.set(key, text);
    }
    return Object.fromEntries(found);
  };
  return { meaning, value, repeatable: true, shown: '', read };
}

function readInteger(given: string, name: string, range: Range): number {
  const value = /^[+-]?\d+$/.test(given) ? Number(given) : Number.NaN;
  if (Number.isSafeInteger(value) && isWithin(value, range)) return value;
  throw new InputError(`${name} is "${given}"`, `Give a whole number${boundsOf(range)}.`);
}

function readNumber(given: string, name: string, unit: string, range: Range): number {
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(given) ? Number(given) : Number.NaN;
  if (Number.isFinite(value) && isWithin(value, range)) return value;
  throw new InputError(`${name} is "${given}"`, `Give a number in ${unit}${boundsOf(range)}.`);
}

const isWithin = (value: number, { min = -Infinity, max = Infinity, exclusive = false }: Range) =>
  (exclusive ? value > min : value >= min) && value <= max;

function boundsOf({ min, max, exclusive }: Range): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  return min === undefined ? '' : exclusive ? ` above ${min}` : `, ${min} or more`;
}

/** Help text of the option `--any-start`. */
export const ANY_START = 'the robot is at the first point, wherever that is: the start of the scene is not considered';

const GEOMETRIES: Readonly<Record<LinkGeometry, true>> = { collision: true, visual: true };

/** Options of every command with a ROBOT operand: its files and collision geometry. */
export const robotOptions = {
  srdf: text('FILE', 'SRDF file (allowed pairs, named states, groups) of a robot given as URDF'),
  limits: text('FILE', 'joint limits in the style of MoveIt (joint_limits.yaml), see docs/robots.md'),
  calibration: text('FILE', 'calibration that the driver of Universal Robots extracted, see docs/ur.md'),
  package: pairs('NAME=DIR', 'folder of package://NAME/'),
  arg: pairs('NAME=VALUE', 'argument of a robot file in xacro: $(arg NAME)', true),
  geometry: choice(GEOMETRIES, 'collision', 'elements of links that are used as collision geometry'),
};

/** The ROBOT operand. */
export const robotOperand = {
  name: 'ROBOT',
  meaning: 'name of a built-in robot, or path of a robot file (URDF, xacro, SDF, MJCF)',
};

/** Converts these options to the options of `loadRobot`. */
export function robotSources(options: {
  srdf: string | undefined;
  limits: string | undefined;
  calibration: string | undefined;
  package: Readonly<Record<string, string>>;
  arg: Readonly<Record<string, string>>;
  geometry: string;
}) {
  const { srdf, limits, calibration, package: packages, arg: args, geometry } = options;
  const files = { limits, calibration, ...(srdf === undefined ? {} : { srdf }) };
  return { packages, args, geometry: geometry as LinkGeometry, ...files };
}
