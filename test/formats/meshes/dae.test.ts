import { readdirSync, readFileSync } from 'node:fs';
import { assert, describe, test } from 'vitest';
import { boundsOf } from '../../../src/core/hulls/pointCloud.ts';
import { InputError } from '../../../src/errors.ts';
import { readMesh } from '../../../src/formats/meshes/index.ts';
import { generator } from '../../fuzz/mutate.ts';
import { corners, faces, triangles } from './tetrahedron.ts';

const faceList = faces.flat().join(' ');
const faceElement = `<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>${faceList}</p></triangles>`;

interface Parts {
  readonly unit?: string;
  readonly up?: string;
  readonly positions?: string;
  readonly primitives?: string;
  readonly node?: string;
  readonly libraries?: string;
}

/** Returns a COLLADA file of the tetrahedron, one element per line. */
const dae = ({
  unit = '1',
  up = 'Z_UP',
  positions = corners.flat().join(' '),
  primitives = faceElement,
  node = '<instance_geometry url="#g"/>',
  libraries = '',
}: Parts = {}) => `<COLLADA version="1.4.1"><asset><unit meter="${unit}"/><up_axis>${up}</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="s"><float_array id="a" count="${positions.trim().split(/\s+/).length}">${positions}</float_array>
<technique_common><accessor source="#a" count="${Math.floor(positions.trim().split(/\s+/).length / 3)}" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
${primitives}
</mesh></geometry></library_geometries>
${libraries}
<library_visual_scenes><visual_scene id="c"><node id="n">
${node}
</node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#c"/></scene></COLLADA>`;

const read = (text: string) => readMesh(new TextEncoder().encode(text), 't.dae');
const boundsIn = async (parts: Parts) => boundsOf((await read(dae(parts))).points)!;
const primitive = (kind: string, lists: string, count = 1) =>
  `<${kind} count="${count}"><input semantic="VERTEX" source="#v" offset="0"/>${lists}</${kind}>`;

/** Computes the sum of the areas of all triangles, and six times the volume that they enclose. */
function measure(points: Float64Array): { area: number; volume: number } {
  let [area, volume] = [0, 0];
  for (let i = 0; i < points.length; i += 9) {
    const [a, b, c] = [0, 3, 6].map((k) => [...points.subarray(i + k, i + k + 3)]);
    const [u, v] = [b, c].map((corner) => corner.map((x, k) => x - a[k]));
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    area += Math.hypot(...n) / 2;
    volume += n[0] * a[0] + n[1] * a[1] + n[2] * a[2];
  }
  return { area, volume };
}

describe('files in the style of the main exporters', () => {
  const folder = new URL('../../fixtures/collada/', import.meta.url);
  test.each(readdirSync(folder))('%s: the tetrahedron, 10, 20, 30 m away', async (name) => {
    const { points, warnings } = await readMesh(readFileSync(new URL(name, folder)), name);
    const expected = triangles.map((x, i) => x + 10 * (1 + (i % 3)));
    const triangleKeys = (values: Iterable<number>) =>
      [...values]
        .map((x) => x.toFixed(6))
        .reduce<string[]>((keys, x, i) => {
          if (i % 3 === 0) keys.push('');
          keys[keys.length - 1] += `${x} `;
          return keys;
        }, [])
        .sort();
    assert.deepEqual(triangleKeys(points), triangleKeys(expected));
    assert.closeTo(measure(points).volume, 6, 1e-6); // normals point outwards
    assert.equal(warnings.length, /sketchup|prefixed/.test(name) ? 1 : 0, warnings.join('\n'));
  });
});

