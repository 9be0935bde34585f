import { PI } from '../../../core/math/trigonometry.ts';
import type { Choose } from './choices.ts';
import type { ExecutionLimits } from './executionLimits.ts';
import { callText, decimal } from './stepCalls.ts';
import { ScriptProblem } from './tokens.ts';

/**
 * A number with a bound on how far controllers may differ from it. Script manuals do not specify whether arithmetic has
 * single or double precision, nor whether the quotient of integers is an integer; results that depend on either are
 * rejected.
 */
export interface NumberValue {
  readonly kind: 'number';
  /** Value computed in double precision. */
  readonly value: number;
  /** True if a controller may treat the number as an integer. */
  readonly whole: boolean;
  /** Upper bound on the difference from the value computed in single precision; 0 if both are exact. */
  readonly error: number;
}

export interface ListValue {
  readonly kind: 'list';
  readonly items: readonly Value[];
  /** True if all items are integers; computed once, because lists are assigned and passed more often than made. */
  readonly isWhole: boolean;
  /** Number of variables and lists that refer to the list: it is unknown whether an assignment copies. */
  owners: number;
}

/** A pose: position in metres, rotation vector in radians. */
export interface PoseValue {
  readonly kind: 'pose';
  /** Six numbers. */
  readonly items: readonly NumberValue[];
}

export type Value =
  | NumberValue
  | ListValue
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'text'; readonly value: string }
  | PoseValue
  /** A text that the controller formats from other values: it can be shown, but not compared. */
  | { readonly kind: 'message' }
  /** A number that is not known before the program runs: it can be compared, and not computed with. */
  | { readonly kind: 'measured'; readonly text: string }
  | { readonly kind: 'nothing' };

/** Largest integer of a controller. */
const MAX_INTEGER = 2 ** 31 - 1;
/** Twice the relative rounding error of one operation in single precision. */
export const ROUNDING = 2 ** -23;
/** Larger integers are not exact in single precision. */
const MAX_EXACT = 2 ** 24;

/** Limit of nested lists in the text of a value. */
const MAX_DEPTH = 50;

export const NOTHING: Value = { kind: 'nothing' };
export const MESSAGE: Value = { kind: 'message' };

/** Returns a new list. Takes time in proportion to the number of its items. */
export const createList = (items: readonly Value[]): ListValue => ({
  kind: 'list',
  items,
  isWhole: items.every((item) => item.kind === 'number' && isInteger(item)),
  owners: 0,
});

/** Returns the pose of six numbers. */
function createPose(values: readonly Value[], line: number): PoseValue {
  const numbers = values.flatMap((value) => (value.kind === 'number' ? [value] : []));
  if (values.length === 6 && numbers.length === 6) return { kind: 'pose', items: numbers };
  throw new ScriptProblem(line, 'a pose is not of six numbers');
}

/** Returns a new list or pose, which refers to the lists in it. */
export function newList(values: readonly Value[], isPose: boolean, line: number): Value {
  if (isPose) return createPose(values, line);
  for (const value of values) if (value.kind === 'list') value.owners++;
  return createList(values);
}

/** Returns an index of a list or pose. Throws `ScriptProblem` if it has no such element. */
export function elementIndex({ items }: ListValue | PoseValue, at: Value, line: number): number {
  const isWhole = at.kind === 'number' && at.whole && at.error === 0;
  if (isWhole && at.value >= 0 && at.value < items.length) return at.value;
  throw new ScriptProblem(line, `the index ${isWhole ? at.value : 'with a fraction'} of a list of ${items.length}`);
}

export const isInteger = (value: NumberValue) => value.whole && Number.isInteger(value.value);

/** Converts a decimal literal to a number. */
export function literal(text: string, line: number): NumberValue {
  const value = Number(text);
  const whole = /^\d+$/.test(text);
  return checked(value, whole, Math.fround(value) === value || whole ? 0 : Math.abs(value) * ROUNDING, line);
}

