import type { Choices, Choose } from './choices.ts';
import { ScriptProblem } from './tokens.ts';
import {
  checked,
  createList,
  MESSAGE,
  type NumberType,
  type NumberValue,
  negated,
  ROTATION_NOTE,
  rounded,
  stepped,
  type Value,
} from './values.ts';

const ARITHMETIC = '+-*/%';
/** Longest text of a controller. */
const MAX_TEXT = 1023;

/** Returns the problem of operands of the wrong kind. @param note what to do, unless they are of a computed rotation */
function unsupported(op: string, a: Value, b: Value, line: number, note: string): ScriptProblem {
  const isRotation = [a, b].some(({ kind }) => kind === 'number of a computed rotation vector');
  return new ScriptProblem(line, `${a.kind} ${op} ${b.kind} is not supported`, isRotation ? ROTATION_NOTE : note);
}

/** Evaluates `-a` or `not a`. Throws `ScriptProblem` for a value of the wrong type. */
export function unary(op: '-' | 'not', value: Value, line: number): Value {
  if (op === '-' && value.kind === 'number') return negated(value);
  if (op === 'not' && value.kind === 'boolean') return { kind: 'boolean', value: !value.value };
  throw new ScriptProblem(line, `${op} of a ${value.kind}`);
}

/**
 * Evaluates the arithmetic or logical operation `a op b`. Throws `ScriptProblem` for values of the wrong type.
 * @param choices of an execution, if a program may have several
 */
export function binary(op: string, a: Value, b: Value, line: number, choices?: Choices): Value {
  const isArithmetic = ARITHMETIC.includes(op);
  if (isArithmetic && a.kind === 'number' && b.kind === 'number') return arithmetic(op, a, b, line, choices);
  if (op === '+' && isText(a) && isText(b)) return joined(a, b, line);
  if (!isArithmetic && a.kind === 'boolean' && b.kind === 'boolean')
    return { kind: 'boolean', value: logic(op, a.value, b.value) };
  throw unsupported(op, a, b, line, '');
}

function logic(op: string, a: boolean, b: boolean): boolean {
  if (op === 'and') return a && b;
  return op === 'or' ? a || b : a !== b;
}

const isText = ({ kind }: Value) => kind === 'text' || kind === 'message';

/** Joins two texts. */
function joined(a: Value, b: Value, line: number): Value {
  if (a.kind !== 'text' || b.kind !== 'text') return MESSAGE;
  const value = a.value + b.value;
  if (value.length <= MAX_TEXT) return { kind: 'text', value };
  throw new ScriptProblem(line, `a text of more than ${MAX_TEXT} characters`, 'Controllers do not join longer texts.');
}

/** Compares numbers of which one is not known before the program runs: chooses the result. */
export function measuredComparison(op: string, a: Value, b: Value, choose: Choose, line: number): Value {
  const [first, second] = [a, b].map((value) => {
    if (value.kind === 'measured') return value.text;
    if (value.kind === 'number') return String(value.value);
    throw unsupported(op, a, b, line, 'Compare numbers.');
  });
  const text = `${first} ${op} ${second}`;
  return { kind: 'boolean', value: choose([`${text} is True`, `${text} is False`], line) === 0 };
}

/** Returns the type of a sum, difference or product. */
function typeOfBoth(a: NumberValue, b: NumberValue): NumberType {
  if (a.type === 'float' || b.type === 'float') return 'float';
  return a.type === b.type ? a.type : 'unknown';
}

/**
 * Computes `a op b` with its error bound. Throws `ScriptProblem` if the result depends on the controller.
 * @param choices of an execution, if a program may have several
 */
function arithmetic(op: string, a: NumberValue, b: NumberValue, line: number, choices?: Choices): NumberValue {
  const type = typeOfBoth(a, b);
  if (op === '+') return rounded(a.value + b.value, type, a.error + b.error, line);
  if (op === '-') return rounded(a.value - b.value, type, a.error + b.error, line);
  if (op === '*') {
    const error = Math.abs(a.value) * b.error + Math.abs(b.value) * a.error + a.error * b.error;
    return rounded(a.value * b.value, type, error, line);
  }
  if (op === '%') return remainder(a, b, line);
  return quotient(a, b, line, choices);
}

