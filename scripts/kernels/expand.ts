import { posix } from 'node:path';
import ts from 'typescript';

/** Folder of the kernels in vector notation. */
export const KERNELS = 'src/core/narrowphase/kernels';
const NOTATION = `${KERNELS}/notation.ts`;

const COMPONENTS = ['X', 'Y', 'Z'] as const;
type Triple = readonly [string, string, string];
const triple = (of: (k: number) => string): Triple => [of(0), of(1), of(2)];

/**
 * Returns the text of a module in which each vector of `notation` is replaced by three scalars, v by vX, vY, vZ, and
 * each function of `notation` by its expression; formatting is left to the formatter. Vectors are local variables, and
 * arguments of these functions. Throws for any other use, for an assignment whose later components would read earlier
 * ones, and if a component has the name of another variable.
 */
export function expandKernel(text: string, from: string, to: string): string {
  const file = ts.createSourceFile(from, text, ts.ScriptTarget.Latest, true);
  const body = new Expansion(file).module(from, to);
  const source = posix.relative(posix.dirname(to), from);
  return `// Expanded from ${source} by \`node scripts/kernels.mjs\`: edit it there.\n${body}`;
}

class Expansion {
  /** Names of the vectors of the function that is expanded. */
  private vectors = new Set<string>();
  /** Functions that are imported from `notation`. */
  private readonly functions = new Set<string>();

  constructor(private readonly file: ts.SourceFile) {}

  module(from: string, to: string): string {
    return this.replacing(this.file, (node) => {
      if (ts.isImportDeclaration(node)) return this.imported(node, from, to);
      if (!ts.isFunctionLike(node)) return undefined;
      this.vectors = new Set();
      this.collect(node);
      this.refuseClashes(node);
      return this.replacing(node, (inner) => this.expanded(inner));
    });
  }

  /** The text of a node in which some of its descendants are replaced, outermost first. */
  private replacing(node: ts.Node, replace: (node: ts.Node) => string | undefined): string {
    let out = '';
    let at = node.getStart(this.file);
    if (node === this.file) at = 0;
    const visit = (child: ts.Node): void => {
      const replaced = replace(child);
      if (replaced === undefined) {
        ts.forEachChild(child, visit);
        return;
      }
      out += this.file.text.slice(at, child.getStart(this.file)) + replaced;
      at = child.end;
    };
    ts.forEachChild(node, visit);
    return out + this.file.text.slice(at, node.end);
  }

  private imported(node: ts.ImportDeclaration, from: string, to: string): string | undefined {
    const { text: path } = node.moduleSpecifier as ts.StringLiteral;
    if (!path.startsWith('.')) return undefined;
    const target = posix.join(posix.dirname(from), path);
    if (target === NOTATION) {
      const { elements } = node.importClause!.namedBindings as ts.NamedImports;
      for (const { name } of elements) this.functions.add(name.text);
      return '';
    }
    const moved = posix.relative(posix.dirname(to), target);
    return node.getText().replace(path, moved.startsWith('.') ? moved : `./${moved}`);
  }

