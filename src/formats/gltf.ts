import { jsonText } from '../errors.ts';
import { GltfBuffers } from './gltfBuffers.ts';
import type { Mesh } from './meshes.ts';
import { MOST_TRIANGLES } from './meshLimits.ts';

/** Ways to list triangles (glTF 2.0 §5.24.4): which corners make triangle t. */
const modes: Readonly<Record<number, { count: (corners: number) => number; corners: (t: number) => number[] }>> = {
  4: { count: (n) => Math.floor(n / 3), corners: (t) => [3 * t, 3 * t + 1, 3 * t + 2] },
  5: { count: (n) => Math.max(0, n - 2), corners: (t) => (t % 2 === 0 ? [t, t + 1, t + 2] : [t + 1, t, t + 2]) },
  6: { count: (n) => Math.max(0, n - 2), corners: (t) => [0, t + 1, t + 2] },
};

/** Extensions that a file may require without a change of where its triangles are. */
const harmless = /^(KHR_materials_|KHR_texture_|KHR_lights_|KHR_mesh_quantization$|EXT_texture_|KHR_node_visibility$)/;

/**
 * Reads the triangles of a GLB, or of a glTF whose data lie in it as `data:` addresses, as its scene places them. Coordinates are
 * taken as they are in the file, metres, as ROS tools do: y is up in most. Skins and morphs are ignored. Our own reader, since three's
 * wants a browser for textures that collision does not need, and fetches what a file tells it to.
 */
export function readGltf(bytes: Uint8Array, file: string): Mesh {
  const data = new GltfBuffers(bytes, file);
  const required = data.list('extensionsRequired').find((name) => typeof name !== 'string' || !harmless.test(name));
  if (required !== undefined) {
    throw data.wrong(`it requires ${jsonText(required)}`, 'Export it without compression and extensions.');
  }
  const coordinates: number[] = [];
  const seen = new Set<unknown>();
  const waiting = rootsOf(data)
    .toReversed()
    .map((index) => ({ index, above: identity }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { index, above } = next;
    const node = data.item('nodes', index);
    if (seen.has(index)) throw data.wrong(`node ${index} has two parents`);
    seen.add(index);
    const matrix = multiply(
      above,
      matrixOf(node, (key, count) => data.numbers(node[key], count, `nodes[${index}].${key}`)),
    );
    if (node.mesh !== undefined) addMesh(coordinates, data, node.mesh, matrix);
    const children = data.listOf(node.children, `nodes[${index}].children`);
    for (const child of children.toReversed()) waiting.push({ index: child, above: matrix });
  }
  const bad = coordinates.find((value) => !Number.isFinite(value));
  if (bad !== undefined) throw data.wrong(`a coordinate is ${bad}`);
  return { points: Float64Array.from(coordinates), triangles: coordinates.length / 9, warnings: [] };
}

/** Nodes of the scene that is to be shown; without scenes all that are nobody's child. */
function rootsOf(data: GltfBuffers): readonly unknown[] {
  if (data.list('scenes').length > 0) {
    const scene = data.item('scenes', data.json.scene ?? 0);
    return data.listOf(scene.nodes, 'scenes.nodes');
  }
  const nodes = data.list('nodes');
  const children = new Set(
    nodes.flatMap((_, i) => data.listOf(data.item('nodes', i).children, `nodes[${i}].children`)),
  );
  return nodes.map((_, i) => i).filter((i) => !children.has(i));
}

function addMesh(out: number[], data: GltfBuffers, index: unknown, m: readonly number[]): void {
  const place = `meshes[${index}].primitives`;
  for (const entry of data.listOf(data.item('meshes', index).primitives, place)) {
    const primitive = data.object(entry, place);
    const kind = String(primitive.mode ?? 4);
    if (!Object.hasOwn(modes, kind)) continue; // points and lines
    const mode = modes[Number(kind)];
    const positions = data.accessor(data.object(primitive.attributes, `${place}.attributes`).POSITION, 3);
    const vertices = positions.length / 3;
    const indices = primitive.indices === undefined ? undefined : data.accessor(primitive.indices, 1);
    const triangles = mode.count(indices?.length ?? vertices);
    if (out.length / 9 + triangles > MOST_TRIANGLES) throw data.wrong(`it holds more than ${MOST_TRIANGLES} triangles`);
    for (let t = 0; t < triangles; t++) {
      for (const corner of mode.corners(t)) {
        const v = indices === undefined ? corner : indices[corner];
        if (!(v < vertices))
          throw data.wrong(`${place}: a triangle names vertex ${v}, there are ${vertices}, counted from 0`);
        const [x, y, z] = [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]];
        for (let k = 0; k < 3; k++) out.push(m[k] * x + m[4 + k] * y + m[8 + k] * z + m[12 + k]);
      }
    }
  }
}

const identity: readonly number[] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Column by column, as the file has it: `matrix`, or translation · rotation · scale. */
function matrixOf(
  node: Readonly<Record<string, unknown>>,
  read: (key: string, count: number) => number[],
): readonly number[] {
  if (node.matrix !== undefined) return read('matrix', 16);
  const [tx, ty, tz] = node.translation === undefined ? [0, 0, 0] : read('translation', 3);
  const [x, y, z, w] = node.rotation === undefined ? [0, 0, 0, 1] : read('rotation', 4);
  const [sx, sy, sz] = node.scale === undefined ? [1, 1, 1] : read('scale', 3);
  const square = x * x + y * y + z * z + w * w;
  const s = square > 0 ? 2 / square : 0;
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
