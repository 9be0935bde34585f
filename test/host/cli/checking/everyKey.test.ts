import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

/**
 * Each key of a scene × each command that may call a motion valid: scenes whose one key the motion violates. What
 * `check` refuses, no command accepts, unless its manual says that it does not judge the key; and what a command
 * writes, `check` accepts.
 */

const cwd = temporaryFolder();
const file = (name: string) => join(cwd, name);
const save = (name: string, data: unknown) => {
  writeFileSync(file(name), typeof data === 'string' ? data : JSON.stringify(data));
  return file(name);
};

const link = (name: string) => `
  <link name="${name}">
    <inertial><origin xyz="0.2 0 0"/><mass value="2"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.03"/></inertial>
    <collision><origin xyz="0.2 0 0"/><geometry><box size="0.3 0.05 0.05"/></geometry></collision>
  </link>`;
const joint = (name: string, parent: string, child: string, x: number, axis: string) => `
  <joint name="${name}" type="revolute"><parent link="${parent}"/><child link="${child}"/><origin xyz="${x} 0 0"/>
    <axis xyz="${axis}"/><limit lower="-3" upper="3" velocity="2" effort="60"/></joint>`;
save(
  'arm.urdf',
  `<robot name="arm"><link name="base"/>${['a', 'elbow_link', 'b'].map(link).join('')}
${joint('turn', 'base', 'a', 0, '0 0 1')}${joint('lift', 'a', 'elbow_link', 0.4, '0 1 0')}${joint('wrist', 'elbow_link', 'b', 0.4, '0 1 0')}
  </robot>`,
);

type Keys = Readonly<Record<string, unknown>>;

const box = (xyz: readonly number[], size = [0.1, 0.1, 0.1]) => ({ name: 'box', type: 'box', size, pose: { xyz } });
save('joint_limits.yaml', 'joint_limits: {turn: {has_velocity_limits: true, max_velocity: 0.5}}');
const limits = { turn: { acceleration: 4 }, lift: { acceleration: 4 }, wrist: { acceleration: 4 } };
const robot = { urdf: 'arm.urdf', limits };
const base: Keys = { format: 'elbowroom-scene/1', robot, start: [0, 0, 0] };
/** Violated by a turn of the first joint by 1 rad in 2 s. */
const violated: Readonly<Record<string, Keys>> = {
  obstacles: { obstacles: [box([0.8, 0.5, 0])] },
  'obstacles, while they move': {
    obstacles: [
      {
        ...box([0, 0, 0]),
        pose: undefined,
        motion: { times: [0, 0.3, 2], poses: [1, 0, 0].map((x) => ({ xyz: [1, 0.4 + x, 0] })) },
      },
    ],
  },
  attached: { obstacles: [box([0.9, 0.62, 0.3])], attached: [{ ...box([0.3, 0, 0.3]), name: 'cup', link: 'b' }] },
  robots: {
    robots: [
      {
        name: 'other',
        robot: { urdf: 'arm.urdf', limits },
        pose: { xyz: [0.9, 0.6, 0], rpy: [0, 0, 0.5] },
        q: [0, 0, 0],
      },
    ],
  },
  padding: { padding: '100 mm', obstacles: [box([0.8, 0, 0.1])] },
  clearance: { clearance: [['b', 'box', '100 mm']], obstacles: [box([1, 0.3, 0.16])] },
  tcp_speed: { tcp_speed: 0.3 },
  speed: { speed: 0.3 },
  acceleration: { acceleration: 0.3 },
  'robot.limits, velocity': {
    robot: { urdf: 'arm.urdf', limits: { ...limits, turn: { acceleration: 4, velocity: 0.5 } } },
  },
  'robot.joint_limits': { robot: { ...robot, joint_limits: 'joint_limits.yaml' } },
  'robot.limits, jerk': { robot: { urdf: 'arm.urdf', limits: { ...limits, turn: { acceleration: 4, jerk: 1 } } } },
  'constraints, tilt': { constraints: [{ type: 'tilt', axis: [1, 0, 0], towards: [1, 0, 0], within: 0.5 }] },
  'constraints, orientation': { constraints: [{ type: 'orientation', rpy: [0, 0, 0], within: [0.5, 0.5, 0.5] }] },
  'constraints, region': { constraints: [{ type: 'region', shape: { type: 'box', size: [2, 0.5, 1] } }] },
  'constraints, speed': { constraints: [{ type: 'speed', most: 0.3 }] },
  'constraints, joint': { constraints: [{ type: 'joint', joint: 'turn', range: [0, 0.9] }] },
  'safety, planes': { safety: { planes: [{ name: 'door', point: [0, 0.4, 0], normal: [0, 1, 0] }] } },
  'safety, tool': {
    safety: {
      tool: [{ xyz: [0.5, 0, 0], radius: 0.1 }],
      planes: [{ name: 'door', point: [0, 0.9, 0], normal: [0, 1, 0], keep: ['tool'] }],
    },
  },
  'safety, tool_direction': { safety: { tool_direction: { axis: [1, 0, 0], towards: [1, 0, 0], within: 0.5 } } },
  'safety, tcp_speed': { safety: { tcp_speed: 0.3 } },
  'safety, elbow_speed': { safety: { elbow_speed: 0.1 } },
  'safety, joint_speed': { safety: { joint_speed: { turn: 0.5 } } },
  'safety, joint_range': { safety: { joint_range: { turn: [0, 0.9] } } },
  'safety, stopping_time': { safety: { stopping_time: '50 ms' } },
  'safety, stopping_distance': { safety: { stopping_distance: '20 mm' } },
  torque: { torque: true, payload: { mass: 20 } },
  'torque, by gravity': { torque: true, gravity: [0, 0, -60] },
  'torque, by a mass': { torque: true, attached: [{ ...box([0.3, 0, 0.3]), name: 'cup', link: 'b', mass: 20 }] },
};
/** Limits of the rates of the robot are not what certificates and `verify` are about. */
const isNotVerified = (key: string) => /^(tcp_speed|speed|acceleration|robot\.(joint_)?limits.*)$/.test(key);

