import { PythonError } from '../../python/budget.ts';
import { childrenOf, lineOf, setPlace, type XmlElement } from '../../text/xmlDocument.ts';

/** A line of a file. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** An element before or after expansion. Expansion creates new elements and never changes those of a file. */
export class XacroElement {
  constructor(
    readonly name: string,
    readonly attributes: Map<string, string>,
    readonly children: XacroNode[],
    readonly place: Place,
  ) {}

  /** Returns the child elements. */
  elements(): XacroElement[] {
    return this.children.filter((child) => child instanceof XacroElement);
  }
}

/** Text between elements. */
export interface XacroText {
  readonly text: string;
  /** True for CDATA sections, whose expressions are not evaluated. */
  readonly verbatim: boolean;
}

export type XacroNode = XacroElement | XacroText;

/** Converts a parsed file. Comments and processing instructions are left out. */
export function treeOf(element: XmlElement, file: string): XacroElement {
  const attributes = new Map(Array.from(element.attributes, ({ name, value }) => [name, value]));
  const children: XacroNode[] = [];
  for (let node = element.firstChild; node !== null; node = node.nextSibling) {
    if (node.nodeType === ELEMENT) children.push(treeOf(node as XmlElement, file));
    else if (node.nodeType === TEXT) children.push({ text: node.nodeValue ?? '', verbatim: false });
    else if (node.nodeType === CDATA) children.push({ text: node.nodeValue ?? '', verbatim: true });
  }
  return new XacroElement(element.nodeName, attributes, children, { file, line: lineOf(element) });
}

const [ELEMENT, TEXT, CDATA] = [1, 3, 4];

/** Writes an expanded document, indented, without blank text between elements. */
export function writeTree(root: XacroElement): string {
  const lines = ['<?xml version="1.0"?>'];
  writeElement(root, '', lines);
  return `${lines.join('\n')}\n`;
}

/** Limit of nested elements. Parsers of XML refuse deeper ones. */
const MAX_DEPTH = 256;

function writeElement({ name, attributes, children }: XacroElement, indent: string, lines: string[]): void {
  if (indent.length > 2 * MAX_DEPTH) throw new PythonError(`elements are nested more than ${MAX_DEPTH} deep`);
  const pairs = [...attributes].map(([key, value]) => ` ${key}="${escaped(value).replaceAll('"', '&quot;')}"`).join('');
  const kept = children.filter((child) => child instanceof XacroElement || child.text.trim() !== '');
  if (kept.length === 0) lines.push(`${indent}<${name}${pairs}/>`);
  else if (kept.every((child) => !(child instanceof XacroElement))) {
    const text = children.map((child) => escaped((child as XacroText).text)).join('');
    lines.push(`${indent}<${name}${pairs}>${text}</${name}>`);
  } else {
    lines.push(`${indent}<${name}${pairs}>`);
    for (const child of kept) {
      if (child instanceof XacroElement) writeElement(child, `${indent}  `, lines);
      else lines.push(`${indent}  ${escaped(child.text.trim())}`);
    }
    lines.push(`${indent}</${name}>`);
  }
}

/** Characters that XML cannot contain are left out; line ends of attributes stay as references. */
const escaped = (text: string) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that XML forbids
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');

/**
 * Sets the place of each element of a parsed document to that of the element from which it was written.
 * @param file the file that is being read, whose name messages add by themselves
 */
export function setPlaces(parsed: XmlElement, written: XacroElement, file: string): void {
  const { place } = written;
  setPlace(parsed, place.file === file ? undefined : place.file, place.line);
  const elements = written.elements();
  for (const [i, child] of childrenOf(parsed).entries()) setPlaces(child, elements[i], file);
}
