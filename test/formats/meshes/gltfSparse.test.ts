import type { BufferAttribute, Mesh as ThreeMesh } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { readMesh } from '../../../src/formats/meshes/index.ts';

interface Sparse {
  count: number;
  indices: { bufferView: number; byteOffset?: number; componentType: number };
  values: { bufferView: number; byteOffset?: number };
}
interface Accessor {
  bufferView?: number;
  componentType: number;
  count: number;
  type: string;
  normalized?: boolean;
  min?: number[];
  max?: number[];
  sparse?: Sparse;
}
interface Gltf {
  accessors: Accessor[];
  bufferViews: { buffer: number; byteOffset: number; byteLength: number; byteStride?: number }[];
}

const pad = (bytes: Uint8Array, filler: number) => {
  const out = new Uint8Array(4 * Math.ceil(bytes.length / 4)).fill(filler);
  out.set(bytes);
  return out;
};

/** Packs a GLB whose buffer views are the given arrays, in their order. */
function glb(accessors: Accessor[], arrays: readonly ArrayBufferView[], change: (json: Gltf) => void = () => {}) {
  const chunks = arrays.map(({ buffer, byteOffset, byteLength }) =>
    pad(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength), 0),
  );
  const binary = Buffer.concat(chunks);
  let at = 0;
  const bufferViews = arrays.map(({ byteLength }, i) => {
    const view = { buffer: 0, byteOffset: at, byteLength };
    at += chunks[i].length;
    return view;
  });
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: structuredClone(accessors),
    bufferViews,
    buffers: [{ byteLength: binary.length }],
  };
  change(json);
  const text = pad(new TextEncoder().encode(JSON.stringify(json)), 32);
  const total = 28 + text.length + binary.length;
  return Uint8Array.from(
    Buffer.concat([
      new Uint8Array(Uint32Array.of(0x46546c67, 2, total, text.length, 0x4e4f534a).buffer),
      text,
      new Uint8Array(Uint32Array.of(binary.length, 0x004e4942).buffer),
      binary,
    ]),
  );
}

/** Reads the triangles of a GLB with the loader of three. */
async function trianglesOfThree(bytes: Uint8Array<ArrayBuffer>): Promise<number[]> {
  const { scene } = await new GLTFLoader().parseAsync(bytes.buffer, '');
  const { geometry } = scene.children[0] as ThreeMesh;
  const position = geometry.attributes.position as BufferAttribute;
  return [...geometry.index!.array].flatMap((v) => [position.getX(v), position.getY(v), position.getZ(v)]);
}

/** Returns some of the numbers below n, increasing. */
const someBelow = (random: Random, n: number, count: number) => {
  const left = Array.from({ length: n }, (_, i) => i);
  while (left.length > count) left.splice(random.below(left.length), 1);
  return left;
};

const indexTypes = [
  [5121, Uint8Array],
  [5123, Uint16Array],
  [5125, Uint32Array],
] as const;

test('sparse accessors have the values that the loader of three reads', async () => {
  const random = new Random(5);
  const different: unknown[] = [];
  for (let round = 0; round < 60; round++) {
    const vertices = 3 + random.below(40);
    const corners = 3 * (1 + random.below(20));
    const floats = (n: number) => Float32Array.from({ length: n }, () => 10 * random.next() - 5);
    const below = (n: number) => Uint16Array.from({ length: n }, () => random.below(vertices));
    const [isZeroed, hasSparsePositions, hasSparseIndices] = [0, 1, 2].map(() => random.below(2) === 0);
    const arrays: ArrayBufferView[] = [floats(3 * vertices), below(corners)];
    const sparse = (elements: number, values: (count: number) => ArrayBufferView): Sparse => {
      const [componentType, IndexArray] = indexTypes[random.below(3)];
      const count = 1 + random.below(elements);
      arrays.push(IndexArray.from(someBelow(random, elements, count)), values(count));
      return {
        count,
        indices: { bufferView: arrays.length - 2, componentType },
        values: { bufferView: arrays.length - 1 },
      };
    };
    const positions = hasSparsePositions ? { sparse: sparse(vertices, (count) => floats(3 * count)) } : {};
    const indices = hasSparseIndices ? { sparse: sparse(corners, below) } : {};
    const bytes = glb(
      [
        {
          ...(isZeroed && hasSparsePositions ? {} : { bufferView: 0 }),
          ...{ componentType: 5126, count: vertices, type: 'VEC3', min: [-5, -5, -5], max: [5, 5, 5] },
          ...positions,
        },
        { bufferView: 1, componentType: 5123, count: corners, type: 'SCALAR', ...indices },
      ],
      arrays,
    );
    const { points } = await readMesh(bytes, 't.glb');
    const expected = await trianglesOfThree(bytes);
    if (points.length !== expected.length || expected.some((x, i) => x !== points[i]))
      different.push({ round, isZeroed, hasSparsePositions, hasSparseIndices });
  }
  expect(different).toEqual([]);
});