describe('what a scene places', () => {
  test('is multiplied by the unit; the up axis is ignored', async () => {
    for (const up of ['X_UP', 'Y_UP', 'Z_UP'])
      assert.deepEqual(await boundsIn({ unit: '0.5', up }), [0, 0, 0, 0.5, 1, 1.5]);
  });

  test('is transformed by all nodes above, in their order', async () => {
    const node =
      '<translate>1 2 3</translate><rotate>0 0 5 90</rotate><scale>2 1 1</scale><instance_geometry url="#g"/>';
    assert.deepEqual(await boundsIn({ node }), [-1, 2, 3, 1, 4, 6]);
    const nested = `<matrix>1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</matrix><node>${node}</node>`;
    assert.deepEqual(await boundsIn({ node: nested }), [4, 2, 3, 6, 4, 6]);
  });

  test('keeps its outside when it is mirrored', async () => {
    const { points } = await read(dae({ node: '<scale>-1 1 1</scale><instance_geometry url="#g"/>' }));
    assert.closeTo(measure(points).volume, 6, 1e-12);
  });

  test('is counted as often as it is instanced', async () => {
    const libraries =
      '<library_nodes><node id="m"><instance_geometry url="#g"/><instance_geometry url="#g"/></node></library_nodes>';
    const node = '<instance_node url="#m"/><node><translate>1 0 0</translate><instance_node url="#m"/></node>';
    const { triangles } = await read(dae({ libraries, node }));
    assert.equal(triangles, 16);
  });

  test.each([
    ['no <scene>', (text: string) => text.replace(/<scene>.*<\/scene>/, ''), /no <scene>: the only visual scene/],
    [
      'a scene without geometry',
      (text: string) => text.replace('<instance_geometry url="#g"/>', ''),
      /every <geometry> is taken once, untransformed/,
    ],
    [
      'no visual scene',
      (text: string) => text.replace(/<library_visual[\s\S]*<\/scene>/, ''),
      /every <geometry> is taken once, untransformed/,
    ],
  ])('is read with a warning from a file with %s', async (_, change, warning) => {
    const { triangles, warnings } = await read(change(dae()));
    assert.equal(triangles, 4);
    assert.match(warnings[0], warning);
  });

  test('a million triangles take a few seconds at most', async () => {
    const n = 708;
    const positions: number[] = [];
    for (let j = 0; j <= n; j++) for (let i = 0; i <= n; i++) positions.push(i / 1000, j / 1000, (i * j) % 7);
    const list: number[] = [];
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n; i++) {
        const at = j * (n + 1) + i;
        list.push(at, at + 1, at + n + 1, at + 1, at + n + 2, at + n + 1);
      }
    }
    const text = dae({
      positions: positions.join(' '),
      primitives: primitive('triangles', `<p>${list.join(' ')}</p>`),
    });
    const start = process.cpuUsage().user;
    assert.equal((await read(text)).triangles, 2 * n * n);
    assert.isBelow((process.cpuUsage().user - start) / 1e6, 10); // a limit for slow machines
  }, 60_000);
});

