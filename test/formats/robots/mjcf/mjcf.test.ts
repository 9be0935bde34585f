import { assert, describe, expect, test } from 'vitest';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { poseOfTransform } from '../../../../src/core/kinematics/pose.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { readMjcf } from '../../../../src/formats/robots/mjcf/mjcf.ts';
import { posesOf, refusalOf, robotOf } from '../readRobots.ts';
import { poseDifference } from '../rigid.ts';
import { randomMjcf } from './randomMjcf.ts';

const read = (text: string, files: Readonly<Record<string, string>> = {}) => robotOf(readMjcf, text, files);
const refused = (text: string, files: Readonly<Record<string, string>> = {}) => refusalOf(readMjcf, text, files);
const world = (bodies: string, before = '', after = '') =>
  `<mujoco model="m">${before}\n<worldbody>\n${bodies}\n</worldbody>${after}</mujoco>`;
/** The shapes of link b. */
const shapesOf = async (geoms: string, before = '') => {
  const robot = await read(world(`<body name="b">${geoms}</body>`, before));
  return robot.links.find(({ name }) => name === 'b')!.collisions;
};

describe('the pose of every body', () => {
  test('is that of 60 random models with frames, several joints a body and every form of orientation', async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const model = randomMjcf(seed);
      const robot = await read(model.text);
      const random = new Random(seed, 1);
      const values = Object.fromEntries(model.joints.map((name) => [name, random.between(-3, 3)]));
      assert.deepEqual(
        createRobotModel(robot).variables.map(({ name }) => name),
        model.joints,
        `seed ${seed}`,
      );
      const poses = posesOf(robot, values);
      for (const [name, pose] of model.poses(values))
        assert.isBelow(poseDifference(pose, poses.get(name)!), 1e-12, `seed ${seed}, body ${name}`);
    }
  });

  test('is the stated one when every joint has the value of its ref', async () => {
    const text = world(
      '<body name="b" pos="1 2 3"><joint name="h" pos="0.1 0.2 0.3" axis="1 1 0" ref="40"/><joint name="s" type="slide" ref="0.4"/></body>',
    );
    const { xyz, quat_wxyz } = poseOfTransform(
      posesOf(await read(text), { h: (40 * Math.PI) / 180, s: 0.4 }).get('b')!,
    );
    for (const [i, x] of [1, 2, 3].entries()) assert.approximately(xyz[i], x, 1e-14);
    assert.approximately(quat_wxyz[0], 1, 1e-14);
  });
});

describe('limits', () => {
  const jointOf = async (attributes: string, compiler = '') =>
    (await read(world(`<body name="b"><joint name="j" ${attributes}/></body>`, compiler))).joints[0];

  test('are read if the joint is limited, in degrees unless the compiler states radian', async () => {
    expect(await jointOf('range="-90 45"')).toMatchObject({
      type: 'revolute',
      lower: -Math.PI / 2,
      upper: Math.PI / 4,
    });
    expect(await jointOf('range="-1 0.5"', '<compiler angle="radian"/>')).toMatchObject({ lower: -1, upper: 0.5 });
    expect(await jointOf('range="-1 0.5" type="slide"')).toMatchObject({ type: 'prismatic', lower: -1, upper: 0.5 });
    expect(await jointOf('range="-1 0.5" limited="false"')).toMatchObject({ type: 'continuous' });
    expect((await jointOf('range="0 0" limited="auto"')).lower).toBeUndefined();
  });

  test('without autolimits must be stated', async () => {
    const off = '<compiler autolimits="false"/>';
    expect(await jointOf('range="-90 90" limited="true"', off)).toMatchObject({ type: 'revolute' });
    const text = world('<body><joint name="j" range="1 2"/></body>', off);
    expect(await refused(text)).toMatch('r.xml:3: joint "j": it has a range, and does not state whether it is limited');
  });

  test('that are reversed are refused with the right order', async () => {
    expect(await refused(world('<body><joint name="j" range="90 -90"/></body>'))).toContain('range="-90 90"');
  });
});

