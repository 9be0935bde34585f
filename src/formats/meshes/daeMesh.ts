import type { InputError } from '../../errors.ts';
import type { XmlElement } from '../text/xmlDocument.ts';
import { childrenOf, type DaeDocument } from './daeDocument.ts';
import { fillPolygon, TriangleList } from './daePolygons.ts';
import { DaePositions } from './daePositions.ts';

/**
 * Triangles of one primitive of a `<mesh>`: three vertex indices each into positions of x, y, z, in the units of the
 * file.
 */
export interface DaeTriangles {
  readonly positions: Float64Array;
  readonly vertices: Uint32Array;
}

/**
 * Reads the triangles of a `<geometry>`. Lines and splines are skipped with a warning; unknown elements throw
 * `InputError`.
 */
export function readGeometry(document: DaeDocument, geometry: XmlElement): DaeTriangles[] {
  const [mesh, second] = childrenOf(geometry).filter(({ localName }) => /^(mesh|convex_mesh|spline)$/.test(localName!));
  if (second !== undefined)
    throw document.error(second, `<geometry> has <${second.localName}> beside <${mesh.localName}>`, ONE_MESH);
  if (mesh === undefined || mesh.hasAttribute('convex_hull_of'))
    throw document.error(mesh ?? geometry, 'this <geometry> has no <mesh>', 'Export it as triangles.');
  if (mesh.localName === 'spline') document.warnOfLines(mesh);
  const known = new Map<XmlElement, DaePositions>();
  // Some exporters repeat the ids in each geometry: references of a mesh are to its own elements first.
  const target = (input: XmlElement, name: string) => {
    const own = childrenOf(mesh, name).filter((one) => input.getAttribute('source') === `#${one.getAttribute('id')}`);
    return own.length === 1 ? own[0] : document.target(input, 'source', name);
  };
  const positionsOf = (input: XmlElement) => {
    const vertices = target(input, 'vertices');
    const position = childrenOf(vertices, 'input').find((one) => one.getAttribute('semantic') === 'POSITION');
    if (position === undefined) throw document.error(vertices, '<vertices> has no <input> of semantic POSITION');
    const source = target(position, 'source');
    const positions = known.get(source) ?? new DaePositions(document, source);
    known.set(source, positions);
    return positions;
  };

  const sets: DaeTriangles[] = [];
  for (const primitive of mesh.localName === 'spline' ? [] : childrenOf(mesh)) {
    const name = primitive.localName!;
    if (/^(source|vertices|extra)$/.test(name)) continue;
    if (/^(lines|linestrips)$/.test(name)) {
      document.warnOfLines(primitive);
      continue;
    }
    if (!Object.hasOwn(primitives, name)) throw document.error(primitive, `<${name}> in a <mesh> is not supported`);
    const lists = new VertexLists(document, primitive, positionsOf);
    const vertices = primitives[name](lists);
    lists.positions.requireFinite(vertices, name);
    sets.push({ positions: lists.positions.values, vertices });
  }
  return sets;
}

/** Reads the vertex lists of one primitive. Every index is checked. */
class VertexLists {
  readonly positions: DaePositions;
  private readonly offset: number;
  private readonly width: number;

  constructor(
    readonly document: DaeDocument,
    readonly primitive: XmlElement,
    positionsOf: (input: XmlElement) => DaePositions,
  ) {
    const inputs = childrenOf(primitive, 'input');
    const vertex = inputs.find((input) => input.getAttribute('semantic') === 'VERTEX');
    if (vertex === undefined) throw this.error(primitive, 'has no <input> of semantic VERTEX');
    this.offset = document.whole(vertex, 'offset', 0);
    this.width = 1 + Math.max(...inputs.map((input) => document.whole(input, 'offset', 0)));
    this.positions = positionsOf(vertex);
  }

  /** Returns an error that begins with the name of the element. */
  error(element: XmlElement, what: string, note = ''): InputError {
    return this.document.error(element, `<${element.localName}> ${what}`, note);
  }

  /**
   * Reads the vertex indices of a `<p>` or `<h>`.
   * @param place returns the name of the triangle or polygon at an index of the list, for messages
   */
  read(list: XmlElement, place: (i: number) => string): Uint32Array {
    const { document, width, offset } = this;
    const indices = document.indices(list);
    const vertices = new Uint32Array(Math.floor(indices.length / width));
    if (vertices.length * width !== indices.length)
      throw this.error(list, `has ${indices.length} numbers, not a multiple of ${width}`, CUT_OFF);
    const count = this.positions.count;
    for (let i = 0; i < vertices.length; i++) {
      const index = indices[width * i + offset];
      if (index >= 0 && index < count) vertices[i] = index;
      else
        throw this.error(list, `${place(i)}: index ${index} is out of range, there are ${count} vertices`, FROM_ZERO);
    }
    return vertices;
  }

