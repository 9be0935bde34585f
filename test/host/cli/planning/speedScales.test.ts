import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { loadRobot } from '../../../../src/host/node/files.ts';
import { temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

interface Points {
  readonly points: readonly { time_from_start: number; positions: number[]; velocities: number[] }[];
}

const folder = temporaryFolder();
const { variables } = createRobotModel(await loadRobot('ur5e'));
const text = readFileSync(new URL('../../../../scenes/shelf.yaml', import.meta.url), 'utf8');

function sceneWith(name: string, keys: string): string {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, `${text}\n${keys}\n`);
  return file;
}

/** Largest speed and acceleration of each joint, as parts of its limits, from 200 samples of each cubic. */
function shares({ points }: Points): { velocity: number; acceleration: number } {
  let [velocity, acceleration] = [0, 0];
  for (let k = 1; k < points.length; k++) {
    const T = points[k].time_from_start - points[k - 1].time_from_start;
    for (const [j, { limits }] of variables.entries()) {
      const [x0, x1] = [points[k - 1].positions[j], points[k].positions[j]];
      const [v0, v1] = [points[k - 1].velocities[j], points[k].velocities[j]];
      const c2 = (3 * (x1 - x0)) / T ** 2 - (2 * v0 + v1) / T;
      const c3 = (2 * (x0 - x1)) / T ** 3 + (v0 + v1) / T ** 2;
      for (let i = 0; i <= 200; i++) {
        const u = (T * i) / 200;
        velocity = Math.max(velocity, Math.abs(v0 + u * (2 * c2 + 3 * c3 * u)) / limits.velocity);
        acceleration = Math.max(acceleration, Math.abs(2 * c2 + 6 * c3 * u) / limits.acceleration);
      }
    }
  }
  return { velocity, acceleration };
}

async function planned(...args: string[]): Promise<Points> {
  const { code, stdout } = await elbowroom(['plan', ...args]);
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

describe('speed and acceleration of a scene', () => {
  test('scale the limits of the plan and of check', async () => {
    const scene = sceneWith('both', 'speed: 25 %\nacceleration: 1/2');
    const plan = await planned(scene);
    const found = shares(plan);
    expect(found.velocity).toBeLessThanOrEqual(0.25 + 1e-9);
    expect(found.velocity).toBeGreaterThan(0.2);
    expect(found.acceleration).toBeLessThanOrEqual(0.5 + 1e-9);
    expect(found.acceleration).toBeGreaterThan(0.4);
    const file = join(folder, 'plan.json');
    writeFileSync(file, JSON.stringify(plan));
    expect((await elbowroom(['check', scene, file])).code).toBe(0);
    expect((await elbowroom(['check', 'shelf', file])).code).toBe(0);
    const slower = sceneWith('slower', 'speed: 24 %\nacceleration: 50 %');
    const refused = await elbowroom(['check', slower, file]);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout).limit_ratios.velocity).toBeGreaterThan(1);
    expect(refused.stderr).toContain('velocity');
  });

  test('of the options of plan replace those of the scene', async () => {
    const scene = sceneWith('slow', 'speed: 0.1');
    const fast = await planned(scene, '--speed', '50%', '--acceleration', '0.25');
    expect(fast.points).toEqual((await planned('shelf', '--speed', '0.5', '--acceleration', '25 %')).points);
    expect(shares(fast).acceleration).toBeLessThanOrEqual(0.25 + 1e-9);
    expect(await planned('shelf', '--speed', '1')).toEqual(await planned('shelf'));
  });

  test.each([
    ['speed: 0', 'speed: it is 0, must be above 0 and at most 1'],
    ['speed: 150 %', 'speed: it is "150 %", must be above 0 and at most 1'],
    ['acceleration: 2', 'acceleration: it is 2, must be above 0 and at most 1'],
    ['speed: -10 %', 'speed: it is "-10 %", must be above 0'],
    ['speed: 0.5 m/s', 'speed: it is "0.5 m/s", which is a length per second'],
    ['speed: fast', 'speed: it is "fast": not a number'],
    ['speed: "%"', 'speed: it is "": not a number'],
  ])('%s is refused', async (keys, what) => {
    const { code, stdout, stderr } = await elbowroom(['plan', sceneWith('bad', keys)]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(what);
  });

  test('an invalid option is named', async () => {
    const { code, stderr } = await elbowroom(['plan', 'shelf', '--speed', '200%']);
    expect(code).toBe(2);
    expect(stderr).toContain('--speed: it is "200%", must be above 0 and at most 1');
  });
});

describe('tcp_speed of a scene', () => {
  test('is kept by the plan, and check reports a faster motion with its time and value', async () => {
    const scene = sceneWith('tcp', 'tcp: {link: tool0, xyz: [0, 0, 0.14]}\ntcp_speed: 250 mm/s');
    const slow = join(folder, 'slow.json');
    expect((await elbowroom(['plan', scene, '-o', slow])).code).toBe(0);
    expect((await elbowroom(['check', scene, slow])).code).toBe(0);
    const fast = join(folder, 'fast.json');
    expect((await elbowroom(['plan', 'shelf', '-o', fast])).code).toBe(0);
    const { code, stdout, stderr } = await elbowroom(['check', scene, fast]);
    expect(code).toBe(1);
    const [fault] = JSON.parse(stdout).faults;
    expect(fault).toMatch(/^the TCP: speed [\d.]+ m\/s at [\d.]+ s, its limit is 0\.25 m\/s$/);
    expect(stderr).toContain(fault);
    const path = join(folder, 'path.json');
    expect((await elbowroom(['plan', scene, '--no-timing', '-o', path])).code).toBe(0);
    expect((await elbowroom(['check', scene, path])).code).toBe(0);
  });

  test.each([
    ['tcp_speed: 0', 'tcp_speed: it is 0, must be greater than 0'],
    ['tcp_speed: 20 mm', 'tcp_speed: it is "20 mm", which is a length; it must be a length per second'],
    ['tcp_sped: 0.2', 'tcp_sped: unknown key'],
  ])('%s is refused', async (keys, what) => {
    const { code, stdout, stderr } = await elbowroom(['plan', sceneWith('bad-tcp', keys)]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(what);
  });

  test('requires an unambiguous TCP', async () => {
    const file = join(folder, 'dual.yaml');
    const dual = readFileSync(new URL('../../../../scenes/dual-arm-shelf.yaml', import.meta.url), 'utf8');
    writeFileSync(file, `${dual}\ntcp_speed: 0.2\n`);
    const { code, stderr } = await elbowroom(['plan', file]);
    expect(code).toBe(2);
    expect(stderr).toContain('is ambiguous: it has several ends: left_tool0, right_tool0');
  });
});
