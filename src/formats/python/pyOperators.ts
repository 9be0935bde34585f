import { type Budget, PythonError } from './budget.ts';
import { formatPercent } from './format.ts';
import { divide, floorDivide, numberOf, power, requireInteger, requireSize } from './pyNumbers.ts';
import { itemsOf, PyDict, PyList, PyRange, PyTuple, type PyValue, sizeOf, truth, typeName } from './pyValues.ts';

/** Returns true if two values are equal: 1, 1.0 and True are, lists and dictionaries are compared by their items. */
export function isEqual(a: PyValue, b: PyValue, budget: Budget, depth = 0): boolean {
  budget.spend(1 + Math.min(sizeOf([a]), sizeOf([b])));
  if (depth > MAX_NESTING) throw new PythonError(`a collection is nested more than ${MAX_NESTING} deep`);
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== undefined && y !== undefined) return x <= y && x >= y; // exact for bigint and number; false for NaN
  const same = (left: readonly PyValue[], right: readonly PyValue[]) =>
    left.length === right.length && left.every((item, i) => isEqual(item, right[i], budget, depth + 1));
  if (a instanceof PyList && b instanceof PyList) return same(a.items, b.items);
  if (a instanceof PyTuple && b instanceof PyTuple) return same(a.items, b.items);
  if (a instanceof PyRange && b instanceof PyRange) return same(itemsOf(a, budget), itemsOf(b, budget));
  if (!(a instanceof PyDict && b instanceof PyDict)) return a === b;
  return (
    a.size === b.size &&
    a.pairs(budget).every(([key, value]) => {
      const other = b.get(key, budget);
      return other !== undefined && isEqual(value, other, budget, depth + 1);
    })
  );
}

const MAX_NESTING = 100;

/** Returns true if a < b. Throws `PythonError` for types without an order. */
export function isLess(a: PyValue, b: PyValue, budget: Budget): boolean {
  return order('<', a, b, budget);
}

/** Compares two values by an operator of Python. */
export function compare(operator: string, a: PyValue, b: PyValue, budget: Budget): boolean {
  budget.spend(1);
  switch (operator) {
    case '==':
      return isEqual(a, b, budget);
    case '!=':
      return !isEqual(a, b, budget);
    case 'is':
      return a === b;
    case 'is not':
      return a !== b;
    case 'in':
      return contains(b, a, budget);
    case 'not in':
      return !contains(b, a, budget);
    default:
      return order(operator, a, b, budget);
  }
}

function order(operator: string, a: PyValue, b: PyValue, budget: Budget): boolean {
  budget.spend(1 + Math.min(sizeOf([a]), sizeOf([b])));
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== undefined && y !== undefined) return ordered(operator, x, y);
  if (typeof a === 'string' && typeof b === 'string') return ordered(operator, a, b);
  const isSequence = (a instanceof PyList && b instanceof PyList) || (a instanceof PyTuple && b instanceof PyTuple);
  if (!isSequence) {
    throw new PythonError(`'${operator}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`);
  }
  const [left, right] = [a.items, b.items];
  for (let i = 0; i < left.length && i < right.length; i++) {
    if (!isEqual(left[i], right[i], budget)) return order(operator, left[i], right[i], budget);
  }
  return ordered(operator, left.length, right.length);
}

function ordered<T extends bigint | number | string>(operator: string, x: T, y: T): boolean {
  if (operator === '<') return x < y;
  if (operator === '>') return x > y;
  return operator === '<=' ? x <= y : x >= y;
}

function contains(container: PyValue, item: PyValue, budget: Budget): boolean {
  if (typeof container === 'string') {
    if (typeof item === 'string') return indexOf(container, item, budget) >= 0;
    throw new PythonError(`'in <string>' requires string as left operand, not ${typeName(item)}`);
  }
  if (container instanceof PyDict) return container.get(item, budget) !== undefined;
  return itemsOf(container, budget).some((other) => isEqual(other, item, budget));
}

/** Returns the position of a text in another one, -1 if it is not there. */
export function indexOf(text: string, sought: string, budget: Budget): number {
  budget.spendText(text.length);
  budget.spendSearch(text.length, sought.length);
  return text.indexOf(sought);
}

