import { assert, describe, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { type Mesh, readMesh } from '../../src/formats/meshes.ts';
import { boundsOf } from '../../src/formats/pointCloud.ts';
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

const dae = (unit: number, axis: string, place = '') => `<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="u" meter="${unit}"/><up_axis>${axis}</up_axis></asset>
<library_images><image id="i"><init_from>http://127.0.0.1:1/texture.png</init_from></image></library_images>
<library_geometries><geometry id="g"><mesh><source id="s"><float_array id="a" count="12">${corners.flat().join(' ')}</float_array>
<technique_common><accessor source="#a" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>${faces.flat().join(' ')}</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="c"><node id="n">${place}<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#c"/></scene></COLLADA>`;

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
    ['OBJ with joined lines', 't.obj', obj.replaceAll('f ', 'f \\\n')],
    [
      'OBJ with groups, objects, materials and smoothing',
      't.obj',
      `mtllib m.mtl\no a\n${obj.replaceAll('\nf ', '\ng b c\nusemtl red\ns 1\nf ')}`,
    ],
    ['OBJ with all kinds of indices', 't.obj', obj.replace('f 1 3 2', 'f 1/1 3//4 -3/9/9')],
    ['COLLADA', 't.dae', dae(1, 'Z_UP')],
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

  test('multiplies COLLADA by its unit, places it by its nodes, and ignores the up axis', async () => {
    for (const axis of ['X_UP', 'Y_UP', 'Z_UP']) {
      const { points } = await read(dae(0.01, axis), 't.dae');
      for (const [i, x] of boundsOf(points)!.entries()) assert.closeTo(x, [0, 0, 0, 0.01, 0.02, 0.03][i], 1e-9);
    }
    const { points } = await read(dae(1, 'Z_UP', '<matrix>2 0 0 5 0 2 0 6 0 0 2 7 0 0 0 1</matrix>'), 't.dae');
    assert.deepEqual(boundsOf(points), [5, 6, 7, 7, 10, 13]);
  });

  test.each([
    ['polygons', '<p>0 2 1</p><p>0 1 3</p><ph><p>0 3 2</p><h>0 3 2</h></ph><p>1 2 3</p>', 4],
    ['polygons', '<p>0 1 2 3</p>', 2],
    ['tristrips', '<p>0 1 2 3</p><p>0 1 3</p>', 3],
    ['trifans', '<p>0 1 2 3 1</p>', 3],
  ])('reads COLLADA %s: %s', async (kind, lists, count) => {
    const text = dae(1, 'Z_UP').replace(
      /<triangles count="4">(.*)<p>.*<\/triangles>/,
      `<${kind} count="9">$1${lists}</${kind}>`,
    );
    const { points, triangles } = await read(text, 't.dae');
    assert.equal(triangles, count);
    assert.deepEqual(boundsOf(points), boundsOf((await read(dae(1, 'Z_UP'), 't.dae')).points));
  });

  test('says nothing on the console and leaves no browser globals behind', async () => {
    const before = ['Document', 'Element', 'DOMParser'].map((name) =>
      Object.getOwnPropertyDescriptor(globalThis, name),
    );
    const talk: unknown[] = [];
    const { log, warn, debug, error } = console;
    const listen = (...words: unknown[]) => talk.push(words);
    Object.assign(console, { log: listen, warn: listen, debug: listen, error: listen });
    try {
      await read(dae(1, 'Z_UP'), 't.dae');
    } finally {
      Object.assign(console, { log, warn, debug, error });
    }
    assert.deepEqual(talk, []);
    assert.deepEqual(
      ['Document', 'Element', 'DOMParser'].map((name) => Object.getOwnPropertyDescriptor(globalThis, name)),
      before,
    );
  });

  test('warns of triangles without area, and counts them', async () => {
    const { warnings } = await read(`${obj}f 1 1 2\nf 1 2 2\n`, 't.obj');
    assert.deepEqual(warnings, ['t.obj: 2 of 6 triangles have no area']);
  });

  const claims = binaryStl();
  new DataView(claims.buffer).setUint32(80, 0xffffffff, true);
  const notNumber = binaryStl();
  new DataView(notNumber.buffer).setFloat32(84 + 12, Number.NaN, true);
  const polylist = (count: number, counts: string) =>
    dae(1, 'Z_UP').replace(
      /<triangles count="4">(.*<p>.*)<\/triangles>/,
      `<polylist count="${count}">$1<vcount>${counts}</vcount></polylist>`,
    );
  /** Each node names the one before it ten times. */
  const tenfold = Array.from(
    { length: 9 },
    (_, k) => `<node id="n${k + 1}">${`<instance_node url="#n${k === 0 ? '' : k}"/>`.repeat(10)}</node>`,
  ).join('');
  const library = (nodes: string) =>
    dae(1, 'Z_UP').replace('<library_visual', `<library_nodes>${nodes}</library_nodes><library_visual`);
  test.each([
    ['t.stl', '', /0 bytes/],
    ['t.stl', '<!DOCTYPE html><html></html>', /web page/],
    ['t.stl', binaryStl().slice(0, 200), /4 triangles.* 284 bytes.* 200/],
    ['t.stl', claims, /4294967295/],
    ['t.stl', notNumber, /triangle 1: .*NaN/],
    ['t.stl', asciiStl().slice(0, 150), /t\.stl:\d+: /],
    ['t.stl', asciiStl().replace('vertex 1 0 0', 'vertex 1 nan 0'), /t\.stl:6: "nan"/],
    ['t.stl', asciiStl().replace('vertex 1 0 0', 'vertex 1 0,5 0'), /t\.stl:6: "0,5"/],
    ['t.stl', 'solid t\nendsolid t\n', /no triangles/],
    ['t.obj', '# nothing\n', /no vertices/],
    ['t.obj', 'v 0 0 0\n', /no faces/],
    ['t.obj', 'v 0 0 0\nv 1 0 0\nf 1 2\n', /t\.obj:3: a face of 2/],
    ['t.obj', `${obj}f 0 1 2\n`, /t\.obj:9: .*vertex 0/],
    ['t.obj', `${obj}f 1 2 5\n`, /t\.obj:9: .*vertex 5.* 4/],
    ['t.obj', `${obj}f 1 2 -5\n`, /t\.obj:9: .*vertex -5/],
    ['t.obj', 'v 0 Infinity 0\n', /t\.obj:1: "Infinity"/],
    ['t.obj', 'v 0 0\n', /t\.obj:1: v has 2 numbers/],
    ['t.dae', dae(1, 'Z_UP').replace('count="12"', 'count="99"'), /t\.dae:5: .*99/],
    ['t.dae', dae(1, 'Z_UP').replace('0 0 0 1', '0 0 NaN 1'), /t\.dae:5: "NaN"/],
    ['t.dae', dae(1, 'Z_UP').replace('1 2 3</p>', '1 2 9</p>'), /coordinate/],
    ['t.dae', dae(1, 'Z_UP').replace(/<scene>.*<\/scene>/, ''), /no <scene>/],
    ['t.dae', dae(1, 'Z_UP').replace('<COLLADA', '<!DOCTYPE x [<!ENTITY a "b">]><COLLADA'), /DOCTYPE/],
    ['t.dae', dae(1, 'Z_UP').replace('</COLLADA>', ''), /XML/],
    ['t.dae', dae(1, 'Z_UP').replace('stride="3"', 'stride="9e9"'), /t\.dae:6: stride of <accessor> is "9e9"/],
    ['t.dae', dae(1, 'Z_UP').replace('source="#v"', 'source="#w"'), /t\.dae:8: source of <input> is "#w"/],
    ['t.dae', dae(1, 'Z_UP').replace('1 2 3</p>', '1 2 9007199254740993</p>'), /t\.dae:8: "9007199254740993" in <p>/],
    ['t.dae', dae(1, 'Z_UP').replace('1 2 3</p>', '1 2 3e0</p>'), /t\.dae:8: "3e0" in <p>/],
    ['t.dae', dae(1, 'Z_UP').replace('0 0 0 1', '0 0 0x0 1'), /t\.dae:5: "0x0" in <float_array>/],
    ['t.dae', polylist(3, '3 3'), /t\.dae:8: count of <polylist> is 3, <vcount> has 2/],
    ['t.dae', polylist(1, '400000000'), /t\.dae:8: <vcount> promises 400000000 corners, <p> has 12/],
    ['t.dae', library(tenfold), /t\.dae:9: this node stands for more than 100000 nodes/],
    ['t.dae', library('<node id="x"><node><instance_node url="#x"/></node></node>'), /leads back to itself/],
    ['t.fbx', 'Kaydara', /\.fbx/],
    ['noending', 'x', /cannot be read/],
  ])('refuses a broken %s (case %#)', async (file, content, expected) => {
    assert.match(await refusal(content, file), expected);
  });

  test('says of a file of points how a scene takes them', async () => {
    const answer = await read('0 0 0', 't.xyz').catch((error: unknown) => error);
    assert.match((answer as InputError).note, /^In a scene, points are an obstacle of type cloud\. Use one of: \.stl/);
  });
});