describe('defaults', () => {
  const classes = `<default><geom type="box" size="1 1 1"/><joint axis="0 1 0"/>
    <default class="a"><geom size="2 2 2" euler="0 0 90"/><default class="b"><geom type="cylinder"/></default></default></default>`;

  test('are those of the class of the element, else of the nearest childclass, else main; classes inherit', async () => {
    const text = world(
      `<body name="x" childclass="a"><geom/><geom class="main"/><frame childclass="b"><geom/></frame></body>
       <body name="y"><geom/><joint name="j"/></body>`,
      classes,
    );
    const robot = await read(text);
    const [, x, y] = robot.links;
    expect(x.collisions.map(({ shape }) => shape)).toEqual([
      { type: 'box', size: [4, 4, 4] },
      { type: 'box', size: [2, 2, 2] },
      { type: 'cylinder', radius: 2, length: 4 },
    ]);
    expect(y.collisions[0].shape).toEqual({ type: 'box', size: [2, 2, 2] });
    expect(robot.joints.find(({ name }) => name === 'j')!.axis).toEqual([0, 1, 0]);
  });

  test('an inherited Euler angle goes before a quaternion of the element, which goes before nothing else', async () => {
    const half = Math.SQRT1_2;
    const turnOf = async (attributes: string) => (await shapesOf(`<geom ${attributes}/>`, classes))[0].pose.quat_wxyz;
    const about = (q: readonly number[], expected: readonly number[]) => {
      for (const [i, x] of expected.entries()) assert.approximately(q[i], x, 1e-15);
    };
    about(await turnOf('class="a" quat="0 1 0 0"'), [half, 0, 0, half]);
    about(await turnOf('class="main" quat="0 1 0 0"'), [0, 1, 0, 0]);
    about(await turnOf('class="a" axisangle="1 0 0 90"'), [half, half, 0, 0]);
  });

  test('of an unknown class are refused with the nearest name', async () => {
    const text = world('<body><geom class="arms" size="1"/></body>', '<default><default class="arm"/></default>');
    expect(await refused(text)).toMatch(/^r.xml:3: .*"arms"\nDid you mean "arm"/);
    expect(await refused(world('<body childclass="q"/>'))).toContain('there is no default class "q"');
  });
});

describe('joints that follow others, pairs and key frames', () => {
  const two =
    '<body name="a"><joint name="x" ref="30"/><body name="b"><joint name="y" type="slide" ref="0.5"/></body></body>';
  const withSections = (text: string) => world(two, '', text);
  const equality = (attributes: string) => withSections(`<equality><joint ${attributes}/></equality>`);

  test('a linear equality is a mimic joint, in displacements from ref', async () => {
    const { joints } = await read(equality('joint1="y" joint2="x" polycoef="0.1 2 0 0 0"'));
    const { mimic } = joints.find(({ name }) => name === 'y')!;
    expect(mimic).toEqual({ joint: 'x', multiplier: 2, offset: 0.5 + 0.1 - (2 * 30 * Math.PI) / 180 });
  });

  test('other equalities are ignored, and a warning names the joints that stay independent', async () => {
    for (const attributes of ['joint1="y" joint2="x" polycoef="0 1 2"', 'joint1="y" polycoef="1"']) {
      const robot = await read(equality(attributes));
      expect(robot.joints.every(({ mimic }) => mimic === undefined)).toBe(true);
      expect(robot.warnings.join()).toContain('joint "y" moves independently');
    }
    const inactive = await read(equality('joint1="y" joint2="x" active="false"'));
    expect(inactive.joints.every(({ mimic }) => mimic === undefined)).toBe(true);
  });

  test('equalities of bodies are ignored with a warning', async () => {
    const { warnings } = await read(withSections('<equality><connect body1="a" anchor="0 0 0"/></equality>'));
    expect(warnings).toContain('equalities are ignored, <connect>: what they couple moves independently');
  });

  test('excluded bodies are an allowed pair; key frames are named states', async () => {
    const robot = await read(
      withSections(
        '<contact><exclude body1="a" body2="world"/></contact><keyframe><key name="home" qpos="0.1 0.2"/></keyframe>',
      ),
    );
    expect(robot.allowed).toEqual([['a', 'world', 'exclude']]);
    expect(robot.states).toEqual({ home: { x: 0.1, y: 0.2 } });
  });

  test.each([
    ['joint1="y" joint2="z"', 'there is no joint "z"'],
    ['joint1="y" joint2="y"', 'cannot follow itself'],
    ['joint2="y"', 'it has no joint1'],
  ])('an equality with %s is refused', async (attributes, message) => {
    expect(await refused(equality(attributes))).toContain(message);
  });

  test('joints that follow each other are refused', async () => {
    const loop = '<equality><joint joint1="x" joint2="y"/><joint joint1="y" joint2="x"/></equality>';
    expect(await refused(withSections(loop))).toContain('these joints mimic each other: x, y');
  });

  test('an exclude of an unknown body and a key frame of another length are refused', async () => {
    expect(await refused(withSections('<contact><exclude body1="a" body2="c"/></contact>'))).toContain(
      'there is no body "c"',
    );
    expect(await refused(withSections('<keyframe><key name="k" qpos="1"/></keyframe>'))).toContain('it must have 2');
  });
});

