import type { Document, Element, Node } from '@xmldom/xmldom';
import { InputError } from '../../errors.ts';

/** An element of a parsed file, with its line number. */
export type XmlElement = Element & {
  /** The file that it stems from, if that is another one than the file that is being read. */
  sourceFile?: string;
};

/** Limit of nested elements: above the depth of robot descriptions, far below a stack overflow. */
const MAX_DEPTH = 256;

/**
 * Limit of elements, comments and attributes together, each of which takes about 2 kB while a file is parsed: far above
 * that of robot descriptions, worlds and meshes.
 */
const MAX_ITEMS = 200_000;

/**
 * Parses untrusted XML. Throws `InputError` with the line if the text is not well-formed, if the root element is not
 * `root` (`any-prefix`: with any namespace prefix), if there is a DOCTYPE (so there are no internal or external
 * entities), if it has too many elements and attributes, or if elements are nested too deep.
 */
export async function parseXml(
  text: string,
  file: string,
  root: string,
  prefix: 'no-prefix' | 'any-prefix' = 'no-prefix',
): Promise<XmlElement> {
  return (await loadXmlParser())(text, file, root, prefix);
}

/** Parses XML like `parseXml`, but synchronously. If no root is given, the root element may have any name. */
export type XmlParser = (text: string, file: string, root?: string, prefix?: 'no-prefix' | 'any-prefix') => XmlElement;

/** Loads the parser of `parseXml`, for files that are included while another file is processed. */
export async function loadXmlParser(): Promise<XmlParser> {
  const library = await import('./xmlParser.ts');
  return (text, file, root, prefix = 'no-prefix') => parseWith(library, text, file, root, prefix);
}

function parseWith(
  { DOMParser, onWarningStopParsing }: typeof import('./xmlParser.ts'),
  text: string,
  file: string,
  root: string | undefined,
  prefix: 'no-prefix' | 'any-prefix',
): XmlElement {
  const expected = root === undefined ? 'An XML element is expected.' : `A <${root}> element is expected.`;
  const source = withoutLateDeclaration(text.startsWith('\uFEFF') ? text.slice(1) : text);
  if (source.length === 0) throw new InputError(`${file}: the file is empty (0 bytes)`, expected);
  const start = source.trimStart();
  if (!start.startsWith('<')) {
    throw new InputError(`${file}:1: this is not XML: it does not start with <`, expected);
  }
  refuseManyItems(source, file);
  refuseDoctype(source, file);

  let document: Document;
  try {
    document = new DOMParser({ onError: onWarningStopParsing }).parseFromString(source, 'text/xml');
  } catch (error) {
    throw syntaxError(error, file, root === undefined || source.includes(`<${root}`));
  }
  const element = document.documentElement;
  const name = prefix === 'any-prefix' ? element?.localName : element?.nodeName;
  if (element === null || name !== (root ?? name)) {
    throw new InputError(`${file}:${lineOf(element)}: the root element is ${rootName(element)}not <${root}>`, expected);
  }
  refuseDepth(element, file);
  return element;
}

/**
 * Declares the namespace prefixes that a file uses and does not declare at its root element: SDF allows them, and the
 * readers of URDF ignore namespaces. Lines stay the same.
 */
export function withPrefixesDeclared(text: string, root: string): string {
  const used = new Set(
    [...text.matchAll(/[<\s]([A-Za-z_][\w.-]*):[A-Za-z_][\w.-]*(?=[\s/>=])/g)].map(([, prefix]) => prefix),
  );
  const declared = new Set([...text.matchAll(/\sxmlns:([\w.-]+)\s*=/g)].map(([, prefix]) => prefix));
  const missing = [...used].filter((prefix) => !declared.has(prefix) && !/^xml/i.test(prefix));
  const declarations = missing.map((prefix) => ` xmlns:${prefix}="urn:${prefix}"`).join('');
  return text.replace(new RegExp(`<${root}(?=[\\s>])`), `<${root}${declarations}`);
}

/** Returns the child elements, all or those of one name. */
export function childrenOf(element: XmlElement, name?: string): XmlElement[] {
  const found: XmlElement[] = [];
  for (let node = element.firstChild; node !== null; node = node.nextSibling) {
    if (isElement(node) && (name === undefined || node.nodeName === name)) found.push(node);
  }
  return found;
}

/** Returns the first child element of a name, undefined if there is none. */
export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return childrenOf(element, name)[0];
}

/** Returns the line of the file in which the element starts, counted from 1; 1 for null. */
export function lineOf(element: XmlElement | null): number {
  return element?.lineNumber ?? 1;
}

/**
 * Sets the place that messages about an element name, for elements that were not parsed from a file directly.
 * @param file path of the file; undefined: the file that is being read
 */
export function setPlace(element: XmlElement, file: string | undefined, line: number): void {
  element.lineNumber = line;
  if (file !== undefined) element.sourceFile = file;
}

/** Returns the file that an element stems from if it is another one than the file that is being read. */
export function fileOf(element: XmlElement): string | undefined {
  return element.sourceFile;
}

/** Returns the value of an attribute, undefined if it is absent. */
export function attributeOf(element: XmlElement, name: string): string | undefined {
  return element.getAttribute(name) ?? undefined;
}