function remainder(a: NumberValue, b: NumberValue, line: number): NumberValue {
  const type = typeOfBoth(a, b);
  if (type !== 'float' && a.error + b.error === 0 && a.value >= 0 && b.value > 0)
    return checked(a.value % b.value, type, 0, line);
  throw new ScriptProblem(
    line,
    '% of other than positive integers',
    'Its result depends on the controller: write the value.',
  );
}

/** What the quotient of positive integers may be. */
const QUOTIENTS = ['fraction', 'integer below', 'nearest integer'].map((what) => `quotients of integers: the ${what}`);

function quotient(a: NumberValue, b: NumberValue, line: number, choices?: Choices): NumberValue {
  const size = Math.abs(b.value);
  if (size <= b.error) throw new ScriptProblem(line, 'a division by zero');
  const value = a.value / b.value;
  const type = typeOfBoth(a, b);
  if (type !== 'float') {
    const isExact = a.error + b.error === 0;
    if (isExact && Number.isInteger(value)) return checked(value, 'unknown', 0, line);
    if (!isExact || value < 0 || choices === undefined)
      throw new ScriptProblem(
        line,
        `the quotient of the integers ${a.value} and ${b.value}`,
        `Its fraction depends on the controller: write ${a.value}.0/${b.value}.`,
      );
    const way = choices.wayOf(QUOTIENTS, type === 'integer', line);
    if (way === 1) return checked(Math.floor(value), type, 0, line);
    if (way === 2) return nearest({ kind: 'number', value, type: 'float', error: 0 }, line, choices);
  }
  return rounded(value, 'float', (Math.abs(value) * b.error + a.error) / (size - b.error), line);
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
  throw unsupported(op, a, b, line, 'Compare numbers, or texts with == and !=.');
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

/** What a variable of integers may become that is assigned a number, or a list of numbers, with a fraction. */
const FRACTIONS = ['number', 'list'].map((given) =>
  ['has its fraction', 'is cut off', 'is rounded'].map((what) => `a ${given} in a variable of integers ${what}`),
);
const NEGATIVE = ['towards 0', 'down'].map((where) => `numbers that are cut off: negative ones ${where}`);

/**
 * Returns what a variable of integers becomes that is assigned another number or list of numbers.
 * @param isCertain whether controllers agree that the variable is one of integers
 */
export function inIntegers(given: Value, isCertain: boolean, line: number, choices: Choices): Value {
  const way = choices.wayOf(FRACTIONS[given.kind === 'list' ? 1 : 0], isCertain, line);
  if (way === 0) return given;
  const cut = (x: Value) => {
    if (x.kind !== 'number') throw new ScriptProblem(line, `a list of integers is assigned a list with a ${x.kind}`);
    if (way === 2) return nearest(x, line, choices);
    const isDown = x.value >= 0 || choices.wayOf(NEGATIVE, isCertain, line) === 1;
    return stepped(isDown ? Math.floor : Math.ceil, x, line);
  };
  return given.kind === 'list' ? createList(given.items.map(cut)) : cut(given);
}

/** Rounds to the nearest integer: of two that may be the nearest, to either. */
function nearest({ value, error }: NumberValue, line: number, choices: Choices): NumberValue {
  const [low, high] = [Math.ceil(value - error - 0.5), Math.floor(value + error + 0.5)];
  if (high - low > 1)
    throw new ScriptProblem(line, `the integer next to ${value} depends on the rounding of the controller`);
  const ways = [low, high].map((way) => `${value} is rounded to ${way}`);
  return checked([low, high][low < high ? choices.choose(ways, line) : 0] + 0, 'unknown', 0, line); // no -0
}
