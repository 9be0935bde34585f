import { descendants, type XmlElement } from './xmlDocument.ts';

/**
 * Runs `use` (synchronous) while the globals `Document` and `Element` are xmldom's, with the one member of a browser's
 * that xmldom lacks and urdf-loader uses: a `querySelector` for `tag[attribute="value"]`. Everything is put back afterwards: other
 * packages take these globals for a sign of a browser.
 * The document must not change meanwhile.
 */
export async function withDomGlobals<T>(use: () => T): Promise<T> {
  const { Document, Element } = await import('./xmlParser.ts');
  const restore = [
    define(globalThis, 'Document', { value: Document }),
    define(globalThis, 'Element', { value: Element }),
    define(Element.prototype, 'querySelector', { value: querySelector }),
  ];
  try {
    return use();
  } finally {
    for (const undo of restore) undo();
  }
}

/** Defines a property and returns what takes it back. */
function define(target: object, name: string, property: PropertyDescriptor): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { ...property, configurable: true });
  return () => {
    if (before === undefined) Reflect.deleteProperty(target, name);
    else Object.defineProperty(target, name, before);
  };
}

/** By the element that was asked and `tag[attribute`: the first element of each value. urdf-loader asks for every link. */
const found = new WeakMap<XmlElement, Map<string, ReadonlyMap<string, XmlElement>>>();

function querySelector(this: XmlElement, selector: string): unknown {
  const [, tag, attribute, value] = /^(\w+)\[(\w+)="([\s\S]*)"\]$/.exec(selector) ?? [];
  if (tag === undefined) throw new Error(`this querySelector knows only tag[attribute="value"], not ${selector}`);
  const known = found.get(this) ?? new Map<string, ReadonlyMap<string, XmlElement>>();
  found.set(this, known);
  const key = `${tag}[${attribute}`;
  const byValue = known.get(key) ?? firstByValue(this, tag, attribute);
  known.set(key, byValue);
  return byValue.get(value) ?? null;
}

function firstByValue(root: XmlElement, tag: string, attribute: string): ReadonlyMap<string, XmlElement> {
  const byValue = new Map<string, XmlElement>();
  for (const { element } of descendants(root)) {
    const value = element.nodeName === tag ? element.getAttribute(attribute) : null;
    if (value !== null && !byValue.has(value)) byValue.set(value, element);
  }
  return byValue;
}
