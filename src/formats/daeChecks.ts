import { InputError } from '../errors.ts';
import { checkInstances } from './daeInstances.ts';
import { numberOf } from './trajectoryFormat.ts';
import { childOf, descendants, lineOf, quote, type XmlElement } from './xmlDocument.ts';

/** Elements whose text is a list of numbers. */
const lists = /^(float_array|matrix|translate|rotate|scale|bind_shape_matrix|p|vcount|v)$/;

/** Those that count or point; three would follow one beyond 2⁵³ for ever, and takes 1e9 for 1. */
const indices = /^(p|vcount|v)$/;

/** Numbers of one vertex, or indices of one corner: nobody's mesh has more. */
const WIDEST = 32;

/** three believes what a file says of its own size, and reads NaN without a word: refused is what its data do not bear out. */
export function checkCollada(root: XmlElement, file: string): void {
  checkReferences(root, file);
  const words = new Map<XmlElement, number>();
  for (const { element } of descendants(root)) {
    if (lists.test(element.nodeName)) words.set(element, countNumbers(element, file));
    if (element.nodeName === 'accessor') checkSize(element, 'stride', 1, file);
    if (element.nodeName === 'input') checkSize(element, 'offset', 0, file);
  }
  for (const element of words.keys()) if (element.nodeName === 'vcount') checkCorners(element, words, file);
  checkInstances(root, words, file);
}

/** What an element names by an attribute, where three would stumble. */
const references: Readonly<Record<string, string>> = {
  input: 'source',
  skin: 'source',
  instance_geometry: 'url',
  instance_controller: 'url',
  instance_node: 'url',
  instance_visual_scene: 'url',
};

function checkReferences(root: XmlElement, file: string): void {
  const elements = [...descendants(root)].map((item) => item.element);
  const ids = new Set(elements.map((element) => element.getAttribute('id')));
  for (const element of elements) {
    const { nodeName } = element;
    if (!Object.hasOwn(references, nodeName)) continue;
    const key = references[nodeName];
    const address = element.getAttribute(key);
    if (address?.startsWith('#') && ids.has(address.slice(1))) continue;
    throw error(element, file, `${key} of <${nodeName}> is ${quote(address ?? '')}: nothing in the file has that id`);
  }
}

/** How many there are: finite all of them, and whole where they count or point. */
function countNumbers(element: XmlElement, file: string): number {
  const { nodeName } = element;
  const text = element.textContent ?? '';
  const words = text.split(/\s+/).filter((word) => word !== '');
  const isOfIndices = indices.test(nodeName);
  if (!isOfIndices || !/^[\s\d]*$/.test(text) || /\d{10}/.test(text)) {
    const wrong = words.find((word) => (isOfIndices ? !/^(\d{1,9}|-1)$/.test(word) : !Number.isFinite(numberOf(word))));
    const kind = isOfIndices ? 'a whole number below a billion' : 'a finite number';
    if (wrong !== undefined) throw error(element, file, `${quote(wrong)} in <${nodeName}> is not ${kind}`);
  }
  const count = nodeName === 'float_array' ? Number(element.getAttribute('count')) : words.length;
  if (count === words.length) return count;
  throw error(element, file, `<float_array> promises ${count} numbers, ${words.length} are there`);
}

function checkSize(element: XmlElement, name: string, least: number, file: string): void {
  const text = element.getAttribute(name);
  if (text === null) return;
  const size = Number(text);
  if (Number.isInteger(size) && size >= least && size <= WIDEST) return;
  const must = `must be a whole number from ${least} to ${WIDEST}`;
  throw error(element, file, `${name} of <${element.nodeName}> is ${quote(text)}, ${must}`);
}

/** Polygons, or weights of a skin, have no more corners in all than there are indices; and there are no more of them than are counted. */
function checkCorners(vcount: XmlElement, words: ReadonlyMap<XmlElement, number>, file: string): void {
  const owner = vcount.parentNode as XmlElement;
  const list = owner.nodeName === 'vertex_weights' ? 'v' : 'p';
  const counts = (vcount.textContent ?? '').trim().split(/\s+/).map(Number);
  const corners = counts.reduce((sum, count) => sum + count, 0);
  const indices = words.get(childOf(owner, list) ?? vcount) ?? 0;
  if (!counts.every((count) => Number.isInteger(count) && count >= 0) || corners > indices)
    throw error(owner, file, `<vcount> promises ${corners} corners, <${list}> has ${indices} numbers`);
  const promised = Number(owner.getAttribute('count') ?? counts.length);
  if (promised !== counts.length)
    throw error(owner, file, `count of <${owner.nodeName}> is ${promised}, <vcount> has ${counts.length} numbers`);
}

function error(element: XmlElement, file: string, what: string): InputError {
  return new InputError(`${file}:${lineOf(element)}: ${what}`);
}
