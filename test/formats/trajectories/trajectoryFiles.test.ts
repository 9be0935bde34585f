import { describe, expect, test } from 'vitest';
import { inJointOrder } from '../../../src/core/trajectory/trajectory.ts';
import { InputError } from '../../../src/errors.ts';
import { readTrajectory, writers } from '../../../src/formats/trajectories/index.ts';
import { motion } from './trajectorySamples.ts';

/** Returns the error message, or 'accepted'. */
async function refusal(text: string, file: string, joints: string[] = []): Promise<string> {
  try {
    await readTrajectory(text, file, joints);
    return 'accepted';
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as InputError).message;
  }
}

const first = { time_from_start: 0, positions: [0, 1], velocities: [0, 0] };
const second = { time_from_start: 1, positions: [1, 0], velocities: [0, 0] };
const record = (change: object) =>
  JSON.stringify(
    { format: 'elbowroom-trajectory/1', joint_names: ['a', 'b'], points: [first, second], ...change },
    null,
    1,
  );

describe('an invalid JSON trajectory is rejected with the place of the error', () => {
  test.each([
    [
      { points: [first, { ...second, time_from_start: 0 }] },
      'm.json:20: points[1].time_from_start: 0 does not come after 0',
    ],
    [
      { points: [first, { ...second, time_from_start: undefined }] },
      'm.json:19: points[1].time_from_start: missing, the point before has one',
    ],
    [
      { points: [first, { ...second, time_from_start: '1' }] },
      'm.json:20: points[1].time_from_start: "1" is not a time',
    ],
    [
      { points: [first, { ...second, positions: [null, 0] }] },
      'm.json:22: points[1].positions[0]: null is not a finite number',
    ],
    [
      { points: [first, { ...second, velocities: [0] }] },
      'm.json:25: points[1].velocities: 1 values, there are 2 joint_names',
    ],
    [
      { points: [first, { ...second, positions: [1, 2, 3] }] },
      'm.json:21: points[1].positions: 3 values, there are 2 joint_names',
    ],
    [{ points: [first, { velocities: [0, 0], time_from_start: 3 }] }, 'm.json:19: points[1].positions: missing'],
    [{ points: [first, 7] }, 'm.json:19: points[1]: 7 is not a point'],
    [{ points: [] }, 'm.json:7: points: [] is not a list of points'],
    [{ points: undefined }, 'm.json:1: points: missing'],
    [{ joint_names: ['a', 'a'] }, 'm.json:5: joint_names[1]: "a" is listed twice'],
    [{ joint_names: ['a', 3] }, 'm.json:5: joint_names[1]: 3 is not a name'],
    [{ joint_names: undefined }, 'm.json:1: joint_names: missing'],
    [{ format: 'elbowroom-trajectory/99' }, 'm.json:2: format: "elbowroom-trajectory/99" is not a trajectory format'],
    [{ interpolation: 'septic' }, 'm.json:31: interpolation: "septic" is unknown'],
    [
      { interpolation: 'quintic' },
      'm.json:8: points[0].accelerations: missing\nm.json:19: points[1].accelerations: missing',
    ],
    [{ interpolation: null }, 'm.json:31: interpolation: null is unknown'],
    [
      { interpolation: 'cubic', points: [first, { ...second, velocities: [] }] },
      'm.json:25: points[1].velocities: missing',
    ],
    [
      { interpolation: 'cubic', points: [{ positions: [0, 0] }, { positions: [0, 1], velocities: [0, 0] }] },
      'm.json:8: points[0].time_from_start: missing\nm.json:8: points[0].velocities: missing\n' +
        'm.json:14: points[1].time_from_start: missing\nm.json:19: points[1].velocities: given, but no time_from_start',
    ],
    [
      { points: [first, { ...second, velocities: undefined, accelerations: [0, 0] }] },
      'm.json:25: points[1].accelerations: given without velocities',
    ],
    [
      { points: [{ positions: [0, 0], velocities: [0, 0] }] },
      'm.json:13: points[0].velocities: given, but no time_from_start',
    ],
    [
      { points: [first, { ...second, accelerations: [0] }] },
      'm.json:29: points[1].accelerations: 1 values, there are 2 joint_names',
    ],
    [
      { points: [first, { ...second, accelerations: [0, null] }] },
      'm.json:31: points[1].accelerations[1]: null is not a finite number',
    ],
  ])('%j', async (change, message) => {
    expect(await refusal(record(change), 'm.json')).toBe(message);
  });

  test('numbers that JSON does not have, or that are too large', async () => {
    const text = record({});
    expect(await refusal(text.replace('"positions": [\n    0', '"positions": [\n    NaN'), 'm.json')).toMatch(
      /^m\.json:11: points\[0\]\.positions\[0\]: .*not a finite number$/,
    );
    expect(await refusal(text.replace('"positions": [\n    0', '"positions": [\n    1e999'), 'm.json')).toBe(
      'm.json:11: points[0].positions[0]: Infinity is not a finite number',
    );
  });

  test('each of several problems is reported with its line, at most twenty', async () => {
    const bad = { ...second, positions: [null, null] };
    expect((await refusal(record({ points: [first, bad] }), 'm.json')).split('\n')).toHaveLength(2);
    expect((await refusal(record({ points: new Array(50).fill(bad) }), 'm.json')).split('\n')).toHaveLength(20);
  });

  test('a truncated text, and one that is not a trajectory', async () => {
    const text = JSON.stringify(JSON.parse(record({})));
    for (let end = 1; end < text.length; end++)
      expect(await refusal(text.slice(0, end), 'm.json'), String(end)).toMatch(/^m\.json(:1)?: /);
    expect(await refusal('[1, 2]', 'm.json')).toMatch(/^m\.json:1: this is not a trajectory/);
    expect(await refusal('hello', 'm.txt')).toBe('m.txt: not a trajectory in a known format');
    expect(await refusal(' \n', 'm.json')).toBe('m.json: the file is empty');
  });
});

