import { createHash } from 'node:crypto';
import { assert, describe, expect, test } from 'vitest';
import type { RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import { linkNamed } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { Random } from '../../../src/core/math/random.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { planProgram } from '../../../src/tasks/programs/planProgram.ts';
import { createSceneRobot, motionLimitsOf } from '../../../src/tasks/sceneRobot.ts';
import { cases } from '../../cases.ts';
import { scratchFolder } from '../../host/node/scratch.ts';
import { blendFault, jerkFault, type LineProgram, restingAt } from './blendOracle.ts';
import { check, drafted } from './plannedProgram.ts';

const { put } = scratchFolder();
const HEAD = `format: elbowroom-scene/1
robot: ur5e
tcp: {link: tool0, xyz: [0, 0, 0.14]}
start: [0, -1.5, 1.6, -1.7, -pi/2, 0]
`;
const load = async (text: string) => {
  const loaded = await loadScene(put('blends.yaml', `${HEAD}${text}`));
  return { ...loaded, model: createSceneRobot(loaded) };
};

/** A random program of lines, as text and as the oracle reads it. */
async function randomProgram(random: Random) {
  const point = () => [random.between(0.35, 0.55), random.between(-0.3, 0.3), random.between(0.1, 0.45)];
  const start = point();
  const startBlend = random.between(0.005, 0.05);
  const steps = Array.from({ length: 3 }, (_, k) => ({
    corners: Array.from({ length: 1 + random.below(3) }, point),
    blend: random.between(0.004, 0.06),
    isFollowed: k < 2,
    speed: random.between(0.3, 1),
    tcpSpeed: random.between(0.2, 1),
  }));
  const goal = (p: readonly number[]) => `{xyz: [${p.join(', ')}], rpy: [pi, 0, 0]}`;
  const lines = steps.map(
    ({ corners, blend, speed, tcpSpeed }) =>
      `  - {line: {to: [${corners.map(goal).join(', ')}]}, blend: ${blend}, speed: ${speed}, tcp_speed: ${tcpSpeed}}`,
  );
  const text = `steps:\n  - {move: ${goal(start)}, blend: ${startBlend}}\n${lines.join('\n')}\n`;
  const loaded = await load(text);
  const { model, scene } = loaded;
  const limits = motionLimitsOf(model, scene);
  const program: LineProgram = {
    model,
    frame: { link: linkNamed(model, 'tool0'), T_link_frame: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.14] },
    rotation: [1, 0, 0, 0, -1, 0, 0, 0, -1],
    start,
    startBlend,
    steps,
    limits: { velocity: Array.from(limits.velocity), acceleration: Array.from(limits.acceleration) },
  };
  return { ...loaded, program };
}

test.each([
  { jerk: undefined, seed: 11, count: cases(6) },
  { jerk: 300, seed: 12, count: cases(4) },
])(
  'random lines are blended within their balls, and on their paths outside of them: jerk $jerk',
  async ({ jerk, seed, count }) => {
    const random = new Random(seed);
    let solved = 0;
    let blended = 0;
    let accepted = 0;
    for (let i = 0; i < count; i++) {
      const { scene, robot: given, program } = await randomProgram(random);
      const robot = withJerk(given, jerk);
      const model = createSceneRobot({ scene, robot });
      const { trajectory, reason } = planProgram({ scene, robot, model });
      if (!trajectory) continue; // out of reach
      solved++;
      assert.equal(blendFault(program, trajectory), undefined, `${i}: ${reason}`);
      if (jerk !== undefined) assert.equal(jerkFault(trajectory, jerk), undefined, `${i}`);
      for (const { to } of trajectory.segments!.slice(0, -1)) if (!restingAt(trajectory, to)) blended++;
      // Whatever `check` accepts of changed motions is right as well.
      for (let change = 0; change < 4 && jerk === undefined; change++) {
        const point = 1 + random.below(trajectory.points.length - 2);
        const size = 10 ** random.between(-6, -2);
        const changed = drafted(trajectory, ({ points }) => {
          points[point].positions[random.below(6)] += random.below(2) === 0 ? size : -size;
        });
        if (!check({ model, scene }, changed).valid) continue;
        accepted++;
        assert.equal(blendFault(program, changed), undefined, `${i}: point ${point} changed by ${size}`);
      }
    }
    expect(solved).toBeGreaterThanOrEqual(Math.max(1, count - 2));
    expect(blended).toBeGreaterThanOrEqual(2 * solved);
    expect(accepted > 0).toBe(jerk === undefined);
  },
);

