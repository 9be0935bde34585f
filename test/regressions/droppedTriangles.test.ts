import { assert, describe, expect, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { readPcd } from '../../src/formats/clouds/pcd.ts';
import { readMesh } from '../../src/formats/meshes/index.ts';
import { readPlyPoints } from '../../src/formats/meshes/ply.ts';

// Triangles after the number that a header states, triangle strips beside faces, and surfaces of an OBJ that are not
// faces were dropped without a warning, and so were points: a link or obstacle without them counted as free space.

const utf8 = new TextEncoder();
const refusal = async (bytes: Uint8Array, file: string) => {
  const error = await readMesh(bytes, file).catch((reason: unknown) => reason);
  assert.instanceOf(error, InputError);
  return error.message;
};
const triangles = async (bytes: Uint8Array, file: string) => (await readMesh(bytes, file)).triangles;

/** A binary STL of `there` triangles whose header states `stated`, and `extra` bytes. */
function stl(stated: number, there: number, extra = 0): Uint8Array {
  const bytes = new Uint8Array(84 + 50 * there + extra);
  const view = new DataView(bytes.buffer);
  view.setUint32(80, stated, true);
  for (let t = 0; t < there; t++)
    for (const [k, value] of [0, 0, t, 1, 0, t, 0, 1, t].entries())
      view.setFloat32(84 + 50 * t + 12 + 4 * k, value, true);
  return bytes;
}

const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
const header = (format: string, vertices: number, faces: number, more = '') =>
  `ply\nformat ${format} 1.0\nelement vertex ${vertices}\nproperty float x\nproperty float y\nproperty float z
element face ${faces}\nproperty list uchar int vertex_indices\n${more}end_header\n`;
const asciiPly = (faces: number, end = '', more = '') =>
  utf8.encode(`${header('ascii', 4, faces, more)}${corners.join(' ')}\n3 0 1 2\n3 0 2 3\n${end}`);
function binaryPly(faces: number, end: readonly number[] = []): Uint8Array {
  const body = new DataView(new ArrayBuffer(48 + 13 * 2));
  for (const [k, value] of corners.entries()) body.setFloat32(4 * k, value, true);
  for (const f of [0, 1]) {
    body.setUint8(48 + 13 * f, 3);
    for (const [k, index] of [0, f + 1, f + 2].entries()) body.setInt32(49 + 13 * f + 4 * k, index, true);
  }
  const head = utf8.encode(header('binary_little_endian', 4, faces));
  return Uint8Array.of(...head, ...new Uint8Array(body.buffer), ...end);
}

describe('a mesh file of which triangles would be dropped is refused', () => {
  test('a binary STL with at least one triangle more than its header states', async () => {
    expect(await refusal(stl(1, 2), 'm.stl')).toContain(
      'states 1 triangles, which take 134 bytes, but the file has 184',
    );
    expect(await triangles(stl(2, 2, 49), 'm.stl')).toBe(2);
  });

  test('a PLY with more values than its header states', async () => {
    for (const bytes of [asciiPly(1), binaryPly(1), asciiPly(2, '7'), binaryPly(2, [7])])
      expect(await refusal(bytes, 'm.ply')).toContain('it has more values than the header states');
    for (const bytes of [asciiPly(2), asciiPly(2, ' \n\n'), binaryPly(2), binaryPly(2, [13, 10, 0])])
      expect(await triangles(bytes, 'm.ply')).toBe(2);
  });

  test('a PLY of points with more points than its header states', () => {
    const cloud = (count: number) => utf8.encode(`${header('ascii', count, 0)}${corners.join(' ')}\n`);
    expect(() => readPlyPoints(cloud(3), 'm.ply', 10)).toThrow('it has more values than the header states');
    expect(readPlyPoints(cloud(4), 'm.ply', 10)).toHaveLength(12);
  });

  test('a PCD with more points than its header states', () => {
    const size = 'FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\n';
    const pcd = (count: string, data: string, ...body: readonly number[]) =>
      readPcd(Uint8Array.of(...utf8.encode(`${size}${count}\nDATA ${data}\n`), ...body), 'm.pcd', 10);
    const rows = [...utf8.encode('0 0 0\n1 0 0\n')];
    expect(() => pcd('POINTS 1', 'ascii', ...rows)).toThrow('m.pcd:7: the header states 1 points, but there are more');
    expect(pcd('POINTS 2', 'ascii', ...rows)).toHaveLength(6);
    expect(() => pcd('POINTS 1', 'binary', ...new Array<number>(24).fill(1))).toThrow('but there are more');
    expect(pcd('POINTS 1', 'binary', ...new Array<number>(40).fill(0))).toHaveLength(3);
    expect(() => pcd('WIDTH 2\nHEIGHT 1\nPOINTS 1', 'ascii', ...rows)).toThrow('WIDTH times HEIGHT is 2');
  });

  test('a PLY with triangle strips beside faces', async () => {
    const strips = (count: number) => `element tristrips ${count}\nproperty list int int vertex_indices\n`;
    expect(await refusal(asciiPly(2, '4 0 1 2 3', strips(1)), 'm.ply')).toContain('triangle strips are not supported');
    expect(await triangles(asciiPly(2, '', strips(0)), 'm.ply')).toBe(2);
  });

  test('an OBJ with surfaces that are not faces', async () => {
    for (const statement of ['fo 2 3 4', 'surf 0 1 0 1 1 2 3 4', 'bzp 1 2 3 4', 'call other.obj']) {
      const text = `v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n${statement}\n`;
      const [word] = statement.split(' ');
      expect(await refusal(utf8.encode(text), 'm.obj')).toContain(`m.obj:6: "${word}" is not supported`);
    }
  });
});