test.each(['[', '{"a":', '- ', '{"joint_names": ['])(
  'a hundred thousand times %j is refused, not parsed to death',
  async (opening) => {
    for (const file of ['m.json', 'm.yaml'])
      expect(await refusal(opening.repeat(100_000), file)).toMatch(/^m\.(json|yaml)(:\d+)?: /);
  },
);

test('brackets that are closed may be nested too deep as well', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(await refusal(deep, 'm.json')).toBe('m.json:1: brackets are nested more than 200 deep');
});

describe('ROS messages of other programs', () => {
  const points = [
    { positions: [0, 1], velocities: [0, 0], time_from_start: 0.5 },
    { positions: [1, 0], velocities: [0, 0], time_from_start: 2.25 },
  ];

  test('as ros2 topic echo prints them: block style, empty lists, a separator at the end', async () => {
    const point = (q: string, sec: number, nanosec: number) =>
      `- positions:\n${q}  velocities:\n  - 0.0\n  - 0.0\n  accelerations: []\n  effort: []\n  time_from_start:\n    sec: ${sec}\n    nanosec: ${nanosec}\n`;
    const head = "header:\n  stamp:\n    sec: 0\n    nanosec: 0\n  frame_id: ''\njoint_names:\n- a\n- b\npoints:\n";
    const text = `${head}${point('  - 0.0\n  - 1.0\n', 0, 500000000)}${point('  - 1.0\n  - 0.0\n', 2, 250000000)}---\n`;
    expect(await readTrajectory(text, 'echo.txt')).toEqual({ jointNames: ['a', 'b'], points });
  });

  test('of ROS 1, and inside a goal', async () => {
    const text = `goal:\n  trajectory:\n    joint_names: [a, b]\n    points:\n${points.map((p) => `      - {positions: [${p.positions}], velocities: [0, 0], time_from_start: {secs: ${Math.floor(p.time_from_start)}, nsecs: ${(p.time_from_start % 1) * 1e9}}}\n`).join('')}`;
    expect(await readTrajectory(text, 'goal.yaml')).toEqual({ jointNames: ['a', 'b'], points });
    expect(
      await refusal(
        text.replace(
          'velocities: [0, 0], time_from_start: {secs: 2',
          'velocities: [0, .nan], time_from_start: {secs: 2',
        ),
        'goal.yaml',
      ),
    ).toBe('goal.yaml:6: goal.trajectory.points[1].velocities[1]: NaN is not a finite number');
  });

  test('with invalid times', async () => {
    const text = 'joint_names: [a]\npoints:\n  - {positions: [0], time_from_start: {sec: 0.5}}\n';
    expect(await refusal(text, 'm.yaml')).toBe('m.yaml:3: points[0].time_from_start: {"sec":0.5} is not a time');
  });
});