describe('includes', () => {
  const limb = '<mujocoinclude>\n<body name="i"><joint name="k"/></body></mujocoinclude>';

  test('are replaced by the contents of the file, anywhere, relative to the main file or else the including one', async () => {
    const files = { 'sub/a.xml': '<mujocoinclude><include file="limb.xml"/></mujocoinclude>', 'sub/limb.xml': limb };
    const robot = await read(world('<body name="b"><include file="sub/a.xml"/></body>'), files);
    expect(robot.joints.find(({ name }) => name === 'k')).toMatchObject({ parent: 'b', child: 'i' });
  });

  test('a problem in an included file names that file', async () => {
    const files = { 'limb.xml': limb.replace('<joint', '<joint axis="0 0 0"') };
    expect(await refused(world('<include file="limb.xml"/>'), files)).toMatch(
      'limb.xml:2: joint "k": its axis is 0 0 0',
    );
  });

  test('of the file itself, twice, or missing are refused at the include', async () => {
    expect(await refused(world('<include file="r.xml"/>'), { 'r.xml': '<mujoco/>' })).toMatch(
      'r.xml:3: <include> r.xml: this file is already included',
    );
    const twice = await refused(world('<include file="l.xml"/>\n<include file="l.xml"/>'), {
      'l.xml': '<mujocoinclude/>',
    });
    expect(twice).toMatch('r.xml:4: <include> l.xml: this file is already included');
    expect(await refused(world('<include file="no.xml"/>'))).toMatch(
      'r.xml:3: <include> no.xml: no.xml: there is no such file',
    );
  });
});

describe('what is not supported', () => {
  test.each([
    ['<body><joint name="hip" type="ball"/><body><joint/></body></body>', 'joint "hip": ball joints are not supported'],
    ['<body><joint name="a"/><body><joint name="b" type="ball"/></body></body>', 'joint "b": ball joints'],
    ['<body><body><joint name="root" type="free"/></body></body>', 'joint "root": a free joint inside another body'],
    ['<body name="b"><freejoint name="f"/><joint/></body>', 'body "b" has a free joint and others'],
    ['<body name="b"><joint type="ball"/><joint type="ball"/></body>', 'body "b" has several ball or free joints'],
    ['<body><freejoint damping="1"/></body>', 'unknown attribute "damping" of <freejoint>'],
    ['<body><freejoint name="j"/></body><body><joint name="j"/></body>', 'there are two joints of this name'],
    ['<replicate count="2"><geom size="1"/></replicate>', '<replicate> is not supported'],
    ['<body><joint><geom size="1"/></joint></body>', '<geom> has no meaning in <joint>'],
    ['<include file="a.xml" prefix="p"/>', 'unknown attribute "prefix" of <include>'],
    ['<body><jont/></body>', 'Did you mean "joint"'],
    ['<joint name="j"/>', 'the world has no joints'],
    ['<body name="a"/><body name="a"/>', 'there are two bodies of this name'],
    ['<body><joint name="j"/><body><joint name="j"/></body></body>', 'there are two joints of this name'],
  ])('%s is refused with the line', async (bodies, message) => {
    const text = await refused(world(bodies));
    expect(text).toContain(message);
    expect(text).toMatch(/^r.xml:3: /);
  });

  test('elements without a meaning here are ignored, with one warning for all of them', async () => {
    const text = world('<body><geom size="1"/><site/><camera/></body>', '<option/>', '<actuator/><sensor/>');
    const { warnings } = await read(text);
    expect(warnings).toEqual([
      'ignored, because they do not matter to motion planning: <actuator>, <sensor>, <site>, <camera>',
    ]);
  });

  test('an unknown section, and settings with another meaning, are refused', async () => {
    expect(await refused(world('', '<compilr/>'))).toContain('Did you mean "compiler"');
    expect(await refused(world('', '<deformable><skin/>\n<flex/></deformable>'))).toContain('<flex> is not supported');
    expect(await refused(world('', '<compiler coordinate="global"/>'))).toContain('global coordinates');
    expect(await refused(world('', '<compiler angle="rad"/>'))).toContain('angle is "rad"');
    expect(await refused(world('', '<compiler eulerseq="xy"/>'))).toContain('eulerseq is "xy"');
  });
});

