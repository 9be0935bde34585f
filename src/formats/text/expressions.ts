import {
  absDependencies,
  acosDependencies,
  addDependencies,
  asinDependencies,
  atanDependencies,
  cosDependencies,
  create,
  divideDependencies,
  type MathNode,
  multiplyDependencies,
  parseDependencies,
  piDependencies,
  powDependencies,
  sinDependencies,
  sqrtDependencies,
  subtractDependencies,
  tanDependencies,
  tauDependencies,
  type Unit,
  unaryMinusDependencies,
  unaryPlusDependencies,
  unitDependencies,
} from 'mathjs';
import { InputError } from '../../errors.ts';
import { type Dimension, type Evaluate, MAX_EXPRESSION_LENGTH, type Quantity, units } from './numbers.ts';

/** Allowed operators, functions and constants; none defines, assigns, indexes or accesses anything outside. */
const operators = ['+', '-', '*', '/', '^'];
const functions = ['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sqrt', 'abs'];
const constants = ['pi', 'tau', 's'];

const math = create(
  {
    parseDependencies,
    unitDependencies,
    addDependencies,
    subtractDependencies,
    multiplyDependencies,
    divideDependencies,
    powDependencies,
    unaryMinusDependencies,
    unaryPlusDependencies,
    sinDependencies,
    cosDependencies,
    tanDependencies,
    asinDependencies,
    acosDependencies,
    atanDependencies,
    sqrtDependencies,
    absDependencies,
    piDependencies,
    tauDependencies,
  } as NonNullable<Parameters<typeof create>[0]>,
  {},
);

/** Limit of the characters of all expressions of a scene, which take some 3 s. */
const MAX_CHARACTERS = 1_000_000;

/** Returns `evaluate` for one scene. It throws `InputError` if the expressions together are too long. */
export function boundedEvaluate(): Evaluate {
  let characters = 0;
  return (text) => {
    characters += text.length;
    if (characters <= MAX_CHARACTERS) return evaluate(text);
    throw new InputError(`more than ${MAX_CHARACTERS} characters of expressions in a scene`, 'Write their values.');
  };
}

/**
 * Evaluates an expression of a scene file: `sqrt(2) * 30 cm`, `cos(90 deg)`, `(1 + 2) / 4`. Returns an error message if
 * the text is not a valid expression. This module loads mathjs, which is slow: import it only if there is an expression
 * to evaluate.
 */
export function evaluate(text: string): Quantity | string {
  if (text.length > MAX_EXPRESSION_LENGTH) return `longer than ${MAX_EXPRESSION_LENGTH} characters`;
  try {
    const node = math.parse(
      text.replaceAll('°', ' deg').replaceAll('µ', 'u').replaceAll('²', '^2').replaceAll('³', '^3'),
    );
    const disallowed = disallowedIn(node);
    if (disallowed !== undefined) return `it may not use ${disallowed}`;
    return quantityOf(node.compile().evaluate());
  } catch (error) {
    return `not a number: ${(error as Error).message.split('\n')[0]}`;
  }
}

/** Returns the first node of the expression that is not allowed, undefined if all are. */
function disallowedIn(root: MathNode): string | undefined {
  let disallowed: string | undefined;
  root.traverse((node, _path, parent) => {
    disallowed ??= isAllowed(node, parent) ? undefined : `"${node.toString().slice(0, 40)}"`;
  });
  return disallowed;
}

function isAllowed(node: MathNode, parent: MathNode | null): boolean {
  const { type, name = '', op = '', value } = node as MathNode & { name?: string; op?: string; value?: unknown };
  switch (type) {
    case 'ConstantNode':
      return typeof value === 'number';
    case 'ParenthesisNode':
      return true;
    case 'OperatorNode':
      return operators.includes(op);
    case 'FunctionNode':
      return functions.includes((node as unknown as { fn: { name: string } }).fn.name);
    case 'SymbolNode':
      return (
        constants.includes(name) ||
        Object.hasOwn(units, name) ||
        (parent?.type === 'FunctionNode' && functions.includes(name))
      );
    default:
      return false;
  }
}

function quantityOf(result: unknown): Quantity | string {
  if (typeof result === 'number') {
    if (!Number.isFinite(result)) return `not a finite number: ${result}`;
    return { value: result, dimension: { base: 'none', perSecond: 0 } };
  }
  const unit = result as Unit;
  for (const [base, si] of [
    ['length', 'm'],
    ['angle', 'rad'],
  ] as const) {
    for (const perSecond of [0, 1, 2, 3] as const) {
      const target = perSecond === 0 ? si : `${si}/s^${perSecond}`;
      if (!math.unit(target).equalBase(unit)) continue;
      const dimension: Dimension = { base, perSecond };
      const value = unit.toNumber(target);
      return Number.isFinite(value) ? { value, dimension } : `not a finite number: ${value}`;
    }
  }
  return 'neither a number, a length nor an angle';
}