describe('tables of other programs', () => {
  const points = [
    { time_from_start: 0, positions: [0, 1], velocities: [0.5, 0] },
    { time_from_start: 1, positions: [1, 0], velocities: [0, -0.5] },
  ];
  const rows = '0,0,1,0.5,0\n1,1,0,0,-0.5\n';

  test.each([
    ['plain', `time,a,b,vel_a,vel_b\n${rows}`],
    ['units, quotes, blanks', `"time [s]", a (rad) ,"b (rad)", vel_a (rad/s),vel_b [rad/s]\n${rows}`],
    ['comments and blank lines', `# made by hand\n\ntime,a,b,vel_a,vel_b\n\n${rows}# end\n`],
    ['a header that is a comment', `# t,a,b,a_vel,b_vel\n${rows}`],
    ['semicolons', `t;a;b;qd_a;qd_b\n${rows.replaceAll(',', ';')}`],
    ['tabs', `t\ta.pos\tb.pos\ta.vel\tb.vel\n${rows.replaceAll(',', '\t')}`],
    [
      'CRLF, no last line end',
      `timestamp,pos_a,pos_b,velocity_a,velocity_b\r\n${rows.trim().replaceAll('\n', '\r\n')}`,
    ],
    ['efforts, which are ignored', `time,a,b,vel_a,vel_b,effort_a,effort_b\n${rows.replaceAll('\n', ',9,9\n')}`],
  ])('%s', async (_, text) => {
    expect(await readTrajectory(text, 'm.csv')).toEqual({ jointNames: ['a', 'b'], points });
  });

  test('joints whose names have affixes of other quantities', async () => {
    const odd = {
      jointNames: ['a', 'vel_a', 'q_1'],
      points: [{ time_from_start: 0, positions: [1, 2, 3], velocities: [4, 5, 6] }],
    };
    expect(await readTrajectory(writers.csv.write(odd), 'm.csv')).toEqual(odd);
    expect(await readTrajectory('q_1,q_2\n1,2\n', 'm.csv', ['q_1', 'q_2'])).toMatchObject({
      jointNames: ['q_1', 'q_2'],
    });
    const named = { jointNames: ['the "left", one', ' b'], points: [{ positions: [1, 2] }] };
    expect(await readTrajectory(writers.csv.write(named), 'm.csv')).toEqual(named);
  });

  test.each([
    ['time,a,b\n0,1\n', 'm.csv:2: 2 columns, the header has 3'],
    ['time,a,b\n0,1,2\n1,x,2\n', 'm.csv:3: a: "x" is not a finite number'],
    ['time,a,b\n0,1,\n', 'm.csv:2: b: "" is not a finite number'],
    ['time,a,b\n0,nan,1e999\n', 'm.csv:2: a: "nan" is not a finite number\nm.csv:2: b: "1e999" is not a finite number'],
    ['time,a,b\n0,1,2\n0,1,3\n', 'm.csv:3: time: 0 does not come after 0'],
    ['time,a,b\n', 'm.csv:1: no point follows the header'],
    ['0,1,2\n', 'm.csv:1: no header names the columns'],
    ['time,a,a\n0,1,2\n', 'm.csv:1: column 3, a, is listed twice'],
    ['time,a,b,vel_a\n0,1,2,3\n', 'm.csv:1: velocities of b are missing'],
    ['a,b,vel_a,vel_b\n1,2,0,0\n', 'm.csv:1: velocities without a time'],
    ['time\n0\n', 'm.csv:1: no column of positions'],
  ])('%j is refused', async (text, message) => {
    expect(await refusal(text, 'm.csv')).toBe(message);
  });
});

