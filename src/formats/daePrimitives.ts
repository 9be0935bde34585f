import { childrenOf, descendants, removeChildren, type XmlElement } from './xmlDocument.ts';

/** Corners of the triangles of a strip or a fan of n corners, as places in its list. */
const triangulations: Readonly<Record<string, (t: number) => readonly number[]>> = {
  tristrips: (t) => (t % 2 === 0 ? [t, t + 1, t + 2] : [t + 1, t, t + 2]),
  trifans: (t) => [0, t + 1, t + 2],
};

/**
 * Writes polygons that each have a list of their own as one `<polylist>` (three reads the last of them alone), and strips and fans as
 * `<triangles>`, for three passes over them. Holes in polygons are filled: collision bodies are convex in the end.
 */
export function plainPrimitives(root: XmlElement): void {
  for (const element of [...descendants(root)].map((item) => item.element)) {
    const { nodeName } = element;
    if (nodeName === 'polygons') replaceByPolylist(element);
    if (Object.hasOwn(triangulations, nodeName)) replaceByTriangles(element, triangulations[nodeName]);
  }
}

function replaceByPolylist(polygons: XmlElement): void {
  const width = widthOf(polygons);
  const lists = listsOf(polygons);
  const counts = lists.map((list) => Math.floor(list.length / width));
  const whole = lists.flatMap((list, i) => list.slice(0, counts[i] * width));
  replace(polygons, 'polylist', counts.length, { vcount: counts.join(' '), p: whole.join(' ') });
}

function replaceByTriangles(strips: XmlElement, cornersOf: (t: number) => readonly number[]): void {
  const width = widthOf(strips);
  const triangles = listsOf(strips).flatMap((list) => {
    const count = Math.max(0, Math.floor(list.length / width) - 2);
    const corners = Array.from({ length: count }, (_, t) => cornersOf(t)).flat();
    return corners.map((corner) => list.slice(corner * width, (corner + 1) * width).join(' '));
  });
  replace(strips, 'triangles', triangles.length / 3, { p: triangles.join(' ') });
}

/** Indices of a corner: one for each offset. */
function widthOf(primitive: XmlElement): number {
  const offsets = childrenOf(primitive, 'input').map((input) => Number(input.getAttribute('offset')));
  return 1 + Math.max(0, ...offsets);
}

function listsOf(primitive: XmlElement): string[][] {
  const outlines = childrenOf(primitive).flatMap((child) =>
    child.nodeName === 'ph' ? childrenOf(child, 'p') : [child],
  );
  return outlines
    .filter(({ nodeName }) => nodeName === 'p')
    .map((list) => (list.textContent ?? '').split(/\s+/).filter((word) => word !== ''));
}

/** Another element in its place, with its inputs and these lists. */
function replace(old: XmlElement, name: string, count: number, lists: Readonly<Record<string, string>>): void {
  const document = old.ownerDocument!;
  const create = (nodeName: string) =>
    Object.assign(document.createElement(nodeName), { lineNumber: old.lineNumber ?? 1 });
  const element = create(name);
  element.setAttribute('count', String(count));
  removeChildren(old, (child) => child.nodeName !== 'input');
  for (const input of childrenOf(old)) element.appendChild(input);
  for (const [key, text] of Object.entries(lists)) {
    const list = create(key);
    list.appendChild(document.createTextNode(text));
    element.appendChild(list);
  }
  old.parentNode?.replaceChild(element, old);
}
