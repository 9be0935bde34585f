import { assert, describe, expect, test } from 'vitest';
import { poseOfTransform } from '../../../../src/core/kinematics/pose.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { readSdf } from '../../../../src/formats/robots/sdf/sdf.ts';
import { memoryAccess, posesOf, refusalOf, robotOf } from '../readRobots.ts';
import { poseDifference } from '../rigid.ts';
import { randomSdf } from './randomSdf.ts';

const read = (text: string, files: Readonly<Record<string, string>> = {}) => robotOf(readSdf, text, files);
const refused = (text: string, files: Readonly<Record<string, string>> = {}) => refusalOf(readSdf, text, files);
const model = (parts: string, version = '1.9') =>
  `<sdf version="${version}"><model name="m">\n${parts}\n</model></sdf>`;
const LINKS = '<link name="a"/><link name="b"><pose>0 0 1 0 0 0</pose></link>';
const joint = (content: string, type = 'revolute') =>
  `<joint name="j" type="${type}"><parent>a</parent><child>b</child>${content}</joint>`;
const Z = '<xyz>0 0 1</xyz>';
const shape = (geometry: string) =>
  model(`<link name="a"><collision name="c"><geometry>${geometry}</geometry></collision></link>`);
const xyzOf = async (text: string, link: string, files: Readonly<Record<string, string>> = {}) =>
  poseOfTransform(posesOf(await read(text, files), {}).get(link)!).xyz.map((x) => Math.round(x * 1e12) / 1e12 + 0);

describe('the pose of every link', () => {
  test('is that of 60 random models with frames, relative poses and joint frames of their own', async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const { text, joints, poses } = randomSdf(seed);
      const robot = await read(text);
      const random = new Random(seed, 1);
      const values = Object.fromEntries(joints.map((name) => [name, random.between(-3, 3)]));
      const found = posesOf(robot, values);
      for (const [name, pose] of poses(values))
        assert.isBelow(poseDifference(pose, found.get(name)!), 1e-12, `seed ${seed}, link ${name}\n${text}`);
    }
  });

  test('leaves out the pose of the model', async () => {
    expect(await xyzOf(model('<pose>5 5 5 1 1 1</pose><link name="a"><pose>1 2 3 0 0 0</pose></link>'), 'a')).toEqual([
      1, 2, 3,
    ]);
  });

  test('of a nested model is that of its placement frame; names of its parts begin with its name', async () => {
    const nested = `<link name="base"/><model name="arm" placement_frame="foot"><pose>0 0 2 0 0 0</pose>
      <link name="foot"><pose>1 0 0 0 0 0</pose></link><link name="hand"><pose relative_to="foot">0 0 1 0 0 0</pose></link>
      <joint name="j" type="revolute"><parent>foot</parent><child>hand</child><axis>${Z}</axis></joint></model>
      <joint name="t" type="fixed"><parent>base</parent><child>arm::foot</child></joint>`;
    expect(await xyzOf(model(nested), 'arm::foot')).toEqual([0, 0, 2]);
    expect(await xyzOf(model(nested), 'arm::hand')).toEqual([0, 0, 3]);
    const robot = await read(model(nested));
    expect(robot.joints.map(({ name }) => name)).toEqual(['t', 'arm::j']);
  });

  test('joints may hold frames and models: the link is the one to which they are attached', async () => {
    const text = `<link name="a"/><frame name="f" attached_to="a"/><model name="n"><link name="x"/><frame name="g" attached_to="x"/></model>
      <joint name="j" type="revolute"><parent>f</parent><child>n</child><axis>${Z}</axis></joint>`;
    expect((await read(model(text))).joints[0]).toMatchObject({ parent: 'a', child: 'n::x' });
  });
});