/** Returns a robot with a jerk limit at all joints; undefined: as it is. */
const withJerk = (robot: RobotDescription, jerk: number | undefined): RobotDescription =>
  jerk === undefined ? robot : { ...robot, joints: robot.joints.map((joint) => ({ ...joint, jerk })) };

const PROGRAM = `steps:
  - {move: {xyz: [0.5, 0.2, 0.3], rpy: [pi, 0, 0]}, blend: 30 mm}
  - {line: {by: [0, 0, -0.2]}, blend: 30 mm, tcp_speed: 0.5}
  - {line: {by: [0, -0.3, 0]}, blend: 30 mm}
  - {line: {to: [{xyz: [0.4, -0.1, 0.1]}, {xyz: [0.4, -0.1, 0.3]}, {xyz: [0.4, 0.1, 0.3]}]}, blend: 20 mm, speed: 0.5}
  - {move: {xyz: [0.5, 0.2, 0.5], rpy: [pi, 0, 0]}, blend: 50 mm}
  - {move: [0, -1.5, 1.6, -1.7, -pi/2, 0]}
`;

describe('a program with blends', async () => {
  const loaded = await load(PROGRAM);
  const { trajectory } = planProgram(loaded);
  assert(trajectory);
  const faults = async (text: string, motion = trajectory) => {
    const { model, scene } = await load(text);
    return check({ model, scene }, motion).stepFaults.map(({ what }) => what);
  };

  test('does not stop at any of its blended ends, and is faster than with stops', async () => {
    expect(await faults(PROGRAM)).toEqual([]);
    expect(trajectory.segments!.map(({ to }) => restingAt(trajectory, to))).toEqual([...Array(5).fill(false), true]);
    const stopping = planProgram(await load(PROGRAM.replaceAll(/blend: \d+ mm/g, 'blend: 0')));
    expect(stopping.stats.duration! - trajectory.points.at(-1)!.time_from_start!).toBeGreaterThan(0.8);
  });

  test('of a robot without jerk limits has the bytes that it had before', () => {
    const hash = createHash('sha256').update(JSON.stringify(trajectory.points)).digest('hex');
    expect(hash).toBe('4588cdbfce82c6a594b14af18a73eb7b1150290562f39f283c94017881b7aa11');
  });

  test.each([
    ['no blend at all', /blend: \d+ mm/g, 'blend: 0', /step 0 \(move\): not at rest at its end/],
    [
      'a smaller blend of a move',
      'blend: 30 mm}\n  - {line: {by: [0, 0, -0.2]}',
      'blend: 5 mm}\n  - {line: {by: [0, 0, -0.2]}',
      /step 0 .* its blend of 0.005 m/,
    ],
    ['a smaller blend of a line', 'blend: 30 mm, tcp', 'blend: 10 mm, tcp', /step 1 .* (off its path|its blend)/],
    [
      'smaller blends at the corners of a polyline',
      'blend: 20 mm',
      'blend: 6 mm',
      /step 3 .* corner 0 farther away than its blend/,
    ],
    ['a slower step', 'speed: 0.5}', 'speed: 0.4}', /step 3 .* velocity .* its limit/],
    ['a slower tool', 'tcp_speed: 0.5', 'tcp_speed: 0.45', /step 1 .* TCP speed/],
    [
      'another end of a line before a blend',
      '[0, -0.3, 0]',
      '[0, -0.32, 0]',
      /step 2 .* off its path|step 2 .* its blend/,
    ],
    [
      'an event at a blended end',
      '  - {line: {by: [0, -0.3, 0]}',
      '  - {wait: 0}\n  - {line: {by: [0, -0.3, 0]}',
      /segments/,
    ],
    [
      'a frame that moves within the blend',
      'by: [0, -0.3, 0]',
      'by: [0, 0.3, 0], frame: tool0',
      /step 2 .* frame is that of a link/,
    ],
  ] as const)('is refused by a program with %s', async (_, from, to, wanted) => {
    const text = PROGRAM.replaceAll(from, to);
    assert.notEqual(text, PROGRAM);
    expect((await faults(text)).join('\n')).toMatch(wanted);
  });

  test('is refused if a segment ends outside its ball', async () => {
    const shifted = drafted(trajectory, ({ segments }) => {
      segments![1].to += 0.2;
      segments![2].from += 0.2;
    });
    expect((await faults(PROGRAM, shifted)).join('\n')).toMatch(/step 1 .* its blend of 0.03 m/);
  });
});