const T = 2;
const points = [0, 1].map((k) => ({ time_from_start: k * T, positions: [k, 0, 0], velocities: [0, 0, 0] }));
const trajectory = {
  format: 'elbowroom-trajectory/1',
  joint_names: ['turn', 'lift', 'wrist'],
  interpolation: 'cubic',
  points,
};
const motion = save('motion.json', trajectory);
const path = save('path.json', {
  ...trajectory,
  interpolation: 'linear',
  points: points.map(({ positions }) => ({ positions })),
});
const accepts = async (scene: string, one: string) => (await elbowroom(['check', scene, one])).code === 0;

/** Runs a command that writes a motion; returns true unless it wrote one that check refuses. */
async function isSound(args: readonly string[], scene: string): Promise<boolean> {
  const { code } = await elbowroom([...args, '-o', file('out.json')]);
  expect([0, 1, 2], args[0]).toContain(code);
  return code !== 0 || accepts(scene, file('out.json'));
}

let certificate: string;
beforeAll(async () => {
  const scene = save('free.json', { ...base, goal: [1, 0, 0] });
  certificate = file('certificate.json');
  const checked = await elbowroom(['check', scene, motion, '--certificate', certificate]);
  expect(checked.code, checked.stderr).toBe(0);
  for (const args of [
    ['verify', certificate, scene, motion],
    ['recertify', scene, motion],
    ['repair', scene, motion, '-o', file('out.json')],
  ])
    expect((await elbowroom(args)).code, args[0]).toBe(0);
});

describe('what check refuses because of one key of the scene, no command calls valid', () => {
  test.each(Object.keys(violated))('%s', async (key) => {
    const scene = save('scene.json', { ...base, goal: [1, 0, 0], ...violated[key] });
    const checked = await elbowroom(['check', scene, motion]);
    expect(checked.code, checked.stdout + checked.stderr).toBe(1);
    if (!isNotVerified(key)) {
      const own = file('own.json');
      const { code } = await elbowroom(['check', scene, motion, '--certificate', own]);
      expect(code).toBe(1);
      expect((await elbowroom(['verify', certificate, scene, motion])).code, 'verify').not.toBe(0);
    }
    expect((await elbowroom(['recertify', scene, motion])).code, 'recertify').not.toBe(0);
    expect(
      (await elbowroom(['optimize', scene, motion, '--steps', '3', '-o', file('out.json')])).code,
      'optimize',
    ).not.toBe(0);
    expect(await isSound(['repair', scene, motion, '--time-limit', '2'], scene), 'repair').toBe(true);
    expect(await isSound(['time', scene, path], scene), 'time').toBe(true);
    const proposal = points.map(({ time_from_start, positions, velocities }) => ({
      time: 0.1 + time_from_start,
      positions,
      velocities,
    }));
    const messages = save('messages.jsonl', `${JSON.stringify({ now: 0, points: proposal })}\n`);
    expect(await isSound(['gate', scene, messages], scene), 'gate').toBe(true);
  });
});

describe('of programs, too', () => {
  const steps = [{ move: [1, 0, 0] }];
  const planned = file('program.json');
  const proof = file('program-certificate.json');
  beforeAll(async () => {
    const scene = save('free-program.json', { ...base, steps });
    expect((await elbowroom(['plan', scene, '-o', planned, '--certificate', proof])).code).toBe(0);
    expect((await elbowroom(['verify', proof, scene, planned])).code).toBe(0);
    expect(readFileSync(planned, 'utf8')).toMatch(/"segments"/);
  });
  test.each(Object.keys(violated))('%s', async (key) => {
    const scene = save('program-scene.json', { ...base, steps, ...violated[key] });
    expect((await elbowroom(['check', scene, planned])).code, 'check').toBe(1);
    if (!isNotVerified(key)) expect((await elbowroom(['verify', proof, scene, planned])).code, 'verify').not.toBe(0);
    expect(await isSound(['repair', scene, planned, '--time-limit', '2'], scene), 'repair').toBe(true);
    for (const [name, one] of [
      ['recertify', planned],
      ['optimize', planned],
      ['time', path],
      ['gate', motion],
    ])
      expect((await elbowroom([name, scene, one])).code, name).toBe(2);
  });
});
