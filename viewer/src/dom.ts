/**
 * Properties of an element: `class`, `aria-…` etc. are set as attributes, `on…` as listeners, all others as properties.
 */
type Properties = Readonly<Record<string, unknown>>;

/** Creates an element with its properties and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value as EventListener);
    else if (name in made && !name.includes('-')) Object.assign(made, { [name]: value });
    else made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

/** Creates an SVG element with attributes. */
export function drawn(tag: string, attributes: Readonly<Record<string, string | number>>, ...children: Node[]) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** Creates a collapsible section of the side panel. */
export function section(title: string, open: boolean, ...children: readonly (Node | string)[]): HTMLDetailsElement {
  return element('details', { open }, element('summary', {}, title), ...children);
}