  private collect(node: ts.Node): void {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name))
      if (node.type?.getText() === 'V' || (node.initializer && this.isVector(node.initializer)))
        this.vectors.add(node.name.text);
    ts.forEachChild(node, (child) => this.collect(child));
  }

  private refuseClashes(node: ts.Node): void {
    const given = ts.isIdentifier(node) ? node.text : '';
    if (COMPONENTS.some((c) => given.endsWith(c)) && this.vectors.has(given.slice(0, -1)))
      throw new Error(`${this.place(node)}: ${given} is also a component of the vector ${given.slice(0, -1)}`);
    ts.forEachChild(node, (child) => this.refuseClashes(child));
  }

  private isVector(node: ts.Expression): boolean {
    if (ts.isParenthesizedExpression(node)) return this.isVector(node.expression);
    if (ts.isConditionalExpression(node)) return this.isVector(node.whenTrue);
    if (ts.isIdentifier(node)) return this.vectors.has(node.text);
    return ts.isCallExpression(node) && this.isCall(node, vectorCalls);
  }

  /** Whether a call is of a function of `notation` in a table. */
  private isCall({ expression }: ts.CallExpression, table: object): boolean {
    return this.functions.has(expression.getText()) && Object.hasOwn(table, expression.getText());
  }

  /** The expansion of a statement or of a scalar expression; undefined if its children are to be visited. */
  private expanded(node: ts.Node): string | undefined {
    if (ts.isVariableDeclaration(node)) return this.declared(node);
    if (ts.isExpressionStatement(node)) return this.statement(node);
    if (ts.isCallExpression(node)) return this.scalarCall(node);
    if (ts.isElementAccessExpression(node) && this.isVector(node.expression))
      return this.vector(node.expression)[Number(node.argumentExpression.getText())];
    if (ts.isIdentifier(node) && this.vectors.has(node.text) && !this.isLabel(node))
      throw new Error(`${this.place(node)}: the vector ${node.text} is used as a value`);
    return undefined;
  }

  /** Whether an identifier is the name of a property: `a.n`, `{ n: 1 }`, `const { n: m } = a`. */
  private isLabel(node: ts.Identifier): boolean {
    const { parent } = node;
    if (ts.isBindingElement(parent)) return parent.propertyName === node;
    return (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) && parent.name === node;
  }

  private declared({ name, initializer }: ts.VariableDeclaration): string | undefined {
    if (!ts.isIdentifier(name) || !this.vectors.has(name.text)) return undefined;
    const values = initializer && this.vector(initializer);
    return COMPONENTS.map((c, k) => `${name.text}${c}${values ? ` = ${values[k]}` : ': number'}`).join(', ');
  }

  private statement(node: ts.ExpressionStatement): string | undefined {
    const { expression: given } = node;
    let lines: string[] | undefined;
    if (ts.isCallExpression(given) && given.expression.getText() === 'store') {
      const [array, at, value] = given.arguments;
      const targets = this.loaded(array, at);
      lines = this.vector(value).map((text, k) => `${targets[k]} = ${text};`);
    } else if (ts.isBinaryExpression(given) && this.isVector(given.left)) {
      if (given.operatorToken.kind !== ts.SyntaxKind.EqualsToken)
        throw new Error(`${this.place(node)}: vectors have no ${given.operatorToken.getText()}`);
      const targets = this.vector(given.left);
      const values = this.vector(given.right);
      for (const [k, earlier] of [...targets.slice(0, 2).entries()])
        if (values.slice(k + 1).some((text) => new RegExp(`\\b${earlier}\\b`).test(text)))
          throw new Error(`${this.place(node)}: ${earlier} is overwritten before it is read`);
      lines = values.map((text, k) => `${targets[k]} = ${text};`);
    }
    if (lines === undefined) return undefined;
    return ts.isBlock(node.parent) ? lines.join('\n') : `{\n${lines.join('\n')}\n}`;
  }

  private scalarCall(node: ts.CallExpression): string | undefined {
    if (!this.isCall(node, scalarCalls)) return undefined;
    const [a, b] = node.arguments.map((argument) => this.vector(argument));
    const text = scalarCalls[node.expression.getText()](a, b);
    const { parent } = node;
    const isTerm = ts.isBinaryExpression(parent) && parent.operatorToken.getText() === '&&' && text.includes('&&');
    return isTerm ? text : `(${text})`;
  }

  /** The three components of a vector expression. */
  private vector(node: ts.Expression): Triple {
    if (ts.isParenthesizedExpression(node)) return this.vector(node.expression);
    if (ts.isIdentifier(node) && this.vectors.has(node.text)) return triple((k) => node.text + COMPONENTS[k]);
    if (ts.isConditionalExpression(node)) {
      const [one, other] = [this.vector(node.whenTrue), this.vector(node.whenFalse)];
      return triple((k) => `(${this.scalar(node.condition)} ? ${one[k]} : ${other[k]})`);
    }
    if (!ts.isCallExpression(node) || !this.isCall(node, vectorCalls))
      throw new Error(`${this.place(node)}: ${node.getText()} is not a vector`);
    const name = node.expression.getText();
    if (name === 'load') return this.loaded(node.arguments[0], node.arguments[1]);
    const isScalar = (k: number) => name === 'vec' || (name === 'scaled' && k === 0) || (name === 'over' && k === 1);
    const operands = node.arguments.map((one, k) => (isScalar(k) ? this.scalar(one) : this.vector(one)));
    return triple((k) => vectorCalls[name](k, ...(operands as Triple[])));
  }

  private loaded(array: ts.Expression, at: ts.Expression | undefined): Triple {
    const offset = at === undefined ? '0' : this.scalar(at);
    const indexOf = (k: number) => (/^\d+$/.test(offset) ? Number(offset) + k : k === 0 ? offset : `${offset} + ${k}`);
    return triple((k) => `${array.getText()}[${indexOf(k)}]`);
  }

  private scalar(node: ts.Expression): string {
    return this.expanded(node) ?? this.replacing(node, (inner) => this.expanded(inner));
  }

  private place(node: ts.Node): string {
    const { line } = this.file.getLineAndCharacterOfPosition(node.getStart());
    return `${this.file.fileName}:${line + 1}`;
  }
}

type Term = (k: number, ...operands: Triple[]) => string;
const scalarOf = (operand: Triple) => operand as unknown as string;

/** Component k of each function of `notation` that returns a vector. */
const vectorCalls: Readonly<Record<string, Term>> = {
  load: () => '',
  vec: (k, ...values) => scalarOf(values[k]),
  neg: (k, v) => `(-(${v[k]}))`,
  add: (k, a, b) => `((${a[k]}) + (${b[k]}))`,
  sub: (k, a, b) => `((${a[k]}) - (${b[k]}))`,
  scaled: (k, s, v) => `((${scalarOf(s)}) * (${v[k]}))`,
  over: (k, v, s) => `((${v[k]}) / (${scalarOf(s)}))`,
  cross: (k, a, b) => {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    return `((${a[i]}) * (${b[j]}) - (${a[j]}) * (${b[i]}))`;
  },
  rotated: (k, ...given) => `(${dot(given[k], given[3])})`,
  combined: (k, v, ...rows) => `(${dot(v, [rows[0][k], rows[1][k], rows[2][k]])})`,
};

const dot = (a: Triple, b: Triple) => a.map((one, k) => `(${one}) * (${b[k]})`).join(' + ');

/** Each function of `notation` that returns a number or a truth value. */
const scalarCalls: Readonly<Record<string, (a: Triple, b: Triple) => string>> = {
  dot,
  size: (v) => v.map((one) => `Math.abs(${one})`).join(' + '),
  areEqual: (a, b) => a.map((one, k) => `(${one}) === (${b[k]})`).join(' && '),
};