function checked(value: number, whole: boolean, error: number, line: number): NumberValue {
  if (!Number.isFinite(value) || !Number.isFinite(error)) throw new ScriptProblem(line, 'a number that is not finite');
  if (whole && Math.abs(value) > MAX_INTEGER)
    throw new ScriptProblem(
      line,
      `${value} is beyond the integers of the controller`,
      'Write it with a decimal point.',
    );
  const inexact = whole && Math.abs(value) > MAX_EXACT ? Math.abs(value) * ROUNDING : 0;
  return { kind: 'number', value, whole, error: error + inexact };
}

/**
 * Returns the result of an operation with its rounding error added to `error`, the error propagated from the operands.
 */
const rounded = (value: number, whole: boolean, error: number, line: number) =>
  checked(value, whole, whole ? error : error + Math.abs(value) * ROUNDING, line);

export const negated = ({ value, whole, error }: NumberValue): NumberValue => ({
  kind: 'number',
  value: value === 0 ? 0 : -value,
  whole,
  error,
});

/**
 * Computes `a op b` with its error bound. Throws `ScriptProblem` if the result depends on the controller.
 * @param read chooses how the manual is read, if a program may have several executions
 */
export function arithmetic(op: string, a: NumberValue, b: NumberValue, line: number, read?: Choose): NumberValue {
  const whole = a.whole && b.whole;
  if (op === '+') return rounded(a.value + b.value, whole, a.error + b.error, line);
  if (op === '-') return rounded(a.value - b.value, whole, a.error + b.error, line);
  if (op === '*') {
    const error = Math.abs(a.value) * b.error + Math.abs(b.value) * a.error + a.error * b.error;
    return rounded(a.value * b.value, whole, error, line);
  }
  if (op === '%') return remainder(a, b, line);
  return quotient(a, b, line, read);
}

function remainder(a: NumberValue, b: NumberValue, line: number): NumberValue {
  if (a.whole && b.whole && a.error + b.error === 0 && a.value >= 0 && b.value > 0)
    return checked(a.value % b.value, true, 0, line);
  throw new ScriptProblem(
    line,
    '% of other than positive integers',
    'Its result depends on the controller: write the value.',
  );
}

/** What the quotient of positive integers may be. */
const QUOTIENTS = ['fraction', 'integer below', 'nearest integer'].map((what) => `quotients of integers: the ${what}`);

function quotient(a: NumberValue, b: NumberValue, line: number, read?: Choose): NumberValue {
  const size = Math.abs(b.value);
  if (size <= b.error) throw new ScriptProblem(line, 'a division by zero');
  const value = a.value / b.value;
  if (a.whole && b.whole) {
    const isExact = a.error + b.error === 0;
    if (isExact && Number.isInteger(value)) return checked(value, true, 0, line);
    const way = isExact && value > 0 ? read?.(QUOTIENTS, line) : undefined;
    if (way === 1 || way === 2) return checked((way === 1 ? Math.floor : Math.round)(value), true, 0, line);
    if (way === undefined)
      throw new ScriptProblem(
        line,
        `the quotient of the integers ${a.value} and ${b.value}`,
        `Its fraction depends on the controller: write ${a.value}.0/${b.value}.`,
      );
  }
  return rounded(value, false, (Math.abs(value) * b.error + a.error) / (size - b.error), line);
}

/**
 * Evaluates the comparison `a op b` of numbers, booleans or strings. Throws `ScriptProblem` if the result depends on
 * rounding.
 */
export function comparison(op: string, a: Value, b: Value, line: number): boolean {
  if (a.kind === 'number' && b.kind === 'number') return compared(op, a, b, line);
  const isPlain = (a.kind === 'boolean' && b.kind === 'boolean') || (a.kind === 'text' && b.kind === 'text');
  if (isPlain && op === '==') return a.value === b.value;
  if (isPlain && op === '!=') return a.value !== b.value;
  throw new ScriptProblem(
    line,
    `${a.kind} ${op} ${b.kind} is not supported`,
    'Compare numbers, or texts with == and !=.',
  );
}

