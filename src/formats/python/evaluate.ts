import { suggestion } from '../../errors.ts';
import { type Budget, PythonError } from './budget.ts';
import { methodOf } from './pyMethods.ts';
import { requireInteger } from './pyNumbers.ts';
import { binary, compare, unary } from './pyOperators.ts';
import type { Argument, Comprehension, Expression } from './pySyntax.ts';
import {
  itemsOf,
  PyDict,
  PyFunction,
  PyIterator,
  PyList,
  PyNamespace,
  PyRange,
  PyTuple,
  type PyValue,
  truth,
  typeName,
} from './pyValues.ts';
import { representationOf } from './text.ts';

/** The names that an expression may use. */
export interface Names {
  /** Number of scopes inside each other, all of which may be searched for a name. */
  readonly depth: number;
  /** Returns the value of a name; undefined if it is not defined. */
  readonly get: (name: string) => PyValue | undefined;
  /** Returns all names, for the suggestion of an error. */
  readonly names: () => readonly string[];
}

/**
 * Evaluates a parsed expression of Python. Only the given names can be accessed: there are no imports, no attributes of
 * types or functions, and no names that start with two underscores. Throws `PythonError`.
 * @param budget limits steps and memory
 */
export function evaluate(expression: Expression, names: Names, budget: Budget): PyValue {
  return new Evaluator(names, budget).value(expression);
}

class Evaluator {
  constructor(
    private readonly names: Names,
    private readonly budget: Budget,
  ) {}

  value(node: Expression): PyValue {
    this.budget.spend(1);
    switch (node.kind) {
      case 'constant':
        return node.value;
      case 'name':
        return this.lookUp(node.name);
      case 'list':
        return new PyList(this.all(node.items));
      case 'tuple':
        return new PyTuple(this.all(node.items));
      case 'comprehension':
        return this.comprehension(node.of, node.parts);
      case 'unary':
        return unary(node.operator, this.value(node.operand));
      case 'binary':
        return binary(node.operator, this.value(node.left), this.value(node.right), this.budget);
      case 'compare':
        return this.comparison(node.first, node.rest);
      case 'and':
      case 'or': {
        const left = this.value(node.left);
        return truth(left) === (node.kind === 'or') ? left : this.value(node.right);
      }
      case 'if':
        return this.value(truth(this.value(node.condition)) ? node.then : node.otherwise);
      case 'attribute':
        return this.attribute(this.value(node.object), node.name);
      case 'index':
        return this.item(this.value(node.object), this.value(node.index));
      case 'slice':
        return this.slice(this.value(node.object), node.bounds);
      case 'call':
        return this.call(node.callee, node.args);
    }
  }

  private all(nodes: readonly Expression[]): PyValue[] {
    return nodes.map((node) => this.value(node));
  }

  private lookUp(name: string): PyValue {
    this.budget.spend(this.names.depth / DEPTH_PER_STEP);
    const value = this.names.get(name);
    if (value !== undefined) return value;
    throw new PythonError(
      `the name "${name}" is not defined`,
      suggestion(name, this.names.names()).replace(/ ?Use one of.*$/s, ''),
    );
  }

  private comparison(first: Expression, rest: readonly (readonly [string, Expression])[]): boolean {
    let left = this.value(first);
    for (const [operator, node] of rest) {
      const right = this.value(node);
      if (!compare(operator, left, right, this.budget)) return false;
      left = right;
    }
    return true;
  }

  private comprehension(kind: 'list' | 'generator', parts: Comprehension): PyValue {
    const items: PyValue[] = [];
    this.each(parts, 0, (inner) => {
      this.budget.spend(1);
      items.push(inner.value(parts.item));
    });
    return kind === 'list' ? new PyList(items) : new PyIterator(items);
  }

  /** Calls `use` with an evaluator for each combination of items of the clauses from `at` on. */
  private each(parts: Comprehension, at: number, use: (inner: Evaluator) => void): void {
    if (at === parts.clauses.length) {
      use(this);
      return;
    }
    const { targets, unpacks, items, conditions } = parts.clauses[at];
    for (const item of itemsOf(this.value(items), this.budget)) {
      const values = unpacks ? itemsOf(item, this.budget) : [item];
      if (values.length !== targets.length) {
        throw new PythonError(`${values.length} values cannot be unpacked to ${targets.length} names`);
      }
      const inner = this.with(new Map(targets.map((name, i) => [name, values[i]])));
      if (conditions.every((condition) => truth(inner.value(condition)))) inner.each(parts, at + 1, use);
    }
  }

  /** Returns an evaluator with further names. */
  private with(values: ReadonlyMap<string, PyValue>): Evaluator {
    const { names } = this;
    const inner: Names = {
      depth: names.depth + 1,
      get: (name) => (values.has(name) ? values.get(name) : names.get(name)),
      names: () => [...values.keys(), ...names.names()],
    };
    return new Evaluator(inner, this.budget);
  }

