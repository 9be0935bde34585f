import { lengthIfNotUnit } from '../../core/math/quaternion.ts';
import { jsonText } from '../../errors.ts';
import { GltfAccessors } from './gltfAccessors.ts';
import { GltfBuffers, given, type MeshCompanions } from './gltfBuffers.ts';
import type { Mesh } from './mesh.ts';
import { MAX_TRIANGLES } from './mesh.ts';

/** Primitive modes with triangles (glTF 2.0 §5.24.4): number of triangles, and the vertices of triangle t. */
const modes: Readonly<Record<number, { count: (corners: number) => number; corners: (t: number) => number[] }>> = {
  4: { count: (n) => Math.floor(n / 3), corners: (t) => [3 * t, 3 * t + 1, 3 * t + 2] },
  5: { count: (n) => Math.max(0, n - 2), corners: (t) => (t % 2 === 0 ? [t, t + 1, t + 2] : [t + 1, t, t + 2]) },
  6: { count: (n) => Math.max(0, n - 2), corners: (t) => [0, t + 1, t + 2] },
};

/** Extensions that a file may require because they do not change the positions of its triangles. */
const harmless = /^(KHR_materials_|KHR_texture_|KHR_lights_|KHR_mesh_quantization$|EXT_texture_|KHR_node_visibility$)/;

/** An object of the JSON and its path there, such as `nodes[3]`. */
interface Item {
  readonly value: Readonly<Record<string, unknown>>;
  readonly place: string;
}

/**
 * Reads the triangles of a GLB, or of a glTF with embedded data (`data:` addresses) or companions, as its scene places
 * them.
 * Coordinates are used as they are in the file, in metres, as in ROS tools; in most files y is up. Skinned and morphed
 * meshes are read undeformed, with a warning. Does not use three's loader, which needs a browser for textures
 * (irrelevant for collision checking) and fetches files that the file names.
 */
