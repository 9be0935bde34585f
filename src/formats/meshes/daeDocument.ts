import { clippingBudget } from '../../core/hulls/earClipping.ts';
import { InputError } from '../../errors.ts';
import { childrenOf as allChildrenOf, descendants, lineOf, quote, type XmlElement } from '../text/xmlDocument.ts';

/** Finds elements of a COLLADA file by their `id`, and collects the warnings about the file. */
export class DaeDocument {
  readonly warnings: string[] = [];
  /** Bounds the time for triangulating the polygons of the file. */
  readonly clipping = clippingBudget();
  private lines = 0;
  private readonly byId = new Map<string, XmlElement>();
  /** Keys of `byId` that several elements have. */
  private readonly repeated = new Set<string>();

  constructor(
    readonly root: XmlElement,
    readonly file: string,
  ) {
    for (const { element } of descendants(root)) {
      const id = element.getAttribute('id');
      const key = `${element.localName} ${id}`;
      if (id === null) continue;
      if (this.byId.has(key)) this.repeated.add(key);
      else this.byId.set(key, element);
    }
  }

  error(element: XmlElement, what: string, note = ''): InputError {
    return new InputError(`${this.file}:${lineOf(element)}: ${what}`, note);
  }

  warn(element: XmlElement, what: string): void {
    const warning = `${this.file}:${lineOf(element)}: ${what}`;
    if (!this.warnings.includes(warning)) this.warnings.push(warning);
  }

  /** Counts elements that have no surface: one warning names the first. */
  warnOfLines(element: XmlElement): void {
    if (this.lines++ > 0) return;
    this.warn(element, `<${element.localName}> has no surface: lines and splines are left out`);
  }

  /** Returns the child element with that name, undefined if there is none. Throws `InputError` if there are several. */
  onlyChild(element: XmlElement, name: string): XmlElement | undefined {
    const [child, second] = childrenOf(element, name);
    if (second !== undefined) throw this.error(second, `<${element.localName}> has more than one <${name}>`);
    return child;
  }

  /**
   * Returns the element that the attribute refers to as `#id`. Throws `InputError` unless exactly one element with the
   * first matching name has that id: with several, the reference would silently select one of different geometries.
   */
  target(element: XmlElement, attribute: string, ...names: readonly string[]): XmlElement {
    const address = element.getAttribute(attribute) ?? '';
    if (address.startsWith('#')) {
      for (const name of names) {
        const key = `${name} ${address.slice(1)}`;
        const target = this.byId.get(key);
        if (target === undefined) continue;
        if (!this.repeated.has(key)) return target;
        const several = `${attribute} of <${element.localName}> is ${quote(address)}: several <${name}> have that id`;
        throw this.error(element, several, 'Give each element an id of its own.');
      }
    }
    const what = `${attribute} of <${element.localName}> is ${quote(address)}`;
    if (address === '' || address.startsWith('#')) throw this.error(element, `${what}: no <${names[0]}> has that id`);
    throw this.error(element, `${what}: references to other files are not supported`, 'Export the model as one file.');
  }

  /** Reads an attribute as a whole number of at most nine digits; returns `absent` if it is missing. */
  whole(element: XmlElement, attribute: string, absent: number): number {
    const text = element.getAttribute(attribute);
    if (text === null) return absent;
    if (/^\s*\d{1,9}\s*$/.test(text)) return Number(text);
    throw this.error(element, `${attribute} of <${element.localName}> is ${quote(text)}, not a whole number below 1e9`);
  }

  /** Reads the whole numbers that an element lists; some exporters write −1 for "none". */
  indices(element: XmlElement): Int32Array {
    const text = element.textContent ?? '';
    const values = new Int32Array((text.length + 1) >> 1);
    let count = 0;
    for (let i = 0; i < text.length; ) {
      const start = i;
      if (text.charCodeAt(i) <= SPACE) {
        i++;
        continue;
      }
      const sign = text.charCodeAt(i) === MINUS ? -1 : 1;
      if (sign < 0) i++;
      const first = i;
      let value = 0;
      for (; isDigit(text.charCodeAt(i)); i++) value = 10 * value + text.charCodeAt(i) - ZERO;
      const digits = i - first;
      if (digits === 0 || digits > 9 || text.charCodeAt(i) > SPACE) {
        const word = quote(wordAt(text, start));
        throw this.error(element, `${word} in <${element.localName}> (index ${count}) is not a whole number below 1e9`);
      }
      values[count++] = sign * value;
    }
    return values.subarray(0, count);
  }

  /** Reads the numbers that an element lists, with NaN for each word that is not a finite number. */
  numbers(element: XmlElement): Float64Array {
    const text = element.textContent ?? '';
    const values = new Float64Array((text.length + 1) >> 1);
    let count = 0;
    for (let i = 0; i < text.length; ) {
      if (text.charCodeAt(i) <= SPACE) {
        i++;
        continue;
      }
      const start = i;
      let isNumeric = true;
      for (; text.charCodeAt(i) > SPACE; i++) isNumeric &&= isNumberCharacter(text.charCodeAt(i));
      const value = isNumeric ? Number(text.slice(start, i)) : Number.NaN;
      values[count++] = Number.isFinite(value) ? value : Number.NaN;
    }
    return values.subarray(0, count);
  }

  /** Reads exactly `count` finite numbers. */
  finite(element: XmlElement, count: number): Float64Array {
    const values = this.numbers(element);
    const bad = values.findIndex(Number.isNaN);
    const name = `<${element.localName}>`;
    if (bad >= 0) throw this.error(element, `${quote(wordOf(element, bad))} in ${name} is not a finite number`);
    if (values.length === count) return values;
    throw this.error(element, `${name} has ${values.length} numbers, it must have ${count}`);
  }
}

/** Returns the child elements, optionally only those with a name (without its namespace prefix). */
export function childrenOf(element: XmlElement, name?: string): XmlElement[] {
  const children = allChildrenOf(element);
  return name === undefined ? children : children.filter(({ localName }) => localName === name);
}

/** Returns the first child element with that name. */
export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return childrenOf(element, name)[0];
}

/** Returns the word at an index of a list of numbers, for messages. */
export function wordOf(element: XmlElement, index: number): string {
  const text = element.textContent ?? '';
  let word = '';
  for (let [at, left] = [0, index]; at < text.length && left >= 0; at += word.length + 1) {
    word = wordAt(text, at);
    if (word !== '') left--;
  }
  return word;
}

const SPACE = 32;
const ZERO = 48;
const MINUS = 45;

function isDigit(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9;
}

/** Returns true for digits, `+`, `-`, `.`, `e` and `E`. */
function isNumberCharacter(code: number): boolean {
  return isDigit(code) || code === 43 || code === MINUS || code === 46 || code === 69 || code === 101;
}

function wordAt(text: string, start: number): string {
  let end = start;
  while (text.charCodeAt(end) > SPACE) end++;
  return text.slice(start, end);
}
