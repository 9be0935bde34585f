import { describe, expect, test } from 'vitest';
import { robotAllowedPairs } from '../../../../src/core/scene/allowedCollisions.ts';
import { readMjcf } from '../../../../src/formats/robots/mjcf/mjcf.ts';
import { memoryAccess, refusalOf, robotOf } from '../readRobots.ts';
import { chained } from '../rigid.ts';

const read = (text: string) => robotOf(readMjcf, text);
const refused = (text: string) => refusalOf(readMjcf, text);
const world = (bodies: string, before = '') =>
  `<mujoco model="m">${before}\n<worldbody>\n${bodies}\n</worldbody></mujoco>`;
/** The shapes of link b. */
const shapesOf = async (geoms: string, before = '') => {
  const robot = await read(world(`<body name="b">${geoms}</body>`, before));
  return robot.links.find(({ name }) => name === 'b')!.collisions;
};

describe('geoms', () => {
  test('state half lengths', async () => {
    const geoms = `<geom size="0.1"/><geom type="capsule" size="0.1 0.2"/><geom type="ellipsoid" size="1 2 3"/>
      <geom type="capsule" size="0.1" fromto="0 0 0 0 0 4"/><geom type="box" size="0.1" fromto="1 0 0 3 0 0"/>`;
    const shapes = await shapesOf(geoms);
    expect(shapes.map(({ shape }) => shape)).toEqual([
      { type: 'sphere', radius: 0.1 },
      { type: 'capsule', radius: 0.1, length: 0.4 },
      { type: 'ellipsoid', radii: [1, 2, 3] },
      { type: 'capsule', radius: 0.1, length: 4 },
      { type: 'box', size: [0.2, 0.2, 2] },
    ]);
    expect(shapes[3].pose.xyz).toEqual([0, 0, 2]);
    expect(shapes[4].pose.xyz).toEqual([2, 0, 0]);
  });

  test('that state fewer sizes than their defaults inherit the others, as in MuJoCo', async () => {
    const defaults = `<default><geom type="box" size="0.1 0.2 0.3"/><default class="k"><geom size="0.4"/></default></default>`;
    const shapes = await shapesOf('<geom size="0.5"/><geom size="0.5 0.6"/><geom class="k"/>', defaults);
    expect(shapes.map(({ shape }) => shape)).toEqual([
      { type: 'box', size: [1, 0.4, 0.6] },
      { type: 'box', size: [1, 1.2, 0.6] },
      { type: 'box', size: [0.8, 0.4, 0.6] },
    ]);
  });

  test('collide unless contype and conaffinity are both 0', async () => {
    const masks = ['', 'contype="0"', 'conaffinity="0"', 'contype="0" conaffinity="0"'];
    expect(await shapesOf(masks.map((mask) => `<geom size="1" ${mask}/>`).join(''))).toHaveLength(3);
  });

  test('of a <pair> collide regardless of their masks, and of an <exclude> of their bodies', async () => {
    const masks = 'contype="0" conaffinity="0"';
    const bodies = `<body name="a"><geom name="x" size="1" ${masks}/><geom size="2" ${masks}/></body>
      <body name="b"><frame><geom name="y" size="3" ${masks}/></frame></body>`;
    const contact = (text: string) => world(bodies).replace('</mujoco>', `<contact>${text}</contact></mujoco>`);
    const robot = await read(contact('<exclude body1="b" body2="a"/><pair geom1="x" geom2="y" condim="1"/>'));
    expect(robot.links.map(({ collisions }) => collisions.map(({ shape }) => shape['radius']))).toEqual([[], [1], [3]]);
    expect(robot.allowed).toEqual([]);
    expect(robot.warnings.join()).toContain('"b" and "a" are checked all the same');
    expect((await read(contact('<exclude body1="b" body2="a"/>'))).allowed).toHaveLength(1);
    expect(await refused(contact('<pair geom1="x" geom2="z"/>'))).toContain('pair: there is no geom "z"');
    expect(await refused(contact('<pair geom1="x"/>'))).toContain('geom1 and geom2 are both needed');
  });

  test('of the world collide with the links that move in it, and with a base only if it moves', async () => {
    const pairs = async (bodies: string, contact = '') => {
      const text = world(`<geom size="1"/>${bodies}`).replace('</mujoco>', `${contact}</mujoco>`);
      return robotAllowedPairs(await read(text)).list();
    };
    const ball = '<geom size="1"/>';
    const inner = `<body name="c"><joint axis="1 0 0"/>${ball}</body>`;
    expect(await pairs(`<body name="b"><joint/><joint axis="1 0 0" pos="1 1 1"/>${ball}${inner}</body>`)).toEqual([
      ['b', 'c', 'Adjacent'],
    ]);
    expect(await pairs(`<body name="b"><body name="d"><joint/><body name="c">${ball}</body></body></body>`)).toEqual(
      [],
    );
    expect(await pairs(`<body name="b">${ball}${inner}</body>`)).toEqual([
      ['world', 'b', 'Adjacent'],
      ['b', 'c', 'Adjacent'],
    ]);
    const flag = '<option><flag filterparent="disable"/></option>';
    expect(await pairs(`<body name="b">${ball}${inner}</body>`, flag)).toEqual([['world', 'b', 'Adjacent']]);
    const exclude = '<contact><exclude body1="world" body2="b"/></contact>';
    expect(await pairs(`<body name="b"><joint/>${ball}</body>`, exclude)).toEqual([['world', 'b', 'exclude']]);
  });

  test('of a <pair> collide also if their bodies are neighbours', async () => {
    const ball = (name: string) => `<geom name="${name}" size="1"/>`;
    const bodies = `${ball('x')}<body name="b">${ball('y')}<body name="c"><joint/>${ball('z')}</body></body>`;
    const pairs = async (contact: string) => {
      const text = world(bodies).replace('</mujoco>', `<contact>${contact}</contact></mujoco>`);
      return robotAllowedPairs(await read(text)).list();
    };
    const base = ['world', 'b', 'Adjacent'];
    expect(await pairs('')).toEqual([base, ['b', 'c', 'Adjacent']]);
    expect(await pairs('<pair geom1="z" geom2="y"/>')).toEqual([base]);
    expect(await pairs('<pair geom1="y" geom2="x"/>')).toEqual([['b', 'c', 'Adjacent']]);
  });

  test('of the visible groups are the visual geometry', async () => {
    const text = world(
      '<body name="b"><geom size="1" group="3"/><geom size="2" group="2" contype="0" conaffinity="0"/></body>',
    );
    const radii = async (geometry: 'collision' | 'visual') =>
      (await robotOf(readMjcf, text, {}, geometry)).links[1].collisions.map(({ shape }) => shape['radius']);
    expect(await radii('collision')).toEqual([1]);
    expect(await radii('visual')).toEqual([2]);
  });

  test('whose masks exclude each other are checked, with a warning', async () => {
    const { warnings } = await read(
      world('<body><geom size="1" contype="2"/><body><geom size="1" contype="4"/></body></body>'),
    );
    expect(warnings.join()).toContain('contype and conaffinity exclude pairs');
  });

  const bad: [string, string, string][] = [
    ['a plane that a joint moves', '<joint/><geom type="plane" size="1 1 1"/>', 'a plane that a joint moves'],
    ['a height field', '<geom type="hfield" hfield="h"/>', 'geoms of type hfield are not supported'],
    ['a primitive fitted to a mesh', '<geom type="box" mesh="m"/>', 'a box that is fitted to a mesh'],
    ['a mesh that is not there', '<geom type="mesh" mesh="m"/>', 'there is no mesh "m"'],
    ['an element in it', '<geom size="1"><geom size="2"/></geom>', '<geom> has no meaning in <geom>'],
    ['a mesh with fromto', '<geom type="mesh" mesh="m" fromto="0 0 0 0 0 1"/>', 'fromto of a mesh'],
    ['too few sizes', '<geom type="box" size="1 2"/>', 'size of the box is "1 2", it needs 3 numbers'],
    ['a size of 0', '<geom size="0"/>', 'greater than 0'],
    ['an unknown type', '<geom type="sphrere" size="1"/>', 'Did you mean "sphere"'],
    ['an unknown attribute', '<geom typ="box" size="1 1 1"/>', 'Did you mean "type"'],
    ['pos and fromto', '<geom type="capsule" size="1" pos="0 0 0" fromto="0 0 0 1 1 1"/>', 'pos and fromto'],
    ['two ends in one place', '<geom type="capsule" size="1" fromto="1 1 1 1 1 1"/>', 'coincide'],
    ['two orientations', '<geom size="1" quat="1 0 0 0" euler="0 0 0"/>', '2 times: euler, quat'],
    ['an orientation without a direction', '<geom size="1" zaxis="0 0 0"/>', 'no orientation'],
    ['a coordinate beyond the bound', '<geom size="1" pos="0 0 1e8"/>', 'exceeds the bound'],
  ];
  test.each(bad)('%s: refused with the line', async (_, geom, message) => {
    const text = await refused(world(`<body name="b">${geom}</body>`));
    expect(text).toContain(message);
    expect(text).toMatch(/^r.xml:3: /);
  });
});

