import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../run.ts';
import { runHere } from '../runHere.ts';

const cwd = temporaryFolder();
const scene = join(cwd, 'cell.yaml');
writeFileSync(
  scene,
  `format: elbowroom-scene/1
name: cell
robot: ur5e
start: [0, -80 deg, 100 deg, -110 deg, -90 deg, 0]
obstacles:
  - { name: post, type: box, size: [0.1, 0.1, 2], pose: { xyz: [0.37, 0.45, 0] } }
`,
);

/** Writes a program of moves, and returns its file. */
function program(name: string, ...lines: string[]): string {
  const file = join(cwd, `${name}.script`);
  writeFileSync(file, `def p():\n${lines.map((line) => `  ${line}\n`).join('')}end\n`);
  return file;
}

const [HOME, ASIDE, INTO] = [
  '[0.0, -1.4, 1.75, -1.92, -1.57, 0.0]',
  '[-0.3, -1.4, 1.75, -1.92, -1.57, 0.0]',
  '[0.6, -1.4, 1.75, -1.92, -1.57, 0.0]',
];
const cell = (target: string) => [
  'while (True):',
  `  movej(${HOME})`,
  '  while (not get_standard_digital_in(0)):',
  '    sync()',
  '  end',
  '  if (get_standard_digital_in(1)):',
  `    movej(${target}, r=0.02)`,
  `    movej(${HOME})`,
  '  end',
  'end',
];

test('a program is valid if it is with all values of its inputs', async () => {
  const { code, stdout, stderr } = await runHere(['check', scene, program('free', ...cell(ASIDE))]);
  expect(code, stderr).toBe(0);
  const { valid, verdict, executions, moves } = JSON.parse(stdout);
  expect({ valid, verdict }).toEqual({ valid: true, verdict: 'valid' });
  expect(executions).toBeGreaterThan(2);
  expect(moves.map(({ line }: { line: number }) => line)).toEqual([3, 8, 9]);
});

test('one that touches for one value of an input is not, and the fault names that value', async () => {
  const touching = program('touching', ...cell(INTO));
  const { code, stdout, stderr } = await runHere(['check', scene, touching]);
  expect(code).toBe(1);
  const { verdict, faults } = JSON.parse(stdout);
  expect(verdict).toBe('invalid');
  expect(faults[0]).toMatch(/^line 8: movej: .*post.* \(if .*line 7: get_standard_digital_in\(1\) is True/);
  expect(stderr).toContain(faults[0]);
});

test('commands for one execution refuse it with the line', async () => {
  const file = program('open', ...cell(ASIDE));
  const certificate = join(cwd, 'open.proof.json');
  const certify = await runHere(['check', scene, file, '--certificate', certificate]);
  expect([certify.code, certify.stderr]).toEqual([
    2,
    expect.stringContaining('open.script:4: the program has several'),
  ]);
  for (const command of [
    ['convert', scene, file],
    ['repair', scene, file],
    ['view', scene, file, '--write', join(cwd, 'page.html')],
    ['verify', scene, file, certificate],
  ]) {
    const { code, stderr } = await runHere(command);
    expect([code, stderr], command[0]).toEqual([2, expect.any(String)]);
    if (command[0] !== 'verify')
      expect(stderr).toMatch(/open\.script:4: the value of get_standard_digital_in is not known/);
  }
});

test('a program that waits is not judged among moving obstacles', async () => {
  const moving = join(cwd, 'moving.yaml');
  writeFileSync(
    moving,
    readFileSync(scene, 'utf8').replace(
      'pose: { xyz: [0.37, 0.45, 0] } }',
      'motion: { times: [0, 5], poses: [{ xyz: [3, 0, 0] }, { xyz: [-0.4, 0, 0] }] } }',
    ),
  );
  const { code, stderr } = await runHere(['check', moving, program('waits', ...cell(ASIDE))]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/mov/);
});