const small = [
  { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3' },
  { bufferView: 1, componentType: 5121, count: 3, type: 'SCALAR' },
];
const sparsePositions: Sparse = {
  count: 2,
  indices: { bufferView: 2, componentType: 5121 },
  values: { bufferView: 3 },
};
const withSparse = (change: (json: Gltf, sparse: Sparse) => void, indices: readonly number[] = [1, 3]) =>
  glb(
    [{ ...small[0], sparse: sparsePositions }, small[1]],
    [new Float32Array(12), Uint8Array.of(0, 1, 3), Uint8Array.from(indices), Float32Array.of(1, 2, 3, 4, 5, 6)],
    (json) => change(json, json.accessors[0].sparse!),
  );

test('normalized values and offsets of sparse accessors are read as those of other accessors', async () => {
  const bytes = glb(
    [
      { bufferView: 0, componentType: 5122, normalized: true, count: 4, type: 'VEC3', sparse: sparsePositions },
      small[1],
    ],
    [
      new Int16Array(12),
      Uint8Array.of(0, 1, 3),
      Uint8Array.of(9, 1, 3),
      Int16Array.of(0, 32767, -32768, 0, 0, 32767, 0),
    ],
    ({ accessors }) => {
      accessors[0].sparse!.indices.byteOffset = 1;
      accessors[0].sparse!.values.byteOffset = 2;
    },
  );
  expect([...(await readMesh(bytes, 't.glb')).points]).toEqual([0, 0, 0, 1, -1, 0, 0, 1, 0]);
});

const P = 'accessors[0].sparse';
test.each<[string, Uint8Array, string]>([
  ['no list', withSparse((json) => Object.assign(json.accessors[0], { sparse: [] })), `${P} is []`],
  ['null', withSparse((json) => Object.assign(json.accessors[0], { sparse: null })), `${P} is null`],
  ['no elements', withSparse((_, sparse) => Object.assign(sparse, { count: 0 })), `${P}.count is 0, it must be from 1`],
  [
    'more than all',
    withSparse((_, sparse) => Object.assign(sparse, { count: 5 })),
    `${P}.count is 5, it must be from 1 to 4`,
  ],
  ['no indices', withSparse((_, sparse) => Object.assign(sparse, { indices: undefined })), `${P}.indices is missing`],
  ['no values', withSparse((_, sparse) => Object.assign(sparse, { values: undefined })), `${P}.values is missing`],
  [
    'signed indices',
    withSparse((_, { indices }) => Object.assign(indices, { componentType: 5122 })),
    `${P}.indices.componentType is 5122`,
  ],
  [
    'no view',
    withSparse((_, { indices }) => Object.assign(indices, { bufferView: undefined })),
    `${P}.indices.bufferView is missing`,
  ],
  [
    'an unknown view',
    withSparse((_, { values }) => Object.assign(values, { bufferView: 9 })),
    'bufferViews[9] is out of range',
  ],
  [
    'indices cut off',
    withSparse((_, { indices }) => Object.assign(indices, { byteOffset: 1 })),
    `${P}.indices (count 2) needs 3 bytes`,
  ],
  [
    'values cut off',
    withSparse((_, { values }) => Object.assign(values, { byteOffset: 4 })),
    `${P}.values (count 2) needs 28 bytes`,
  ],
  [
    'a view past the buffer',
    withSparse((json) => Object.assign(json.bufferViews[3], { byteLength: 99 })),
    'bufferViews[3] ends at byte',
  ],
  [
    'a stride',
    withSparse((json) => Object.assign(json.bufferViews[3], { byteStride: 12 })),
    'bufferViews[3].byteStride is given',
  ],
  ['an index too large', withSparse(() => {}, [1, 4]), `${P}.indices: index 1 is 4, the accessor has 4 elements`],
  ['an index twice', withSparse(() => {}, [1, 1]), `${P}.indices: index 1 is 1 after 1`],
  ['indices that decrease', withSparse(() => {}, [3, 1]), `${P}.indices: index 1 is 1 after 3`],
  [
    'a count that would need gigabytes',
    withSparse((json) => Object.assign(json.accessors[0], { bufferView: undefined, count: 5_000_001 })),
    'accessors without a bufferView have more than 15000000 numbers',
  ],
  [
    'neither view nor sparse',
    withSparse((json) => Object.assign(json.accessors[0], { bufferView: undefined, sparse: undefined })),
    'accessors[0].bufferView is missing',
  ],
])('a damaged sparse accessor is refused with its place: %s', async (_, bytes, expected) => {
  await expect(readMesh(bytes, 't.glb')).rejects.toThrow(expected);
});
