import { expect, test } from 'vitest';
import { loadScene } from '../../../src/host/node/files.ts';
import { planProgram } from '../../../src/tasks/programs/planProgram.ts';
import { scratchFolder } from '../../host/node/scratch.ts';

const { put } = scratchFolder();
const planned = async (text: string) => planProgram(await loadScene(put('program.yaml', `${HEAD}${text}`)));
const HEAD = 'format: elbowroom-scene/1\nrobot: ur5e\ntcp: {link: tool0, xyz: [0, 0, 0.14]}\n';

test('lines are followed for the selected inverse-kinematics solutions only', async () => {
  const { status, stats } = planProgram(await loadScene('scenes/pick-and-place.yaml'));
  expect([status, stats.lines_followed]).toEqual(['solved', 4]);
});

test.each([5, -5])(
  'a line that ends one full turn of a joint at its limit is carried out by another: %d rad',
  async (wrist) => {
    // From 5 rad, half a turn more is beyond the limit of 2π; from 5 − 2π rad it is not.
    const { status, reason, trajectory, stats } = await planned(`
start: [0, -1.5, 1.6, -1.7, -pi/2, ${wrist}]
steps:
  - {move: {xyz: [0.5, 0.2, 0.4], rpy: [pi, 0, 0]}}
  - {line: {by: [0, 0, 0], frame: tcp, rpy: [0, 0, 170 deg]}}`);
    expect(status, reason).toBe('solved');
    const most = Math.max(...trajectory!.points.map(({ positions }) => Math.abs(positions[5])));
    expect(most).toBeLessThanOrEqual(2 * Math.PI);
    expect(stats.lines_followed).toBeLessThanOrEqual(4);
  },
);

test('a line that no solution can follow is followed once for each', async () => {
  const { status, reason, stats } = await planned(`
start: [0, -1.5, 1.6, -1.7, -pi/2, 0]
steps:
  - {move: {xyz: [0.5, 0.2, 0.4], rpy: [pi, 0, 0]}}
  - {line: {by: [2, 0, 0]}}`);
  expect(status).toBe('step-failed');
  expect(reason).toMatch(/^step 1 \(line\): ends at [1-9][\d.]* %: the arm reaches/);
  expect(stats.lines_followed).toBeLessThanOrEqual(8);
});

test('a line that fails from all solutions of a redundant arm is tried along its self-motions', async () => {
  const scene = put(
    'redundant.yaml',
    `format: elbowroom-scene/1
robot: arm7
tcp: {link: flange, xyz: [0, 0, 0.14]}
start: [0.3, -0.6, 0.4, -1.4, 0.2, 0.9, -0.3]
steps:
  - {move: {xyz: [0.45, 0.1, 0.35], rpy: [pi, 0, 0]}}
  - {line: {frame: tcp, rpy: [0, 0, 150 deg]}}
  - {line: {frame: tcp, rpy: [0, 0, 150 deg]}}
`,
  );
  const { status, reason, stats } = planProgram(await loadScene(scene));
  expect(status).toBe('step-failed');
  expect(reason).toMatch(/^step 2 \(line\): ends at [1-9][\d.]* %: joint7 at its limit/);
  // A move has at most 32 inverse-kinematics solutions.
  expect(stats.lines_followed).toBeGreaterThan(64);
});