describe('joints', () => {
  const jointOf = async (content: string, type?: string, version?: string) =>
    (await read(model(`${LINKS}${joint(content, type)}`, version))).joints[0];

  test('without finite limits turn without end; infinite and huge limits are none', async () => {
    expect(await jointOf(`<axis>${Z}</axis>`)).toMatchObject({ type: 'continuous' });
    for (const bound of ['inf', '1e16', '1e20'])
      expect(
        await jointOf(`<axis>${Z}<limit><lower>-${bound}</lower><upper>${bound}</upper></limit></axis>`),
      ).toMatchObject({ type: 'continuous' });
    const limited = await jointOf(
      `<axis>${Z}<limit><lower>-1</lower><upper>2</upper><velocity>3</velocity><effort>-1</effort></limit></axis>`,
    );
    expect(limited).toMatchObject({ type: 'revolute', lower: -1, upper: 2, velocity: 3 });
    expect(limited.effort).toBeUndefined();
  });

  test('have their axis in the joint frame, before 1.5 in that of the model', async () => {
    const turned = '<link name="a"/><link name="b"><pose>0 0 0 0 0 1.5707963267948966</pose></link>';
    const axisOf = async (version: string, more = '') => {
      const { joints } = await read(model(`${turned}${joint(`<axis><xyz>1 0 0</xyz>${more}</axis>`)}`, version));
      return joints[0].axis.map((x) => Math.round(x * 1e12) / 1e12 + 0);
    };
    expect(await axisOf('1.4')).toEqual([0, -1, 0]); // the x axis of the model in the turned link
    expect(await axisOf('1.5')).toEqual([1, 0, 0]);
    expect(await axisOf('1.6', '<use_parent_model_frame>true</use_parent_model_frame>')).toEqual([0, -1, 0]);
    expect(await axisOf('1.7', '<use_parent_model_frame>true</use_parent_model_frame>')).toEqual(
      await axisOf('1.7', ''),
    );
    expect(await axisOf('1.10')).toEqual([1, 0, 0]);
  });

  test('that mimic others subtract the reference', async () => {
    const text = `<link name="a"/><link name="b"/><link name="c"/>${joint(`<axis>${Z}</axis>`)}<joint name="k" type="prismatic"><parent>a</parent><child>c</child>
      <axis>${Z}<mimic joint="j"><multiplier>2</multiplier><offset>0.1</offset><reference>0.25</reference></mimic></axis></joint>`;
    expect((await read(model(text))).joints[1].mimic).toEqual({ joint: 'j', multiplier: 2, offset: -0.4 });
  });

  test('may be held by the world; links that no joint holds stand at their poses', async () => {
    const held =
      '<link name="a"><pose>1 0 0 0 0 0</pose></link><link name="b"><pose>0 2 0 0 0 0</pose></link><joint name="w" type="fixed"><parent>world</parent><child>a</child></joint>';
    const robot = await read(model(held));
    expect(robot.root).toBe('world');
    expect(await xyzOf(model(held), 'b')).toEqual([0, 2, 0]);
    expect((await read(model('<link name="a"/>'))).root).toBe('a');
  });

  const bad: [string, string, string][] = [
    ['universal', joint('', 'universal'), 'universal joints are not supported'],
    ['revolute2', joint('', 'revolute2'), 'revolute2 joints are not supported'],
    ['a misspelled type', joint('', 'revolut'), 'Did you mean "revolute"'],
    ['no axis', joint(''), 'needs an <axis>'],
    ['an axis of length 0', joint('<axis><xyz>0 0 0</xyz></axis>'), 'has no direction'],
    [
      'reversed limits',
      joint(`<axis>${Z}<limit><lower>2</lower><upper>1</upper></limit></axis>`),
      '<lower>1</lower> <upper>2</upper>',
    ],
    ['a misspelled limit', joint(`<axis>${Z}<limit><lowr>2</lowr></limit></axis>`), 'Did you mean <lower>'],
    ['limits in a wrong place', joint(`<axis>${Z}</axis><limit/>`), '<limit> has no meaning in <joint>'],
    ['an unknown leader', joint(`<axis>${Z}<mimic joint="k"/></axis>`), 'mimics "k", which is not a joint'],
    ['itself as the leader', joint(`<axis>${Z}<mimic joint="j"/></axis>`), 'cannot mimic itself'],
    ['an unknown child', joint('').replace('>b<', '>c<'), 'no link, joint, frame or model "c"'],
    ['the same link at both ends', joint(`<axis>${Z}</axis>`).replace('>b<', '>a<'), 'connects link "a" to itself'],
    ['no parent', joint(`<axis>${Z}</axis>`).replace('<parent>a</parent>', ''), 'there is no <parent>'],
    [
      'a link that has a joint already',
      `${joint(`<axis>${Z}</axis>`)}${joint(`<axis>${Z}</axis>`).replace('"j"', '"k"')}`,
      'also the child of joint "j"',
    ],
    [
      'a loop',
      `${joint(`<axis>${Z}</axis>`)}<joint name="k" type="fixed"><parent>b</parent><child>a</child></joint>`,
      'these links form a loop',
    ],
  ];
  test.each(bad)('with %s are refused with the line', async (_, parts, message) => {
    const text = await refused(model(`${LINKS}\n${parts}`));
    expect(text).toContain(message);
    expect(text).toMatch(/^r.xml:[23]: /);
  });
});

