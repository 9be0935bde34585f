import type { Document, LineCounter, Pair } from 'yaml';
import { InputError, InputErrors, parseJson } from '../../errors.ts';
import { endOfString, refuseJsonComments } from './jsonComments.ts';
import { leadingZero, mayHaveLeadingZeros } from './leadingZeros.ts';
import { regularYaml } from './regularYaml.ts';
import { isLargeYaml, refuseDeepBrackets, refuseLargeYaml, refuseManyTags } from './yamlLimits.ts';

/** Keys and indices that address a value: ['obstacles', 3, 'size', 1]. */
export type Path = readonly (string | number)[];

/** A problem of a value in a file. */
export interface Diagnostic {
  readonly path: Path;
  readonly what: string;
  readonly note?: string;
  /** File that `path` refers to; default: the file whose `errors` method is called. */
  readonly source?: SourceText;
}

/** A parsed scene, suite or other YAML or JSON file, with the line of each value. */
export interface SourceText {
  readonly file: string;
  readonly data: unknown;
  /** Converts diagnostics to errors: `FILE:LINE: PLACE: what`. */
  readonly errors: (diagnostics: readonly Diagnostic[]) => Promise<InputErrors>;
}

/** Limit of the alias expansion of YAML (`maxAliasCount`), against files that exhaust memory with nested aliases. */
const MAX_ALIASES = 100;

/** Limit of the duplicate keys that are reported. */
const MAX_DUPLICATES = 20;

/** Error codes of the YAML library for a duplicate key, and for a stack overflow. */
const [DUPLICATE, OVERFLOW] = ['DUPLICATE_KEY', 'RESOURCE_EXHAUSTION'];

/**
 * Parses YAML or JSON. Throws errors with line numbers for invalid syntax, duplicate keys, and aliases that expand
 * beyond the limit. JSON is parsed by `JSON.parse`, and YAML 1.1 as ROS tools print it by `regularYaml`, which are many
 * times faster; the YAML library is then loaded only to find the lines of diagnostics.
 * @param version YAML version of the other programs that read the file. With 1.1, which ROS parses, numbers with
 *   leading zeros are refused: 010 is 8 there, and 10 in YAML 1.2
 */
export async function parseSource(text: string, file: string, version: '1.1' | '1.2' = '1.2'): Promise<SourceText> {
  const source = text.replace(/^\uFEFF/, '');
  refuseDeepBrackets(source, file);
  const parsed = jsonOf(source, file) ?? (version === '1.1' ? regularYaml(source) : undefined);
  releaseMatch();
  if (parsed !== undefined) return parsedSource(text, file, parsed.data);
  refuseJsonComments(source, file);
  const document = await parseYaml(source, file, version === '1.1');
  return placedSource(file, document.data, () => document);
}

/** Returns the text with the data that it was parsed to before; it is parsed again to find the lines of diagnostics. */
export function parsedSource(text: string, file: string, data: unknown): SourceText {
  let document: Promise<{ readonly lineOf: LineOf }> | undefined;
  return placedSource(file, data, () => {
    const source = text.replace(/^\uFEFF/, '');
    document ??= isLargeYaml(source) ? Promise.resolve({ lineOf: () => 1 }) : parseYaml(source, file, false);
    return document;
  });
}

/** @param places is called at the first diagnostic */
function placedSource(
  file: string,
  data: unknown,
  places: () => { readonly lineOf: LineOf } | Promise<{ readonly lineOf: LineOf }>,
): SourceText {
  const self: SourceText = {
    file,
    data,
    async errors(diagnostics) {
      const errors: InputError[] = [];
      for (const { path, what, note, source: other = self } of diagnostics) {
        if (other === self)
          errors.push(new InputError(`${file}:${(await places()).lineOf(path)}: ${placeOf(path)}${what}`, note));
        else errors.push(...(await other.errors([{ path, what, ...(note === undefined ? {} : { note }) }])).problems);
      }
      return new InputErrors(errors);
    },
  };
  return self;
}

/** Formats a path as the prefix of a message: `obstacles[3].size[1]: `; empty for the whole file. */
export function placeOf(path: Path): string {
  if (path.length === 0) return '';
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  return `${text.replace(/^\./, '')}: `;
}