  /** Throws if the primitive declares more elements than it has. */
  requireCount(found: number): void {
    const declared = this.document.whole(this.primitive, 'count', found);
    if (declared > found) throw this.error(this.primitive, `has count ${declared}, but only ${found} of them`, CUT_OFF);
  }
}

const ONE_MESH = 'Give each mesh a <geometry> of its own.';
const CUT_OFF = 'The file is cut off, or broken.';
const FROM_ZERO = 'Indices, triangles and polygons are counted from 0.';

/** Reads `<triangles>`: any number of `<p>`, three vertices per triangle. */
function fromTriangles(lists: VertexLists): Uint32Array {
  const parts: Uint32Array[] = [];
  let length = 0;
  for (const list of childrenOf(lists.primitive, 'p')) {
    const first = length / 3;
    const part = lists.read(list, (i) => `triangle ${first + Math.floor(i / 3)}`);
    if (part.length % 3 !== 0) throw lists.error(list, `has ${part.length} vertices, not a multiple of 3`, CUT_OFF);
    parts.push(part);
    length += part.length;
  }
  lists.requireCount(length / 3);
  if (parts.length === 1) return parts[0];
  const all = new Uint32Array(length);
  for (let [k, at] = [0, 0]; k < parts.length; at += parts[k++].length) all.set(parts[k], at);
  return all;
}

/**
 * Reads `<tristrips>` and `<trifans>`: each `<p>` is one strip or fan. `corners` returns the positions of the vertices
 * of triangle t in the list.
 */
const fromEach =
  (name: string, corners: (t: number) => readonly [number, number, number]) =>
  (lists: VertexLists): Uint32Array => {
    const out = new TriangleList();
    const elements = childrenOf(lists.primitive, 'p');
    for (const [k, list] of elements.entries()) {
      const vertices = lists.read(list, () => `${name} ${k}`);
      for (let t = 0; t < vertices.length - 2; t++) {
        const [a, b, c] = corners(t);
        out.push(vertices[a], vertices[b], vertices[c]);
      }
    }
    lists.requireCount(elements.length);
    return out.toArray();
  };

/**
 * Reads a `<polylist>`: `<vcount>` has the number of vertices of each polygon, `<p>` lists the vertices polygon by
 * polygon.
 */
function fromPolylist(lists: VertexLists): Uint32Array {
  const { document, primitive, positions } = lists;
  const out = new TriangleList();
  const vcount = document.onlyChild(primitive, 'vcount');
  const counts = vcount === undefined ? new Int32Array(0) : document.indices(vcount);
  const starts = new Float64Array(counts.length + 1);
  for (const [k, count] of counts.entries()) starts[k + 1] = starts[k] + Math.max(0, count);
  const parts = childrenOf(primitive, 'p');
  if (parts.length > 1) throw lists.error(primitive, 'has more than one <p>');
  const polygonOf = (i: number) => `polygon ${starts.findLastIndex((start) => start <= i)}`;
  const vertices = parts.length === 0 ? new Uint32Array(0) : lists.read(parts[0], polygonOf);
  const promised = starts[counts.length];
  if (promised !== vertices.length)
    throw lists.error(primitive, `has ${promised} vertices by its <vcount>, ${vertices.length} in its <p>`, CUT_OFF);
  for (const [k, count] of counts.entries())
    fillPolygon(out, positions.values, vertices.subarray(starts[k], starts[k] + Math.max(0, count)), document.clipping);
  lists.requireCount(counts.length);
  return out.toArray();
}

/** Reads `<polygons>`: each `<p>` is a polygon, each `<ph>` a polygon with holes. */
function fromPolygons(lists: VertexLists): Uint32Array {
  const out = new TriangleList();
  const polygons = childrenOf(lists.primitive).filter(({ localName }) => localName === 'p' || localName === 'ph');
  for (const [k, polygon] of polygons.entries()) {
    const read = (list: XmlElement) => lists.read(list, () => `polygon ${k}`);
    const outline = polygon.localName === 'p' ? polygon : lists.document.onlyChild(polygon, 'p');
    if (outline === undefined) throw lists.error(polygon, 'has no <p>');
    const holes = polygon.localName === 'p' ? [] : childrenOf(polygon, 'h').map(read);
    fillPolygon(out, lists.positions.values, read(outline), lists.document.clipping, holes);
  }
  lists.requireCount(polygons.length);
  return out.toArray();
}

/** Readers of the primitives that have a surface, by name. */
const primitives: Readonly<Record<string, (lists: VertexLists) => Uint32Array>> = {
  triangles: fromTriangles,
  tristrips: fromEach('strip', (t) => (t % 2 === 0 ? [t, t + 1, t + 2] : [t + 1, t, t + 2])),
  trifans: fromEach('fan', (t) => [0, t + 1, t + 2]),
  polylist: fromPolylist,
  polygons: fromPolygons,
};