describe('frames', () => {
  test.each([
    [
      '<frame name="f"><pose relative_to="g"/></frame>\n<frame name="g"><pose relative_to="f"/></frame>',
      'relative to each other: "f", "g"',
    ],
    ['<frame name="f" attached_to="f"/>', 'relative to each other: "f"'],
    [
      '<frame name="f" attached_to="g"><pose relative_to="a"/></frame><frame name="g" attached_to="f"><pose relative_to="a"/></frame>',
      'attached to each other: "f", "g"',
    ],
    ['<frame name="f"><pose relative_to="mont"/></frame>', 'no link, joint, frame or model "mont"'],
    ['<frame name="f"><pose relativ_to="a"/></frame>', 'Did you mean relative_to?'],
    ['<frame name="a"/>', 'a link has the same name'],
    ['<frame name="__f__"/>', 'reserved'],
    ['<frame name="f"><pose>1 2 3</pose></frame>', '<pose> has 3 numbers'],
    ['<frame name="f"><pose rotation_format="quat_xyzw">0 0 0 0 0 0 0</pose></frame>', 'is no rotation'],
    ['<frame name="f"><pose rotation_format="euler">0 0 0 0 0 0</pose></frame>', 'Use one of: euler_rpy, quat_xyzw.'],
  ])('%s: refused with the line', async (frame, message) => {
    const text = await refused(model(`<link name="a"/>\n${frame}`));
    expect(text).toContain(message);
    expect(text).toMatch(/^r.xml:3: /);
  });
});

describe('geometry', () => {
  test('of every kind that is supported', async () => {
    const geometries: [string, object][] = [
      ['<box><size>1 2 3</size></box>', { type: 'box', size: [1, 2, 3] }],
      ['<sphere><radius>1</radius></sphere>', { type: 'sphere', radius: 1 }],
      ['<cylinder><radius>1</radius><length>2</length></cylinder>', { type: 'cylinder', radius: 1, length: 2 }],
      ['<capsule><radius>1</radius><length>2</length></capsule>', { type: 'capsule', radius: 1, length: 2 }],
      ['<cone><radius>1</radius><length>2</length></cone>', { type: 'cone', radius: 1, length: 2 }],
      ['<ellipsoid><radii>1 2 3</radii></ellipsoid>', { type: 'ellipsoid', radii: [1, 2, 3] }],
      ['<plane><normal>0 1 0</normal></plane>', { type: 'halfspace', normal: [0, 1, 0] }],
    ];
    for (const [text, expected] of geometries)
      expect((await read(shape(text))).links[0].collisions[0].shape).toEqual(expected);
    expect((await read(shape('<empty/>'))).links[0].collisions).toEqual([]);
  });

  test('may be posed relative to any frame of the model', async () => {
    const text = `<frame name="f"><pose>1 0 0 0 0 0</pose></frame><link name="a"><pose>0 3 0 0 0 0</pose>
      <collision name="c"><pose relative_to="f">0 0 1 0 0 0</pose><geometry><sphere><radius>1</radius></sphere></geometry></collision></link>`;
    expect((await read(model(text))).links.find(({ name }) => name === 'a')!.collisions[0].pose.xyz).toEqual([
      1, -3, 1,
    ]);
  });

  test.each([
    ['<box><size>1 0 1</size></box>', 'must be greater than 0'],
    ['<box/>', '<box> has no <size>'],
    ['<bx/>', 'unknown geometry <bx>'],
    ['<heightmap/>', '<heightmap> is not supported'],
    ['<mesh><uri>a.stl</uri><submesh><name>s</name></submesh></mesh>', '<submesh> is not supported'],
    ['<mesh><uri>a.stl</uri><scale>1 0 1</scale></mesh>', 'no factor may be 0'],
    ['', 'its <geometry> is empty'],
    ['<box><size>1 1 1</size></box><sphere/>', 'a <geometry> has two shapes'],
  ])('%s is refused', async (geometry, message) => {
    expect(await refused(shape(geometry))).toContain(message);
  });

  test('of a link that a joint moves is no plane', async () => {
    const plane = '<collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision>';
    const text = `<link name="a">${plane}</link><link name="b">\n${plane}</link>${joint(`<axis>${Z}</axis>`)}`;
    expect(await refused(model(text))).toMatch('r.xml:3: link "b": a plane that a joint moves is not supported');
  });
});

