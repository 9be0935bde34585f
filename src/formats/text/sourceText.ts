import type { Document, LineCounter, Pair } from 'yaml';
import { InputError, InputErrors } from '../../errors.ts';

/** Keys and indices that lead to a value: ['obstacles', 3, 'size', 1]. */
export type Path = readonly (string | number)[];

/** Something wrong with a value of a file. */
export interface Complaint {
  readonly path: Path;
  readonly what: string;
  readonly note?: string;
  /** The file that `path` leads into, where it is another than the one that is asked for its errors. */
  readonly source?: SourceText;
}

/** A scene, suite or other file of values, parsed; knows on which line each value stands. */
export interface SourceText {
  readonly file: string;
  readonly data: unknown;
  /** The complaints as errors: `FILE:LINE: PLACE: what`. */
  readonly errors: (complaints: readonly Complaint[]) => Promise<InputErrors>;
}

/** Aliases may make a file stand for this many times as many values; beyond that they are meant to exhaust memory. */
const MOST_ALIASES = 100;

/** Brackets within brackets. Far beyond this, parsing exhausts the stack, and at times takes the process with it. */
const DEEPEST = 200;

/** What the library calls a key that stands twice. */
const REPEATED = 'DUPLICATE_KEY';

/**
 * Parses YAML or JSON. Refused with line numbers: what does not parse, keys that stand twice, aliases that multiply beyond sense.
 * JSON is read by the engine itself, many times faster; the YAML library is then loaded only to find the line of a mistake.
 */
export async function parseSource(text: string, file: string): Promise<SourceText> {
  const source = text.replace(/^\uFEFF/, '');
  if (isNestedTooDeep(source)) throw new InputError(`${file}:1: brackets are nested more than ${DEEPEST} deep`);
  const json = parseJson(source);
  const document = json === undefined ? await parseYaml(source, file) : undefined;
  const data = json === undefined ? document!.data : json.data;
  const self: SourceText = {
    file,
    data,
    async errors(complaints) {
      const lineOf = (document ?? (await parseYaml(source, file))).lineOf;
      const told: InputError[] = [];
      for (const { path, what, note, source: other = self } of complaints) {
        if (other === self) told.push(new InputError(`${file}:${lineOf(path)}: ${placeOf(path)}${what}`, note));
        else told.push(...(await other.errors([{ path, what, ...(note === undefined ? {} : { note }) }])).problems);
      }
      return new InputErrors(told);
    },
  };
  return self;
}

/** `obstacles[3].size[1]: `, nothing for the whole file. */
export function placeOf(path: Path): string {
  if (path.length === 0) return '';
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  return `${text.replace(/^\./, '')}: `;
}

/** The value of JSON text; undefined where it is none, or has a key twice, which JSON.parse would not say. */
function parseJson(source: string): { data: unknown } | undefined {
  if (!/^\s*[{[]/.test(source)) return undefined;
  try {
    const data: unknown = JSON.parse(source);
    return hasRepeatedKey(source) ? undefined : { data };
  } catch {
    return undefined;
  }
}

/** Walks over the tokens of valid JSON: a text before a colon is a key of the innermost object. */
function hasRepeatedKey(json: string): boolean {
  const open: Set<string>[] = [];
  const token = /"(?:[^"\\]|\\.)*"|[{}]/g;
  for (let match = token.exec(json); match !== null; match = token.exec(json)) {
    const [text] = match;
    if (text === '{') open.push(new Set());
    else if (text === '}') open.pop();
    else {
      let next = token.lastIndex;
      while (/\s/.test(json[next] ?? '')) next++;
      if (json[next] !== ':') continue;
      const keys = open[open.length - 1];
      const key = text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
      if (keys.has(key)) return true;
      keys.add(key);
    }
  }
  return false;
}