describe('free joints', () => {
  const arm = '<body name="arm"><joint name="a"/><geom size="0.1"/></body>';
  const loose = (joint: string) => `<body name="ball" pos="0.5 0 0.05">${joint}<geom size="0.05"/></body>`;

  test.each([
    '<freejoint/>',
    '<freejoint name="f" group="2" align="auto"/>',
    '<joint type="free" limited="false"/>',
    '<joint class="free"/>',
  ])('%s of a loose body leaves it at its stated pose, checked, with a warning that names it', async (joint) => {
    const before = '<default><default class="free"><joint type="free"/></default></default>';
    const robot = await read(world(arm + loose(joint), before));
    expect(robot.joints.map(({ name, type }) => [name, type])).toEqual([
      ['a', 'continuous'],
      ['ball weld', 'fixed'],
    ]);
    expect(poseOfTransform(posesOf(robot, { a: 1 }).get('ball')!).xyz).toEqual([0.5, 0, 0.05]);
    expect(robot.links.find(({ name }) => name === 'ball')!.collisions).toHaveLength(1);
    expect(robot.warnings).toEqual([
      'body "ball": it moves freely: it is fixed at its stated pose, and checked like an obstacle (line 3)',
    ]);
  });

  test('a loose body may rest on what no joint moves, and is checked against the arm', async () => {
    const table = '<body name="table" pos="0.5 0 -0.1"><geom type="box" size="0.2 0.2 0.1"/></body>';
    const { allowed } = await read(world(table + arm + loose('<freejoint/>')));
    expect(allowed).toContainEqual(['table', 'ball', 'Rigid']);
    expect(allowed.flat()).not.toContain('arm');
    const onArm = `<body name="cart"><freejoint/><geom size="0.1"/>${arm}</body>`;
    expect((await read(world(table + onArm))).allowed).toEqual([]); // it stands free, and `base` moves it
  });

  test('pairs of loose bodies that may touch stand still in all states, in 100 random models', async () => {
    const random = new Random(39);
    const pick = (...choices: string[]) => choices[Math.floor(random.next() * choices.length)];
    let count = 0;
    const body = (depth: number): string => {
      const name = `b${count++}`;
      const joint = pick('', '', `<joint name="${name}j" type="${pick('hinge', 'slide')}"/>`);
      const held = depth === 0 ? pick('<freejoint/>', joint) : joint;
      const below = depth < 3 ? pick('', body(depth + 1), body(depth + 1) + body(depth + 1)) : '';
      return `<body name="${name}" pos="0.3 ${0.1 * count} 0.2">${held}<geom size="0.1"/>${below}</body>`;
    };
    let pairs = 0;
    for (let k = 0; k < 100; k++) {
      const robot = await read(world(body(0) + body(0) + body(0)));
      const moving = robot.joints.filter(({ type }) => type !== 'fixed').map(({ name }) => name);
      const [from, to] = [0.3, 0.7].map((q) => posesOf(robot, Object.fromEntries(moving.map((name) => [name, q]))));
      for (const [a, b, reason] of robot.allowed) {
        expect(reason).toBe('Rigid');
        for (const name of [a, b]) expect(from.get(name), name).toEqual(to.get(name));
        pairs++;
      }
    }
    expect(pairs).toBeGreaterThan(100);
  });

  test('a free robot is fixed, and the warning names the base of a scene and what would move with it', async () => {
    const robot = (floor: string) => read(world(`${floor}<body name="pelvis"><freejoint/>${arm}</body>`));
    const fixed = 'body "pelvis": it moves freely: it is fixed at its stated pose; `base: {type: floating}` of the ';
    expect((await robot('')).warnings).toEqual([`${fixed}robot in a scene moves it (line 3)`]);
    expect((await robot('<geom size="1"/>')).warnings).toEqual([
      `${fixed}robot in a scene moves it, together with link "world" (line 3)`,
    ]);
  });

  test('key frames have seven values a free joint, which named states leave out', async () => {
    const bodies = `${loose('<freejoint/>')}<body><joint name="p"/></body><body><joint name="q"/></body>`;
    const keys = (qpos: string) => `<keyframe><key name="home" qpos="${qpos}"/></keyframe>`;
    const { states, warnings } = await read(world(bodies, '', keys('1 2 3 1 0 0 0 0.4 0.5')));
    expect(states).toEqual({ home: { p: 0.4, q: 0.5 } });
    expect(warnings.join()).toContain('key frames keep the values of the other joints');
    expect(await refused(world(bodies, '', keys('0.4 0.5')))).toContain('has 2 numbers ("0.4 0.5"), it must have 9');
  });

  test('an equality of a free joint is refused', async () => {
    const after = '<equality>\n<joint joint1="a" joint2="f"/></equality>';
    expect(await refused(world(arm + loose('<freejoint name="f"/>'), '', after))).toContain('there is no joint "f"');
  });
});

test('an equality of a joint that follows another one already makes the second joint follow', async () => {
  const bodies = '<body><joint name="a" ref="10"/></body><body><joint name="b"/></body><body><joint name="c"/></body>';
  const after =
    '<equality><joint joint1="a" joint2="b"/><joint joint1="a" joint2="c" polycoef="0.5 -2 0 0 0"/></equality>';
  const { joints } = await read(world(bodies, '', after));
  const reference = (10 * Math.PI) / 180;
  // a − ref = 0.5 − 2 c, so c = −0.5 a + (ref + 0.5) / 2.
  expect(joints.map(({ mimic }) => mimic)).toEqual([
    { joint: 'b', multiplier: 1, offset: reference },
    undefined,
    { joint: 'a', multiplier: -0.5, offset: (reference + 0.5) / 2 },
  ]);
});