describe('primitives', () => {
  const total = measure(Float64Array.from(triangles)).area;
  test.each([
    ['triangles', '<p>0 2 1 0 1 3</p><p>0 3 2</p><p>1 2 3</p>', 4, total],
    ['triangles', '', 0, 0],
    ['polylist', '<vcount>3 3 3 3</vcount><p>0 2 1 0 1 3 0 3 2 1 2 3</p>', 4, total],
    ['polygons', '<p>0 2 1</p><p>0 1 3</p><p>0 3 2</p><p>1 2 3</p>', 4, total],
    ['tristrips', '<p>0 1 2 3 0 1</p>', 4, total],
    ['trifans', '<p>0 1 2 3 1</p><p>1 2 3</p>', 4, total],
  ])('reads %s: %s', async (kind, lists, count, area) => {
    const more = count === 0 ? faceElement : '';
    const { points, triangles } = await read(dae({ primitives: more + primitive(kind, lists, 0) }));
    assert.equal(triangles, count === 0 ? 4 : count);
    assert.closeTo(measure(points).area, count === 0 ? total : area, 1e-12);
  });

  test('strips and fans turn as their polygons do', async () => {
    const quad = '0 0 0 1 0 0 0 1 0 1 1 0';
    const strip = await read(dae({ positions: quad, primitives: primitive('tristrips', '<p>0 1 2 3</p>') }));
    const fan = await read(dae({ positions: quad, primitives: primitive('trifans', '<p>0 1 3 2</p>') }));
    for (const { points } of [strip, fan]) {
      for (let i = 0; i < points.length; i += 9) {
        const [ax, ay, , bx, by, , cx, cy] = points.subarray(i, i + 9);
        assert.isAbove((bx - ax) * (cy - ay) - (by - ay) * (cx - ax), 0);
      }
    }
  });

  /** An L of area 3 in the plane x + y + z = 0 and in the plane z = 0, starting from each of its vertices. */
  const outlineL = [
    [0, 0],
    [2, 0],
    [2, 1],
    [1, 1],
    [1, 2],
    [0, 2],
  ];
  test.each(outlineL.map((_, i) => i))('fills a polygon that is not convex, from vertex %i on', async (first) => {
    const order = outlineL.map((_, i) => (i + first) % outlineL.length);
    for (const tilt of [0, -1]) {
      const positions = outlineL.map(([x, y]) => `${x} ${y} ${tilt * (x + y)}`).join(' ');
      for (const list of [order, order.toReversed()]) {
        const { points, triangles } = await read(
          dae({ positions, primitives: primitive('polygons', `<p>${list.join(' ')}</p>`) }),
        );
        assert.equal(triangles, 4);
        assert.closeTo(measure(points).area, 3 * Math.sqrt(1 + 2 * tilt * tilt), 1e-12);
      }
    }
  });

  test('leaves the holes of a polygon open', async () => {
    const square = (a: number, b: number) => `${a} ${a} 5 ${b} ${a} 5 ${b} ${b} 5 ${a} ${b} 5`;
    const positions = `${square(0, 10)} ${square(1, 3)} ${square(5, 8)}`;
    const holes = '<ph><p>0 1 2 3</p><h>4 7 6 5</h><h>8 9 10 11</h></ph>';
    const { points } = await read(dae({ positions, primitives: primitive('polygons', holes) }));
    assert.closeTo(measure(points).area, 100 - 4 - 9, 1e-9);
  });

  test('fills the holes of a polygon that crosses itself, so that nothing is left out', async () => {
    const positions = '0 0 0 4 4 0 4 0 0 0 4 0 1 1 0 1 2 0 2 1 0';
    const { points, triangles } = await read(
      dae({ positions, primitives: primitive('polygons', '<ph><p>0 1 2 3</p><h>4 5 6</h></ph>') }),
    );
    assert.equal(triangles, 2);
    assert.deepEqual(boundsOf(points), [0, 0, 0, 4, 4, 0]);
  });

  test('covers random polygons, crossing ones too: every vertex is kept', async () => {
    const below = generator(7, 0);
    for (let round = 0; round < 300; round++) {
      const n = 3 + below(9);
      const vertices = Array.from({ length: n }, () => [below(5), below(5), 0]);
      const { points } = await read(
        dae({
          positions: vertices.flat().join(' '),
          primitives: primitive('polygons', `<p>${vertices.map((_, i) => i).join(' ')}</p>`),
        }),
      );
      const kept = new Set(
        Array.from({ length: points.length / 3 }, (_, i) => points.subarray(3 * i, 3 * i + 3).join()),
      );
      assert.isTrue(
        vertices.every((vertex) => kept.has(vertex.join())),
        JSON.stringify(vertices),
      );
    }
  });
});

