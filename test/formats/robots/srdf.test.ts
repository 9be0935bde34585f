import { assert, describe, test } from 'vitest';
import { robotAllowedPairs } from '../../../src/core/scene/allowedCollisions.ts';
import type { InputError } from '../../../src/errors.ts';
import { readSrdf, type Semantics } from '../../../src/formats/robots/srdf.ts';
import { buildRobot, readUrdf } from '../../../src/formats/robots/urdf.ts';
import { joint, limit, robot } from './robotTexts.ts';

describe('readSrdf', () => {
  const urdfText = robot(
    '<link name="a"/><link name="b"/><link name="c"/>',
    joint('j1', 'a', 'b'),
    joint('j2', 'b', 'c', `<mimic joint="j1"/>${limit}`),
  );

  test('reads pairs, states and groups, whichever way these name their joints', async () => {
    const semantics = await readSrdf(
      robot(
        '<virtual_joint name="world" type="floating" parent_frame="w" child_link="a"/>',
        '<group name="chain"><chain base_link="a" tip_link="c"/></group><group name="link"><link name="b"/></group>',
        '<group name="all"><group name="chain"/><joint name="j1"/></group>',
        '<group_state name="up" group="all"><joint name="j1" value="-1.5"/><joint name="world" value="0 0 0"/></group_state>',
        '<disable_collisions link1="a" link2="c" reason="Never"/><disable_collisions link1="a" link2="b"/>',
        '<end_effector name="hand" group="link" parent_link="a" parent_group="chain"/>',
      ),
      'r.srdf',
      await readUrdf(urdfText, 'r.urdf'),
    );
    assert.deepEqual(semantics, {
      allowed: [
        ['a', 'c', 'Never'],
        ['a', 'b', ''],
      ],
      checked: [],
      states: { up: { j1: -1.5 } },
      groupStates: { all: { up: { j1: -1.5 } } },
      groups: { chain: ['j1'], link: ['j1'], all: ['j1'] },
      endEffectors: [{ name: 'hand', group: 'link', parentLink: 'a', parentGroup: 'chain' }],
      passive: [],
      warnings: [],
    });
  });

  test('enabled pairs are checked although they are adjacent, unless a line disables them', async () => {
    const box = '<collision><geometry><box size="1 1 1"/></geometry></collision>';
    const links = ['a', 'b', 'c'].map((name) => `<link name="${name}">${box}</link>`).join('');
    const urdf = await readUrdf(robot(links, joint('j1', 'a', 'b'), joint('j2', 'b', 'c')), 'r.urdf');
    const enabled = '<enable_collisions link1="b" link2="a"/><enable_collisions link1="b" link2="c"/>';
    const text = robot('<disable_collisions link1="c" link2="b" reason="Adjacent"/>', enabled);
    const pairs = async (semantics?: Semantics) => {
      return robotAllowedPairs(await buildRobot(urdf, new Map(), semantics)).list();
    };
    assert.deepEqual(await pairs(), [
      ['a', 'b', 'Adjacent'],
      ['b', 'c', 'Adjacent'],
    ]);
    assert.deepEqual(await pairs(await readSrdf(text, 'r.srdf', urdf)), [['c', 'b', 'Adjacent']]);
    const half = readSrdf(robot('<enable_collisions link1="a"/>'), 'r.srdf', urdf);
    const error: InputError = await half.then(
      () => assert.fail(),
      (reason) => reason,
    );
    assert.match(error.message, /enable_collisions: link1 and link2 are both needed/);
  });

  test('refuses misspelled elements, and ignores extensions', async () => {
    const urdf = await readUrdf(urdfText, 'r.urdf');
    assert.deepEqual((await readSrdf(robot('<planner_hints/>', '<joint_property/>'), 'r.srdf', urdf)).warnings, []);
    const wrong = robot('<enable_collision link1="a" link2="b"/>\n', '<groups name="x"/>');
    const error: InputError = await readSrdf(wrong, 'r.srdf', urdf).then(
      () => assert.fail(),
      (reason) => reason,
    );
    assert.match(error.message, /r\.srdf:\d+: <enable_collision>: it is no element of an SRDF/);
    assert.match(error.message, /<groups>: it is no element/);
  });

  test('checks the pairs of links that are disabled by default, with a warning', async () => {
    const text = robot('<disable_default_collisions link="a"/><disable_default_collisions link="c"/>');
    const { allowed, warnings } = await readSrdf(text, 'r.srdf', await readUrdf(urdfText, 'r.urdf'));
    assert.deepEqual(allowed, []);
    assert.deepEqual(warnings, ['r.srdf: disable_default_collisions is ignored: the pairs of "a", "c" are checked']);
  });

  test('groups leave out passive joints; one that contains itself has none, which is warned of', async () => {
    const text = robot(
      '<group name="one"><joint name="j1"/></group><group name="loop"><joint name="j1"/><group name="back"/></group>',
      '<group name="back"><group name="loop"/></group><group name="outer"><group name="back"/><joint name="j1"/></group>',
    );
    const { groups, warnings } = await readSrdf(text, 'r.srdf', await readUrdf(urdfText, 'r.urdf'));
    assert.deepEqual(groups, { one: ['j1'], loop: [], back: [], outer: ['j1'] });
    assert.equal(warnings.length, 2);
    assert.match(warnings[0], /^group "loop": it contains itself/);
    const passive = await readSrdf(
      robot('<group name="one"><joint name="j1"/></group><passive_joint name="j1"/>'),
      'r.srdf',
      await readUrdf(urdfText, 'r.urdf'),
    );
    assert.deepEqual([passive.groups, passive.passive], [{ one: [] }, ['j1']]);
  });

  test('of two groups of one name the first is read, as in MoveIt, with a warning', async () => {
    const text = robot(
      '<group name="one"><joint name="j1"/></group>',
      '<group name="one"><joint name="world"/></group>',
    );
    const { groups, warnings } = await readSrdf(text, 'r.srdf', await readUrdf(urdfText, 'r.urdf'));
    assert.deepEqual(groups, { one: ['j1'] });
    assert.match(warnings.join(), /group "one": another group has this name: the first one is read.*line/);
  });

  test('keeps the states of each group apart; those of one name are merged for the whole robot', async () => {
    const state = (group: string, value: string) =>
      `<group_state name="home" group="${group}"><joint name="j1" value="${value}"/></group_state>`;
    const text = robot(
      '<group name="g"><joint name="j1"/></group><group name="h"><joint name="j1"/></group>',
      state('g', '1'),
      state('h', '2'),
    );
    const { states, groupStates } = await readSrdf(text, 'r.srdf', await readUrdf(urdfText, 'r.urdf'));
    assert.deepEqual(states, { home: { j1: 2 } });
    assert.deepEqual(groupStates, { g: { home: { j1: 1 } }, h: { home: { j1: 2 } } });
  });

  test('skips links and joints that the robot does not have, with one warning', async () => {
    const { allowed, warnings } = await readSrdf(
      robot('<disable_collisions link1="a" link2="x" reason="Never"/><group name="g"><joint name="y"/></group>'),
      'r.srdf',
      await readUrdf(urdfText, 'r.urdf'),
    );
    assert.deepEqual(allowed, []);
    assert.deepEqual(warnings, ['r.srdf names what the robot does not have: link "x", joint "y"']);
  });

  test('end effectors need a group and a link; one on a link that is not there is left out', async () => {
    const urdf = await readUrdf(urdfText, 'r.urdf');
    const halves = robot('<end_effector name="e" group="g"/>');
    const refused = await readSrdf(halves, 'r.srdf', urdf).catch((error: unknown) => error);
    assert.equal((refused as InputError).message, 'r.srdf:3: end_effector "e": group and parent_link are both needed');
    const text = robot('<end_effector name="e" group="g" parent_link="x"/><passive_joint name="y"/>');
    const { endEffectors, passive, warnings } = await readSrdf(text, 'r.srdf', urdf);
    assert.deepEqual([endEffectors, passive], [[], []]);
    assert.deepEqual(warnings, ['r.srdf names what the robot does not have: link "x", joint "y"']);
  });

  test('refuses values that are no numbers', async () => {
    const text = robot('<group_state name="up" group="g"><joint name="j1" value="1,5"/></group_state>');
    const answer = await readSrdf(text, 'r.srdf', await readUrdf(urdfText, 'r.urdf')).catch((error: unknown) => error);
    assert.match((answer as InputError).message, /^r\.srdf:3: group_state "up": value of <joint> holds "1,5"/);
  });
});

test('a chain between two branches has the joints of both, without those above both', async () => {
  const links = ['a', 'b', 'c', 'd', 'e'].map((name) => `<link name="${name}"/>`).join('');
  const limited = (name: string, parent: string, child: string) => joint(name, parent, child, limit);
  const joints = [limited('j1', 'a', 'b'), limited('j2', 'b', 'c'), limited('j3', 'b', 'd'), limited('j4', 'd', 'e')];
  const group = (name: string, base: string, tip: string) =>
    `<group name="${name}"><chain base_link="${base}" tip_link="${tip}"/></group>`;
  const groups = [group('hands', 'c', 'e'), group('up', 'e', 'a'), group('down', 'b', 'e'), group('none', 'c', 'c')];
  const semantics = await readSrdf(robot(...groups), 'r.srdf', await readUrdf(robot(links, ...joints), 'r.urdf'));
  assert.deepEqual(semantics.groups, {
    hands: ['j2', 'j3', 'j4'],
    up: ['j1', 'j3', 'j4'],
    down: ['j3', 'j4'],
    none: [],
  });
});
