import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixtures, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const dataOf = (file: string) =>
  JSON.parse(/<script type="application\/json" id="page-data">([^<]*)<\/script>/.exec(readFileSync(file, 'utf8'))![1]);
const classes = (svg: string) => new Set([...svg.matchAll(/class="([^"]*)"/g)].map(([, names]) => names));

const ground = '  - {name: ground, type: halfspace, normal: [0, 0, 1]}\n';
const block = '  - {name: block, type: box, size: [0.1, 0.1, 0.1], pose: {xyz: [5, 0, 0.2]}, free: {density: 700}}\n';
const falling = `format: elbowroom-scene/1\nrobot: ${join(fixtures, 'arm.urdf')}\nobstacles:\n${ground}${block}`;

test('settle --report and --svg show the fall and the final poses, and change nothing of the result', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'scene.yaml'), falling);
  expect(await elbowroom(['settle', 'scene.yaml', '-o', 'plain.yaml'], { cwd })).toMatchObject({ code: 0 });
  const shown = ['settle', 'scene.yaml', '-o', 'out.yaml', '--report', 'fall.html', '--svg', 'rest.svg'];
  expect(await elbowroom(shown, { cwd })).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(join(cwd, 'out.yaml'), 'utf8')).toBe(readFileSync(join(cwd, 'plain.yaml'), 'utf8'));
  const { problem, settling, trajectory } = dataOf(join(cwd, 'fall.html'));
  expect(trajectory).toBeUndefined();
  expect(settling).toMatchObject({ atRest: true, summary: expect.stringMatching(/^at rest after/) });
  const [, { name, motion }] = problem.scene.obstacles;
  expect([name, motion.times[0], motion.poses[0].xyz[2]]).toEqual(['block', 0, 0.2]);
  expect(Math.abs(motion.poses.at(-1).xyz[2] - 0.05)).toBeLessThan(1e-4);
  expect([...classes(readFileSync(join(cwd, 'rest.svg'), 'utf8'))].some((each) => each.startsWith('carried-'))).toBe(
    true,
  );
});

test('a fall that does not end has a report, but no scene and no drawing', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'scene.yaml'), falling);
  const args = ['settle', 'scene.yaml', '--steps', '5', '-o', 'out.yaml', '--svg', 'rest.svg', '--report', 'fall.html'];
  const { code, stderr } = await elbowroom(args, { cwd });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^still moving after .*: "block"\n$/)]);
  expect(readdirSync(cwd).sort()).toEqual(['fall.html', 'scene.yaml']);
  expect(dataOf(join(cwd, 'fall.html')).settling).toMatchObject({ atRest: false });
});

test('plan draws and reports programs: numbered steps, segments and events, a certificate per world', async () => {
  const cwd = temporaryFolder();
  const args = ['plan', 'pick-and-place', '-o', 'job.json', '--svg', 'job.svg', '--report', 'job.html'];
  expect(await elbowroom(args, { cwd })).toMatchObject({ code: 0 });
  const svg = readFileSync(join(cwd, 'job.svg'), 'utf8');
  expect(svg).toContain('0 move: above the part · 1 line: approach · 6 line: lift');
  expect([...svg.matchAll(/<text[^>]*text-anchor="middle">([^<]*)</g)].map(([, text]) => text)).toContain('9');
  const { trajectory, certificate, problem } = dataOf(join(cwd, 'job.html'));
  expect(trajectory.segments.length + trajectory.events.length).toBe(problem.scene.steps.length);
  expect(certificate.segments.length).toBeGreaterThan(2);

  expect(await elbowroom(['report', 'pick-and-place', 'job.json', '-o', 'again.html'], { cwd })).toMatchObject({
    code: 0,
  });
  expect(dataOf(join(cwd, 'again.html')).certificate.segments).toHaveLength(certificate.segments.length);
});