describe('scripts of other programs', () => {
  test('movej and servoj with parameters by name or by place', async () => {
    const moves = 'movej([0, -1.5], 1.4, 1.05) # home\nsleep(1)\nmovej([0.5, 1e-3], a=1, v=1, r=0.0)\n';
    expect(await readTrajectory(moves, 'm.script', ['a', 'b'])).toEqual({
      jointNames: ['a', 'b'],
      points: [{ positions: [0, -1.5] }, { positions: [0.5, 1e-3] }],
      hasStatedSpeeds: true,
    });
    const stream = 'servoj([0], 0, 0, 0.008, 0.1, 300)\nservoj([1], 0, 0, 0.008, 0.1, 300)\nservoj([2], t=0.5)\n';
    expect((await readTrajectory(stream, 'm.script', ['a'])).points.map((p) => p.time_from_start)).toEqual([
      0, 0.008, 0.508,
    ]);
  });

  test.each([
    ['movej([0, 1], r=0.05)\n', 'm.script:1: movej with r=0.05'],
    ['movej([0, 1], 1.4, 1.05, 0, 0.02)\n', 'm.script:1: movej with r=0.02'],
    ['movej([0, 1])\nmovel(p[0, 0, 0, 0, 0, 0])\n', 'm.script:2: movel is not supported'],
    ['i = 0\nwhile True:\n  movej([0 * i, 1])\n  i = i + 1\nend\n', 'm.script:3: not at its end after 1000000 steps'],
    ['movej(home)\n', 'm.script:1: home has no value'],
    ['movej([0, x])\n', 'm.script:1: x has no value'],
    ['# nothing\n', 'm.script: no movej and no servoj'],
    ['movej([0, 1, 2])\n', 'm.script:1: 3 positions, there are 2 joints'],
    ['servoj([0, 1], t=0)\n', 'm.script:1: servoj with t=0'],
    ['def f():\n  movej([0, 1])\n', 'm.script:3: the program has no end'],
  ])('%j is refused', async (text, message) => {
    expect(await refusal(text, 'm.script', ['a', 'b'])).toBe(message);
  });
});

describe('Klampt files of other programs', () => {
  test.each([
    ['0\t2 1\n', 'm.path:1: the count is 0, 2 values follow'],
    ['0\t2 1 2\n1\t2 1\n', 'm.path:2: 3 values, the first line has 4'],
    ['0\t3 1 2\n', 'm.path:1: the count is 3, 2 values follow'],
    ['0\t2 1 2\n0\t2 1 3\n', 'm.path:2: the time 0 does not come after 0'],
    ['0\t2 1 nan\n', 'm.path:1: value 4 is nan, not a finite number'],
    ['0\t4 1 2 3 4 5\n', 'm.path:1: 7 values: there are 2 planned joints'],
    ['3 1 2\n', 'm.path:1: the count is 3, 2 values follow'],
  ])('%j is refused', async (text, message) => {
    expect(await refusal(text, 'm.path', ['a', 'b'])).toBe(message);
  });

  test('may repeat a point, as files of other formats may', async () => {
    expect((await readTrajectory('0\t2 1 2\n0\t2 1 2\n1\t2 1 3\n', 'm.path', ['a', 'b'])).points).toHaveLength(3);
  });

  test('need the joint names of a scene', async () => {
    expect(await refusal('0\t2 1 2\n', 'm.path')).toBe('m.path: the format names no joints');
  });
});

describe('the order of joints', () => {
  test('is converted to that of the robot, with every value at its joint', () => {
    const turned = inJointOrder(motion, ['wrist', 'shoulder'], 'm.json');
    expect(turned.points.map((p) => p.positions)).toEqual(motion.points.map((p) => [p.positions[1], p.positions[0]]));
    expect(turned.points.map((p) => p.velocities)).toEqual(
      motion.points.map((p) => [p.velocities![1], p.velocities![0]]),
    );
    expect(inJointOrder(turned, ['shoulder', 'wrist'])).toEqual(motion);
    expect(inJointOrder(motion, ['shoulder', 'wrist'])).toBe(motion);
  });

  test.each([
    [['shoulder', 'wrist', 'elbow'], 'm.json: joint_names: elbow is missing'],
    [['shoulder', 'wrst'], 'm.json: joint_names[1]: no planned joint "wrist"'],
  ])('%j does not fit', (names, message) => {
    expect(() => inJointOrder(motion, names, 'm.json')).toThrow(message);
  });
});

