import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { McapIndexedReader, TempBuffer } from '@mcap/core';
import { expect, test } from 'vitest';
import { attachmentsOf } from '../../../../src/formats/trajectories/mcap/mcapFile.ts';
import { bin, root, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const page = readFileSync(join(root, 'docs/gate.md'), 'utf8');
const cwd = temporaryFolder();
for (const [, name, text] of page.matchAll(/```(?:yaml|jsonl)\n# (\S+)\n([\s\S]*?)```/g))
  writeFileSync(join(cwd, name), text);
const [cell, messages] = ['cell.yaml', 'messages.jsonl'].map((name) => join(cwd, name));

test('docs/gate.md shows what its commands print', () => {
  const shell = `elbowroom() { ${JSON.stringify(process.execPath)} ${JSON.stringify(bin)} "$@"; }\n`;
  let commands = 0;
  for (const [, block] of page.matchAll(/```console\n([\s\S]*?)```/g)) {
    for (const [, command, shown] of block.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
      const { stdout } = spawnSync('sh', ['-c', `${shell}${command}`], { cwd, encoding: 'utf8' });
      expect(stdout.trim(), command).toBe(shown.trim());
      commands++;
    }
  }
  expect(commands).toBe(2);
});

test('gate answers every line in order, exits with 2 for a line that cannot be read, and certifies a static world', async () => {
  const lines = readFileSync(messages, 'utf8').trim().split('\n');
  const file = join(cwd, 'static.jsonl');
  writeFileSync(file, `${[lines[0], '[1, 2', lines[1], '{"now": 0.1}', lines[0].replace('-0.9', 'NaN')].join('\n')}\n`);
  const [motion, proof] = ['motion.json', 'proof.json'].map((name) => join(cwd, name));
  const gate = await elbowroom(['gate', cell, file, '-o', motion, '--certificate', proof]);
  expect(gate.code, gate.stderr).toBe(2);
  const answers = gate.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.map(({ verdict, error }) => verdict ?? (error && 'error'))).toEqual([
    'accepted',
    'error',
    'trimmed',
    'error',
    'error',
  ]);
  expect(answers[0].latency_ms).toBeGreaterThan(0);
  expect(answers[3].error).toMatch(/older/);
  expect((await elbowroom(['verify', proof, cell, motion])).code).toBe(0);
});

test('messages from stdin, before which the gate judges proposals of its own, get the same bytes as from a file', async () => {
  const options = ['--deterministic', '-o'];
  const [fromFile, fromStdin] = ['file.json', 'stdin.json'].map((name) => join(cwd, name));
  const expected = await elbowroom(['gate', cell, messages, ...options, fromFile]);
  const found = await elbowroom(['gate', cell, ...options, fromStdin], { input: readFileSync(messages, 'utf8') });
  expect([found.code, found.stdout]).toEqual([expected.code, expected.stdout]);
  expect(readFileSync(fromStdin, 'utf8')).toBe(readFileSync(fromFile, 'utf8'));
});

test('a proposer that dies within a message leaves a motion that ends at rest, is valid, and has a proof', async () => {
  const [first, second] = readFileSync(messages, 'utf8').split('\n');
  const [motion, proof] = ['left.json', 'left.proof.json'].map((name) => join(cwd, name));
  const input = `${first}\n${second.slice(0, second.length / 2)}`; // no newline: the pipe was closed
  const { code, stdout } = await elbowroom(['gate', cell, '-', '-o', motion, '--certificate', proof], { input });
  const [accepted, cut] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect([code, accepted.verdict, cut.line]).toEqual([2, 'accepted', 2]);
  const { points } = JSON.parse(readFileSync(motion, 'utf8'));
  expect(points.at(-1).time_from_start).toBe(accepted.until);
  expect(points.at(-1).velocities).toEqual([0, 0, 0, 0, 0, 0]);
  expect((await elbowroom(['check', cell, motion])).code).toBe(0);
  expect((await elbowroom(['verify', proof, cell, motion])).code).toBe(0);
});

