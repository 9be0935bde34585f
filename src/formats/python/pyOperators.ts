import type { Budget } from './budget.ts';
import { formatPercent } from './format.ts';
import { bitsOf, divide, floorDivide, numberOf, power, requireInteger, requireSize } from './pyNumbers.ts';
import { PythonError } from './pythonError.ts';
import { itemsOf, PyDict, PyList, PyRange, PySet, PyTuple, type PyValue, truth, typeName } from './pyValues.ts';

/** Returns true if two values are equal: 1, 1.0 and True are, lists and dictionaries are compared by their items. */
export function isEqual(a: PyValue, b: PyValue, budget: Budget, depth = 0): boolean {
  budget.spend(1);
  if (depth > MAX_NESTING) throw new PythonError(`a collection is nested more than ${MAX_NESTING} deep`);
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== undefined && y !== undefined) return x <= y && x >= y; // exact for bigint and number; false for NaN
  const same = (left: readonly PyValue[], right: readonly PyValue[]) =>
    left.length === right.length && left.every((item, i) => isEqual(item, right[i], budget, depth + 1));
  if (a instanceof PyList && b instanceof PyList) return same(a.items, b.items);
  if (a instanceof PyTuple && b instanceof PyTuple) return same(a.items, b.items);
  if (a instanceof PySet && b instanceof PySet) return a.size === b.size && a.values().every((item) => b.has(item));
  if (a instanceof PyRange && b instanceof PyRange) return same(itemsOf(a, budget), itemsOf(b, budget));
  if (!(a instanceof PyDict && b instanceof PyDict)) return a === b;
  return (
    a.size === b.size &&
    a.keys().every((key) => {
      const other = b.get(key);
      return other !== undefined && isEqual(a.get(key)!, other, budget, depth + 1);
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
    if (typeof item === 'string') return container.includes(item);
    throw new PythonError(`'in <string>' requires string as left operand, not ${typeName(item)}`);
  }
  if (container instanceof PyDict) return container.get(item) !== undefined;
  if (container instanceof PySet) return container.has(item);
  return itemsOf(container, budget).some((other) => isEqual(other, item, budget));
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
  budget.spend(1);
  const [x, y] = [numberOf(a), numberOf(b)];
  if (typeof a === 'boolean' && typeof b === 'boolean' && /^[&|^]$/.test(operator)) {
    return arithmetic(operator, x!, y!) === 1n;
  }
  if (x !== undefined && y !== undefined) return arithmetic(operator, x, y);
  if (operator === '+') return concatenate(a, b, budget);
  if (operator === '*') return repeat(a, b, budget);
  if (operator === '%' && typeof a === 'string') return formatPercent(a, b, budget);
  if (a instanceof PySet && b instanceof PySet) return combine(operator, a, b);
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
  if (typeof x === 'bigint' && typeof y === 'bigint') return integers(operator, x, y);
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
      requireSize(bitsOf(x) + bitsOf(y));
      return x * y;
    case '<<':
    case '>>':
      if (y < 0n) throw new PythonError('negative shift count');
      if (operator === '<<') requireSize(BigInt(bitsOf(x)) + y);
      return operator === '<<' ? x << y : y > 100_000n ? (x < 0n ? -1n : 0n) : x >> y;
    case '&':
      return x & y;
    case '|':
      return x | y;
    default:
      return x ^ y;
  }
}

function concatenate(a: PyValue, b: PyValue, budget: Budget): PyValue {
  if (typeof a === 'string' && typeof b === 'string') {
    budget.spendText(a.length + b.length);
    return a + b;
  }
  if (a instanceof PyList && b instanceof PyList) {
    budget.spend(a.items.length + b.items.length);
    return new PyList([...a.items, ...b.items]);
  }
  if (a instanceof PyTuple && b instanceof PyTuple) {
    budget.spend(a.items.length + b.items.length);
    return new PyTuple([...a.items, ...b.items]);
  }
  throw unsupported('+', a, b);
}

function repeat(a: PyValue, b: PyValue, budget: Budget): PyValue {
  const [sequence, factor] = numberOf(b) === undefined ? [b, a] : [a, b];
  if (typeof sequence !== 'string' && !(sequence instanceof PyList || sequence instanceof PyTuple)) {
    throw unsupported('*', a, b);
  }
  const count = Math.max(0, Number(requireInteger(factor)));
  if (typeof sequence === 'string') {
    budget.spendText(sequence.length * count);
    return sequence.repeat(sequence === '' ? 0 : count);
  }
  budget.spend(sequence.items.length * count);
  const items = Array.from({ length: sequence.items.length === 0 ? 0 : count }, () => sequence.items).flat();
  return sequence instanceof PyList ? new PyList(items) : new PyTuple(items);
}

function combine(operator: string, a: PySet, b: PySet): PySet {
  const [left, right] = [a.values(), b.values()];
  if (operator === '|') return new PySet([...left, ...right]);
  if (operator === '&') return new PySet(left.filter((item) => b.has(item)));
  if (operator === '-') return new PySet(left.filter((item) => !b.has(item)));
  if (operator === '^') {
    return new PySet([...left.filter((item) => !b.has(item)), ...right.filter((item) => !a.has(item))]);
  }
  throw unsupported(operator, a, b);
}
