import { suggestion } from '../../../errors.ts';
import { PythonError } from '../../python/budget.ts';
import { evaluate, type Names } from '../../python/evaluate.ts';
import { parseExpression } from '../../python/pyParser.ts';
import type { Expression } from '../../python/pySyntax.ts';
import { type PyValue, sizeOf, truth } from '../../python/pyValues.ts';
import { textOf } from '../../python/text.ts';
import type { ExpansionState } from './expansionState.ts';
import type { Scope } from './scope.ts';
import type { Substitutions } from './substitutions.ts';

/** Part of a text: plain, `${expression}`, or `$(substitution)`. */
interface Part {
  readonly kind: 'plain' | 'expression' | 'substitution';
  readonly text: string;
}

const PARTS: readonly (readonly [Part['kind'] | 'escape', RegExp])[] = [
  ['escape', /\$\$+[{(]/y],
  ['expression', /\$\{[^}]*\}/y],
  ['substitution', /\$\([^)]*\)/y],
  ['plain', /[^$]+|\$[^{($]+|\$$/y],
];

/** Evaluates the expressions and substitutions in attributes and texts. */
export class TextEvaluator {
  private readonly parsedTexts = new Map<string, readonly Part[]>();
  private readonly parsedExpressions = new Map<string, Expression>();

  constructor(
    private readonly state: ExpansionState,
    private readonly substitutions: Substitutions,
  ) {}

  /**
   * Evaluates a text. A text that is one expression keeps the type of its value; otherwise the parts are joined.
   * Throws `PythonError`.
   */
  value(text: string, scope: Scope): PyValue {
    this.state.budget.spend(1);
    if (!text.includes('$')) return text;
    const { budget } = this.state;
    const parts = this.partsOf(text);
    budget.spend(parts.length);
    const values = parts.map((part) => this.part(part, scope));
    budget.spend(sizeOf(values)); // of each value that an attribute, parameter or property takes
    if (values.length === 1) return values[0];
    const texts = values.map((value) => textOf(value, budget));
    budget.spendText(texts.reduce((sum, { length }) => sum + length, 0));
    return texts.join('');
  }

  /** Evaluates a text to text. */
  text(text: string, scope: Scope): string {
    return textOf(this.value(text, scope), this.state.budget);
  }

  /** Evaluates a condition. Throws `PythonError` if it is neither true nor false. */
  boolean(text: string, scope: Scope): boolean {
    return booleanOf(this.value(text, scope), text);
  }

  /** Evaluates an expression without `${}`. */
  expression(source: string, names: Names): PyValue {
    try {
      let parsed = this.parsedExpressions.get(source);
      if (parsed === undefined) {
        this.state.budget.spend(source.length);
        parsed = parseExpression(source);
        this.parsedExpressions.set(source, parsed);
      }
      return evaluate(parsed, names, this.state.budget);
    } catch (error) {
      throw about(`\${${source}}`, error);
    }
  }

  private part({ kind, text }: Part, scope: Scope): PyValue {
    if (kind === 'plain') return text;
    const inner = this.text(text, scope);
    if (kind === 'expression') return this.expression(inner, scope);
    return this.substitutions.resolve(inner, (source, names) => this.expression(source, names));
  }

  private partsOf(text: string): readonly Part[] {
    const known = this.parsedTexts.get(text);
    if (known !== undefined) return known;
    this.state.budget.spend(text.length);
    const parts: Part[] = [];
    for (let at = 0; at < text.length; ) {
      const [kind, match] = partAt(text, at);
      if (kind === 'plain') parts.push({ kind, text: match });
      else if (kind === 'escape') parts.push({ kind: 'plain', text: match.slice(1) });
      else parts.push({ kind, text: match.slice(2, -1) });
      at += match.length;
    }
    this.parsedTexts.set(text, parts);
    return parts;
  }
}

function partAt(text: string, at: number): readonly [Part['kind'] | 'escape', string] {
  for (const [kind, pattern] of PARTS) {
    pattern.lastIndex = at;
    const match = pattern.exec(text)?.[0];
    if (match !== undefined) return [kind, match];
  }
  const rest = text.slice(at, at + 40);
  throw new PythonError(
    `invalid expression: ${rest}`,
    /^\$[{(]/.test(rest)
      ? 'The bracket is not closed; an expression ends at the first } or ).'
      : 'Write $${ for the text ${.',
  );
}

/** Adds the expression to the message of an error, once: the innermost one. */
function about(expression: string, error: unknown): unknown {
  if (isStackOverflow(error)) return new PythonError(`${shortened(expression)}: it is nested too deep`);
  if (!(error instanceof PythonError) || error.namesExpression) return error;
  return new PythonError(`${shortened(expression)}: ${error.message}`, error.note, true);
}

/** Returns true for the error of deep recursion, on all engines. */
export const isStackOverflow = (error: unknown): boolean =>
  error instanceof Error && /call stack|too much recursion/i.test(error.message);

const shortened = (text: string) => (text.length > 100 ? `${text.slice(0, 99)}…` : text);

/** Returns the truth value of a condition: true, True, 1, …; throws `PythonError` for other text. */
export function booleanOf(value: PyValue, condition: string): boolean {
  if (typeof value !== 'string') return truth(value);
  if (value === 'true' || value === 'True') return true;
  if (value === 'false' || value === 'False') return false;
  if (/^\s*[-+]?\d+\s*$/.test(value)) return Number(value) !== 0;
  const shown = value === condition ? `"${value}"` : `"${condition}" is "${value}", which`;
  throw new PythonError(
    `the condition ${shown.slice(0, 200)} is neither true nor false`,
    suggestion(value, ['true', 'false']),
  );
}
