import { PI } from '../../../core/math/trigonometry.ts';
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
  /** Type by which controllers compute with it; `unknown` if it depends on the controller, as for elements of lists. */
  readonly type: 'integer' | 'float' | 'unknown';
  /** Upper bound on the difference from the value computed in single precision; 0 if both are exact. */
  readonly error: number;
}

export interface ListValue {
  readonly kind: 'list';
  readonly items: readonly Value[];
  /** True if all items, also of lists in it, may be integers. Computed once: lists are passed more often than made. */
  readonly isOfIntegers: boolean;
  /** Number of variables and lists that refer to the list: it is unknown whether an assignment copies. */
  owners: number;
}

/** A pose: position in metres, rotation vector in radians. */
export interface PoseValue {
  readonly kind: 'pose';
  /** Six numbers. */
  readonly items: readonly NumberValue[];
  /** True if a controller computes it: which of the equal rotation vectors it returns is not known. */
  readonly isComputed: boolean;
}

/** An element of the rotation vector of a computed pose: it can be copied to another pose, with the two others. */
interface RotationElement {
  readonly kind: 'number of a computed rotation vector';
  readonly pose: PoseValue;
  readonly index: number;
}

export type Value =
  | NumberValue
  | ListValue
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'text'; readonly value: string }
  | PoseValue
  | RotationElement
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
export const MAX_DEPTH = 50;

export const ROTATION_NOTE =
  'Which of the equal rotation vectors the controller returns is not known: copy all three numbers, in their places.';

export const NOTHING: Value = { kind: 'nothing' };
export const MESSAGE: Value = { kind: 'message' };

/** Returns a new list. Takes time in proportion to the number of its items. */
export const createList = (items: readonly Value[]): ListValue => ({
  kind: 'list',
  items,
  isOfIntegers: items.every((item) =>
    item.kind === 'list' ? item.isOfIntegers : item.kind === 'number' && isInteger(item),
  ),
  owners: 0,
});

/** Returns the pose of six numbers, of which the last three may be those of a computed pose. */
function createPose(values: readonly Value[], line: number): PoseValue {
  const [, , , first] = values;
  const rotation = first?.kind === 'number of a computed rotation vector' ? first.pose : undefined;
  const numbers = values.flatMap((value, i) => {
    if (value.kind === 'number') return rotation === undefined || i < 3 ? [value] : [];
    const isCopied =
      value.kind === 'number of a computed rotation vector' && value.pose === rotation && value.index === i;
    return isCopied ? [rotation.items[i]] : [];
  });
  if (values.length === 6 && numbers.length === 6)
    return { kind: 'pose', items: numbers, isComputed: rotation !== undefined };
  if (!values.some(({ kind }) => kind === 'number of a computed rotation vector'))
    throw new ScriptProblem(line, 'a pose is not of six numbers');
  throw new ScriptProblem(line, 'a pose with single numbers of a computed rotation vector', ROTATION_NOTE);
}

/** Returns a new list or pose, which refers to the lists in it. */
export function newList(values: readonly Value[], isPose: boolean, line: number): Value {
  if (isPose) return createPose(values, line);
  for (const value of values) if (value.kind === 'list') value.owners++;
  return createList(values);
}

/** Returns an index of a list or pose. Throws `ScriptProblem` if it has no such element. */
export function elementIndex({ items }: ListValue | PoseValue, at: Value, line: number): number {
  const isWhole = at.kind === 'number' && at.type !== 'float' && at.error === 0;
  if (isWhole && at.value >= 0 && at.value < items.length) return at.value;
  throw new ScriptProblem(line, `the index ${isWhole ? at.value : 'with a fraction'} of a list of ${items.length}`);
}

/** Returns an element of a list or pose. */
export function elementOf(base: ListValue | PoseValue, index: number): Value {
  if (base.kind === 'pose' && base.isComputed && index >= 3)
    return { kind: 'number of a computed rotation vector', pose: base, index };
  return withUnknownType(base.items[index]);
}

/** Checks whether a number may be an integer of the controller. */
export const isInteger = ({ type, value }: NumberValue) => type !== 'float' && Number.isInteger(value);

/** Returns a value that was stored or passed, after which it depends on the controller whether it is an integer. */
export const withUnknownType = (value: Value): Value =>
  value.kind === 'number' && value.type === 'integer' ? { ...value, type: 'unknown' } : value;

/** Checks whether a value is an integer for every controller. Lists are not: they may be kept as lists of floats. */
export const isSurelyInteger = (value: Value): boolean => value.kind === 'number' && value.type === 'integer';

/** Converts a decimal literal to a number. */
export function literal(text: string, line: number): NumberValue {
  const value = Number(text);
  const type = /^\d+$/.test(text) ? 'integer' : 'float';
  const isExact = Math.fround(value) === value || type === 'integer';
  return checked(value, type, isExact ? 0 : Math.abs(value) * ROUNDING, line);
}

export type NumberType = NumberValue['type'];

/** Returns a number that a controller represents. Throws `ScriptProblem` if it cannot. */
export function checked(value: number, type: NumberType, error: number, line: number): NumberValue {
  const whole = type !== 'float';
  if (!Number.isFinite(value) || !Number.isFinite(error)) throw new ScriptProblem(line, 'a number that is not finite');
  if (whole && Math.abs(value) > MAX_INTEGER)
    throw new ScriptProblem(
      line,
      `${value} is beyond the integers of the controller`,
      'Write it with a decimal point.',
    );
  const inexact = whole && Math.abs(value) > MAX_EXACT ? Math.abs(value) * ROUNDING : 0;
  return { kind: 'number', value, type, error: error + inexact };
}

/**
 * Returns the result of an operation with its rounding error added to `error`, the error propagated from the operands.
 */
export const rounded = (value: number, type: NumberType, error: number, line: number) =>
  checked(value, type, type === 'float' ? error + Math.abs(value) * ROUNDING : error, line);

export const negated = (x: NumberValue): NumberValue => ({ ...x, value: x.value === 0 ? 0 : -x.value });

/**
 * Applies a function of one number.
 * @param slope upper bound on the absolute derivative between the single and double precision values of the argument
 */
export function applied(f: (x: number) => number, slope: number, x: NumberValue, line: number): NumberValue {
  return rounded(f(x.value), 'float', slope * x.error + ROUNDING, line);
}

export function squareRoot(x: NumberValue, line: number): NumberValue {
  if (x.value === 0 && x.error === 0) return checked(0, 'float', 0, line);
  if (x.value <= 2 * x.error) throw new ScriptProblem(line, `the square root of ${x.value}`);
  return rounded(Math.sqrt(x.value), 'float', x.error / Math.sqrt(x.value), line);
}

/** Rounds to an integer with the step function f. Throws `ScriptProblem` if f differs within the error bound of x. */
export function stepped(f: (x: number) => number, x: NumberValue, line: number): NumberValue {
  if (f(x.value - x.error) === f(x.value + x.error)) return checked(f(x.value) + 0, 'integer', 0, line); // no -0
  throw new ScriptProblem(line, `the integer next to ${x.value} depends on the rounding of the controller`);
}

export const PI_VALUE: NumberValue = { kind: 'number', value: PI, type: 'float', error: PI * ROUNDING };

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
    if (value.kind === 'message' || value.kind === 'measured' || value.kind === 'number of a computed rotation vector')
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