test('no part of an arc is left out because its ends are in one ball', async () => {
  const arc = (blend: string) => `steps:
  - {move: {xyz: [0.45, 0, 0.3], rpy: [pi, 0, 0]}, blend: ${blend}}
  - {arc: {via: {xyz: [0.55, 0.1, 0.3]}, to: {xyz: [0.45, 0.01, 0.3]}}, blend: ${blend}}
  - {line: {by: [0, 0, 0.2]}}
`;
  const { scene, model } = await load(arc('60 mm'));
  // The motion of a program without the arc: a blend of the move and the line, cut where the arc would be.
  const short = planProgram(
    await load(`steps:
  - {move: {xyz: [0.45, 0, 0.3], rpy: [pi, 0, 0]}, blend: 60 mm}
  - {line: {to: {xyz: [0.45, 0.01, 0.5]}}}
`),
  ).trajectory!;
  const { from, to } = { from: short.segments![0].to, to: short.segments![1].to };
  const inBall = from + 0.02;
  const cut = drafted(short, (draft) => {
    draft.segments = [
      { step: 0, kind: 'move', from: 0, to: from },
      { step: 1, kind: 'arc', from, to: inBall },
      { step: 2, kind: 'line', from: inBall, to },
    ];
  });
  const faults = check({ model, scene }, cut).stepFaults.map(({ what }) => what);
  expect(faults.join('\n')).toMatch(/step 1 \(arc\): leaves a part of its path out/);
});

test('robots with jerk limits do not stop at blends either, and keep their limits in them', async () => {
  const { scene, robot: given } = await load(PROGRAM);
  const robot = withJerk(given, 200);
  const { trajectory, reason } = planProgram({ scene, robot });
  assert(trajectory, reason);
  expect(trajectory.segments!.map(({ to }) => restingAt(trajectory, to))).toEqual([...Array(5).fill(false), true]);
  expect(jerkFault(trajectory, 200)).toBe(undefined);
  const { scene: stops } = await load(PROGRAM.replaceAll(/blend: \d+ mm/g, 'blend: 0'));
  const stopping = planProgram({ scene: stops, robot });
  expect(stopping.stats.duration! - trajectory.points.at(-1)!.time_from_start!).toBeGreaterThan(0.8);
  // a lower limit is not kept: the check of jerk is not empty
  const lower = createSceneRobot({ scene, robot: withJerk(given, 190) });
  expect(check({ scene, model: lower }, trajectory).faults.map(({ kind }) => kind)).toContain('jerk');
});

test.each([
  ['a line', 'line: {by: [0.012, 0, 0]', 'line: {by: [0, 0, 0.012]'],
  ['another orientation of a line', 'line: {by: [0.012, 0, 0]', 'line: {by: [0.012, 0, 0], rpy: [0, 0, 0.2]'],
  [
    'the last leg of a polyline',
    'line: {to: [{xyz: [0.5, 0.1, 0.3]}, {xyz: [0.512, 0.1, 0.3]}]',
    'line: {to: [{xyz: [0.5, 0.1, 0.3]}, {xyz: [0.5, 0.1, 0.312]}]',
  ],
])('the end of %s is reached although it is within the ball about its start', async (_, line, other) => {
  const text = (motion: string) => `steps:
  - {move: {xyz: [0.5, -0.15, 0.3], rpy: [pi, 0, 0]}}
  - {line: {by: [0, 0.15, 0]}, blend: 30 mm}
  - {${motion}}, blend: 30 mm}
  - {wait: 0}
`;
  const loaded = await load(text(line));
  const { trajectory, reason } = planProgram(loaded);
  assert(trajectory, reason);
  expect(check(loaded, trajectory).stepFaults).toEqual([]);
  const { model, scene } = await load(text(other));
  expect(check({ model, scene }, trajectory).stepFaults.map(({ what }) => what)).toEqual([
    expect.stringMatching(/^step 2 .*off its path/),
  ]);
});