test('gate refuses a certificate of a world that changed, and messages with files', async () => {
  const proof = join(cwd, 'none.json');
  const changed = await elbowroom(['gate', cell, messages, '--certificate', proof]);
  expect(changed.stderr).toMatch(/the world changed/);
  const mesh = await gateOf(
    'mesh.jsonl',
    '{"now": 0, "scene": [{"add": {"name": "a", "type": "mesh", "file": "a.stl"}}]}',
  );
  expect(mesh.stdout).toMatch(/"error":"scene\[0\]\.add\.file: messages name no files"/);
});

test('gate refuses points, changes and measured values of another type instead of reading a tick', async () => {
  const values = ['null', 'false', '0', '""'];
  const lines = ['points', 'scene', 'q'].flatMap((key) => values.map((value) => `{"now": 0, "${key}": ${value}}`));
  const { code, stdout } = await gateOf('types.jsonl', lines.join('\n'));
  expect(code).toBe(2);
  const errors = stdout.match(/"error":"(points|scene|q): not a list/g) ?? [];
  expect(errors.length, stdout).toBe(lines.length);
});

function gateOf(name: string, lines: string) {
  const file = join(cwd, name);
  writeFileSync(file, `${lines}\n`);
  return elbowroom(['gate', cell, file]);
}

test('a recording holds the motion that was executed, and its replay gives the same bytes', async () => {
  const [recording, again, motion] = ['run.mcap', 'again.mcap', 'run.json'].map((name) => join(cwd, name));
  const file = join(cwd, 'recorded.jsonl');
  const points = [-0.7, -0.4, 0, 0.4, 0.6].map((q, i) => {
    return { time: 1.8 + 0.5 * i, positions: [q, -1.2, 1.4, -1.7, -1.6, 0] };
  });
  const round = JSON.stringify({ now: 1.6, points });
  writeFileSync(file, `${readFileSync(messages, 'utf8').trim()}\n\n{"id": "é", "now": 1.5}\nnot a message\n${round}`);
  const options = ['--lead', '0.03', '--repair', '--deterministic'];
  const first = await elbowroom(['gate', cell, file, ...options, '--record', recording, '-o', motion]);
  expect([first.code, first.stdout], first.stderr).toEqual([2, expect.stringMatching(/a detour leads/)]);
  const second = await elbowroom(['gate', cell, '--replay', recording, '--deterministic', '--record', again]);
  expect([second.code, second.stdout]).toEqual([2, first.stdout]);
  expect(Buffer.compare(readFileSync(recording), readFileSync(again))).toBe(0);
  const [executed] = await attachmentsOf(readFileSync(recording), recording, 'trajectory.json');
  expect(executed).toBe(readFileSync(motion, 'utf8'));
  const reader = await McapIndexedReader.Initialize({ readable: new TempBuffer(readFileSync(recording)) });
  const scenes: string[] = [];
  for await (const { data } of reader.readMessages({ topics: ['/scene'] })) {
    const { deletions, entities } = JSON.parse(new TextDecoder().decode(data));
    scenes.push([...deletions, ...entities].map(({ id }) => id).join());
  }
  expect(scenes.map((ids) => ids.includes('obstacle post'))).toEqual([true, true]); // at the start, and moved
  expect(scenes[1]).toBe('obstacle post');

  const other = join(cwd, 'other.yaml');
  writeFileSync(other, readFileSync(cell, 'utf8').replace('0.72, 0, 0.4', '1.5, 0, 0.4'));
  const differs = await elbowroom(['gate', other, '--replay', recording]);
  expect(differs.stderr).toMatch(/answers differ from the recorded ones/);
  const planless = await elbowroom(['gate', cell, '--replay', motion]);
  expect([planless.code, planless.stderr]).toEqual([2, expect.stringMatching(/MCAP file is broken/)]);
});
