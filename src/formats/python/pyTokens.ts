import { PythonError } from './budget.ts';

/** A token of an expression. */
export interface Token {
  readonly kind: 'name' | 'keyword' | 'int' | 'float' | 'string' | 'operator' | 'end';
  /** The text; of a string its value. */
  readonly text: string;
}

const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global ' +
    'if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

const NAME = /[\p{ID_Start}_][\p{ID_Continue}]*/uy;
const INTEGER = /0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|\d(?:_?\d)*/y;
const FLOAT =
  /(?:\d(?:_?\d)*\.(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:[eE][-+]?\d(?:_?\d)*)?|\d(?:_?\d)*[eE][-+]?\d(?:_?\d)*/y;
const STRING = /([rRuUbBfF]{0,2})('''|"""|'|")/y;
const OPERATOR = /\*\*|\/\/|<<|>>|<=|>=|==|!=|:=|[-+*/%@&|^~<>()[\]{},:.=]/y;

/** Returns true if the text is an identifier of Python and not a keyword. */
export function isIdentifier(text: string): boolean {
  return matchAt(NAME, text, 0) === text && !KEYWORDS.has(text);
}

/** Splits an expression into tokens. Throws `PythonError` for other characters and unclosed strings. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const push = (kind: Token['kind'], text: string, length: number) => {
    tokens.push({ kind, text });
    at += length;
  };
  for (;;) {
    at += /^(?:\s|#[^\n]*)*/.exec(source.slice(at, at + MAX_BLANKS))![0].length;
    if (at >= source.length) break;
    const string = stringAt(source, at);
    const float = string ? undefined : matchAt(FLOAT, source, at);
    const number = float ?? matchAt(INTEGER, source, at);
    const name = matchAt(NAME, source, at);
    const operator = matchAt(OPERATOR, source, at);
    if (string !== undefined) push('string', string.value, string.length);
    else if (number !== undefined) {
      if (float === undefined && /^0\d*[1-9]/.test(number)) {
        throw new PythonError(`syntax error: leading zeros in "${number}" are not permitted`);
      }
      push(float === undefined ? 'int' : 'float', number, number.length);
      const next = matchAt(NAME, source, at);
      if (next !== undefined && !KEYWORDS.has(next)) throw new PythonError(`syntax error: "${number}${next}"`);
    } else if (name !== undefined) push(KEYWORDS.has(name) ? 'keyword' : 'name', name, name.length);
    else if (operator !== undefined) push('operator', operator, operator.length);
    else throw new PythonError(`syntax error at "${source.slice(at, at + 20)}"`);
  }
  push('end', '', 0);
  return tokens;
}

/** Characters. Blanks are skipped in pieces of this length. */
const MAX_BLANKS = 20_000;

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function stringAt(source: string, at: number): { readonly value: string; readonly length: number } | undefined {
  STRING.lastIndex = at;
  const [start, prefix, quote] = STRING.exec(source) ?? [];
  if (start === undefined) return undefined;
  if (/[bf]/i.test(prefix)) throw new PythonError(`strings with the prefix ${prefix} are not supported`);
  const isRaw = /r/i.test(prefix);
  const parts: string[] = [];
  let end = at + start.length;
  while (!source.startsWith(quote, end)) {
    if (end >= source.length || (quote.length === 1 && source[end] === '\n')) {
      throw new PythonError(`syntax error: the string ${source.slice(at, at + 20)} is not closed`);
    }
    const escaped = source[end] === '\\' ? escapeAt(source, end) : undefined;
    const length = escaped?.length ?? 1;
    parts.push(escaped === undefined || isRaw ? source.slice(end, end + length) : escaped.value);
    end += length;
  }
  return { value: parts.join(''), length: end + quote.length - at };
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function escapeAt(source: string, at: number): { readonly value: string; readonly length: number } {
  const code = /^\\(?:x([\da-f]{2})|u([\da-f]{4})|([0-7]{1,3}))/i.exec(source.slice(at, at + 6));
  if (code) {
    const value = code[3] === undefined ? Number.parseInt(code[1] ?? code[2], 16) : Number.parseInt(code[3], 8);
    return { value: String.fromCharCode(value), length: code[0].length };
  }
  const letter = source[at + 1] ?? '';
  return { value: Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : `\\${letter}`, length: 1 + letter.length };
}
