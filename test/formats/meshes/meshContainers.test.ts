import { assert, describe, test } from 'vitest';
import { boundsOf } from '../../../src/core/hulls/pointCloud.ts';
import { Random } from '../../../src/core/math/random.ts';
import { InputError } from '../../../src/errors.ts';
import { companionsOf, readMesh } from '../../../src/formats/meshes/index.ts';
import { corners, faces, triangles } from './tetrahedron.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const join = (...blocks: Uint8Array[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(blocks.flatMap((block) => [...block]));

/** Packs numbers to bytes with one DataView setter. */
function pack(values: readonly number[], bytes: number, set: (view: DataView, at: number, value: number) => void) {
  const out = new Uint8Array(bytes * values.length);
  const view = new DataView(out.buffer);
  for (const [i, value] of values.entries()) set(view, bytes * i, value);
  return out;
}
const floats = (values: readonly number[], little = true) =>
  pack(values, 4, (view, at, value) => view.setFloat32(at, value, little));
const ints = (values: readonly number[], little = true) =>
  pack(values, 4, (view, at, value) => view.setInt32(at, value, little));
const shorts = (values: readonly number[]) => pack(values, 2, (view, at, value) => view.setUint16(at, value, true));

const plyHeader = (format: string) =>
  `ply\nformat ${format} 1.0\ncomment by a test\nelement vertex 4\nproperty float x\nproperty uchar red\nproperty float y\nproperty float z\n` +
  `element face 4\nproperty list uchar int vertex_indices\nproperty float quality\nend_header\n`;
const asciiPly = `${plyHeader('ascii')}${corners.map(([x, y, z]) => `${x} 255 ${y} ${z}\n`).join('')}${faces.map((f) => `3 ${f.join(' ')} 0.5\n`).join('')}`;
const binaryPly = (little: boolean) =>
  join(
    encode(plyHeader(`binary_${little ? 'little' : 'big'}_endian`)),
    ...corners.flatMap(([x, y, z]) => [floats([x], little), Uint8Array.of(255), floats([y, z], little)]),
    ...faces.flatMap((face) => [Uint8Array.of(3), ints(face, little), floats([0.5], little)]),
  );

type Objects = Record<string, unknown>[];

interface Gltf {
  scenes?: unknown;
  nodes: Objects;
  meshes: { primitives: Objects }[];
  accessors: Objects;
  bufferViews: Objects;
  buffers: Objects;
}

interface Parts {
  json?: (json: Gltf) => void;
  binary?: Uint8Array;
}

const geometry = join(floats(corners.flat()), shorts(faces.flat()));
function gltfJson(change: NonNullable<Parts['json']> = () => {}): Gltf {
  const json: Gltf & Record<string, unknown> = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3' },
      { bufferView: 0, byteOffset: 48, componentType: 5123, count: 12, type: 'SCALAR' },
    ],
    bufferViews: [{ buffer: 0, byteLength: geometry.length }],
    buffers: [{ byteLength: geometry.length }],
  };
  change(json);
  return json;
}
function glb({ json, binary = geometry }: Parts = {}): Uint8Array<ArrayBuffer> {
  const text = encode(JSON.stringify(gltfJson(json)).padEnd(1024));
  const head = ints([0x46546c67, 2, 12 + 8 + text.length + 8 + binary.length, text.length, 0x4e4f534a]);
  return join(head, text, ints([binary.length, 0x004e4942]), binary);
}
const embedded = (uri: string) =>
  JSON.stringify(
    gltfJson(({ buffers }) => {
      buffers[0].uri = uri;
    }),
  );
const base64 = `data:application/octet-stream;base64,${btoa(String.fromCharCode(...geometry))}`;

const read = (content: string | Uint8Array<ArrayBuffer>, file: string) =>
  readMesh(typeof content === 'string' ? encode(content) : content, file);

async function refusal(content: string | Uint8Array<ArrayBuffer>, file: string): Promise<string> {
  const answer = await read(content, file).catch((error: unknown) => error);
  assert.instanceOf(answer, InputError);
  return (answer as InputError).message;
}

