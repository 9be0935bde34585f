import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

/** Way points at the given distances from the base, side by side. */
function writeScene(name: string, distances: readonly number[], more: object = {}): string {
  const poses = distances.map((x, k) => ({ xyz: [x, -0.1 + 0.01 * k, 0.3], rpy: [Math.PI, 0, 0] }));
  const points = poses.map((pose) => ({ ...pose, on: true }));
  const scene = {
    format: 'elbowroom-scene/1',
    name,
    robot: 'ur5e',
    start: [0, -1.5, 1.6, -1.7, -1.57, 0],
    tcp: { link: 'tool0' },
    steps: [{ move: poses[0] }, { path: { points } }, { line: { by: [0, 0, 0.05] } }],
    ...more,
  };
  writeFileSync(at(`${name}.json`), JSON.stringify(scene));
  return at(`${name}.json`);
}

test('a tool path that leaves the reach is planned as two programs, the second from where the first ends', async () => {
  const scene = writeScene('apart', [0.5, 0.6, 1.3, 0.6, 0.5]);
  const { code, stderr } = await elbowroom(['plan', scene, '--split', '-o', at('out'), '--certificate', at('proofs')]);
  expect(code).toBe(1);
  expect(stderr).toContain('apart: way points 2 to 2 are left out: the goal cannot be reached');
  expect(stderr).toMatch(/apart-1: way points 0 to 1: solved/);
  expect(stderr).toMatch(/apart-2: way points 3 to 4: solved/);
  const [first, second] = [1, 2].map((k) => JSON.parse(readFileSync(at(`out/apart-${k}.json`), 'utf8')));
  expect(second.points[0].positions).toEqual(first.points.at(-1).positions);
  expect(first.segments.map(({ kind }: { kind: string }) => kind)).toEqual(['move', 'path', 'line']);
  expect(second.segments.map(({ kind }: { kind: string }) => kind)).toEqual(['move', 'line', 'path', 'line']);
  // the tool is retracted with its signal off
  const signals = [first, second].map((part) => part.signals.map(({ on }: { on: boolean }) => on));
  expect(signals).toEqual([[true, false], [true]]);
  const files = [at('proofs/apart-2.json'), at('out/apart-2.scene.json'), at('out/apart-2.json')];
  const { stdout } = await elbowroom(['verify', ...files]);
  expect(stdout).toContain('"proved":true');
}, 30_000);

test('the tool is moved to the first way point if the step before ends elsewhere', async () => {
  const [first, ...others] = [-0.1, 0, 0.1].map((y) => ({ xyz: [0.5, y, 0.3], rpy: [Math.PI, 0, 0] }));
  const steps = [{ move: { ...first, xyz: [0.5, -0.15, 0.3] } }, { path: { points: [first, ...others] } }];
  const scene = writeScene('elsewhere', [], { steps });
  const { code, stderr } = await elbowroom(['plan', scene, '--split', '-o', at('elsewhere')]);
  expect(stderr).toMatch(/elsewhere-2: way points 0 to 2: solved/);
  expect(code).toBe(0);
  writeFileSync(at('elsewhere/elsewhere-3.json'), '{}');
  const again = await elbowroom(['plan', scene, '--split', '-o', at('elsewhere')]);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('elsewhere-3.json: a part of another plan')]);
}, 30_000);

test('parts that meet at a way point follow the whole path', async () => {
  const turned = (k: number) => ({ xyz: [0.5, -0.1 + 2e-3 * k, 0.3], rpy: [Math.PI, 0, (Math.PI * k) / 8] });
  const points = Array.from({ length: 33 }, (_, k) => turned(k));
  const scene = writeScene('meeting', [], { steps: [{ move: points[0] }, { path: { points } }] });
  const { code, stderr } = await elbowroom(['plan', scene, '--split', '-o', at('meeting')]);
  const parts = [...stderr.matchAll(/meeting-\d: way points (\d+) to (\d+): solved/g)].map((found) => found.slice(1));
  expect(parts.length).toBeGreaterThan(1);
  expect([parts[0][0], parts.at(-1)![1]]).toEqual(['0', '32']);
  for (const [k, [from]] of parts.entries()) if (k > 0) expect(from).toBe(parts[k - 1][1]);
  expect(stderr).not.toContain('left out');
  expect(code).toBe(0);
}, 30_000);

test('way points without orientation keep that at the start of the whole path in every part', async () => {
  const points = [0.5, 0.6, 1.3, 0.6, 0.5].map((x, k) => ({ xyz: [x, -0.1 + 0.01 * k, 0.3] }));
  const steps = [{ move: { ...points[0], rpy: [Math.PI, 0, 0] } }, { path: { points, tolerance: { angle: 0.1 } } }];
  await elbowroom(['plan', writeScene('kept', [], { steps }), '--split', '-o', at('kept')]);
  const scene = JSON.parse(readFileSync(at('kept/kept-2.scene.json'), 'utf8'));
  for (const { quat_wxyz } of scene.steps[2].path.points) expect(Math.abs(quat_wxyz[1])).toBeCloseTo(1, 9);
}, 30_000);

test('options that apply to one motion, and changes of the scene before the path, are refused with --split', async () => {
  const scene = writeScene('refused', [0.5, 1.3], {
    obstacles: [{ name: 'part', type: 'box', size: [0.01, 0.01, 0.01], pose: { xyz: [0, 0.6, 0.2] } }],
    steps: [
      { attach: 'part' },
      { move: { xyz: [0.5, -0.1, 0.3], rpy: [Math.PI, 0, 0] } },
      { path: { points: [0.5, 1.3].map((x) => ({ xyz: [x, -0.1, 0.3], rpy: [Math.PI, 0, 0] })) } },
    ],
  });
  const jobs = await elbowroom(['plan', scene, '--split', '-o', at('none'), '--jobs', '2']);
  expect([jobs.code, jobs.stderr]).toEqual([2, expect.stringContaining('--jobs: not with --split')]);
  const moved = await elbowroom(['plan', scene, '--split', '-o', at('none')]);
  expect([moved.code, moved.stderr]).toEqual([2, expect.stringContaining('move before the tool path')]);
  const pairs = [['wrist_3_link', 'part']];
  const post = { name: 'part', type: 'box', size: [0.01, 0.01, 0.01], pose: { xyz: [0, 0.6, 0.2] } };
  const path = { points: [0.5, 1.3].map((x) => ({ xyz: [x, -0.1, 0.3], rpy: [Math.PI, 0, 0] })) };
  const steps = [{ move: path.points[0] }, { forbid: pairs }, { path }];
  const forbidden = writeScene('forbidden', [], { obstacles: [post], allow: pairs, steps });
  const allowed = await elbowroom(['plan', forbidden, '--split', '-o', at('none')]);
  expect([allowed.code, allowed.stderr]).toEqual([2, expect.stringContaining('or allowed pairs change')]);
  expect(existsSync(at('none'))).toBe(false);
}, 30_000);