describe('unknown keys are rejected', () => {
  const points = '[{"positions": [0, 1]}]';
  const head = '"joint_names": ["a", "b"]';
  test.each([
    [`{${head}, "points": [{"positions": [0, 1], "velocity": [1, 1]}]}`, 't.json:1: points[0].velocity: unknown key'],
    [`{${head}, "points": ${points}, "blend_radius": 0.1}`, 't.json:1: blend_radius: unknown key'],
    [
      `{"trajectory": {"joint_trajectory": {${head}, "points": ${points}}, "multi_dof_joint_trajectory": {"points": [{}]}}}`,
      't.json:1: trajectory.multi_dof_joint_trajectory: is not supported',
    ],
    [
      `{"trajectory": {${head}, "points": ${points}}, "joint_trajectory": {${head}, "points": ${points}}}`,
      't.json:1: joint_trajectory: beside trajectory',
    ],
    [
      `{${head}, "points": [{"positions": [0, 1], "time_from_start": {"sec": 1, "nanosec": -5}}]}`,
      't.json:1: points[0].time_from_start: {"sec":1,"nanosec":-5} is not a time',
    ],
    [
      `{${head}, "points": [{"positions": [0, 1], "time_from_start": {"sec": 1, "secs": 2}}]}`,
      't.json:1: points[0].time_from_start: {"sec":1,"secs":2} is not a time',
    ],
    [`{"goal": {"trajectory": {${head}, "points": ${points}}, "offset": 1}}`, 't.json:1: goal.offset: unknown key'],
    [
      `{${head}, "points": [{"positions": [0, 1], "time_from_start": {"sec": 1, "nanoseconds": 5}}]}`,
      't.json:1: points[0].time_from_start.nanoseconds: unknown key',
    ],
    [
      'joint_names: [a, b]\npoints:\n- positions: [0, 1]\n---\njoint_names: [a, b]\n',
      't.json:4: a second document begins here (---)',
    ],
    [
      'joint_names: [a, b]\npoints:\n- positions: [0, 010]\n',
      't.json:3: "010" begins with 0: 8 or 10 is its base, depending on the reader',
    ],
    [
      'joint_names: [a, b]\npoints:\n- positions:\n  - 0\n  - -07 # rad\n',
      't.json:5: "-07" begins with 0: 8 or 10 is its base, depending on the reader',
    ],
    [
      'joint_names: [a, b]\npoints:\n- {positions: [0, 1], time_from_start: {sec: 1, nanosec: 000000010}}\n',
      't.json:3: "000000010" begins with 0: 8 or 10 is its base, depending on the reader',
    ],
    [
      "{joint_names: ['a', b], points: [{positions: [0, 010]}]}\n",
      't.json:1: "010" begins with 0: 8 or 10 is its base, depending on the reader',
    ],
    [
      "joint_names: [a, b]\npoints:\n- {'positions': [0, 1], time_from_start: {sec: 010}}\n",
      't.json:3: "010" begins with 0: 8 or 10 is its base, depending on the reader',
    ],
    [
      `{${head}, "points": [{"positions": [0, 1], "time_from_start": {"sec": null, "nanosec": 5}}]}`,
      't.json:1: points[0].time_from_start: {"sec":null,"nanosec":5} is not a time',
    ],
    [
      'timestamp,a,b\n1700000000000,1,2\n',
      't.json:2: timestamp: "1700000000000" exceeds the bound of 2147483647 s on times',
    ],
    ['0\t2 0 1\n2147483648\t2 0 1\n', 't.json:2: the time 2147483648 exceeds the bound of 2147483647 s on times'],
    [
      `{${head}, "points": [{"positions": [0, 1], "time_from_start": {"sec": 2147483647, "nanosec": 1000}}]}`,
      't.json:1: points[0].time_from_start: 2147483647.000001 exceeds the bound of 2147483647 s on times',
    ],
    ['time [ms],a,b\n0,1,2\n', 't.json:1: column 1, time [ms], is not in seconds and radians or metres'],
    ['time,a [deg],b\n0,1,2\n', 't.json:1: column 2, a [deg], is not in seconds and radians or metres'],
    [
      'time,a,b,a_vel (deg/s),b_vel\n0,1,2,3,4\n',
      't.json:1: column 4, a_vel (deg/s), is not in seconds and radians or metres',
    ],
  ])('%j', async (text, message) => {
    const [first] = (await refusal(text, 't.json', ['a', 'b'])).split('\n');
    expect(first).toBe(message);
  });

  test('messages of ROS with fields that are empty or do not move the joints are read', async () => {
    const text = `{"goal": {"trajectory": {"header": {"frame_id": ""}, ${head}, "points": [{"positions": [0, 1], "velocities": [], "effort": [0, 0], "time_from_start": {"sec": 1, "nsec": 500000000}}]}, "multi_dof_trajectory": {"joint_names": [], "points": []}, "goal_time_tolerance": {"sec": 0}}}`;
    const { points: read } = await readTrajectory(text, 't.json', ['a', 'b']);
    expect(read[0].time_from_start).toBe(1.5);
    const table = 'time [s],a [rad],b (rad),a_vel [rad/s],b_vel [rad/s],eff_a [Nm]\n0,1,2,3,4,5\n';
    expect((await readTrajectory(table, 't.csv', ['a', 'b'])).points).toEqual([
      { time_from_start: 0, positions: [1, 2], velocities: [3, 4] },
    ]);
  });
});
