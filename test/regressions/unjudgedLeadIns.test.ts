// Lead-ins that were not judged: `coordinate` and the proof of its schedules took a robot to rest at its first point
// from time 0 on, wherever the scene states that it is; `recertify` did not say that a scene without start leaves it
// open.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { restsBefore } from '../../src/core/trajectory/leadIn/leadIn.ts';
import { elbowroom } from '../host/cli/runHere.ts';

const folder = mkdtempSync(join(tmpdir(), 'lead-ins-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, value: unknown) => {
  const file = join(folder, name);
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
};

const urdf = write(
  'arm.urdf',
  `<robot name="arm"><link name="base"/><link name="tip"><collision><origin xyz="0.3 0 0"/><geometry>
<sphere radius="0.05"/></geometry></collision></link><joint name="j" type="revolute"><parent link="base"/>
<child link="tip"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" velocity="1" effort="1" acceleration="9"/></joint></robot>`,
);
const sceneOf = (name: string, start: object, other: object = {}) =>
  write(name, {
    format: 'elbowroom-scene/1',
    robot: urdf,
    ...start,
    robots: [{ name: 'right', robot: urdf, pose: { xyz: [3, 0, 0] }, ...other }],
  });
const motionFrom = (time: number, q: number) =>
  write(`motion-${time}-${q}.json`, {
    joint_names: ['j'],
    points: [0, 2].map((t) => ({ time_from_start: time + t, positions: [q + t / 10], velocities: [0] })),
  });
const missing = (name: string) => RegExp(`the motion of "${name}" from the start of the scene to its first point is`);

test('coordinate refuses a robot that is elsewhere before its first point', async () => {
  const coordinate = async (scene: string, time: number, q: number) => {
    const { code, stderr } = await elbowroom(['coordinate', scene, motionFrom(time, q), motionFrom(0, 0.5)]);
    return code === 0 ? '' : stderr;
  };
  expect(await coordinate(sceneOf('none.json', {}), 4, 1)).toBe('');
  const away = sceneOf('away.json', { start: [-1] });
  expect(await coordinate(away, 4, 1)).toMatch(missing('arm'));
  expect(await coordinate(away, 0, 1)).toMatch(missing('arm'));
  expect(await coordinate(away, 4, -1)).toBe('');
  expect(await coordinate(sceneOf('q.json', { start: [-1] }, { q: [0] }), 0, -1)).toMatch(missing('right'));
});

test('a robot is at rest before a later first point only if it has no velocity and no acceleration there', () => {
  const start = { q: Float64Array.of(1), isContinuous: [false] };
  const rests = (point: object) => restsBefore({ jointNames: ['j'], points: [{ positions: [1], ...point }] }, start);
  expect(rests({ time_from_start: 4, velocities: [0], accelerations: [0] })).toBe(true);
  expect(rests({ time_from_start: 4, velocities: [0.1] })).toBe(false);
  expect(rests({ time_from_start: 4, accelerations: [0.1] })).toBe(false);
  expect(rests({ time_from_start: 0, velocities: [0.1] })).toBe(true);
  expect(rests({ positions: [1.1] })).toBe(false);
});

test('recertify warns that the motion to the first point is not checked in a scene without start', async () => {
  const scene = write('alone.json', { format: 'elbowroom-scene/1', name: 'alone', robot: urdf });
  const { code, stderr } = await elbowroom(['recertify', scene, motionFrom(4, 1)]);
  expect([code, stderr.match(/has no start: the motion of the robot to the first point is not judged/g)]).toEqual([
    0,
    [expect.anything()],
  ]);
});