/**
 * Parses JSON. Returns undefined if the text is not JSON or has a duplicate key, which JSON.parse accepts. Throws
 * `InputError` if it has too many values, or is too large to be parsed as YAML instead.
 */
function jsonOf(source: string, file: string): { data: unknown } | undefined {
  if (!/^\s*[{[]/.test(source)) return undefined;
  try {
    const data = parseJson(source, file);
    if (!hasDuplicateKey(source)) return { data };
    if (isLargeYaml(source)) throw new InputError(`${file}: a key occurs twice in an object`, 'Keep one of them.');
  } catch (error) {
    if (!isLargeYaml(source)) return undefined;
    refuseJsonComments(source, file);
    throw error;
  }
  return undefined;
}

/** JavaScript keeps the text of the last match of a regular expression (`RegExp.input`): releases it. */
const releaseMatch = () => /^/.test('');

/** Checks valid JSON for duplicate keys: a string before a colon is a key of the innermost object. */
function hasDuplicateKey(json: string): boolean {
  const open: Set<string>[] = [];
  const token = /["{}]/g;
  for (let match = token.exec(json); match !== null; match = token.exec(json)) {
    const [text] = match;
    if (text === '{') open.push(new Set());
    else if (text === '}') open.pop();
    else {
      token.lastIndex = endOfString(json, match.index);
      let next = token.lastIndex;
      while (/\s/.test(json[next] ?? '')) next++;
      if (json[next] !== ':') continue;
      const keys = open[open.length - 1];
      const quoted = json.slice(match.index, token.lastIndex);
      const key = quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
      if (keys.has(key)) return true;
      keys.add(key);
    }
  }
  return false;
}

/** The line of a value. */
type LineOf = (path: Path) => number;

async function parseYaml(
  source: string,
  file: string,
  refusesLeadingZeros: boolean,
): Promise<{ data: unknown; lineOf: LineOf }> {
  refuseLargeYaml(source, file);
  const { LineCounter, parseDocument } = await import('./yamlParser.ts');
  refuseManyTags(source, file);
  const lines = new LineCounter();
  // uniqueKeys: the library compares all pairs of keys, which takes minutes for 100,000 keys; `duplicateKeys` checks
  // them instead. prettyErrors: the library would scan the whole line for each error; only the first error is reported,
  // by its position.
  const options = { uniqueKeys: false, merge: true, prettyErrors: false, logLevel: 'error' } as const;
  const document = parseDocument(source, { lineCounter: lines, ...options });
  let problems: readonly SyntaxProblem[] = [...document.errors, ...document.warnings];
  if (problems.length === 0) problems = await duplicateKeys(document);
  if (problems.length > 0) throw syntaxErrors(problems, source, lines, file);
  const number = refusesLeadingZeros && mayHaveLeadingZeros(source) ? await leadingZero(document) : undefined;
  if (number !== undefined)
    throw new InputError(
      `${file}:${lines.linePos(number.offset).line}: "${number.text}" begins with 0: ` +
        '8 or 10 is its base, depending on the reader',
      'Leave the leading zeros out.',
    );
  const place = (path: Path) => lineOf(document, lines, path);
  try {
    const data: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    const cyclic = pathOfCycle(data);
    if (cyclic !== undefined)
      throw new InputError(
        `${file}:${place(cyclic)}: ${placeOf(cyclic)}this alias refers to a value that contains it`,
        'Write the value out.',
      );
    return { data, lineOf: place };
  } catch (error) {
    // Merges of values that are not mappings, or keys that are lists: the library reports them only here, without a
    // position.
    if (error instanceof InputError) throw error;
    if (!(error instanceof ReferenceError))
      throw new InputError(`${file}:1: this is not plain YAML: ${(error as Error).message}`);
    const line = source.slice(0, Math.max(0, source.search(/[&*][\w-]/))).split('\n').length;
    throw new InputError(`${file}:${line}: aliases: ${error.message}`, 'Write the values out.');
  }
}

/** Returns the path of a value that contains itself, as an alias within its own anchor does; undefined if none does. */
function pathOfCycle(data: unknown): Path | undefined {
  const above = new Set<object>();
  const acyclic = new Set<object>();
  const search = (value: object, path: Path): Path | undefined => {
    if (acyclic.has(value)) return undefined;
    if (above.has(value)) return path;
    above.add(value);
    for (const [key, item] of Object.entries(value)) {
      if (typeof item !== 'object' || item === null) continue;
      const found = search(item, [...path, Array.isArray(value) ? Number(key) : key]);
      if (found !== undefined) return found;
    }
    above.delete(value);
    acyclic.add(value);
    return undefined;
  };
  return typeof data === 'object' && data !== null ? search(data, []) : undefined;
}

/** A syntax error as the YAML library reports it, or a duplicate key. */
interface SyntaxProblem {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [number, number];
}

/** A node of a document, with its key and its parent. */
interface Located {
  readonly node: unknown;
  readonly key?: string | number;
  readonly above?: Located;
}

function pathOf(located: Located): Path {
  const path: (string | number)[] = [];
  for (let at: Located | undefined = located; at?.key !== undefined; at = at.above) path.push(at.key);
  return path.toReversed();
}

/** Returns the keys that repeat an earlier key of their mapping, in the order of the file. */
async function duplicateKeys(document: Document): Promise<SyntaxProblem[]> {
  const { isMap, isScalar, isSeq } = await import('./yamlParser.ts');
  const problems: SyntaxProblem[] = [];
  const stack: Located[] = [{ node: document.contents }];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const { node } = at;
    if (isSeq(node)) for (const [key, item] of node.items.entries()) stack.push({ node: item, key, above: at });
    if (!isMap(node)) continue;
    const seen = new Set<unknown>();
    for (const { key, value } of node.items as Pair[]) {
      const name = isScalar(key) ? String(key.value) : '?';
      stack.push({ node: key, key: name, above: at }, { node: value, key: name, above: at });
      if (!isScalar(key)) continue;
      const [start = 0, end = 0] = key.range ?? [];
      if (seen.has(key.value) && problems.length < MAX_DUPLICATES) {
        const place = placeOf(pathOf({ node: value, key: name, above: at }));
        const message = `${place}this key occurs twice, keys must be unique`;
        problems.push({ code: DUPLICATE, message, pos: [start, end] });
      }
      seen.add(key.value);
    }
  }
  return problems.sort((a, b) => a.pos[0] - b.pos[0]);
}

/**
 * Returns the first syntax error (the others mostly follow from it), or all duplicate keys if the first problem is one.
 */
function syntaxErrors(
  problems: readonly SyntaxProblem[],
  source: string,
  lines: LineCounter,
  file: string,
): InputErrors {
  const reported = problems
    .filter(({ code }, i) => i === 0 || (code === DUPLICATE && problems[0].code === code))
    .slice(0, MAX_DUPLICATES);
  const end = source.trimEnd().length;
  return new InputErrors(
    reported.map(({ code, message, pos: [start] }) => {
      const line = lines.linePos(Math.min(start, Math.max(0, end - 1))).line || 1;
      if (start >= end) {
        return new InputError(
          `${file}:${line}: the file ends too early`,
          'It is cut off, or a bracket or a quote is never closed.',
        );
      }
      if (code === OVERFLOW) return new InputError(`${file}:${line}: values are nested too deep`);
      if (code === 'MULTIPLE_DOCS')
        return new InputError(`${file}:${line}: a second document begins here (---)`, 'Leave one of them in the file.');
      if (code === DUPLICATE) return new InputError(`${file}:${line}: ${message}`, 'Keep one of them.');
      // the rest quotes the file
      const what = /\bformat\b|\bjoint_names\b/.test(source) ? message.split('\n')[0] : message.split(/[:\n"]/)[0];
      return new InputError(`${file}:${line}: this is neither YAML nor JSON: ${what}`);
    }),
  );
}

/** Returns the line of a value, or of its innermost existing ancestor if it is absent. */
function lineOf(document: Document, lines: LineCounter, path: Path): number {
  for (let length = path.length; length >= 0; length--) {
    const parent = length === 0 ? undefined : document.getIn(path.slice(0, length - 1), true);
    const key = path[length - 1];
    const pair = (parent as { items?: { key?: { value?: unknown; range?: number[] } }[] } | undefined)?.items?.find(
      (item) => item?.key?.value === key && item.key?.range !== undefined,
    );
    const range =
      pair?.key?.range ?? (document.getIn(path.slice(0, length), true) as { range?: number[] } | undefined)?.range;
    if (range !== undefined && range !== null) return lines.linePos(range[0]).line;
  }
  return 1;
}