/** Applies a unary operator. */
export function unary(operator: string, value: PyValue): PyValue {
  if (operator === 'not') return !truth(value);
  const number = numberOf(value);
  if (number === undefined) throw new PythonError(`bad operand type for unary ${operator}: '${typeName(value)}'`);
  if (operator === '~') return ~requireInteger(number);
  return operator === '-' ? -number : number;
}

/** Applies a binary operator. Throws `PythonError` for types that it does not support, and for results too large. */
export function binary(operator: string, a: PyValue, b: PyValue, budget: Budget): PyValue {
  budget.spend(1 + sizeOf([a, b]));
  const [x, y] = [numberOf(a), numberOf(b)];
  if (typeof a === 'boolean' && typeof b === 'boolean' && /^[&|^]$/.test(operator)) {
    return arithmetic(operator, x!, y!) === 1n;
  }
  if (x !== undefined && y !== undefined) return arithmetic(operator, x, y);
  if (operator === '+') return concatenate(a, b, budget);
  if (operator === '*') return repeat(a, b, budget);
  if (operator === '%' && typeof a === 'string') return formatPercent(a, b, budget);
  throw unsupported(operator, a, b);
}

const unsupported = (operator: string, a: PyValue, b: PyValue) =>
  new PythonError(
    `unsupported operand types for ${operator}: '${typeName(a)}' and '${typeName(b)}'`,
    operator === '+' && (typeof a === 'string' || typeof b === 'string') ? 'str(…) converts a number to text.' : '',
  );

function arithmetic(operator: string, x: bigint | number, y: bigint | number): bigint | number {
  switch (operator) {
    case '/':
      return divide(x, y);
    case '//':
      return floorDivide(x, y)[0];
    case '%':
      return floorDivide(x, y)[1];
    case '**':
      return power(x, y);
  }
  if (typeof x === 'bigint' && typeof y === 'bigint') return requireSize(integers(operator, x, y));
  if (operator === '+') return Number(x) + Number(y);
  if (operator === '-') return Number(x) - Number(y);
  if (operator === '*') return Number(x) * Number(y);
  throw unsupported(operator, x, y);
}

function integers(operator: string, x: bigint, y: bigint): bigint {
  switch (operator) {
    case '+':
      return x + y;
    case '-':
      return x - y;
    case '*':
      return x * y;
    case '<<':
      if (y < 0n) throw new PythonError('negative shift count');
      return y > LONGEST_SHIFT && x !== 0n ? requireSize(1n << LONGEST_SHIFT) : x << y;
    case '>>':
      if (y < 0n) throw new PythonError('negative shift count');
      return y > LONGEST_SHIFT ? (x < 0n ? -1n : 0n) : x >> y;
    case '&':
      return x & y;
    case '|':
      return x | y;
    default:
      return x ^ y;
  }
}

/** Bits. Shifts by more than the largest integer has have the same result. */
const LONGEST_SHIFT = 2000n;

function concatenate(a: PyValue, b: PyValue, budget: Budget): PyValue {
  budget.spend(sizeOf([a, b]));
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  if (a instanceof PyList && b instanceof PyList) return new PyList([...a.items, ...b.items]);
  if (a instanceof PyTuple && b instanceof PyTuple) return new PyTuple([...a.items, ...b.items]);
  throw unsupported('+', a, b);
}

function repeat(a: PyValue, b: PyValue, budget: Budget): PyValue {
  const [sequence, factor] = numberOf(b) === undefined ? [b, a] : [a, b];
  if (typeof sequence !== 'string' && !(sequence instanceof PyList || sequence instanceof PyTuple)) {
    throw unsupported('*', a, b);
  }
  const isEmpty = typeof sequence === 'string' ? sequence === '' : sequence.items.length === 0;
  const count = isEmpty ? 0 : Math.max(0, Number(requireInteger(factor)));
  budget.spend(sizeOf([sequence]) * count);
  if (typeof sequence === 'string') return sequence.repeat(count);
  const items = Array.from({ length: count }, () => sequence.items).flat();
  return sequence instanceof PyList ? new PyList(items) : new PyTuple(items);
}