describe('refuses with file and line', () => {
  const nodes = (list: string) => ({ libraries: `<library_nodes>${list}</library_nodes>` });
  /** Each node instances the previous one ten times. */
  const tenfold = Array.from(
    { length: 9 },
    (_, k) => `<node id="n${k + 1}">${`<instance_node url="#n${k === 0 ? '0' : k}"/>`.repeat(10)}</node>`,
  ).join('');
  const good = dae();
  test.each([
    [
      'a number of numbers',
      good.replace('count="12"', 'count="99"'),
      /^t\.dae:2: <float_array> states 99 numbers, it has 12$/,
    ],
    ['NaN', good.replace('0 0 0 3', '0 0 0 NaN'), /^t\.dae:2: triangle 1 of <triangles>: z of vertex 3 is "NaN"/],
    ['a decimal comma', good.replace('1 0 0', '0,5 0 0'), /^t\.dae:2: triangle 0 .*: x of vertex 1 is "0,5"/],
    ['an overflow', good.replace('1 0 0', '1e999 0 0'), /^t\.dae:2: triangle 0 .*: x of vertex 1 is "1e999"/],
    ['a hexadecimal number', good.replace('1 0 0', '0x1 0 0'), /^t\.dae:2: triangle 0 .*"0x1"/],
    [
      'NaN that no triangle uses',
      dae({ positions: '0 0 0 1 0 0 0 2 0 0 0 3 nan 0 0' }),
      /^t\.dae:2: x of vertex 4 is "nan"/,
    ],
    [
      'an index',
      good.replace('1 2 3</p>', '1 2 4</p>'),
      /^t\.dae:5: <p> triangle 3: index 4 is out of range, there are 4 vertices$/,
    ],
    ['a negative index', good.replace('1 2 3</p>', '1 2 -1</p>'), /^t\.dae:5: .*triangle 3: index -1 is out of range/],
    [
      'a long index',
      good.replace('1 2 3</p>', '1 2 9007199254740993</p>'),
      /^t\.dae:5: "9007199254740993" in <p> \(index 11\)/,
    ],
    ['an index with exponent', good.replace('1 2 3</p>', '1 2 3e0</p>'), /^t\.dae:5: "3e0" in <p>/],
    ['half a triangle', good.replace('1 2 3</p>', '1 2</p>'), /^t\.dae:5: <p> has 11 vertices, not a multiple of 3$/],
    [
      'half a vertex',
      good.replace('offset="0"/>', 'offset="0"/><input semantic="NORMAL" offset="4"/>'),
      /^t\.dae:5: <p> has 12 numbers, not a multiple of 5$/,
    ],
    [
      'missing triangles',
      good.replace('<triangles count="4"', '<triangles count="5"'),
      /^t\.dae:5: <triangles> has count 5, but only 4 of them$/,
    ],
    [
      'a polygon too few',
      dae({ primitives: primitive('polylist', `<vcount>3 3 3 3</vcount><p>${faceList}</p>`, 5) }),
      /^t\.dae:5: <polylist> has count 5, but only 4 of them$/,
    ],
    [
      'polygons too long',
      dae({ primitives: primitive('polylist', `<vcount>400000000</vcount><p>${faceList}</p>`) }),
      /^t\.dae:5: <polylist> has 400000000 vertices by its <vcount>, 12 in its <p>$/,
    ],
    [
      'an index of a polygon',
      dae({ primitives: primitive('polylist', '<vcount>3 3</vcount><p>0 1 2 1 2 8</p>') }),
      /^t\.dae:5: <p> polygon 1: index 8 is out of range/,
    ],
    [
      'an index of a hole',
      dae({ primitives: primitive('polygons', '<p>0 1 2</p><ph><p>0 1 2</p><h>1 2 9</h></ph>') }),
      /^t\.dae:5: <h> polygon 1: index 9/,
    ],
    ['a stride', good.replace('stride="3"', 'stride="9e9"'), /^t\.dae:3: stride of <accessor> is "9e9"/],
    ['a stride of two', good.replace('stride="3"', 'stride="2"'), /^t\.dae:3: stride of <accessor> is 2/],
    [
      'an accessor too long',
      good.replace('count="4" stride', 'count="5" stride'),
      /^t\.dae:3: <accessor> needs 15 numbers, <float_array> has 12$/,
    ],
    [
      'an id',
      good.replace('source="#v"', 'source="#w"'),
      /^t\.dae:5: source of <input> is "#w": no <vertices> has that id$/,
    ],
    ['an array', good.replace('source="#a"', 'source="#b"'), /^t\.dae:3: source of <accessor> is "#b"/],
    [
      'a geometry',
      good.replace('url="#g"', 'url="#h"'),
      /^t\.dae:9: url of <instance_geometry> is "#h": no <geometry>/,
    ],
    [
      'another file',
      good.replace('url="#g"', 'url="arm.dae#g"'),
      /^t\.dae:9: .*"arm\.dae#g": references to other files are not supported$/,
    ],
    ['a scene', good.replace('url="#c"', 'url="#d"'), /^t\.dae:11: .*no <visual_scene>/],
    [
      'one of several scenes',
      good.replace(/<scene>.*<\/scene>/, '').replace('</library_vis', '<visual_scene/></library_vis'),
      /no <scene> that selects one of 2 visual scenes/,
    ],
    ['a brep', good.replace(/mesh>/g, 'brep>'), /^t\.dae:2: this <geometry> has no <mesh>/],
    ['an unknown primitive', dae({ primitives: '<patches/>' }), /^t\.dae:5: <patches> in a <mesh> is not supported/],
    [
      'an unknown instance',
      dae({ node: '<instance_joint url="#g"/>' }),
      /^t\.dae:9: <instance_joint> in <node> is not supported/,
    ],
    [
      '<skew>',
      dae({ node: '<skew>0 1 0 0 0 1 0</skew><instance_geometry url="#g"/>' }),
      /^t\.dae:9: <skew> of a node with geometry/,
    ],
    [
      '<lookat>',
      dae({ node: '<lookat>0 0 0 1 0 0 0 0 1</lookat><instance_geometry url="#g"/>' }),
      /^t\.dae:9: <lookat>/,
    ],
    [
      'a perspective',
      dae({ node: '<matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 2</matrix><instance_geometry url="#g"/>' }),
      /^t\.dae:9: the last row of <matrix> is 0 0 0 2/,
    ],
    [
      'a short matrix',
      dae({ node: '<matrix>1 0 0</matrix><instance_geometry url="#g"/>' }),
      /^t\.dae:9: <matrix> has 3 numbers, it must have 16$/,
    ],
    [
      'a bad matrix',
      dae({ node: '<translate>0 nan 0</translate><instance_geometry url="#g"/>' }),
      /^t\.dae:9: "nan" in <translate>/,
    ],
    [
      'an axis',
      dae({ node: '<rotate>0 0 0 45</rotate><instance_geometry url="#g"/>' }),
      /^t\.dae:9: the axis of <rotate> is 0 0 0/,
    ],
    [
      'a scale that overflows',
      dae({ node: '<scale>1e308 1e308 1e308</scale><instance_geometry url="#g"/>' }),
      /^t\.dae:2: a coordinate of triangle 0 .* Infinity/,
    ],
    ['a unit', dae({ unit: '0,01' }), /^t\.dae:1: meter of <unit> is "0,01"/],
    ['a unit of 0', dae({ unit: '0' }), /^t\.dae:1: meter of <unit> is "0"/],
    ['another unit', dae({ node: '<asset><unit meter="2"/></asset>' }), /^t\.dae:9: its <unit> differs/],
    ['an old version', good.replace('1.4.1', '1.3.0'), /^t\.dae:1: version of <COLLADA> is "1\.3\.0"/],
    [
      'many nodes',
      dae({ ...nodes(`<node id="n0"/>${tenfold}`), node: '<instance_node url="#n9"/>' }),
      /^t\.dae:7: <node> places more than 100000 nodes/,
    ],
    [
      'many triangles',
      dae({
        ...nodes(`<node id="n0">${'<instance_geometry url="#g"/>'.repeat(500)}</node>${tenfold}`),
        node: '<instance_node url="#n4"/>',
      }),
      /^t\.dae:[79]: <\w+> places more than/,
    ],
    [
      'a circle of nodes',
      dae({
        ...nodes('<node id="x"><node><instance_node url="#x"/></node></node>'),
        node: '<instance_node url="#x"/>',
      }),
      /^t\.dae:7: this node instances itself/,
    ],
    [
      'a circle of skins',
      dae({
        libraries: '<library_controllers><controller id="k"><skin source="#k"/></controller></library_controllers>',
        node: '<instance_controller url="#k"/>',
      }),
      /^t\.dae:7: this node instances itself/,
    ],
    ['lines alone', dae({ primitives: primitive('lines', '<p>0 1</p>') }), /no triangles/],
    ['entities', good.replace('<COLLADA', '<!DOCTYPE x [<!ENTITY a "b">]><COLLADA'), /DOCTYPE/],
    ['the end', good.replace('</COLLADA>', ''), /XML/],
  ])('%s', async (_, text, expected) => {
    const answer = await read(text).catch((error: unknown) => error);
    assert.instanceOf(answer, InputError);
    assert.match((answer as InputError).message, expected);
  });
});
