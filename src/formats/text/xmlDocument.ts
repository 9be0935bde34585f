import type { Document, Element, Node } from '@xmldom/xmldom';
import { InputError } from '../../errors.ts';

/** An element of a parsed file, and where it stands. */
export type XmlElement = Element;

/** Deeper than any robot description, shallower than any call stack. */
const MAX_DEPTH = 256;

/**
 * Parses XML that nobody vouches for. Refused with an InputError that names the line: anything that is no well-formed XML, another
 * root element than `root` (`any-prefix`: whatever its namespace prefix), a DOCTYPE (so no entities, inside or outside the file), nesting beyond all sense.
 */
export async function parseXml(
  text: string,
  file: string,
  root: string,
  prefix: 'no-prefix' | 'any-prefix' = 'no-prefix',
): Promise<XmlElement> {
  const source = withoutLateDeclaration(text.startsWith('\uFEFF') ? text.slice(1) : text);
  if (source.length === 0)
    throw new InputError(`${file}: the file is empty (0 bytes)`, `A <${root}> element is expected.`);
  const start = source.trimStart();
  if (!start.startsWith('<')) {
    throw new InputError(`${file}:1: this is not XML: it does not start with <`, `A <${root}> element is expected.`);
  }
  refuseDoctype(source, file);

  const { DOMParser, onWarningStopParsing } = await import('./xmlParser.ts');
  let document: Document;
  try {
    document = new DOMParser({ onError: onWarningStopParsing }).parseFromString(source, 'text/xml');
  } catch (error) {
    throw syntaxError(error, file, source.includes(`<${root}`));
  }
  const element = document.documentElement;
  if (element === null || (prefix === 'any-prefix' ? element.localName : element.nodeName) !== root) {
    throw new InputError(
      `${file}:${lineOf(element)}: the root element is ${rootName(element)}not <${root}>`,
      `A <${root}> element is expected.`,
    );
  }
  refuseDepth(element, file);
  return element;
}

/** Child elements, all or those of one name. */
export function childrenOf(element: XmlElement, name?: string): XmlElement[] {
  const found: XmlElement[] = [];
  for (let node = element.firstChild; node !== null; node = node.nextSibling) {
    if (isElement(node) && (name === undefined || node.nodeName === name)) found.push(node);
  }
  return found;
}

/** The first child element of that name. */
export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return childrenOf(element, name)[0];
}

/** Line of the file where the element starts, counted from 1. */
export function lineOf(element: XmlElement | null): number {
  return element?.lineNumber ?? 1;
}

/** An attribute, undefined where it is absent. */
export function attributeOf(element: XmlElement, name: string): string | undefined {
  return element.getAttribute(name) ?? undefined;
}

/** Takes all child elements out for which `unwanted` holds. */
export function removeChildren(element: XmlElement, unwanted: (child: XmlElement) => boolean): void {
  for (const child of childrenOf(element)) if (unwanted(child)) element.removeChild(child);
}

/** Visits the element and all below it, parents first; no recursion, so no depth is too deep. */
export function* descendants(element: XmlElement): Generator<{ element: XmlElement; depth: number }> {
  const stack = [{ element, depth: 0 }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    yield item;
    const children = childrenOf(item.element);
    for (let i = children.length - 1; i >= 0; i--) stack.push({ element: children[i], depth: item.depth + 1 });
  }
}

/** A piece of a file for an error message: short, on one line. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return JSON.stringify(line.length > 60 ? `${line.slice(0, 57)}…` : line);
}

/** Names of other formats of robots, scenes and meshes help; those of unrelated files are not quoted. */
const KNOWN_ROOTS =
  /^(robot|sdf|gazebo|mujoco|mujocoinclude|launch|COLLADA|KinBody|Robot|Environment|world|model|html|svg|package|xacro:\w+)$/;

const rootName = (element: XmlElement | null): string =>
  element !== null && KNOWN_ROOTS.test(element.nodeName) ? `<${element.nodeName}>, ` : '';

function isElement(node: Node): node is XmlElement {
  return node.nodeType === 1;
}

/** Many files begin with a blank line or a comment before `<?xml …?>`, which strict XML forbids; nothing depends on it here. */
function withoutLateDeclaration(source: string): string {
  let at = 0;
  for (let end = at; end >= 0; at = end) {
    end = source.startsWith('<!--', at) ? behind(source, '-->', at) : firstInk(source, at);
    if (end === at) break;
  }
  const declaration = /^<\?xml\s[^?]*\?>/.exec(source.slice(at, at + LONGEST_DECLARATION))?.[0];
  if (at <= 0 || declaration === undefined) return source;
  return source.slice(0, at) + declaration.replace(/\S/g, ' ') + source.slice(at + declaration.length);
}

/** Characters. */
const LONGEST_DECLARATION = 1000;

function refuseDoctype(source: string, file: string): void {
  const bare = withoutComments(source);
  const at = bare.search(/<!(DOCTYPE|ENTITY)/i);
  if (at < 0) return;
  const line = bare.slice(0, at).split('\n').length;
  throw new InputError(
    `${file}:${line}: the file has a DOCTYPE: entities are not read`,
    'Write the values out and take the DOCTYPE away.',
  );
}

/** Blanks in their place, line by line. Searched for one by one: an expression would try a file of comments that never end again and again. */
function withoutComments(source: string): string {
  const kept: string[] = [];
  let at = 0;
  for (let start = source.indexOf('<!--'); start >= 0; start = source.indexOf('<!--', at)) {
    const end = behind(source, '-->', start);
    if (end < 0) break;
    kept.push(source.slice(at, start), source.slice(start, end).replace(/[^\n]/g, ' '));
    at = end;
  }
  return kept.join('') + source.slice(at);
}

/** The place behind the next `end`; −1 where there is none. */
function behind(source: string, end: string, from: number): number {
  const at = source.indexOf(end, from);
  return at < 0 ? -1 : at + end.length;
}

/** The place of the next character that is no blank. */
function firstInk(source: string, from: number): number {
  const ink = /\S/g;
  ink.lastIndex = from;
  return ink.exec(source)?.index ?? source.length;
}

function refuseDepth(root: XmlElement, file: string): void {
  for (const { element, depth } of descendants(root)) {
    if (depth <= MAX_DEPTH) continue;
    throw new InputError(`${file}:${lineOf(element)}: elements are nested more than ${MAX_DEPTH} deep`);
  }
}

/** xmldom's ParseError carries the place; its text repeats the message of the first report and is cut down to that. */
function syntaxError(error: unknown, file: string, isOfFormat: boolean): InputError {
  if (error instanceof RangeError) return new InputError(`${file}: elements are nested too deep`);
  const { message = String(error), locator } = error as { message?: string; locator?: { lineNumber?: number } };
  const what = /Reporting \w+ "([\s\S]*)" caused/.exec(message)?.[1] ?? message;
  const quoted = isOfFormat ? `: ${what.split('\n')[0]}` : ''; // messages of the library quote the file
  return new InputError(`${file}:${locator?.lineNumber ?? 1}: this is not well-formed XML${quoted}`);
}