export function readGltf(bytes: Uint8Array, file: string, companions?: MeshCompanions): Mesh {
  const data = new GltfBuffers(bytes, file, companions);
  refuseUnknown(data);
  const triangles = new GltfTriangles(data);
  const seen = new Set<number>();
  const waiting = rootsOf(data)
    .toReversed()
    .map((index) => ({ index, above: identity }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { index, above } = next;
    const node = { value: data.item('nodes', index), place: `nodes[${index}]` };
    if (seen.has(index)) throw data.wrong(`${node.place} has two parents`);
    seen.add(index);
    const matrix = multiply(above, matrixOf(data, node));
    if (node.value.mesh !== undefined) triangles.addMesh(node, matrix);
    const children = data.wholes(node.value.children, `${node.place}.children`);
    for (const child of children.toReversed()) waiting.push({ index: child, above: matrix });
  }
  return triangles.toMesh();
}

function refuseUnknown(data: GltfBuffers): void {
  const { version } = data.object(given(data.json.asset, {}), 'asset');
  if (version !== undefined && !/^2\.\d+$/.test(data.text(version, 'asset.version')))
    throw data.wrong(`asset.version is ${jsonText(version)}, only 2.0 is supported`);
  for (const [i, value] of data.list('extensionsRequired').entries()) {
    const name = data.text(value, `extensionsRequired[${i}]`);
    if (harmless.test(name)) continue;
    throw data.wrong(
      `it requires ${jsonText(name)}, which is not supported`,
      'Export it without compression and extensions.',
    );
  }
}

/** Returns the nodes of the default scene; without scenes, all nodes without a parent. */
function rootsOf(data: GltfBuffers): readonly number[] {
  const scene = given(data.json.scene, 0);
  if (data.list('scenes').length > 0) {
    const index = data.whole(scene, 'scene');
    return data.wholes(data.item('scenes', index).nodes, `scenes[${index}].nodes`);
  }
  const nodes = data.list('nodes');
  const children = new Set(
    nodes.flatMap((_, i) => data.wholes(data.item('nodes', i).children, `nodes[${i}].children`)),
  );
  return nodes.map((_, i) => i).filter((i) => !children.has(i));
}

/** Collects the triangles of placed meshes. */
class GltfTriangles {
  private readonly warnings = new Set<string>();
  private readonly parts: Float64Array[] = [];
  private readonly accessors: GltfAccessors;
  private count = 0;

  constructor(private readonly data: GltfBuffers) {
    this.accessors = new GltfAccessors(data);
  }

  toMesh(): Mesh {
    const points = new Float64Array(9 * this.count);
    for (let [k, at] = [0, 0]; k < this.parts.length; at += this.parts[k++].length) points.set(this.parts[k], at);
    return { points, triangles: this.count, warnings: [...this.warnings] };
  }

  /** Adds the mesh of a node. */
  addMesh(node: Item, matrix: readonly number[]): void {
    const { data } = this;
    const instancing = 'EXT_mesh_gpu_instancing';
    if (Object.hasOwn(data.object(given(node.value.extensions, {}), `${node.place}.extensions`), instancing))
      throw data.wrong(`${node.place}.extensions.${instancing} is not supported`, 'Export each instance as a node.');
    const index = data.whole(node.value.mesh, `${node.place}.mesh`);
    const place = `meshes[${index}].primitives`;
    for (const [k, entry] of data.listOf(data.item('meshes', index).primitives, place).entries()) {
      const primitive = { value: data.object(entry, `${place}[${k}]`), place: `${place}[${k}]` };
      const deformed = node.value.skin !== undefined ? `${node.place}.skin` : `${primitive.place}.targets`;
      if (node.value.skin !== undefined || primitive.value.targets !== undefined)
        this.warnings.add(`${data.file}: ${deformed} is left out: the mesh is taken undeformed`);
      this.addPrimitive(primitive, matrix);
    }
  }

  private addPrimitive({ value, place }: Item, matrix: readonly number[]): void {
    const { data, accessors } = this;
    const kind = data.whole(given(value.mode, 4), `${place}.mode`);
    if (kind > 6) throw data.wrong(`${place}.mode is ${kind}, it must be from 0 to 6`);
    if (!Object.hasOwn(modes, kind)) return; // points and lines
    const mode = modes[kind];
    data.refuseCompression(value, place);
    const attributes = data.object(value.attributes, `${place}.attributes`);
    const positions = accessors.read(attributes.POSITION, 'position', `${place}.attributes.POSITION`);
    const vertices = positions.length / 3;
    const indices =
      value.indices === undefined ? undefined : accessors.read(value.indices, 'index', `${place}.indices`);
    const triangles = mode.count(indices?.length ?? vertices);
    if (this.count + triangles > MAX_TRIANGLES) throw data.wrong(`it has more than ${MAX_TRIANGLES} triangles`);
    const out = new Float64Array(9 * triangles);
    const isMirrored = determinant(matrix) < 0;
    for (let [t, at] = [0, 0]; t < triangles; t++) {
      const [a, b, c] = mode.corners(t);
      for (const corner of isMirrored ? [a, c, b] : [a, b, c]) {
        const v = indices === undefined ? corner : indices[corner];
        if (v >= vertices)
          throw data.wrong(
            `${place}: triangle ${t}: index ${v} is out of range, there are ${vertices} vertices`,
            FROM_ZERO,
          );
        at = transformPoint(out, at, matrix, positions, v);
      }
      const bad = out.subarray(at - 9, at).find((x) => !Number.isFinite(x));
      if (bad !== undefined) throw data.wrong(`${place}: triangle ${t}: a coordinate is ${bad}`, FROM_ZERO);
    }
    this.parts.push(out);
    this.count += triangles;
  }
}

const FROM_ZERO = 'Indices and triangles are counted from 0.';

/** Writes vertex v of `positions`, transformed by the matrix; returns the index after it. */
function transformPoint(
  out: Float64Array,
  at: number,
  m: readonly number[],
  positions: Float64Array,
  v: number,
): number {
  const x = positions[3 * v];
  const y = positions[3 * v + 1];
  const z = positions[3 * v + 2];
  for (let k = 0; k < 3; k++) out[at + k] = m[k] * x + m[4 + k] * y + m[8 + k] * z + m[12 + k];
  return at + 3;
}

const identity: readonly number[] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Returns the column-major matrix of a node, as in the file: `matrix`, or translation · rotation · scale. */
function matrixOf(data: GltfBuffers, { value, place }: Item): readonly number[] {
  const read = (key: string, otherwise: readonly number[]) =>
    value[key] === undefined ? otherwise : data.numbers(value[key], otherwise.length, `${place}.${key}`);
  const m = read('matrix', identity);
  if (m[3] !== 0 || m[7] !== 0 || m[11] !== 0 || m[15] !== 1)
    throw data.wrong(`${place}.matrix must have the last row 0, 0, 0, 1`);
  if (value.matrix !== undefined) return m;
  const [tx, ty, tz] = read('translation', [0, 0, 0]);
  const [x, y, z, w] = read('rotation', [0, 0, 0, 1]);
  const [sx, sy, sz] = read('scale', [1, 1, 1]);
  if (lengthIfNotUnit([x, y, z, w]) !== undefined) throw data.wrong(`${place}.rotation must be a unit quaternion`);
  const square = x * x + y * y + z * z + w * w;
  const s = 2 / square;
  return [
    ...[sx * (1 - s * (y * y + z * z)), sx * s * (x * y + w * z), sx * s * (x * z - w * y), 0],
    ...[sy * s * (x * y - w * z), sy * (1 - s * (x * x + z * z)), sy * s * (y * z + w * x), 0],
    ...[sz * s * (x * z + w * y), sz * s * (y * z - w * x), sz * (1 - s * (x * x + y * y)), 0],
    ...[tx, ty, tz, 1],
  ];
}

function multiply(a: readonly number[], b: readonly number[]): number[] {
  return Array.from({ length: 16 }, (_, i) => {
    const [row, column] = [i % 4, i - (i % 4)];
    return a[row] * b[column] + a[row + 4] * b[column + 1] + a[row + 8] * b[column + 2] + a[row + 12] * b[column + 3];
  });
}

/** Computes the determinant of the linear part: negative for reflections. */
function determinant(m: readonly number[]): number {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) + m[8] * (m[1] * m[6] - m[2] * m[5]);
}