function compared(op: string, a: NumberValue, b: NumberValue, line: number): boolean {
  const difference = a.value - b.value;
  const error = a.error + b.error;
  if (error > 0 && Math.abs(difference) <= error)
    throw new ScriptProblem(
      line,
      `${a.value} ${op} ${b.value} depends on the rounding of the controller`,
      'Count with integers, or compare with a value halfway between two others.',
    );
  if (op === '==') return difference === 0;
  if (op === '!=') return difference !== 0;
  if (op === '<') return difference < 0;
  if (op === '<=') return difference <= 0;
  return op === '>' ? difference > 0 : difference >= 0;
}

/**
 * Applies a function of one number.
 * @param slope upper bound on the absolute derivative between the single and double precision values of the argument
 */
export function applied(f: (x: number) => number, slope: number, x: NumberValue, line: number): NumberValue {
  return rounded(f(x.value), false, slope * x.error + ROUNDING, line);
}

export function squareRoot(x: NumberValue, line: number): NumberValue {
  if (x.value === 0 && x.error === 0) return checked(0, false, 0, line);
  if (x.value <= 2 * x.error) throw new ScriptProblem(line, `the square root of ${x.value}`);
  return rounded(Math.sqrt(x.value), false, x.error / Math.sqrt(x.value), line);
}

/** What an integer variable may become that is assigned a number with a fraction. */
const FRACTIONS = ['has its fraction', 'is cut off', 'is rounded'].map(
  (what) => `a number in an integer variable ${what}`,
);

/** Returns what a variable of integers becomes that is assigned another number or list of numbers. */
export function inIntegers(given: Value, line: number, read: Choose): Value {
  const way = read(FRACTIONS, line);
  if (way === 0) return given;
  const cut = (x: Value) => (x.kind === 'number' ? stepped(way === 1 ? Math.trunc : Math.round, x, line) : x);
  return given.kind === 'list' ? createList(given.items.map(cut)) : cut(given);
}

/** Rounds to an integer with the step function f. Throws `ScriptProblem` if f differs within the error bound of x. */
export function stepped(f: (x: number) => number, x: NumberValue, line: number): NumberValue {
  if (f(x.value - x.error) === f(x.value + x.error)) return checked(f(x.value) + 0, true, 0, line); // no -0
  throw new ScriptProblem(line, `the integer next to ${x.value} depends on the rounding of the controller`);
}

export const PI_VALUE: NumberValue = { kind: 'number', value: PI, whole: false, error: PI * ROUNDING };

/**
 * Returns the text of a call with values, as the writer of scripts writes it. Each value is counted where it is
 * written: a list that is shared by others is written once per reference, so the text may be exponentially longer than
 * the script. Throws `ScriptProblem` if the limit of steps is exceeded.
 */
export function callOf(name: string, values: readonly Value[], limits: ExecutionLimits, line: number): string {
  const textOf = (value: Value, depth: number): string => {
    limits.step(1, line);
    if (value.kind === 'number') return decimal(value.value);
    if (value.kind === 'boolean') return value.value ? 'True' : 'False';
    if (value.kind === 'text') {
      limits.text(value.value.length, line);
      return `"${value.value}"`;
    }
    if (value.kind === 'nothing') return value.kind;
    if (value.kind === 'message' || value.kind === 'measured')
      throw new ScriptProblem(line, `${name} with a value that is not known before the program runs`, 'Write it out.');
    if (depth >= MAX_DEPTH) throw new ScriptProblem(line, `${name}: lists nested deeper than ${MAX_DEPTH}`);
    const items = value.items.map((item) => textOf(item, depth + 1)).join(', ');
    return value.kind === 'pose' ? `p[${items}]` : `[${items}]`;
  };
  return callText(
    name,
    values.map((value) => textOf(value, 0)),
  );
}
