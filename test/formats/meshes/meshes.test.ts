import { assert, describe, test } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { type Mesh, readMesh } from '../../../src/formats/meshes/index.ts';
import { corners, faces, triangles } from './tetrahedron.ts';

function binaryStl(header = 'made by a test', extra = 0): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(84 + 50 * faces.length + extra);
  bytes.set(new TextEncoder().encode(header));
  const view = new DataView(bytes.buffer);
  view.setUint32(80, faces.length, true);
  for (const [t, face] of faces.entries()) {
    for (const [v, corner] of face.entries()) {
      for (let k = 0; k < 3; k++) view.setFloat32(84 + 50 * t + 12 + 12 * v + 4 * k, corners[corner][k], true);
    }
  }
  return bytes;
}

const asciiStl = (number: (x: number) => string = String) =>
  `solid t\n${faces
    .map(
      (face) =>
        `facet normal 0 0 0\nouter loop\n${face.map((c) => `vertex ${corners[c].map(number).join(' ')}`).join('\n')}\nendloop\nendfacet\n`,
    )
    .join('')}endsolid t\n`;

const obj = `${corners.map((c) => `v ${c.join(' ')}`).join('\n')}\n${faces.map((f) => `f ${f.map((i) => i + 1).join(' ')}`).join('\n')}\n`;

const read = (content: string | Uint8Array<ArrayBuffer>, file: string): Promise<Mesh> =>
  readMesh(typeof content === 'string' ? new TextEncoder().encode(content) : content, file);

async function refusal(content: string | Uint8Array<ArrayBuffer>, file: string): Promise<string> {
  const answer = await read(content, file).catch((error: unknown) => error);
  assert.instanceOf(answer, InputError);
  return (answer as InputError).message;
}

describe('readMesh', () => {
  test.each([
    ['binary STL', 't.stl', binaryStl()],
    ['binary STL whose header begins with "solid"', 't.STL', binaryStl('solid but binary')],
    ['binary STL with bytes behind its triangles', 't.stl', binaryStl('', 2)],
    ['ASCII STL', 't.stl', asciiStl()],
    ['ASCII STL in capitals with CRLF', 't.stl', asciiStl().toUpperCase().replaceAll('\n', '\r\n')],
    ['OBJ', 't.obj', obj],
    ['OBJ with a byte order mark, CRLF and comments', 't.obj', `\uFEFF${obj.replaceAll('\n', ' # note\r\n')}`],
    ['OBJ with the weight 1', 't.obj', obj.replace(/^v .*/gm, '$& 1.0')],
    ['OBJ with colours', 't.obj', obj.replace(/^v .*/gm, '$& 0.5 0.2 0')],
    ['OBJ with joined lines', 't.obj', obj.replaceAll('f ', 'f \\\n')],
    [
      'OBJ with groups, objects, materials and smoothing',
      't.obj',
      `mtllib m.mtl\no a\n${obj.replaceAll('\nf ', '\ng b c\nusemtl red\ns 1\nf ')}`,
    ],
    ['OBJ with all kinds of indices', 't.obj', obj.replace('f 1 3 2', 'f 1/1 3//4 -3/9/9')],
  ])('reads the triangles of %s', async (_, file, content) => {
    const mesh = await read(content, file);
    assert.equal(mesh.triangles, 4);
    assert.deepEqual([...mesh.points], triangles);
    assert.deepEqual(mesh.warnings, []);
  });

  test('keeps decimal numbers of text formats in double precision', async () => {
    const text = obj.replace('v 1 0 0', 'v 0.1 0 0');
    assert.include([...(await read(text, 't.obj')).points], 0.1);
    assert.include(
      [
        ...(
          await read(
            asciiStl((x) => String(x / 10)),
            't.stl',
          )
        ).points,
      ],
      0.1,
    );
  });

  test('cuts polygons of an OBJ into fans', async () => {
    const mesh = await read('v 0 0 0\nv 1 0 0\nv 2 1 0\nv 1 2 0\nv 0 1 0\nf 1 2 3 4 5\n', 't.obj');
    assert.equal(mesh.triangles, 3);
  });

  test('warns of triangles without area, and counts them', async () => {
    const { warnings } = await read(`${obj}f 1 1 2\nf 1 2 2\n`, 't.obj');
    assert.deepEqual(warnings, ['t.obj: 2 of 6 triangles have no area']);
  });

  const claims = binaryStl();
  new DataView(claims.buffer).setUint32(80, 0xffffffff, true);
  const notNumber = binaryStl();
  new DataView(notNumber.buffer).setFloat32(84 + 12, Number.NaN, true);
  test.each([
    ['t.stl', '', /0 bytes/],
    ['t.stl', '<!DOCTYPE html><html></html>', /web page/],
    ['t.stl', binaryStl().slice(0, 200), /4 triangles.* 284 bytes.* 200/],
    ['t.stl', claims, /4294967295/],
    ['t.stl', notNumber, /^t\.stl: triangle 1 of 4 \(index 0\): a coordinate is NaN$/],
    ['t.stl', asciiStl().slice(0, 150), /t\.stl:\d+: /],
    ['t.stl', asciiStl().replace('vertex 1 0 0', 'vertex 1 nan 0'), /^t\.stl:6: facet 1 \(index 0\): "nan"/],
    ['t.stl', asciiStl().replace('vertex 1 0 0', 'vertex 1 0,5 0'), /^t\.stl:6: facet 1 \(index 0\): "0,5"/],
    ['t.stl', 'solid t\nendsolid t\n', /no triangles/],
    ['t.obj', '# nothing\n', /no vertices/],
    ['t.obj', 'v 0 0 0\n', /no faces/],
    ['t.obj', 'v 0 0 0\nv 1 0 0\nf 1 2\n', /t\.obj:3: a face of 2/],
    ['t.obj', `${obj}f 0 1 2\n`, /t\.obj:9: .*vertex 0/],
    ['t.obj', `${obj}f 1 2 5\n`, /t\.obj:9: .*vertex 5.* 4/],
    ['t.obj', `${obj}f 1 2 -5\n`, /t\.obj:9: .*vertex -5/],
    ['t.obj', 'v 0 0 0 2\n', /^t\.obj:1: vertex 1 has the weight 2, only 1 is supported/],
    ['t.obj', 'v 0 Infinity 0\n', /^t\.obj:1: vertex 1: "Infinity"/],
    ['t.obj', 'v 0 0\n', /^t\.obj:1: vertex 1: v has 2 numbers/],
    ['t.fbx', 'Kaydara', /\.fbx/],
    ['noending', 'x', /cannot be read/],
  ])('refuses a broken %s (case %#)', async (file, content, expected) => {
    assert.match(await refusal(content, file), expected);
  });

  test('explains for a file of points how a scene uses it', async () => {
    const answer = await read('0 0 0', 't.xyz').catch((error: unknown) => error);
    assert.match((answer as InputError).note, /^In a scene, points are an obstacle of type cloud\. Use one of: \.stl/);
  });
});
