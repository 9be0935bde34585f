import type { Choose } from './choices.ts';
import { ScriptProblem } from './tokens.ts';
import { arithmetic, MESSAGE, negated, type Value } from './values.ts';

const ARITHMETIC = '+-*/%';
/** Longest text of a controller. */
const MAX_TEXT = 1023;

/** Evaluates `-a` or `not a`. Throws `ScriptProblem` for a value of the wrong type. */
export function unary(op: '-' | 'not', value: Value, line: number): Value {
  if (op === '-' && value.kind === 'number') return negated(value);
  if (op === 'not' && value.kind === 'boolean') return { kind: 'boolean', value: !value.value };
  throw new ScriptProblem(line, `${op} of a ${value.kind}`);
}

/**
 * Evaluates the arithmetic or logical operation `a op b`. Throws `ScriptProblem` for values of the wrong type.
 * @param read chooses how the manual is read, if a program may have several executions
 */
export function binary(op: string, a: Value, b: Value, line: number, read?: Choose): Value {
  const isArithmetic = ARITHMETIC.includes(op);
  if (isArithmetic && a.kind === 'number' && b.kind === 'number') return arithmetic(op, a, b, line, read);
  if (op === '+' && isText(a) && isText(b)) return joined(a, b, line);
  if (!isArithmetic && a.kind === 'boolean' && b.kind === 'boolean')
    return { kind: 'boolean', value: logic(op, a.value, b.value) };
  throw new ScriptProblem(line, `${a.kind} ${op} ${b.kind} is not supported`);
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
    throw new ScriptProblem(line, `${a.kind} ${op} ${b.kind} is not supported`, 'Compare numbers.');
  });
  const text = `${first} ${op} ${second}`;
  return { kind: 'boolean', value: choose([`${text} is True`, `${text} is False`], line) === 0 };
}