describe('a glTF with a companion', () => {
  const given = (uri: string, at: string) => readMesh(encode(embedded(uri)), 't.gltf', new Map([[at, geometry]]));

  test('has the triangles of the same data in the file', async () => {
    const inside = await read(embedded(base64), 't.gltf');
    assert.deepEqual((await given('parts/a%20b.bin', 'parts/a%20b.bin')).points, inside.points);
    assert.deepEqual(companionsOf(encode(embedded('parts/a%20b.bin')), 't.gltf'), [
      { address: 'parts/a%20b.bin', path: 'parts/a b.bin' },
    ]);
  });

  test('is refused if the companion is missing or too short', async () => {
    const missing = await given('a.bin', 'b.bin').catch((error: unknown) => error);
    assert.match(String((missing as InputError).note), /This file is missing/);
    const short = readMesh(encode(embedded('a.bin')), 't.gltf', new Map([['a.bin', geometry.slice(1)]]));
    assert.match(String(await short.catch((error: unknown) => error)), /there are \d+ bytes/);
  });

  test.each([
    '../a.bin',
    'b/../../a.bin',
    '%2e%2e/a.bin',
    '/etc/passwd',
    '\\\\host\\a.bin',
    'file:///etc/passwd',
    'http://127.0.0.1/a.bin',
    'a.bin?x',
    '%zz',
    '',
    base64,
  ])('%j is no file beside it', (uri) => {
    assert.deepEqual(companionsOf(encode(embedded(uri)), 't.gltf'), []);
  });
});