/**
 * Visits the element and its descendants, parents first; without recursion, so that deep nesting does not overflow the
 * stack.
 */
export function* descendants(element: XmlElement): Generator<{ element: XmlElement; depth: number }> {
  const stack = [{ element, depth: 0 }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    yield item;
    const children = childrenOf(item.element);
    for (let i = children.length - 1; i >= 0; i--) stack.push({ element: children[i], depth: item.depth + 1 });
  }
}

/** Quotes text of a file for a message: on one line, shortened to 60 characters. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return JSON.stringify(line.length > 60 ? `${line.slice(0, 57)}…` : line);
}

/** Root elements of robot, scene and mesh formats, which messages quote; those of unrelated files are not quoted. */
const KNOWN_ROOTS =
  /^(robot|sdf|gazebo|mujoco|mujocoinclude|launch|COLLADA|KinBody|Robot|Environment|world|model|html|svg|package|xacro:\w+)$/;

const rootName = (element: XmlElement | null): string =>
  element !== null && KNOWN_ROOTS.test(element.nodeName) ? `<${element.nodeName}>, ` : '';

function isElement(node: Node): node is XmlElement {
  return node.nodeType === 1;
}

/**
 * Blanks out an `<?xml …?>` after leading blanks or comments, which many files have although XML forbids it. Its
 * content is not needed.
 */
function withoutLateDeclaration(source: string): string {
  let at = 0;
  for (let end = at; end >= 0; at = end) {
    end = source.startsWith('<!--', at) ? indexAfter(source, '-->', at) : nextNonBlank(source, at);
    if (end === at) break;
  }
  const declaration = /^<\?xml\s[^?]*\?>/.exec(source.slice(at, at + MAX_DECLARATION))?.[0];
  if (at <= 0 || declaration === undefined) return source;
  return source.slice(0, at) + declaration.replace(/\S/g, ' ') + source.slice(at + declaration.length);
}

/** Characters. Limit of the length of the XML declaration. */
const MAX_DECLARATION = 1000;

/** Throws `InputError` for more elements, comments, attributes and references than `MAX_ITEMS`, before parsing. */
function refuseManyItems(source: string, file: string): void {
  let count = 0;
  for (let at = 0; at + 1 < source.length; at++) {
    const character = source.charCodeAt(at);
    if (character === 0x3d || character === 0x26) count++;
    else if (character === 0x3c && source.charCodeAt(at + 1) !== 0x2f) count++;
    if (count > MAX_ITEMS)
      throw new InputError(`${file}: more than ${MAX_ITEMS} elements, comments and attributes`, 'Divide the file.');
  }
}

function refuseDoctype(source: string, file: string): void {
  const bare = withoutComments(source);
  const at = bare.search(/<!(DOCTYPE|ENTITY)/i);
  if (at < 0) return;
  const line = bare.slice(0, at).split('\n').length;
  throw new InputError(
    `${file}:${line}: the file has a DOCTYPE: entities are not supported`,
    'Write the values out and remove the DOCTYPE.',
  );
}

/**
 * Replaces comments by blanks and keeps line ends. Uses `indexOf`, because a regular expression takes quadratic time on
 * a file of unclosed comments.
 */
function withoutComments(source: string): string {
  const kept: string[] = [];
  let at = 0;
  for (let start = source.indexOf('<!--'); start >= 0; start = source.indexOf('<!--', at)) {
    const end = indexAfter(source, '-->', start);
    if (end < 0) break;
    kept.push(
      source.slice(at, start),
      source.slice(start, end).replace(/[^\n]+/g, (line) => ' '.repeat(line.length)),
    );
    at = end;
  }
  return kept.join('') + source.slice(at);
}

/** Returns the index after the next occurrence of `end`, −1 if there is none. */
function indexAfter(source: string, end: string, from: number): number {
  const at = source.indexOf(end, from);
  return at < 0 ? -1 : at + end.length;
}

/** Returns the index of the next non-blank character, the length of the text if there is none. */
function nextNonBlank(source: string, from: number): number {
  const nonBlank = /\S/g;
  nonBlank.lastIndex = from;
  return nonBlank.exec(source)?.index ?? source.length;
}

function refuseDepth(root: XmlElement, file: string): void {
  for (const { element, depth } of descendants(root)) {
    if (depth <= MAX_DEPTH) continue;
    throw new InputError(`${file}:${lineOf(element)}: elements are nested more than ${MAX_DEPTH} deep`);
  }
}

/**
 * Converts a ParseError of xmldom, which has the position. Its text wraps the message of the first report, which is
 * extracted.
 */
function syntaxError(error: unknown, file: string, isOfFormat: boolean): InputError {
  if (error instanceof RangeError) return new InputError(`${file}: elements are nested too deep`);
  const { message = String(error), locator } = error as { message?: string; locator?: { lineNumber?: number } };
  const what = /Reporting \w+ "([\s\S]*)" caused/.exec(message)?.[1] ?? message;
  const quoted = isOfFormat ? `: ${what.split('\n')[0]}` : ''; // messages of the library quote the file
  return new InputError(`${file}:${locator?.lineNumber ?? 1}: this is not well-formed XML${quoted}`);
}