describe('meshes', () => {
  const mesh = (attributes: string) => `<asset><mesh name="m" ${attributes}/></asset>`;
  const geom = '<geom type="mesh" mesh="m" pos="0 0 1"/>';
  /** The vertices of the shape in the frame of the body, sorted. */
  const verticesOf = async (attributes: string) => {
    const [{ shape, pose }] = await shapesOf(geom, mesh(attributes));
    const { q, t } = { q: pose.quat_wxyz, t: pose.xyz };
    const points = (shape['points'] as number[][]).map((p) => chained({ q, t }, { q: [1, 0, 0, 0], t: p }).t);
    return points.map((p) => p.map((x) => Math.round(x * 1e9) / 1e9 + 0)).sort();
  };
  const TETRA = '0 0 0 1 0 0 0 1 0 0 0 1';

  test('have the vertices of the file or the model: minus refpos, turned back by refquat, then scaled', async () => {
    const turned = 'refpos="1 0 0" refquat="1 0 0 1" scale="2 2 2"'; // a quarter turn about z
    // (0,0,0) − (1,0,0) = (−1,0,0), turned back by a quarter: (0,1,0), times 2; plus the pos of the geom.
    const expected = [
      [0, 0, 1],
      [0, 2, 1],
      [0, 2, 3],
      [2, 2, 1],
    ];
    expect(await verticesOf(`file="a.obj" ${turned}`)).toEqual(expected);
    expect(await verticesOf(`vertex="${TETRA}" ${turned}`)).toEqual(expected);
    expect(await verticesOf(`vertex="${TETRA}" refpos="1 0 0" refquat="1 0 0 1" scale="1 2 3"`)).toEqual([
      [0, 0, 1],
      [0, 2, 1],
      [0, 2, 4],
      [1, 2, 1],
    ]);
  });

  test('are named by their file, which lies in meshdir', async () => {
    const text = world(
      '<body><geom type="mesh" mesh="arm"/></body>',
      '<compiler meshdir="m/"/><asset><mesh file="x/arm.stl"/></asset>',
    );
    const { meshes } = await readMjcf(text, 'r.xml', {
      geometry: 'collision',
      args: {},
      files: memoryAccess(),
    });
    expect(meshes).toEqual([{ address: 'm/x/arm.stl', line: 3, link: 'body_1' }]);
  });

  test('of an included file may lie beside that file', async () => {
    const asset = '<mujocoinclude><asset><mesh name="m" file="t.stl"/></asset></mujocoinclude>';
    const text = world(`<body>${geom}</body>`, '<include file="sub/a.xml"/>');
    const addressOf = async (files: Readonly<Record<string, string>>) => {
      const reading = {
        geometry: 'collision',
        args: {},
        files: memoryAccess({ 'sub/a.xml': asset, ...files }),
      } as const;
      return (await readMjcf(text, 'r.xml', reading)).meshes[0].address;
    };
    expect(await addressOf({ 'sub/t.stl': '' })).toBe('sub/t.stl');
    expect(await addressOf({ 'sub/t.stl': '', 't.stl': '' })).toBe('t.stl');
  });

  test('with refquat and different scales are refused, since the two do not commute', async () => {
    expect(
      await refused(world(`<body>${geom}</body>`, mesh('file="a.obj" refquat="1 0 0 1" scale="1 2 3"'))),
    ).toContain('refquat');
    expect(await refused(world(`<body>${geom}</body>`, mesh('builtin="sphere" params="1"')))).toContain(
      'built-in meshes',
    );
  });
});

test('mocap bodies with a joint, or inside another body, are refused', async () => {
  const joint = '<body name="b" mocap="true">\n<frame><joint name="j"/></frame><geom size="1"/></body>';
  expect(await refused(world(joint))).toContain('body "b": it is a mocap body and has a joint');
  const inner = '<body name="a"><geom size="1"/>\n<body name="b" mocap="true"><geom size="1"/></body></body>';
  expect(await refused(world(inner))).toContain('body "b": it is a mocap body inside another body');
});
