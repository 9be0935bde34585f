import { assert, describe, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { InputError } from '../../../src/errors.ts';
import { readMesh } from '../../../src/formats/meshes/index.ts';
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

const read = (content: string | Uint8Array<ArrayBuffer>, file: string) =>
  readMesh(typeof content === 'string' ? encode(content) : content, file);

async function refusal(content: string | Uint8Array<ArrayBuffer>, file: string): Promise<string> {
  const answer = await read(content, file).catch((error: unknown) => error);
  assert.instanceOf(answer, InputError);
  return (answer as InputError).message;
}

describe('readMesh', () => {
  test.each([
    ['ASCII PLY', 't.ply', asciiPly],
    ['ASCII PLY with CRLF', 't.PLY', asciiPly.replaceAll('\n', '\r\n')],
    ['PLY, little end first', 't.ply', binaryPly(true)],
    ['PLY, big end first', 't.ply', binaryPly(false)],
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
  ])('refuses a broken %s (case %#)', async (file, content, expected) => {
    assert.match(await refusal(content, file), expected);
  });

  test.each([
    ['t.ply', encode(asciiPly)],
    ['t.ply', binaryPly(true)],
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