describe('readMesh', () => {
  test.each([
    ['ASCII PLY', 't.ply', asciiPly],
    ['ASCII PLY with CRLF', 't.PLY', asciiPly.replaceAll('\n', '\r\n')],
    ['PLY, little end first', 't.ply', binaryPly(true)],
    ['PLY, big end first', 't.ply', binaryPly(false)],
    ['GLB', 't.glb', glb()],
    ['glTF with embedded data', 't.gltf', embedded(base64)],
    ['GLB without scenes', 't.glb', glb({ json: (json) => delete json.scenes })],
  ])('reads the triangles of %s', async (_, file, content) => {
    const mesh = await read(content, file);
    assert.equal(mesh.triangles, 4);
    assert.deepEqual([...mesh.points], triangles);
  });

  test('keeps ASCII numbers of a PLY in double precision, and cuts polygons into fans', async () => {
    const text = asciiPly.replace('1 255 0 0', '0.1 255 0 0').replace('3 0 2 1 0.5', '4 0 2 1 3 0.5');
    const { points, triangles } = await read(text, 't.ply');
    assert.equal(triangles, 5);
    assert.include([...points], 0.1);
  });

  test('places the meshes of a GLB by translation, rotation and scale, or by matrix, down the tree', async () => {
    const turn = [0, 0, Math.SQRT1_2, Math.SQRT1_2]; // x → y → −x
    const placed = async (nodes: object[]) => {
      const { points } = await read(glb({ json: (json) => Object.assign(json, { nodes }) }), 't.glb');
      return boundsOf(points)!;
    };
    const parent = { children: [1], translation: [10, 0, 0] };
    const child = { mesh: 0, rotation: turn, scale: [2, 1, 1] };
    for (const [i, x] of (await placed([parent, child])).entries()) assert.closeTo(x, [8, 0, 0, 10, 2, 3][i], 1e-12);
    const matrix = [0, 2, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 10, 0, 0, 1];
    for (const [i, x] of (await placed([{ mesh: 0, matrix }])).entries())
      assert.closeTo(x, [8, 0, 0, 10, 2, 3][i], 1e-12);
  });

  test('reads strips and fans of a GLB, without indices, and quantized corners', async () => {
    const listed = async (mode: number) => {
      const json: Parts['json'] = ({ meshes }) => {
        meshes[0].primitives = [{ attributes: { POSITION: 0 }, mode }];
      };
      return [...(await read(glb({ json }), 't.glb')).points];
    };
    const of = (...list: number[]) => list.flatMap((corner) => corners[corner]);
    assert.deepEqual(await listed(5), of(0, 1, 2, 2, 1, 3));
    assert.deepEqual(await listed(6), of(0, 1, 2, 0, 2, 3));
    const quantized: Parts['json'] = ({ accessors, meshes }) => {
      accessors[0] = { bufferView: 0, componentType: 5121, normalized: true, count: 3, type: 'VEC3' };
      meshes[0].primitives = [{ attributes: { POSITION: 0 } }];
    };
    const binary = Uint8Array.of(0, 0, 0, 255, 0, 0, 0, 51, 0, ...new Uint8Array(80));
    assert.deepEqual(
      [...(await read(glb({ json: quantized, binary }), 't.glb')).points],
      [0, 0, 0, 1, 0, 0, 0, 0.2, 0],
    );
  });

  test.each<[string, string | Uint8Array<ArrayBuffer>, RegExp]>([
    ['t.ply', 'plx', /not a PLY file/],
    ['t.ply', asciiPly.replace('ascii', 'text'), /t\.ply:2: unknown format "text"/],
    ['t.ply', asciiPly.replace('float z', 'half z'), /t\.ply:8: "half"/],
    ['t.ply', asciiPly.replace('float z', 'float w'), /no x, y and z/],
    ['t.ply', asciiPly.replace('vertex 4', 'vertex 99999999999'), /99999999999 of "vertex"/],
    ['t.ply', asciiPly.replace('vertex 4', 'vertex -1'), /"-1"/],
    ['t.ply', asciiPly.replace('3 0 2 1', '3 0 2 4'), /face 0 names vertex 4, there are 4/],
    ['t.ply', asciiPly.replace('3 0 2 1', '2 0 2'), /face 0: 2 vertices/],
    ['t.ply', asciiPly.replace('1 255', 'nan 255'), /^t\.ply: triangle 0: a coordinate of vertex 1 is NaN/],
    ['t.ply', asciiPly.replace('1 255', '0,5 255'), /^t\.ply:14: "0,5" is not a number$/],
    [
      't.ply',
      asciiPly.replace(
        'element face 4',
        'element vertex 0\nproperty float x\nproperty float y\nproperty float z\nelement face 4',
      ),
      /two elements "vertex"/,
    ],
    ['t.ply', asciiPly.slice(0, -8), /ends before/],
    ['t.ply', binaryPly(true).slice(0, -2), /ends before/],
    ['t.ply', asciiPly.replace('element face 4', 'element face 0'), /no triangles/],
    ['t.gltf', '{', /not glTF/],
    ['t.glb', glb().slice(0, -2), /header states \d+ bytes, the file has/],
    ['t.gltf', embedded('../secret.bin'), /another file: "\.\.\/secret\.bin"/],
    ['t.gltf', embedded('http://127.0.0.1:1/a.bin'), /another file/],
    [
      't.glb',
      glb({ json: (json) => Object.assign(json, { extensionsRequired: ['KHR_draco_mesh_compression'] }) }),
      /draco/,
    ],
    ['t.glb', glb({ json: ({ nodes }) => Object.assign(nodes[0], { children: [0] }) }), /two parents/],
    ['t.glb', glb({ json: ({ nodes }) => Object.assign(nodes[0], { mesh: 1 }) }), /meshes\[1\]/],
    [
      't.glb',
      glb({ json: ({ accessors }) => Object.assign(accessors[0], { count: 1e9 }) }),
      /^t\.glb: accessors\[0\] \(count 1000000000\) needs 12000000000 bytes/,
    ],
    [
      't.glb',
      glb({ json: ({ accessors }) => Object.assign(accessors[0], { count: 3 }) }),
      /^t\.glb: meshes\[0\]\.primitives\[0\]: triangle 1: index 3 is out of range, there are 3 vertices$/,
    ],
    [
      't.glb',
      glb({ json: ({ accessors }) => Object.assign(accessors[0], { componentType: 'constructor' }) }),
      /componentType/,
    ],
    ['t.glb', glb({ json: ({ bufferViews }) => Object.assign(bufferViews[0], { byteStride: 0 }) }), /byteStride/],
    ['t.glb', glb({ json: ({ bufferViews }) => Object.assign(bufferViews[0], { byteOffset: 1 }) }), /ends at byte/],
    [
      't.glb',
      glb({ binary: join(floats([Number.NaN]), geometry.slice(4)) }),
      /primitives\[0\]: triangle 0: a coordinate is NaN/,
    ],
    ['t.glb', glb({ json: (json) => Object.assign(json, { scenes: [{}] }) }), /no triangles/],
  ])('refuses a broken %s (case %#)', async (file, content, expected) => {
    assert.match(await refusal(content, file), expected);
  });

  /** Fields of the JSON that are read, to be replaced by values of every other type. */
  const fields = [
    ['asset', 'object'],
    ['asset.version', 'text'],
    ['extensionsRequired', 'list'],
    ['extensionsRequired.0', 'text'],
    ['scene', 'whole'],
    ['scenes', 'list'],
    ['scenes.0', 'object'],
    ['scenes.0.nodes', 'list'],
    ['scenes.0.nodes.0', 'whole'],
    ['nodes', 'list'],
    ['nodes.0', 'object'],
    ['nodes.0.children', 'list'],
    ['nodes.0.children.0', 'whole'],
    ['nodes.0.extensions', 'object'],
    ['nodes.0.mesh', 'whole'],
    ['nodes.0.matrix', 'list'],
    ['nodes.0.matrix.0', 'number'],
    ['nodes.0.translation', 'list'],
    ['nodes.0.translation.0', 'number'],
    ['nodes.0.rotation', 'list'],
    ['nodes.0.rotation.0', 'number'],
    ['nodes.0.scale', 'list'],
    ['nodes.0.scale.0', 'number'],
    ['meshes', 'list'],
    ['meshes.0', 'object'],
    ['meshes.0.primitives', 'list'],
    ['meshes.0.primitives.0', 'object'],
    ['meshes.0.primitives.0.mode', 'whole'],
    ['meshes.0.primitives.0.extensions', 'object'],
    ['meshes.0.primitives.0.attributes', 'object'],
    ['meshes.0.primitives.0.attributes.POSITION', 'whole'],
    ['meshes.0.primitives.0.indices', 'whole'],
    ['accessors', 'list'],
    ['accessors.0', 'object'],
    ['accessors.0.bufferView', 'whole'],
    ['accessors.0.byteOffset', 'whole'],
    ['accessors.0.componentType', 'whole'],
    ['accessors.0.normalized', 'boolean'],
    ['accessors.0.count', 'whole'],
    ['accessors.0.type', 'text'],
    ['bufferViews', 'list'],
    ['bufferViews.0', 'object'],
    ['bufferViews.0.buffer', 'whole'],
    ['bufferViews.0.byteOffset', 'whole'],
    ['bufferViews.0.byteLength', 'whole'],
    ['bufferViews.0.byteStride', 'whole'],
    ['buffers', 'list'],
    ['buffers.0', 'object'],
    ['buffers.0.byteLength', 'whole'],
    ['buffers.0.uri', 'text'],
  ] as const;
  /** JSON texts by type; `1e999` is parsed as Infinity. */
  const values: Readonly<Record<string, readonly string[]>> = {
    object: ['{"toString":1}', '{"valueOf":{"toString":null}}', '{"length":1}'],
    list: ['[[]]', '[{"toString":1}]'],
    text: ['"x"', '"0"'],
    boolean: ['true'],
    number: ['0.5', '-1'],
    whole: [],
    none: ['null', '1e999', '-1e999', '1e300'],
  };
  test.each(fields)('names %s of a glTF if it is no %s', async (path, type) => {
    const complete = {
      extensionsRequired: ['KHR_materials_unlit'],
      nodes: [
        {
          mesh: 0,
          children: [1],
          translation: [0, 0, 0],
          rotation: [0, 0, 0, 1],
          scale: [1, 1, 1],
          matrix: undefined as unknown,
        },
        {},
      ],
    };
    for (const [other, texts] of Object.entries(values)) {
      if (other === type || (other === 'number' && type === 'whole' && path.endsWith('mode'))) continue;
      for (const text of texts) {
        if (type === 'number' && (other === 'number' || text === '1e300')) continue;
        const json = gltfJson((all) => Object.assign(all, structuredClone(complete))) as unknown as Record<
          string,
          unknown
        >;
        (json.buffers as Objects)[0].uri = base64;
        if (path.includes('matrix'))
          (json.nodes as Objects)[0].matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
        const keys = path.split('.');
        const owner = keys
          .slice(0, -1)
          .reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, json);
        owner[keys.at(-1)!] = '@';
        const message = await refusal(JSON.stringify(json).replace('"@"', text), 't.gltf').catch(() => '(read)');
        assert.match(message, /^t\.gltf: /, `${path}: ${text}`);
        const place = path.replace(/\.(\d+)/g, '[$1]');
        assert.include(message, place, `${path}: ${text}`);
      }
    }
  });

  test.each([
    [{ mode: 7 }, /meshes\[0\]\.primitives\[0\]\.mode is 7/],
    [
      { extensions: { KHR_draco_mesh_compression: {} } },
      /primitives\[0\]\.extensions\.KHR_draco_mesh_compression is not supported/,
    ],
    [{ indices: 0 }, /accessors\[0\]\.componentType is 5126, which is not a type of indices/],
  ])('refuses a primitive with %j', async (change, expected) => {
    assert.match(
      await refusal(glb({ json: ({ meshes }) => Object.assign(meshes[0].primitives[0], change) }), 't.glb'),
      expected,
    );
  });

  test.each([
    [{ bufferViews: [{ extensions: { EXT_meshopt_compression: {} } }] }, /EXT_meshopt_compression is not supported/],
    [{ extensionsRequired: ['EXT_meshopt_compression'] }, /requires "EXT_meshopt_compression", which is not supported/],
    [{ nodes: [{ extensions: { EXT_mesh_gpu_instancing: {} } }] }, /EXT_mesh_gpu_instancing is not supported/],
    [
      { nodes: [{ matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2] }] },
      /nodes\[0\]\.matrix must have the last row/,
    ],
    [{ nodes: [{ rotation: [0, 0, 0, 2] }] }, /nodes\[0\]\.rotation must be a unit quaternion/],
    [{ nodes: [{ rotation: [0, 0, 0, 0] }] }, /nodes\[0\]\.rotation must be a unit quaternion/],
    [{ asset: { version: '1.0' } }, /asset\.version is "1\.0"/],
    [{ buffers: [{ byteLength: 9999 }] }, /buffers\[0\]\.byteLength is 9999/],
  ])('refuses a GLB with %j', async (change, expected) => {
    const json = (all: object) => {
      for (const [key, value] of Object.entries(change)) {
        const old = (all as Record<string, unknown>)[key];
        if (Array.isArray(value) && Array.isArray(old)) Object.assign(old[0], value[0]);
        else Object.assign(all, { [key]: value });
      }
    };
    assert.match(await refusal(glb({ json }), 't.glb'), expected);
  });

  test('keeps the outside of a mirrored GLB, and warns of what deforms it', async () => {
    const json: Parts['json'] = ({ nodes, meshes }) => {
      Object.assign(nodes[0], { scale: [1, 1, -1], skin: 0 });
      Object.assign(meshes[0].primitives[0], { targets: [] });
    };
    const { points, warnings } = await read(glb({ json }), 't.glb');
    let volume = 0;
    for (let i = 0; i < points.length; i += 9) {
      const [ax, ay, az, bx, by, bz, cx, cy, cz] = points.subarray(i, i + 9);
      volume += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    }
    assert.closeTo(volume, 6, 1e-12);
    assert.deepEqual(warnings, ['t.glb: nodes[0].skin is left out: the mesh is taken undeformed']);
  });

  test.each([
    ['t.ply', encode(asciiPly)],
    ['t.ply', binaryPly(true)],
    ['t.glb', glb()],
    ['t.gltf', encode(embedded(base64))],
  ])('ends in data or in an InputError, however %s is mutated (case %#)', async (file, whole) => {
    const random = new Random(3);
    for (let round = 0; round < 300; round++) {
      const bytes = Uint8Array.from(whole);
      for (let k = random.below(4); k >= 0; k--) bytes[random.below(bytes.length)] = random.below(256);
      const cut = random.below(4) === 0 ? bytes.slice(0, random.below(bytes.length)) : bytes;
      const answer = await read(cut, file).catch((error: unknown) => error);
      if (answer instanceof Error) assert.instanceOf(answer, InputError);
      else assert.isTrue((answer as { points: Float64Array }).points.every(Number.isFinite));
    }
  });
});
