// Values that files state and that were left out in silence: inertias and friction that are no numbers, values of
// joints that follow others, and the form of libraries.
import { expect, test } from 'vitest';
import { type InputError, InputErrors } from '../../src/errors.ts';
import { readMjcf } from '../../src/formats/robots/mjcf/mjcf.ts';
import { readSdf } from '../../src/formats/robots/sdf/sdf.ts';
import { readSrdf } from '../../src/formats/robots/srdf.ts';
import { readUrdf } from '../../src/formats/robots/urdf.ts';
import { readPlanningScene } from '../../src/formats/scenes/moveit/planningScene.ts';
import { readLibrary } from '../../src/tasks/planning/motionLibrary/libraryFile.ts';
import { robotOf } from '../formats/robots/readRobots.ts';
import { joint, limit, robot } from '../formats/robots/robotTexts.ts';

const urdf = (ixx: string, friction: string) =>
  robot(
    `<link name="a"/><link name="b"><inertial><mass value="1"/><inertia ixx="${ixx}" iyy="1" izz="1"/></inertial></link>`,
    joint('j', 'a', 'b', `${limit}<dynamics friction="${friction}"/>`),
  );
const sdf = (ixx: string, friction: string) =>
  `<sdf version="1.9"><model name="m"><link name="a"/><link name="b"><inertial><mass>1</mass>
<inertia><ixx>${ixx}</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz>
<dynamics><friction>${friction}</friction></dynamics></axis></joint></model></sdf>`;
const mjcf = (ixx: string, friction: string) =>
  `<mujoco><worldbody><body name="b"><inertial pos="0 0 0" mass="1" diaginertia="${ixx} 1 1"/>
<joint name="j" frictionloss="${friction}"/></body></worldbody></mujoco>`;

test.each([
  ['URDF', async (text: string) => (await readUrdf(text, 'r.urdf')).warnings, urdf],
  ['SDF', async (text: string) => (await robotOf(readSdf, text)).warnings, sdf],
  ['MJCF', async (text: string) => (await robotOf(readMjcf, text)).warnings, mjcf],
] as const)(
  '%s: an inertia and a friction that are no numbers are warned of when the robot is read',
  async (_, warningsOf, textOf) => {
    const about = async (ixx: string, friction: string) =>
      (await warningsOf(textOf(ixx, friction)))?.filter((one) => /limits of torque are refused/.test(one)) ?? [];
    expect(await about('1', '0.2')).toEqual([]);
    expect(await about('0.1.2', '0.2')).toEqual([
      expect.stringMatching(/its inertia is missing or no number.*line \d/),
    ]);
    for (const friction of ['-1', 'high', 'nan'])
      expect(await about('1', friction), friction).toEqual([
        expect.stringMatching(/friction is no number of 0 or more/),
      ]);
  },
);

const FINGERS = robot(
  '<link name="a"/><link name="b"/><link name="c"/>',
  joint('lead', 'a', 'b'),
  joint('follow', 'a', 'c', `<mimic joint="lead" multiplier="-2" offset="0.1"/>${limit}`),
);

test('a state of an SRDF in which a joint does not follow its leader is warned of', async () => {
  const read = await readUrdf(FINGERS, 'r.urdf');
  const warnings = async (value: number) =>
    (
      await readSrdf(
        robot(
          `<group_state name="open" group="g"><joint name="lead" value="0.3"/><joint name="follow" value="${value}"/></group_state>`,
        ),
        'r.srdf',
        read,
      )
    ).warnings;
  expect(await warnings(-0.5)).toEqual([]);
  expect(await warnings(0.3)).toEqual([expect.stringMatching(/"follow" is 0\.3, but it follows "lead" .* has -0\.5/)]);
});

test('a robot state in which a joint does not follow its leader is refused with both values', async () => {
  const description = await robotOf(async (text) => readUrdf(text, 'r.urdf'), FINGERS);
  const message = (value: number) =>
    `world: {}\nrobot_state: {joint_state: {name: [follow, lead], position: [${value}, 0.3]}}\n`;
  const read = (value: number) => readPlanningScene(message(value), 'm.yaml', { robot: description });
  expect((await read(-0.5)).start).toEqual({ lead: 0.3 });
  const error: unknown = await read(-0.4).catch((reason: unknown) => reason);
  const [problem] = error instanceof InputErrors ? error.problems : [error as InputError];
  expect(problem.message).toMatch(/"follow" is -0\.4, but it follows "lead" \(mimic\) and has -0\.5/);
});

test('a library whose values have another form is refused by the name of the key', () => {
  const whole = {
    robot: 'r',
    scene: 's',
    joint_names: ['j'],
    robot_hash: '',
    obstacles: {},
    objects: ['a'],
    points: [[0], [1]],
    edges: [[0, 1]],
    boxes: [[0, 0, 0, 1, 1, 1]],
  };
  const refusal = (change: object) => {
    try {
      readLibrary(JSON.stringify({ format: 'elbowroom-library/2', hash: '', ...whole, ...change }), 'f');
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(refusal({})).toMatch(/damaged/);
  const others: readonly unknown[] = [null, 1, {}, [null], [[null]], [{}], [[]], [[5, 7]], ['x', 2]];
  for (const key of Object.keys(whole))
    for (const value of others) {
      const isRight = key === 'obstacles' && JSON.stringify(value) === '{}';
      expect(refusal({ [key]: value }), `${key}: ${JSON.stringify(value)}`).toMatch(
        isRight ? /damaged/ : /^f: \w+: this is/,
      );
    }
});