describe('included models', () => {
  const part =
    '<sdf version="1.6"><model name="p">\n<pose>0 0 9 0 0 0</pose><link name="l"><collision name="c"><geometry><mesh><uri>m.stl</uri></mesh></geometry></collision></link></model></sdf>';
  const files = { 'part/model.config': '<model><sdf version="1.6">part.sdf</sdf></model>', 'part/part.sdf': part };
  const include = (content: string) => model(`<link name="a"/>\n<include>${content}</include>`);

  test('are nested models of the stated name and pose', async () => {
    const text = include('<uri>model://part</uri><name>n</name><pose>1 0 0 0 0 0</pose>');
    expect(await xyzOf(text, 'n::l', files)).toEqual([1, 0, 0]);
    expect(await xyzOf(include('<uri>model://part</uri>'), 'p::l', files)).toEqual([0, 0, 9]);
  });

  test('refer to meshes relative to their own file', async () => {
    const reading = { geometry: 'collision', args: {}, files: memoryAccess(files) } as const;
    const { meshes } = await readSdf(include('<uri>model://part</uri>'), 'r.xml', reading);
    expect(meshes).toEqual([{ address: 'model://part/m.stl', line: 2, link: 'p::l', file: 'part/part.sdf' }]);
    const { meshes: relative } = await readSdf(include('<uri>part/part.sdf</uri>'), 'r.xml', reading);
    expect(relative[0].address).toBe('part/m.stl');
  });

  test.each([
    ['<uri>model://none</uri>', 'package "none" is not known'],
    ['<uri>part/none.sdf</uri>', 'there is no such file'],
    ['<uri>https://fuel.example/m</uri>', 'addresses of this kind are not supported'],
    ['<name>n</name>', 'it has no <uri>'],
    ['<uri>r.xml.sdf</uri>', 'includes itself'],
    ['<uri>model://part</uri><experimental:params/>', '<experimental:params> is not supported'],
  ])('with %s are refused at the include', async (content, message) => {
    const itself = { 'r.xml.sdf': include('<uri>r.xml.sdf</uri>') };
    const text = await refused(include(content), { ...files, ...itself });
    expect(text).toContain(message);
    expect(text).toMatch(/^r.xml(.sdf)?:3: /);
  });
});

describe('links that no joint holds', () => {
  const loose = '<link name="a"/><link name="b"/><link name="c"/>';

  test('stay where they are, with a warning unless the model is static', async () => {
    expect((await read(model(loose))).warnings).toContain('no joint holds links "b", "c": fixed at the stated pose');
    expect((await read(model(`<static>true</static>${loose}`))).warnings.join()).not.toContain('no joint holds');
  });

  test('may rest on what no joint moves, and are checked against the arm', async () => {
    const solid = (name: string) =>
      `<link name="${name}"><collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry></collision></link>`;
    const turning = joint(`<axis>${Z}<limit><lower>-1</lower><upper>1</upper></limit></axis>`);
    const robot = ['a', 'b', 'c', 'd'].map(solid).join('') + turning;
    const { allowed } = await read(model(robot));
    expect(allowed.filter(([, , reason]) => reason === 'Rigid')).toEqual([
      ['a', 'c', 'Rigid'],
      ['a', 'd', 'Rigid'],
      ['c', 'd', 'Rigid'],
    ]);
    const second = turning.replace('"j"', '"k"').replace('>a<', '>c<').replace('>b<', '>d<');
    expect((await read(model(robot + second))).allowed).toEqual([]); // c turns d: it is not a loose object
  });
});