test('a program that cannot be planned has a report that states the step, and no drawing', async () => {
  const cwd = temporaryFolder();
  const scene = `format: elbowroom-scene/1
robot: ur5e
start: [0, -90 deg, 90 deg, -90 deg, -90 deg, 0]
steps: [{line: {by: [3, 0, 0]}, name: too far}]\n`;
  writeFileSync(join(cwd, 'far.yaml'), scene);
  const args = ['plan', 'far.yaml', '-o', 'job.json', '--svg', 'job.svg', '--report', 'job.html'];
  expect((await elbowroom(args, { cwd })).code).toBe(1);
  expect(readdirSync(cwd).sort()).toEqual(['far.yaml', 'job.html']);
  expect(dataOf(join(cwd, 'job.html')).failure).toMatch(/^step 0 \(line "too far"\)/);
});

test('plan draws moving obstacles transparent where they were, and reports them with their motion', async () => {
  const cwd = temporaryFolder();
  const args = ['plan', 'revolving-door', '-o', 'motion.json', '--svg', 'motion.svg', '--report', 'motion.html'];
  expect(await elbowroom(args, { cwd })).toMatchObject({ code: 0 });
  const svg = readFileSync(join(cwd, 'motion.svg'), 'utf8');
  expect(classes(svg)).toContain('g t0');
  const door = dataOf(join(cwd, 'motion.html')).problem.scene.obstacles.find(
    ({ motion }: { motion?: object }) => motion,
  );
  expect(door.motion.times).toHaveLength(7);
  expect(await elbowroom(['report', 'revolving-door', 'motion.json', '-o', 'again.html'], { cwd })).toMatchObject({
    code: 0,
  });
  expect(dataOf(join(cwd, 'again.html')).certificate.duration).toBe(9);
  // A path without times cannot be shown beside what moves.
  const { points, ...rest } = JSON.parse(readFileSync(join(cwd, 'motion.json'), 'utf8'));
  const path = { ...rest, points: points.map(({ positions }: { positions: number[] }) => ({ positions })) };
  writeFileSync(join(cwd, 'path.json'), JSON.stringify({ ...path, hash: undefined, interpolation: undefined }));
  for (const untimed of [
    ['report', '-o', 'path.html'],
    ['view', '--no-open'],
  ].map(([command, ...more]) => [command, 'revolving-door', 'path.json', ...more])) {
    const { code, stderr } = await elbowroom(untimed, { cwd });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('path.json: it has no times, but something else moves'),
    ]);
  }
  expect(existsSync(join(cwd, 'path.html'))).toBe(false);
});

test('coordinate --report has the diagram and the schedule, and without one the diagram alone', async () => {
  const cwd = temporaryFolder();
  const arms = (gap: number) => `format: elbowroom-scene/1
robot: {urdf: ${join(fixtures, 'arm.urdf')}}
robots: [{name: right, robot: {urdf: ${join(fixtures, 'arm.urdf')}}, pose: {xyz: [${gap}, 0, 0], rpy: [0, 0, 180 deg]}}]\n`;
  const motion = (...states: number[][]) => ({
    format: 'elbowroom-trajectory/1',
    joint_names: ['shoulder', 'elbow'],
    points: states.map((positions, k) => ({ time_from_start: 3 * k, positions, velocities: [0, 0] })),
    interpolation: 'cubic',
  });
  writeFileSync(join(cwd, 'arms.yaml'), arms(1.5));
  writeFileSync(join(cwd, 'sweep.json'), JSON.stringify(motion([-1, 0.2], [1, 0], [-1, -0.2])));
  writeFileSync(join(cwd, 'stays.json'), JSON.stringify(motion([0, 0], [0, 0.1])));
  const report = (other: string, file: string) =>
    elbowroom(['coordinate', 'arms.yaml', 'sweep.json', other, '-o', 'out.json', '--report', file], { cwd });
  expect(await report('sweep.json', 'free.html')).toMatchObject({ code: 0 });
  const { coordination, problem } = dataOf(join(cwd, 'free.html'));
  expect(coordination.robots).toEqual(['arm', 'right']);
  expect(coordination.schedules).toHaveLength(2);
  expect(coordination.pairs[0].free.length).toBeGreaterThan(10);
  expect(problem.scene.robots[0].trajectory.points).toHaveLength(3);
  expect(await report('stays.json', 'none.html')).toMatchObject({ code: 1 });
  expect(dataOf(join(cwd, 'none.html'))).toMatchObject({ failure: expect.stringMatching(/^No schedule was found/) });
});
