import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const folder = temporaryFolder();
const waiter = join(root, 'scenes/waiter.yaml');

function sceneWith(name: string, constraint: string): string {
  const file = join(folder, `${name}.yaml`);
  const head = 'format: elbowroom-scene/1\nrobot: ur5e\nobstacles: []\nstart: [0, -1, 1, 0, 0, 0]\n';
  writeFileSync(file, `${head}goal: [1, -1, 1, 0, 0, 0]\nconstraints:\n  - ${constraint}\n`);
  return file;
}

describe('constraints that are refused, exit code 2', () => {
  const bad: readonly [string, string, RegExp][] = [
    ['type', '{type: cone, within: 1}', /bad\.yaml:7: constraints\[0\].*type/],
    ['axis', '{type: tilt, towards: [0, 0, 1], within: 10 deg}', /constraints\[0\].*axis/],
    ['unknown-key', '{type: tilt, axis: [0, 0, 1], towards: [0, 0, 1], within: 10 deg, most: 3}', /most/],
    ['direction', '{type: tilt, axis: [0, 0, 0], towards: [0, 0, 1], within: 10 deg}', /no direction/],
    ['long axis', '{type: tilt, axis: [0, 0, 1e200], towards: [0, 0, 1], within: 10 deg}', /axis: .* no direction/],
    ['negative', '{type: tilt, axis: [0, 0, 1], towards: [0, 0, 1], within: -1}', /greater than 0/],
    ['degrees', '{type: tilt, axis: [0, 0, 1], towards: [0, 0, 1], within: 10}', /has no effect[\s\S]*"10 deg"/],
    ['turn', '{type: orientation, within: [5 deg, 5 deg, 360 deg]}', /within\[2\].*has no effect/],
    ['joint', '{type: joint, joint: elbow, range: [0, 1]}', /"elbow"/],
    ['range', '{type: joint, joint: elbow_joint, range: [1, 0]}', /below the first/],
    ['shape', '{type: region, shape: {type: cone, radius: 1}}', /shape/],
    ['link', '{type: region, shape: {type: sphere, radius: 1}, frame: {link: hand}}', /"hand"/],
    ['speed', '{type: speed, most: 0}', /greater than 0/],
  ];
  test.each(bad)('%s', async (_, constraint, message) => {
    const file = sceneWith('bad', constraint);
    for (const command of ['plan', 'validate']) {
      const { code, stderr } = await elbowroom([command, file], { input: '[0, -1, 1, 0, 0, 0]' });
      expect(stderr).toMatch(message);
      expect(stderr).not.toMatch(/\n\s+at /);
      expect(code).toBe(2);
    }
  });
});

test('validate --motions and serve list the constraints that a motion violates between good states', async () => {
  // The tray tilts on the straight line between two states that are both upright.
  const [from, to] = [
    [-1.43, -1.38, 2.1, -2.29, 1.57, 0],
    [-0.05, -1.1, 1.7, -2.17, 1.57, 0],
  ];
  const tilting = [from, to.map((value, i) => (i === 3 ? value - 0.9 : value))];
  const input = `${JSON.stringify({ from: tilting[0], to: tilting[1] })}\n`;
  const lines = await elbowroom(['validate', waiter, '-', '--motions'], { input });
  expect([lines.code, JSON.parse(lines.stdout)]).toMatchObject([1, { valid: false, constraints: ['upright'] }]);
  const request = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const requests = [
    request(1, 'validate', { states: [from, tilting[1]] }),
    request(2, 'validate', { q: tilting[1], details: true }),
    request(3, 'validate_motion', { from: tilting[0], to: tilting[1], details: true }),
    request(4, 'validate_motion', { from: tilting[0], to: tilting[1] }),
    request(5, 'plan', {}),
  ];
  const { code, stdout } = await elbowroom(['serve', waiter, '--stdio'], { input: requests.join('') });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ id }) => id !== undefined);
  const [states, state, motion, quick, plan] = answers.map(({ result }) => result);
  expect([code, states.valid]).toEqual([0, [true, false]]);
  expect(state).toMatchObject({ valid: false, constraints: ['upright'] });
  expect(motion).toMatchObject({ valid: false, constraints: ['upright'] });
  expect([quick.valid, plan.status]).toEqual([false, 'solved']);
});

test('a plan satisfies check and verify; a motion that tilts the tray between good states does not', async () => {
  const [plan, proof] = [join(folder, 'plan.json'), join(folder, 'proof.json')];
  expect((await elbowroom(['plan', waiter, '-o', plan, '--certificate', proof])).code).toBe(0);
  expect((await elbowroom(['check', waiter, plan])).code).toBe(0);
  expect((await elbowroom(['verify', proof, waiter, plan])).code).toBe(0);

  const narrow = join(folder, 'narrow.yaml');
  writeFileSync(narrow, readFileSync(waiter, 'utf8').replace('within: 10 deg', 'within: 0.6 deg'));
  const checked = await elbowroom(['check', narrow, plan]);
  expect(checked.code).toBe(1);
  expect(JSON.parse(checked.stdout).faults[0]).toMatch(/^constraint "upright" is violated by/);
  const verified = await elbowroom(['verify', proof, narrow, plan]);
  expect([verified.code, JSON.parse(verified.stdout).proved]).toEqual([1, false]);
});

test('validate lists all violated constraints by name', async () => {
  const file = sceneWith(
    'states',
    '{type: joint, joint: elbow_joint, range: [0, 0.5]}\n  - {name: low, type: region, shape: {type: sphere, radius: 0.1}}',
  );
  const { code, stdout } = await elbowroom(['validate', file], { input: '[0, -1, 1, 0, 0, 0]' });
  expect(JSON.parse(stdout)).toMatchObject({ valid: false, constraints: ['joint', 'low'] });
  expect(code).toBe(1);
});

test('a start that violates a constraint is named, and so is a program that only waits there', async () => {
  const tilt = '{type: tilt, axis: [0, 0, 1], towards: [0, 0, -1], within: 5 deg}';
  const { code, stderr } = await elbowroom(['plan', sceneWith('start', tilt)]);
  expect(code).toBe(1);
  expect(stderr).toContain('the start violates the constraint "tilt"');
  const program = sceneWith('program', tilt);
  writeFileSync(program, readFileSync(program, 'utf8').replace(/goal: .*/, 'steps: [{wait: 0.5}]'));
  const waiting = await elbowroom(['plan', program]);
  expect(waiting.code).toBe(1);
  expect(waiting.stderr).toContain('constraint "tilt" is violated');
});
