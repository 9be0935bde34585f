import { jointValueProblem, lengthProblem } from '../../core/math/magnitudes.ts';
import { InputError } from '../../errors.ts';
import { type Dimension, nameOf, readQuantity } from '../../formats/text/numbers.ts';

/** Dimension of a number. */
export type Base = 'length' | 'angle' | 'none';

const example: Readonly<Record<Base, string>> = { length: '0.4 or 20 mm', angle: 'pi/2 or 90 deg', none: '0.7' };

/**
 * Parses numbers separated by commas, as in scene files: `0.4, 20 mm, 1/3`, with or without brackets around them.
 * @param bases dimension of each number; their count is the required count
 * @param name name of the option, for error messages
 */
export async function readQuantityList(text: string, bases: readonly Base[], name: string): Promise<number[]> {
  const words = splitList(text);
  if (words.length !== bases.length) {
    throw new InputError(`${name} is "${text}": ${words.length} values`, `Give ${bases.length}, separated by commas.`);
  }
  return Promise.all(words.map((word, i) => readOne(word, bases[i], name)));
}

/** Returns the words between the commas. */
export function splitList(text: string): string[] {
  return text
    .replace(/^\s*\[|\]\s*$/g, '')
    .split(',')
    .map((word) => word.trim());
}

async function readOne(word: string, base: Base, name: string): Promise<number> {
  let quantity = readQuantity(word);
  if (quantity === 'expression') {
    const { evaluate } = await import('../../formats/text/expressions.ts'); // slow to load and rarely needed
    quantity = evaluate(word);
  }
  const wanted: Dimension = { base, perSecond: 0 };
  if (typeof quantity === 'string') {
    throw new InputError(`${name}: "${word}" is ${quantity}`, `Give ${nameOf(wanted)}: ${example[base]}.`);
  }
  const { dimension, value } = quantity;
  if (dimension.base === 'none' || (dimension.base === base && dimension.perSecond === 0)) {
    const problem = base === 'length' ? lengthProblem(value) : base === 'angle' ? jointValueProblem(value) : undefined;
    if (problem === undefined) return value;
    throw new InputError(`${name}: "${word}" ${problem}`, `Give ${nameOf(wanted)}: ${example[base]}.`);
  }
  throw new InputError(`${name}: "${word}" is ${nameOf(dimension)}`, `Give ${nameOf(wanted)}: ${example[base]}.`);
}
