import type { PyValue } from './pyValues.ts';

/** A parsed expression. */
export type Expression =
  | { readonly kind: 'constant'; readonly value: PyValue }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'list' | 'tuple'; readonly items: readonly Expression[] }
  | { readonly kind: 'comprehension'; readonly of: 'list' | 'generator'; readonly parts: Comprehension }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'compare'; readonly first: Expression; readonly rest: readonly (readonly [string, Expression])[] }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'if'; readonly condition: Expression; readonly then: Expression; readonly otherwise: Expression }
  | { readonly kind: 'attribute'; readonly object: Expression; readonly name: string }
  | { readonly kind: 'index'; readonly object: Expression; readonly index: Expression }
  | { readonly kind: 'slice'; readonly object: Expression; readonly bounds: readonly (Expression | undefined)[] }
  | { readonly kind: 'call'; readonly callee: Expression; readonly args: readonly Argument[] };

/** The parts of a comprehension: the expression of each item, and its clauses. */
export interface Comprehension {
  readonly item: Expression;
  readonly clauses: readonly Clause[];
}

/** `for TARGETS in ITEMS` and the `if` conditions after it. */
export interface Clause {
  /** One name, or the names to which each item is unpacked. */
  readonly targets: readonly string[];
  /** True if each item is unpacked, even to a single name. */
  readonly unpacks: boolean;
  readonly items: Expression;
  readonly conditions: readonly Expression[];
}

/** An argument of a call: `value`, `name=value`, `*value` or `**value`. */
export interface Argument {
  readonly value: Expression;
  readonly name?: string;
  readonly spread?: '*' | '**';
}
