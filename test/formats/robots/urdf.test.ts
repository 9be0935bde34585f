import { assert, describe, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import { setRotationFromQuaternion } from '../../../src/core/math/quaternion.ts';
import { create } from '../../../src/core/math/transform.ts';
import { InputError } from '../../../src/errors.ts';
import { readMesh } from '../../../src/formats/meshes/index.ts';
import { buildRobot, readUrdf } from '../../../src/formats/robots/urdf.ts';
import { collision, joint, limit, robot, twoLinks } from './robotTexts.ts';

async function refusal(text: string): Promise<InputError> {
  const answer = await readUrdf(text, 'r.urdf').catch((error: unknown) => error);
  assert.instanceOf(answer, InputError);
  return answer as InputError;
}

async function load(text: string) {
  return buildRobot(await readUrdf(text, 'r.urdf'), new Map());
}

const BOX = '<geometry><box size="1 1 1"/></geometry>';

describe('elements whose loss would change the robot', () => {
  test.each([
    [`<link name="a"><colision>${BOX}</colision></link>`, 'unknown element <colision>'],
    [`<link name="a"/><collision>${BOX}</collision>`, '<collision> has no meaning in <robot>'],
    [`<link name="a"><link name="b"/></link>`, '<link> has no meaning in <link>'],
    [`<link name="a"><collision><orign xyz="0 0 1"/>${BOX}</collision></link>`, 'unknown element <orign>'],
    ['<link name="a"/><include filename="arm.urdf"/>', '<include> has no meaning in a URDF'],
    ['<link name="a"/><macro name="m"/>', '<macro> has no meaning in a URDF'],
    [
      '<link name="a"/><link name="b"/><joint name="j" type="fixed"><parent link="a"/><child link="b"/><mimc joint="k"/></joint>',
      'joint "j": unknown element <mimc>',
    ],
  ])('%s is refused with the line', async (text, message) => {
    const error = await refusal(`<robot name="r">\n${text}</robot>`);
    assert.include(error.message, message);
    assert.match(error.message, /^r.urdf:2: /);
  });

  test('others are ignored', async () => {
    const text =
      '<robot name="r"><gazebo/><transmission/><material/><ros2_control/><kuka:x xmlns:kuka="k"/><link name="a"><self_collision_checking/><sensor/></link></robot>';
    assert.deepEqual(
      (await load(text)).links.map(({ name }) => name),
      ['a'],
    );
  });
});

describe('readUrdf', () => {
  test('reads primitives exactly, several a link, each with its placement', async () => {
    const { links } = await load(
      robot(
        `<link name="a"><inertial><mass value="2.5"/></inertial>${collision('<box size="1 2 3"/>')}${collision(
          '<cylinder radius="0.1" length="0.4"/>',
          '<origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/>',
        )}${collision('<sphere radius="0.5"/>')}${collision('<capsule radius="0.1" length="1"/>')}</link>`,
      ),
    );
    assert.equal(links[0].mass, 2.5);
    assert.deepEqual(
      links[0].collisions.map(({ shape, triangles, source }): unknown => ({ ...shape, triangles, source })),
      [
        { type: 'box', size: [1, 2, 3], triangles: 0, source: 0 },
        { type: 'cylinder', radius: 0.1, length: 0.4, triangles: 0, source: 1 },
        { type: 'sphere', radius: 0.5, triangles: 0, source: 2 },
        { type: 'capsule', radius: 0.1, length: 1, triangles: 0, source: 3 },
      ],
    );
    assert.deepEqual(links[0].collisions[1].pose.xyz, [1, 2, 3]);
    assert.closeTo(links[0].collisions[1].pose.quat_wxyz[3], Math.SQRT1_2, 1e-15);
  });

  test('turns rpy about fixed axes, roll first: R = Rz Ry Rx', async () => {
    const [r, p, y] = [0.3, -0.7, 1.1];
    const { joints } = await load(robot(twoLinks, joint('j', 'a', 'b', `<origin rpy="${r} ${p} ${y}"/>${limit}`)));
    const T = create();
    setRotationFromQuaternion(T, joints[0].origin.quat_wxyz);
    assert.closeTo(T[8], -Math.sin(p), 1e-15);
    assert.closeTo(T[9], Math.cos(p) * Math.sin(r), 1e-15);
    assert.closeTo(T[4], Math.sin(y) * Math.cos(p), 1e-15);
  });

  test('keeps limits as written and joints in the order of the file', async () => {
    const { joints, root } = await load(
      robot(
        '<link name="tip"/><link name="a"/><link name="b"/><link name="c"/><link name="2"/>',
        joint(
          'z',
          'b',
          'c',
          '<limit lower="0.5" upper="4" velocity="2" effort="0" acceleration="9"/><axis xyz=" 0 0 2"/>',
          'prismatic',
        ),
        joint('1', 'a', 'b'),
        joint('y', 'c', 'tip', '', 'continuous'),
        joint('x', 'tip', '2', '<axis xyz="0 0 0"/>', 'fixed'),
      ),
    );
    assert.equal(root, 'a');
    assert.deepEqual(
      joints.map(({ name, parent, child }) => [name, parent, child]),
      [
        ['z', 'b', 'c'],
        ['1', 'a', 'b'],
        ['y', 'c', 'tip'],
        ['x', 'tip', '2'],
      ],
    );
    const { origin, ...slide } = joints[0];
    assert.deepEqual(origin, { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] });
    assert.deepEqual(slide, {
      name: 'z',
      type: 'prismatic',
      parent: 'b',
      child: 'c',
      axis: [0, 0, 1],
      lower: 0.5,
      upper: 4,
      velocity: 2,
      effort: 0,
      acceleration: 9,
    });
    assert.deepEqual(joints[1].axis, [1, 0, 0]);
    assert.isUndefined(joints[2].lower);
  });

  test('takes a blank line or a comment before the XML declaration', async () => {
    for (const before of ['\n', '<!-- made by hand -->\n']) {
      assert.equal((await load(`${before}${robot('<link name="a"/>')}`)).root, 'a');
      assert.match((await refusal(`${before}${robot('<link/>')}`)).message, /^r\.urdf:4: /);
    }
  });

  test('keeps soft limits beside the hard ones, which stay as written', async () => {
    const soft =
      '<safety_controller soft_lower_limit="-1.5" soft_upper_limit="1.75" k_position="100" k_velocity="10"/>';
    const none = '<safety_controller k_velocity="10"/>';
    const { joints } = await load(
      robot(`${twoLinks}<link name="c"/>`, joint('j', 'a', 'b', soft + limit), joint('k', 'b', 'c', none + limit)),
    );
    assert.deepEqual(joints[0].soft, { lower: -1.5, upper: 1.75 });
    assert.deepEqual([joints[0].lower, joints[0].upper], [-2, 2]);
    assert.isUndefined(joints[1].soft);
    const swapped = soft.replace('-1.5', '1.8');
    const { message } = await refusal(robot(twoLinks, joint('j', 'a', 'b', swapped + limit)));
    assert.match(message, /^r\.urdf:4: joint "j": the soft lower limit 1\.8 is above the soft upper limit 1\.75$/);
  });

  test('moves a chain of mimics by all multipliers and offsets on the way', async () => {
    const parts = ['a', 'b', 'c', 'd'].map((name) => `<link name="${name}"/>`);
    const description = await load(
      robot(
        ...parts,
        joint('j3', 'c', 'd', `<mimic joint="j2" multiplier="3" offset="-0.2"/><axis xyz="0 0 1"/>${limit}`),
        joint('j2', 'b', 'c', `<mimic joint="j1" multiplier="-2" offset="0.5"/><axis xyz="0 0 1"/>${limit}`),
        joint('j1', 'a', 'b', `<axis xyz="0 0 1"/>${limit}`),
      ),
    );
    const model = createRobotModel(description);
    assert.equal(model.dof, 1);
    const state = new RobotState(model);
    forwardKinematics(state, Float64Array.of(0.3));
    const T = state.T_world_link[model.links.findIndex(({ name }) => name === 'd')];
    const j2 = -2 * 0.3 + 0.5;
    const turned = 0.3 + j2 + (3 * j2 - 0.2);
    assert.closeTo(Math.atan2(T[4], T[0]), turned, 1e-15);
  });

  test.each(['floating', 'planar'])('%s joints at the root are fixed, with a warning that names base', async (type) => {
    const root = joint('j', 'a', 'b', '<origin xyz="1 2 3"/><limit/>', type);
    const { joints, warnings } = await load(robot(twoLinks, '<link name="c"/>', root, joint('k', 'b', 'c')));
    assert.deepInclude(joints[0], { name: 'j', type: 'fixed' });
    assert.deepEqual(joints[0].origin.xyz, [1, 2, 3]);
    assert.include(
      warnings,
      `joint "j": a ${type} joint moves link "b": it is fixed at its stated pose; ` +
        `\`base: {type: ${type}}\` of the robot in a scene moves it (line 5)`,
    );
  });

  test('a floating joint of a loose link is fixed; one between joints is refused', async () => {
    const links = `${twoLinks}<link name="c">${collision('<sphere radius="1"/>')}</link>`;
    const held = joint('j', 'b', 'c', '', 'floating');
    const { warnings } = await load(robot(links, joint('k', 'a', 'b'), held));
    assert.include(
      warnings,
      'joint "j": a floating joint moves link "c": it is fixed at its stated pose, and checked like an obstacle (line 5)',
    );
    const carrying = robot(links, '<link name="d"/>', joint('k', 'a', 'b'), held, joint('l', 'c', 'd'));
    assert.equal(
      (await refusal(carrying)).message,
      'r.urdf:6: joint "j": a floating joint between joints that move is not supported',
    );
    const mimic = joint('l', 'c', 'd', `${limit}<mimic joint="j"/>`);
    assert.include(
      (await refusal(robot(links, '<link name="d"/>', held.replace('"b"', '"a"'), joint('k', 'a', 'b'), mimic)))
        .message,
      'it mimics "j", which is fixed',
    );
  });

  test('of two <limit> the first counts, as in the reader of ROS, with a warning', async () => {
    const both = `${limit}\n<limit lower="-9" upper="9" velocity="9" effort="9"/>`;
    const { joints, warnings } = await load(robot(twoLinks, joint('j', 'a', 'b', both)));
    assert.deepInclude(joints[0], { lower: -2, upper: 2, velocity: 1, effort: 5 });
    assert.include(warnings, 'joint "j": it has several <limit>: the first counts, as in ROS (line 5)');
  });

  test('keeps mimic joints, chains of them too', async () => {
    const { joints } = await load(
      robot(
        '<link name="a"/><link name="b"/><link name="c"/><link name="d"/>',
        joint('j1', 'a', 'b'),
        joint('j2', 'b', 'c', `<mimic joint="j1" multiplier="-2" offset="0.5"/>${limit}`),
        joint('j3', 'c', 'd', `<mimic joint="j2"/>${limit}`),
      ),
    );
    assert.deepEqual(joints[1].mimic, { joint: 'j1', multiplier: -2, offset: 0.5 });
    assert.deepEqual(joints[2].mimic, { joint: 'j2', multiplier: 1, offset: 0 });
  });

  test('requests each mesh once and computes a hull for each scale of it', async () => {
    const mesh = (scale: string) => collision(`<mesh filename="package://p/m.obj" scale="${scale}"/>`);
    const urdf = await readUrdf(robot(`<link name="a">${mesh('1 1 1')}${mesh('1 -1 2')}</link>`), 'r.urdf');
    assert.deepEqual(urdf.meshes, [{ address: 'package://p/m.obj', line: 3, link: 'a' }]);
    const text = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n';
    const tetra = await readMesh(new TextEncoder().encode(text), 'm.obj');
    const { links } = await buildRobot(urdf, new Map([['package://p/m.obj', tetra]]));
    assert.deepEqual(
      links[0].collisions[1].shape['points'],
      [
        [0, -0, 0],
        [1, -0, 0],
        [0, -1, 0],
        [0, 0, 2],
      ].map((p) => p.map((x) => x + 0)),
    );
    assert.equal(links[0].collisions[1].triangles, 4);
    await buildRobot(urdf, new Map()).then(
      () => assert.fail('a missing mesh must not be skipped'),
      (error: unknown) => assert.instanceOf(error, InputError),
    );
  });

  test('loads no visuals, textures or anything that is not the robot, and leaves no browser globals behind', async () => {
    const before = Object.getOwnPropertyNames(globalThis).length;
    const { warnings } = await load(
      robot(
        '<material name="m"><texture filename="http://127.0.0.1:1/t.png"/></material><gazebo><x/></gazebo>',
        '<link name="a"><visual><geometry><mesh filename="no.dae"/></geometry></visual></link>',
      ),
    );
    assert.deepEqual(warnings, [
      'link "a" has visual but no collision geometry: it is not checked for collisions',
      'robot "r" has no collision geometry: scenes refuse it',
    ]);
    assert.equal(Object.getOwnPropertyNames(globalThis).length, before);
  });

  test('warns of primitives in millimetres, not of a floor', async () => {
    const { warnings } = await load(
      robot(
        '<link name="floor"><collision><geometry><box size="50 50 0.1"/></geometry></collision>',
        '<collision><geometry><cylinder radius="60" length="400"/></geometry></collision>',
        '<collision><geometry><sphere radius="6"/></geometry></collision>',
        '<collision><geometry><box size="0.1 0.1 120"/></geometry></collision></link>',
      ),
    );
    assert.deepEqual(warnings, [
      'link "floor": its cylinder is 400 m long; sizes are metres, not millimetres',
      'link "floor": its sphere is 12 m long; sizes are metres, not millimetres',
      'link "floor": its box is 120 m long; sizes are metres, not millimetres',
    ]);
  });

  test('reports all errors at once, each with its line', async () => {
    const { message } = await refusal(
      robot(
        `<link name="a">${collision('<box size="1 1 0"/>')}</link>`,
        `<link name="b">${collision('<blob/>')}</link>`,
        joint('j', 'a', 'b'),
      ),
    );
    assert.deepEqual(message.split('\n'), [
      'r.urdf:3: link "a": size of the box is 1 1 0, every edge must be greater than 0',
      'r.urdf:4: link "b": unknown geometry <blob>',
    ]);
  });

  test('properties of xacro that nothing uses are ignored with a warning', async () => {
    const { links, warnings } = await readUrdf(
      robot('<xacro:property xmlns:xacro="x" name="width" value=".2"/>', '<link name="a"/>'),
      'r.urdf',
    );
    assert.lengthOf(links, 1);
    assert.match(warnings.join(), /<xacro:property> is ignored: nothing uses it/);
  });

  test.each([
    ['', /^r\.urdf: the file is empty \(0 bytes\)$/],
    ['{"a": 1}', /XML/],
    ['<sdf/>', /^r\.urdf:1: the root element is <sdf>, not <robot>$/],
    ['<robot>\n<link name="a">\n</robot>', /^r\.urdf:\d: this is not well-formed XML: /],
    ['<robot>\n<link name=a/></robot>', /^r\.urdf:2: this is not well-formed XML: /],
    [`<robot>${'<a>'.repeat(300)}${'</a>'.repeat(300)}</robot>`, /nested/],
    ['<!DOCTYPE robot [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<robot name="&x;"/>', /:1: .*DOCTYPE/],
    ['<robot xmlns:xacro="x">\n<xacro:include/></robot>', /r\.urdf:2: <xacro:include>: this is xacro/],
    [
      '<robot xmlns:xacro="x">\n<xacro:property name="a" value="1"/><link name="$(arg a)"/></robot>',
      /r\.urdf:2: <xacro:property>: this is xacro/,
    ],
    ['<robot xmlns:x="http://www.ros.org/wiki/xacro">\n<x:macro/></robot>', /r\.urdf:2: <x:macro>: this is xacro/],
    [robot(), /there is no <link>/],
    [robot('<link name="a"/>', '<link name="a"/>'), /:4: link "a": there are two links of this name/],
    [robot(twoLinks), /2 links are not the child of a joint: "a", "b"/],
    [robot(twoLinks, joint('j', 'a', 'c')), /joint "j": child link "c" is not defined/],
    [robot(twoLinks, joint('j', 'a', 'b'), joint('k', 'b', 'a')), /loop.*"a", "b"/],
    [robot(twoLinks, joint('j', 'a', 'b'), joint('k', 'a', 'b')), /link "b": it is the child of 2 joints \("j", "k"\)/],
    [robot(twoLinks, joint('j', 'a', 'b', limit, 'revolut')), /joint "j": unknown joint type "revolut"/],
    [robot(twoLinks, joint('j', 'a', 'b', '')), /joint "j": a revolute joint needs a <limit>/],
    [robot(twoLinks, joint('j', 'a', 'b', '<limit lower="1" upper="0"/>')), /lower limit 1 is above the upper limit 0/],
    [robot(twoLinks, joint('j', 'a', 'b', '<limit lower="a" upper="0"/>')), /lower of <limit> holds "a"/],
    [robot(twoLinks, joint('j', 'a', 'b', `${limit}<axis xyz="0 0 0"/>`)), /axis is 0 0 0/],
    [robot(twoLinks, joint('j', 'a', 'b', `${limit}<origin xyz="0 0"/>`)), /xyz of <origin> has 2 numbers/],
    [
      robot(twoLinks, joint('j', 'a', 'b', `${limit}<origin xyz="0 0 1e400"/>`)),
      /"1e400", which is not a finite number/,
    ],
    [robot(twoLinks, joint('j', 'a', 'b', `${limit}<mimic joint="j"/>`)), /cannot mimic itself/],
    [robot(twoLinks, joint('j', 'a', 'b', `${limit}<mimic joint="k"/>`)), /mimics "k", which is not a joint/],
    [
      robot(
        '<link name="c"/>',
        twoLinks,
        joint('j', 'a', 'b', `<mimic joint="k"/>${limit}`),
        joint('k', 'b', 'c', `<mimic joint="j"/>${limit}`),
      ),
      /mimic each other: j, k/,
    ],
    [
      robot(`<link name="a">${collision('<mesh filename="m.stl" scale="1 0 1"/>')}</link>`),
      /scale of the mesh is 1 0 1/,
    ],
    [robot('<link name="a"><collision/></link>'), /no <geometry>/],
  ])('refuses what is wrong (case %#)', async (text, expected) => {
    assert.match((await refusal(text)).message, expected);
  });
});
