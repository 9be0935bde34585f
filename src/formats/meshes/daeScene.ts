import { cos, PI, sin } from '../../core/math/trigonometry.ts';
import type { XmlElement } from '../text/xmlDocument.ts';
import { childOf, childrenOf, type DaeDocument } from './daeDocument.ts';
import { type DaeTriangles, readGeometry } from './daeMesh.ts';
import { MAX_TRIANGLES } from './mesh.ts';

/** Maximum number of nodes of a scene, each counted as often as it is instanced. */
const MAX_NODES = 100_000;

/** Maximum depth of nodes and instances. */
const MAX_DEPTH = 256;

/** Size of the subtree of an element; everything below it is counted as often as it is instanced. */
interface Size {
  readonly nodes: number;
  readonly triangles: number;
}

/** The nodes of a COLLADA file as a tree of instances. */
export class DaeScene {
  private readonly geometries = new Map<XmlElement, readonly DaeTriangles[]>();
  private readonly sizes = new Map<XmlElement, Size>();
  private readonly open = new Set<XmlElement>();
  private points = new Float64Array(0);
  private length = 0;

  constructor(private readonly document: DaeDocument) {}

  /**
   * Returns the triangles that the roots place, nine coordinates each, in metres. A few nodes that instance each other
   * can make a scene far larger than its file, so its size is computed before it is built.
   * @param roots elements whose children are nodes, or `<geometry>` elements
   */
  place(roots: readonly XmlElement[], meter: number): Float64Array {
    let total = 0;
    for (const root of roots) total += this.sizeOf(root).triangles;
    if (total > MAX_TRIANGLES) throw this.tooLarge(roots[0], `${MAX_TRIANGLES} triangles`);
    this.points = new Float64Array(9 * total);
    this.length = 0;
    for (const root of roots) this.add(root, [meter, 0, 0, 0, 0, meter, 0, 0, 0, 0, meter, 0]);
    return this.points;
  }

  private sizeOf(element: XmlElement): Size {
    const known = this.sizes.get(element);
    if (known !== undefined) return known;
    if (this.open.has(element)) throw this.document.error(element, 'this node instances itself', 'Nodes form a tree.');
    if (this.open.size > MAX_DEPTH) throw this.document.error(element, `nodes are nested more than ${MAX_DEPTH} deep`);
    this.open.add(element);
    let [nodes, triangles] = [1, 0];
    if (element.localName === 'geometry') {
      for (const { vertices } of this.trianglesOf(element)) triangles += vertices.length / 3;
    } else {
      for (const child of this.placed(element)) {
        const size = this.sizeOf(child);
        nodes += size.nodes;
        triangles += size.triangles;
      }
    }
    this.open.delete(element);
    if (nodes > MAX_NODES) throw this.tooLarge(element, `${MAX_NODES} nodes`);
    if (triangles > MAX_TRIANGLES) throw this.tooLarge(element, `${MAX_TRIANGLES} triangles`);
    this.sizes.set(element, { nodes, triangles });
    return { nodes, triangles };
  }

  private tooLarge(element: XmlElement, most: string): Error {
    const what = `<${element.localName}> places more than ${most}, instances counted each time`;
    return this.document.error(element, what, 'Export only what collision checking needs.');
  }

  private trianglesOf(geometry: XmlElement): readonly DaeTriangles[] {
    const known = this.geometries.get(geometry) ?? readGeometry(this.document, geometry);
    this.geometries.set(geometry, known);
    return known;
  }

  /**
   * Returns the elements that a node, scene or controller places: nodes, geometries and controllers, instances
   * resolved.
   */
  private placed(element: XmlElement): XmlElement[] {
    const { document } = this;
    if (element.localName === 'controller') return [this.deformed(element)];
    return childrenOf(element).flatMap((child) => {
      const name = child.localName!;
      if (name === 'node') return [child];
      if (Object.hasOwn(instances, name)) return [document.target(child, 'url', instances[name])];
      if (Object.hasOwn(transforms, name)) document.finite(child, transforms[name]);
      else if (!withoutGeometry.test(name))
        throw document.error(child, `<${name}> in <${element.localName}> is not supported`);
      return [];
    });
  }

  /** Returns the element that a skin or morph deforms. It is placed undeformed, as in ROS tools. */
  private deformed(controller: XmlElement): XmlElement {
    const { document } = this;
    const deformer = childOf(controller, 'skin') ?? childOf(controller, 'morph');
    if (deformer === undefined) throw document.error(controller, 'this <controller> has neither <skin> nor <morph>');
    document.warn(deformer, `<${deformer.localName}> is left out: its mesh is taken undeformed`);
    return document.target(deformer, 'source', 'geometry', 'controller');
  }

  private add(element: XmlElement, above: Affine): void {
    if (this.sizeOf(element).triangles === 0) return;
    if (element.localName === 'geometry') {
      for (const triangles of this.trianglesOf(element)) this.addTriangles(element, triangles, above);
      return;
    }
    let transform = above;
    for (const child of childrenOf(element)) {
      if (Object.hasOwn(transforms, child.localName!))
        transform = multiply(transform, transformOf(this.document, child));
    }
    for (const child of this.placed(element)) this.add(child, transform);
  }