  private attribute(object: PyValue, name: string): PyValue {
    const method = methodOf(object, name);
    if (method !== undefined) return method;
    if (object instanceof PyNamespace) {
      const value = object.get(name);
      if (value !== undefined) return value;
      throw new PythonError(`"${object.name}" has no "${name}"`, suggestion(name, object.names()));
    }
    if (object instanceof PyDict && object.dotted) {
      const value = object.get(name, this.budget);
      if (value !== undefined) return value;
      throw this.missingKey(object, name);
    }
    throw new PythonError(
      `'${typeName(object)}' object has no attribute "${name}"`,
      object instanceof PyDict ? `Use ['${name}'], or xacro.dotify(…) for access with a dot.` : '',
    );
  }

  private missingKey(dict: PyDict, key: PyValue): PythonError {
    const choices = itemsOf(dict, this.budget).filter((choice) => typeof choice === 'string');
    return new PythonError(
      `there is no key ${representationOf(key, this.budget).slice(0, 80)}`,
      typeof key === 'string' ? suggestion(key, choices) : '',
    );
  }

  private item(object: PyValue, index: PyValue): PyValue {
    if (object instanceof PyDict) {
      const value = object.get(index, this.budget);
      if (value !== undefined) return value;
      throw this.missingKey(object, index);
    }
    if (object instanceof PyNamespace && typeof index === 'string') return this.attribute(object, index);
    if (!isSequence(object)) throw new PythonError(`'${typeName(object)}' object is not subscriptable`);
    const integer = typeof index === 'bigint' || typeof index === 'boolean' ? Number(requireInteger(index)) : undefined;
    if (integer === undefined)
      throw new PythonError(`${typeName(object)} indices must be integers, not ${typeName(index)}`);
    const items = object instanceof PyList || object instanceof PyTuple ? object.items : itemsOf(object, this.budget);
    const at = integer < 0 ? integer + items.length : integer;
    if (at in items) return items[at];
    throw new PythonError(`the ${typeName(object)} has ${items.length} items, there is none at index ${integer}`);
  }

  private slice(object: PyValue, bounds: readonly (Expression | undefined)[]): PyValue {
    const [start, stop, step] = bounds.map((bound) => {
      const value = bound === undefined ? null : this.value(bound);
      return value === null ? undefined : Number(requireInteger(value));
    });
    if (step === 0) throw new PythonError('slice step cannot be zero');
    if (!isSequence(object)) throw new PythonError(`'${typeName(object)}' object cannot be sliced`);
    const items = itemsOf(object, this.budget);
    const picked = sliced(items, start, stop, step ?? 1);
    if (typeof object === 'string') return (picked as string[]).join('');
    return object instanceof PyTuple ? new PyTuple(picked) : new PyList(picked);
  }

  private call(callee: Expression, args: readonly Argument[]): PyValue {
    const target = this.value(callee);
    const positional: PyValue[] = [];
    const keywords = new Map<string, PyValue>();
    for (const { value, name, spread } of args) {
      const given = this.value(value);
      if (name !== undefined) keywords.set(name, given);
      else if (spread === '*') for (const item of itemsOf(given, this.budget)) positional.push(item);
      else if (spread === undefined) positional.push(given);
      else if (!(given instanceof PyDict)) throw new PythonError('the argument after ** must be a dictionary');
      else for (const [key, item] of given.pairs(this.budget)) keywords.set(String(key), item);
    }
    if (target instanceof PyFunction) return target.call(positional, keywords, this.budget);
    throw new PythonError(`'${typeName(target)}' object is not callable`);
  }
}

/** Scopes that are searched for one step. */
const DEPTH_PER_STEP = 8;

const isSequence = (value: PyValue): boolean =>
  typeof value === 'string' || value instanceof PyList || value instanceof PyTuple || value instanceof PyRange;

/** Returns the items from start to stop (exclusive) by step; bounds beyond the ends are cut, as in Python. */
function sliced(
  items: readonly PyValue[],
  start: number | undefined,
  stop: number | undefined,
  step: number,
): PyValue[] {
  const { length } = items;
  const [lowest, highest] = step > 0 ? [0, length] : [-1, length - 1];
  const cut = (bound: number) => Math.min(highest, Math.max(lowest, bound < 0 ? bound + length : bound));
  const first = start === undefined ? (step > 0 ? lowest : highest) : cut(start);
  const last = stop === undefined ? (step > 0 ? highest : lowest) : cut(stop);
  const picked: PyValue[] = [];
  for (let i = first; step > 0 ? i < last : i > last; i += step) picked.push(items[i]);
  return picked;
}
