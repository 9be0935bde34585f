/**
 * Minimal DOM element for urdf-loader, which accepts any instance of the global class `Element`. It has only the
 * members that urdf-loader uses. Elements of xmldom lack `querySelector`, and copying them takes three times as long.
 */
export class PlainElement {
  readonly children: PlainElement[] = [];
  /**
   * Cache by `tag[attribute`: the first descendant with each attribute value. urdf-loader selects a descendant for
   * every link.
   */
  private readonly selected = new Map<string, ReadonlyMap<string, PlainElement>>();

  constructor(
    readonly nodeName: string,
    private readonly attributes: ReadonlyMap<string, string>,
  ) {}

  /** Returns the value of an attribute, null if it is absent. */
  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null;
  }

  /**
   * Returns the first descendant that matches `tag[attribute="value"]`, null if none does. Throws for other selectors.
   * The descendants must not change after the first call.
   */
  querySelector(selector: string): PlainElement | null {
    const [, tag, attribute, value] = /^(\w+)\[(\w+)="([\s\S]*)"\]$/.exec(selector) ?? [];
    if (tag === undefined) throw new Error(`this querySelector supports only tag[attribute="value"], not ${selector}`);
    const key = `${tag}[${attribute}`;
    const byValue = this.selected.get(key) ?? firstByValue(this, tag, attribute);
    this.selected.set(key, byValue);
    return byValue.get(value) ?? null;
  }
}

/**
 * Calls `use` (synchronous) while `PlainElement` is the global `Element` and an empty class is the global `Document`.
 * Both globals are restored afterwards, because other packages detect a browser by them.
 */
export function withDomGlobals<T>(use: () => T): T {
  const restore = [define('Document', class Document {}), define('Element', PlainElement)];
  try {
    return use();
  } finally {
    for (const undo of restore) undo();
  }
}

/** Defines a global and returns the function that restores it. */
function define(name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(globalThis, name);
  Object.defineProperty(globalThis, name, { value, configurable: true });
  return () => {
    if (before === undefined) Reflect.deleteProperty(globalThis, name);
    else Object.defineProperty(globalThis, name, before);
  };
}

function firstByValue(root: PlainElement, tag: string, attribute: string): ReadonlyMap<string, PlainElement> {
  const byValue = new Map<string, PlainElement>();
  const stack = [root];
  for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
    const value = element.nodeName === tag ? element.getAttribute(attribute) : null;
    if (value !== null && !byValue.has(value)) byValue.set(value, element);
    for (let i = element.children.length - 1; i >= 0; i--) stack.push(element.children[i]);
  }
  return byValue;
}