  /**
   * Appends triangles; the orientation of mirrored triangles is reversed, so that normals of closed meshes keep
   * pointing outwards.
   */
  private addTriangles(geometry: XmlElement, { positions, vertices }: DaeTriangles, m: Affine): void {
    const { points } = this;
    const second = determinant(m) < 0 ? 2 : 1;
    for (let t = 0; t < vertices.length; t += 3) {
      for (let k = 0; k < 3; k++) {
        const v = 3 * vertices[t + (k === 0 ? 0 : k === 1 ? second : 3 - second)];
        const x = positions[v];
        const y = positions[v + 1];
        const z = positions[v + 2];
        for (let row = 0; row < 12; row += 4) {
          const coordinate = m[row] * x + m[row + 1] * y + m[row + 2] * z + m[row + 3];
          if (!Number.isFinite(coordinate)) {
            const what = `a coordinate of triangle ${t / 3} (counted from 0) is ${coordinate} after its transforms`;
            throw this.document.error(geometry, what);
          }
          points[this.length++] = coordinate;
        }
      }
    }
  }
}

/** Elements that place others by their `url`. */
const instances: Readonly<Record<string, string>> = {
  instance_node: 'node',
  instance_geometry: 'geometry',
  instance_controller: 'controller',
};
/** Numbers of each transformation of a node, which are checked in nodes without geometry, too. */
const transforms: Readonly<Record<string, number>> = {
  lookat: 9,
  matrix: 16,
  rotate: 4,
  scale: 3,
  skew: 7,
  translate: 3,
};
const withoutGeometry = /^(asset|evaluate_scene|extra|instance_camera|instance_light)$/;

/** An affine map: three rows of four numbers, translation last. */
type Affine = readonly number[];

/**
 * Returns the map of a transformation element of a `<node>`. Throws for `<lookat>` and `<skew>`, which no robot needs.
 */
function transformOf(document: DaeDocument, element: XmlElement): Affine {
  switch (element.localName) {
    case 'matrix': {
      const m = [...document.finite(element, 16)];
      if (m[12] !== 0 || m[13] !== 0 || m[14] !== 0 || m[15] !== 1)
        throw document.error(element, `the last row of <matrix> is ${m.slice(12).join(' ')}, it must be 0 0 0 1`);
      return m.slice(0, 12);
    }
    case 'translate': {
      const [x, y, z] = document.finite(element, 3);
      return [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z];
    }
    case 'scale': {
      const [x, y, z] = document.finite(element, 3);
      return [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0];
    }
    case 'rotate':
      return rotation(document, element);
    default: {
      const note = 'Export the node with a <matrix>.';
      throw document.error(element, `<${element.localName}> of a node with geometry is not supported`, note);
    }
  }
}

/** Computes a rotation from axis and degrees: R = cos θ I + sin θ [a]ₓ + (1 − cos θ) a aᵀ. */
function rotation(document: DaeDocument, element: XmlElement): Affine {
  const [ax, ay, az, degrees] = document.finite(element, 4);
  const length = Math.sqrt(ax * ax + ay * ay + az * az);
  if (degrees === 0) return identity;
  if (!(length > 0 && length < Number.POSITIVE_INFINITY))
    throw document.error(element, `the axis of <rotate> is ${ax} ${ay} ${az}, it needs a direction`);
  const [x, y, z] = [ax / length, ay / length, az / length];
  const [s, c] = exactAt90(degrees);
  const d = 1 - c;
  return [
    ...[c + d * x * x, d * x * y - s * z, d * x * z + s * y, 0],
    ...[d * x * y + s * z, c + d * y * y, d * y * z - s * x, 0],
    ...[d * x * z - s * y, d * y * z + s * x, c + d * z * z, 0],
  ];
}

const identity: Affine = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** Computes sine and cosine, exactly at multiples of 90 degrees. */
function exactAt90(degrees: number): readonly [number, number] {
  const quarter = (((degrees / 90) % 4) + 4) % 4;
  if (Number.isInteger(quarter))
    return (
      [
        [0, 1],
        [1, 0],
        [0, -1],
        [-1, 0],
      ] as const
    )[quarter];
  const angle = ((degrees % 360) / 180) * PI;
  return [sin(angle), cos(angle)];
}

/** Computes the product a · b. */
function multiply(a: Affine, b: Affine): Affine {
  return Array.from({ length: 12 }, (_, i) => {
    const [row, column] = [i - (i % 4), i % 4];
    const sum = a[row] * b[column] + a[row + 1] * b[column + 4] + a[row + 2] * b[column + 8];
    return column === 3 ? sum + a[row + 3] : sum;
  });
}

/** Computes the determinant of the linear part: negative for reflections. */
function determinant(m: Affine): number {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]);
}