async function parseYaml(source: string, file: string): Promise<{ data: unknown; lineOf: (path: Path) => number }> {
  const { LineCounter, parseDocument } = await import('./yamlParser.ts');
  refuseRows(source, file);
  const lines = new LineCounter();
  // The library compares each key with each, and takes minutes for a hundred thousand: they are looked at below.
  // Nor does it draw each of its errors, for which it looks through the whole line: the first is told, by its place.
  const options = { uniqueKeys: false, merge: true, prettyErrors: false, logLevel: 'error' } as const;
  const document = parseDocument(source, { lineCounter: lines, ...options });
  let faults: readonly Fault[] = [...document.errors, ...document.warnings];
  if (faults.length === 0) faults = await repeatedKeys(document);
  if (faults.length > 0) throw syntaxErrors(faults, source, lines, file);
  try {
    return { data: document.toJS({ maxAliasCount: MOST_ALIASES }), lineOf: (path) => lineOf(document, lines, path) };
  } catch (error) {
    // A merge of what is no mapping, keys that are lists: the library says so only now, and not where.
    if (!(error instanceof ReferenceError))
      throw new InputError(`${file}:1: this is no plain YAML: ${(error as Error).message}`);
    const line = source.slice(0, Math.max(0, source.search(/[&*][\w-]/))).split('\n').length;
    throw new InputError(`${file}:${line}: aliases: ${error.message}`, 'Write the values out.');
  }
}

/** As the library tells them. */
interface Fault {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [number, number];
}

/** A node of a document, and what leads to it. */
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

/** Keys that occur in a mapping for the second time. */
async function repeatedKeys(document: Document): Promise<Fault[]> {
  const { isMap, isScalar, isSeq } = await import('./yamlParser.ts');
  const faults: Fault[] = [];
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
      if (seen.has(key.value)) {
        const message = `${placeOf(pathOf({ node: value, key: name, above: at }))}this key occurs twice, keys must be unique`;
        faults.push({ code: REPEATED, message, pos: [start, end] });
      }
      seen.add(key.value);
    }
  }
  return faults.sort((a, b) => a.pos[0] - b.pos[0]);
}

/** The library takes minutes over a hundred thousand tags of one value. */
function refuseRows(source: string, file: string): void {
  const at = source.search(/(?:^|\s)(?:[!&]\S*\s+){20}/);
  if (at < 0) return;
  const line = source.slice(0, at + 1).split('\n').length;
  throw new InputError(`${file}:${line}: a value has more than 20 tags or anchors`, 'It may have one of each.');
}

/** The first thing that does not parse (what follows is mostly its echo), and all keys that stand twice. */
function syntaxErrors(faults: readonly Fault[], source: string, lines: LineCounter, file: string): InputErrors {
  const told = faults.filter(({ code }, i) => i === 0 || (code === REPEATED && faults[0].code === code));
  const end = source.trimEnd().length;
  return new InputErrors(
    told.map(({ code, message, pos: [start] }) => {
      const line = lines.linePos(Math.min(start, Math.max(0, end - 1))).line || 1;
      if (start >= end) {
        return new InputError(
          `${file}:${line}: the file ends too early`,
          'It is cut off, or a bracket or a quote is never closed.',
        );
      }
      if (code === 'MULTIPLE_DOCS')
        return new InputError(`${file}:${line}: a second document begins here (---)`, 'Leave one of them in the file.');
      if (code === REPEATED) return new InputError(`${file}:${line}: ${message}`, 'Keep one of them.');
      const what = /\bformat\b|\bjoint_names\b/.test(source) ? message.split('\n')[0] : message.split(/[:\n"]/)[0]; // it quotes the file
      return new InputError(`${file}:${line}: this is neither YAML nor JSON: ${what}`);
    }),
  );
}

/** Brackets inside texts are counted too: no text holds as many that stay open. */
function isNestedTooDeep(source: string): boolean {
  let depth = 0;
  for (const [bracket] of source.matchAll(/[[\]{}]/g)) {
    depth = bracket === '[' || bracket === '{' ? depth + 1 : Math.max(0, depth - 1);
    if (depth > DEEPEST) return true;
  }
  return false;
}

/** Line of a value, or of the nearest thing around it that is there. */
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
