import type { ListValue, Value } from './values.ts';

/** An expression of URScript; `line` is the line in which errors of its evaluation are reported. */
export type Expression =
  | { readonly kind: 'constant'; readonly value: Value; readonly line: number }
  /** A list of constant numbers, whose items are shared by all evaluations. */
  | { readonly kind: 'numbers'; readonly list: ListValue; readonly line: number }
  | { readonly kind: 'list'; readonly items: readonly Expression[]; readonly isPose: boolean; readonly line: number }
  | { readonly kind: 'name'; readonly name: string; readonly line: number }
  | { readonly kind: 'index'; readonly base: Expression; readonly index: Expression; readonly line: number }
  | { readonly kind: 'unary'; readonly op: '-' | 'not'; readonly operand: Expression; readonly line: number }
  | { readonly kind: 'compare'; readonly op: string; readonly operands: readonly Expression[]; readonly line: number }
  /** Operators of equal precedence from left to right; of any length, evaluated without recursion. */
  | { readonly kind: 'chain'; readonly first: Expression; readonly rest: readonly Link[]; readonly line: number }
  | Call;

export interface Link {
  readonly op: string;
  readonly operand: Expression;
}

export interface Call {
  readonly kind: 'call';
  readonly name: string;
  readonly positional: readonly Expression[];
  readonly named: readonly { readonly name: string; readonly value: Expression }[];
  readonly line: number;
  /** Of a move: where it is in the text. */
  readonly place?: CallPlace;
}

/** Offsets in the text: beginning and end. */
export type TextSpan = readonly [from: number, to: number];

/** Where a call is in the text. */
export interface CallPlace {
  /** The whole call. */
  readonly whole: TextSpan;
  /** The values of its arguments: those without names first. */
  readonly values: readonly TextSpan[];
}

export type Block = readonly Statement[];

export type Statement =
  | { readonly kind: 'call'; readonly call: Call; readonly line: number }
  | Assignment
  | { readonly kind: 'define'; readonly definition: Definition; readonly line: number }
  | { readonly kind: 'if'; readonly branches: readonly Branch[]; readonly otherwise: Block; readonly line: number }
  | { readonly kind: 'while'; readonly condition: Expression; readonly block: Block; readonly line: number }
  | { readonly kind: 'return'; readonly value: Expression | undefined; readonly line: number }
  | { readonly kind: 'break' | 'continue' | 'halt'; readonly line: number };

export interface Assignment {
  readonly kind: 'assign';
  /** `free` (no keyword): global if a global variable has the name, else local. */
  readonly scope: 'free' | 'global' | 'local';
  readonly name: string;
  /** Index if an element of a list is assigned. */
  readonly index: Expression | undefined;
  readonly value: Expression;
  readonly line: number;
}

export interface Branch {
  readonly condition: Expression;
  readonly block: Block;
}

export interface Parameter {
  readonly name: string;
  readonly value: Expression | undefined;
}

/** A function. Its sets of names are filled while its body is parsed. */
export interface Definition {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** Enclosing function; undefined on the first level. */
  readonly parent: Definition | undefined;
  readonly line: number;
  /** Names declared `local` anywhere in the body. */
  readonly locals: Set<string>;
  /** Names of the parameters and of all variables assigned in the body. */
  readonly variables: Set<string>;
  block: Block;
}

/** A thread. It is never executed: `checkThreads` refuses those that could affect the program. */
export interface Thread {
  readonly definition: Definition;
  /** Names of the variables that it reads. */
  readonly reads: ReadonlySet<string>;
}

/** A parsed script. */
export interface Script {
  /** Statements outside of all functions, including the definitions. */
  readonly block: Block;
  readonly definitions: readonly Definition[];
  readonly threads: readonly Thread[];
  /** Names of the variables that are read outside of threads, and of parameters. */
  readonly reads: ReadonlySet<string>;
  /** Names of the variables that are assigned other values than numbers, outside of threads. */
  readonly computed: ReadonlySet<string>;
  /** All calls; their names are checked before execution. */
  readonly calls: readonly Call[];
  /** Names of variables that a function assigns as `global`, or that are assigned outside of all functions. */
  readonly globals: Set<string>;
  /** Number of statements and expressions. */
  readonly size: number;
}
