import { InputError, requireOneOf } from '../errors.ts';

/** One option of a command: how it is shown, and how its text becomes a value. */
export interface Option<T> {
  readonly meaning: string;
  /** Placeholder of the value in help: N, FILE, RAD. Undefined: a flag without value. */
  readonly value?: string;
  /** One letter, for `-o`. */
  readonly alias?: string;
  /** May be given more than once. */
  readonly repeatable?: boolean;
  readonly choices?: readonly string[];
  /** The default as help shows it; empty: none is shown. */
  readonly shown: string;
  /** The value from the texts given, none when the option was not given. Throws InputError, with `--name` in the message. */
  readonly read: (texts: readonly string[], name: string) => T;
}

/** A switch: off unless given. */
export function flag(meaning: string): Option<boolean> {
  return { meaning, shown: '', read: (texts) => texts.length > 0 };
}

/** Free text, or nothing. */
export function text(value: string, meaning: string, alias?: string): Option<string | undefined> {
  return { meaning, value, shown: '', ...(alias ? { alias } : {}), read: (texts) => texts[0] };
}

/** One entry of a table, by name. */
export function choice<const D extends string>(
  table: Readonly<Record<string, unknown>>,
  byDefault: D,
  meaning: string,
): Option<string> {
  const choices = Object.keys(table);
  const read = ([given = byDefault]: readonly string[], name: string) => {
    requireOneOf(table, name, given);
    return given;
  };
  return { meaning, value: 'NAME', choices, shown: byDefault, read };
}

/** One entry of a table, or undefined when it is not given; `shown` says what happens then. */
export function optionalChoice(
  table: Readonly<Record<string, unknown>>,
  shown: string,
  meaning: string,
): Option<string | undefined> {
  const read = ([given]: readonly string[], name: string) => {
    if (given !== undefined) requireOneOf(table, name, given);
    return given;
  };
  return { meaning, value: 'NAME', choices: Object.keys(table), shown, read };
}

interface Range {
  readonly least?: number;
  readonly most?: number;
  /** The least value itself is refused. */
  readonly above?: boolean;
}

/** A whole number. */
export function integer(byDefault: number, meaning: string, range: Range = {}): Option<number> {
  return {
    meaning,
    value: 'N',
    shown: String(byDefault),
    read: ([given], name) => (given === undefined ? byDefault : readInteger(given, name, range)),
  };
}

/** A whole number, or undefined when it is not given; `shown` says what happens then. */
export function optionalInteger(shown: string, meaning: string, range: Range = {}): Option<number | undefined> {
  return {
    meaning,
    value: 'N',
    shown,
    read: ([given], name) => (given === undefined ? undefined : readInteger(given, name, range)),
  };
}

/** A number in the unit that help names. */
export function quantity(byDefault: number, unit: string, meaning: string, range: Range = {}): Option<number> {
  return {
    meaning,
    value: unit.toUpperCase(),
    shown: `${byDefault} ${unit}`,
    read: ([given], name) => (given === undefined ? byDefault : readNumber(given, name, unit, range)),
  };
}

/** NAME=VALUE pairs; may be given several times. */
export function pairs(value: string, meaning: string): Option<Readonly<Record<string, string>>> {
  const read = (texts: readonly string[], name: string) =>
    Object.fromEntries(
      texts.map((given) => {
        const at = given.indexOf('=');
        if (at > 0 && at < given.length - 1) return [given.slice(0, at), given.slice(at + 1)];
        throw new InputError(`${name} is "${given}"`, `Give ${value}: ${name} ${value.toLowerCase()}`);
      }),
    );
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

const isWithin = (value: number, { least = -Infinity, most = Infinity, above = false }: Range) =>
  (above ? value > least : value >= least) && value <= most;

function boundsOf({ least, most, above }: Range): string {
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}`;
  return least === undefined ? '' : above ? ` above ${least}` : `, ${least} or more`;
}
