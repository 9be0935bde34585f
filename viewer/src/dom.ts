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

/** Sets the text of an element if it is another one: equal text would be laid out again, too. */
export function write(place: HTMLElement, text: string): void {
  if (place.textContent !== text) place.textContent = text;
}

/**
 * Replaces the children of an element by those of its next state. The focus stays on the element with the same id or
 * label, and a list that scrolls stays where it is.
 */
export function refill(place: HTMLElement, ...children: readonly Node[]): void {
  const active = document.activeElement;
  const focused = active !== null && place.contains(active) ? selectorOf(active) : undefined;
  const scrolled = place.querySelector('.steps')?.scrollTop ?? 0;
  place.replaceChildren(...children);
  const list = place.querySelector('.steps');
  if (list) list.scrollTop = scrolled;
  if (focused !== undefined) place.querySelector<HTMLElement>(focused)?.focus();
}

function selectorOf({ id, ariaLabel }: Element): string | undefined {
  if (id !== '') return `#${CSS.escape(id)}`;
  return ariaLabel === null ? undefined : `[aria-label="${CSS.escape(ariaLabel)}"]`;
}

/** Creates a collapsible section of the side panel. */
export function section(title: string, open: boolean, ...children: readonly (Node | string)[]): HTMLDetailsElement {
  return element('details', { open }, element('summary', {}, title), ...children);
}