test('the world as a parent is refused if a link of the robot has its name', async () => {
  const nested = `<model name="n"><link name="b"/>${joint('', 'fixed').replace('>a<', '>world<')}</model>`;
  expect((await read(model(`<link name="a"/>${nested}`))).root).toBe('world');
  expect(await refused(model(`<link name="world"/>${nested}`))).toContain('a link of the robot has the name "world"');
});

describe('files', () => {
  test('of another version, and without or with several models, are refused', async () => {
    expect(await refused('<sdf version="2.0"><model name="m"/></sdf>')).toContain('version "2.0" is not supported');
    expect(await refused('<sdf version="1.9"/>')).toContain('there is no <model>');
    expect(await refused('<sdf version="1.9"><model name="m"/>\n<model name="n"/></sdf>')).toMatch(
      'r.xml:2: sdf: there are several models: "m", "n"',
    );
    expect(await refused(model(''))).toContain('there is no <link>');
    expect(await refused('<robot/>')).toContain('the root element is <robot>, not <sdf>');
  });

  test('may hold the model in a world, use prefixes that are not declared, and state what does not matter here', async () => {
    const text =
      '<sdf version="1.9"><world name="w"><model name="m"><link name="a"><my:tag my:x="1"/></link><plugin/></model></world></sdf>';
    const { warnings } = await read(text);
    expect(warnings).toContain('only the model "m" of the world is read');
    expect(warnings).toContain('unsupported elements are ignored: <plugin>');
  });

  test('before 1.7 may give a link and a joint the same name', async () => {
    const text = `<joint name="b" type="revolute"><parent>a</parent><child>b</child><axis>${Z}</axis></joint>${LINKS}`;
    expect((await read(model(text, '1.6'))).joints[0]).toMatchObject({ name: 'b', child: 'b' });
    expect(await refused(model(text, '1.7'))).toContain('a joint has the same name');
  });
});

describe('a merged model', () => {
  const hand = `<sdf version="1.9"><model name="hand"><pose>9 9 9 0 0 0</pose><link name="palm"><pose>0 0 1 0 0 0</pose></link>
    <frame name="tip"><pose>0 0 3 0 0 0</pose></frame><link name="finger"><pose relative_to="palm">0 1 0 0 0 0</pose></link>
    <joint name="f" type="revolute"><parent>palm</parent><child>finger</child><axis>${Z}</axis></joint></model></sdf>`;
  const around = (include: string, parts = '') =>
    model(`<link name="base"><pose>0 0 0 0 0 0</pose></link>\n<include merge="true"><uri>model://hand</uri>${include}</include>
      <joint name="w" type="fixed"><parent>base</parent><child>palm</child></joint><link name="cap"><pose relative_to="tip"/></link>${parts}`);
  const files = { 'hand/model.sdf': hand };

  test('has its parts in the model around it, without a prefix and in the place of the include', async () => {
    const robot = await read(around('<pose>5 0 0 0 0 0</pose>'), files);
    expect(robot.links.map(({ name }) => name).slice(-4)).toEqual(['base', 'palm', 'finger', 'cap']);
    expect(robot.joints.map(({ name }) => name).slice(0, 2)).toEqual(['f', 'w']);
    expect(await xyzOf(around('<pose>5 0 0 0 0 0</pose>'), 'finger', files)).toEqual([5, 1, 1]);
    expect(await xyzOf(around('<pose>5 0 0 0 0 0</pose>'), 'cap', files)).toEqual([5, 0, 3]);
  });

  test('stands at its own pose, or where its placement frame has the stated pose', async () => {
    expect(await xyzOf(around(''), 'palm', files)).toEqual([9, 9, 10]);
    const placed = around('<pose>5 0 0 0 0 0</pose><placement_frame>finger</placement_frame>');
    expect(await xyzOf(placed, 'palm', files)).toEqual([5, -1, 0]);
  });

  test('is refused if a part has the name of another part', async () => {
    expect(await refused(around('', '<frame name="tip"/>'), files)).toContain('frame "tip": there are two parts');
    expect(await refused(around('<name>x</name>', '<link name="palm"/>'), files)).toContain('"palm": there are two');
  });
});
