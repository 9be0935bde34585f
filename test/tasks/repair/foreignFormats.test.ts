import { expect, test } from 'vitest';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { withoutStart } from '../../../src/core/scene/configurationOf.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { binaryFormats, contentOf, readTrajectory, writers } from '../../../src/formats/trajectories/index.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { createTrajectoryChecker } from '../../../src/tasks/checking/checkTrajectory.ts';
import { statedWarnings } from '../../../src/tasks/checking/statedWarnings.ts';
import { repairTrajectory } from '../../../src/tasks/repair/repairTrajectory.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';

const { scene: loaded, robot } = await loadScene('scenes/table-top.yaml');
const model = createSceneRobot({ scene: loaded, robot });
const jointNames = model.variables.map(({ name }) => name);
const angles = [-1.22173, 1.39626, -1.74533, -1.5708, 0];
const pose = { xyz: [0.72, 0, 0.4] as const, quat_wxyz: [1, 0, 0, 0] as const };
const post = { name: 'post', parts: [{ shape: { type: 'cylinder', radius: 0.05, length: 0.8 } }], pose };
const scene = { ...withoutStart(loaded), obstacles: [post], padding: 0.005, allow: [], attached: [] };
const check = createTrajectoryChecker(model, new CollisionManager(new CollisionModel(model, scene)));

/** Motions past the post as other programs write them: all collide between their points. */
const at = (t: number | undefined, pan: number, v?: number) => ({
  ...(t === undefined ? {} : { time_from_start: t }),
  positions: [pan, ...angles],
  ...(v === undefined ? {} : { velocities: [v, 0, 0, 0, 0, 0] }),
});
const motions: Readonly<Record<string, Trajectory>> = {
  lines: { jointNames, points: [at(0, -0.9), at(0.5, -0.4), at(1.1, 0.4), at(1.6, 0.9)] },
  cubics: { jointNames, points: [at(0, -0.9, 0), at(1, -0.3, 0.9), at(2, 0.5, 0.8), at(2.8, 0.9, 0)] },
  path: { jointNames, points: [at(undefined, -0.9), at(undefined, -0.9), at(undefined, 0.3), at(undefined, 0.9)] },
};

test('a motion is repaired in every format that carries it: valid as read back, with the ends of the file', async () => {
  const wrong: string[] = [];
  let repaired = 0;
  for (const [format, writer] of Object.entries({ ...writers, ...binaryFormats })) {
    for (const [kind, motion] of Object.entries(motions)) {
      const setting = { robot: model, scene };
      const content = await contentOf(writer, motion, setting).catch(() => undefined);
      if (content === undefined) continue; // the format has no such motion, and says so
      const file = `motion${writer.ending}`;
      const given = await readTrajectory(content, file, jointNames);
      for (const options of [{}, { limitsOnly: true }, { keepTimes: true }]) {
        const label = `${format}, ${kind}, ${JSON.stringify(options)}`;
        const { status, reason, trajectory } = repairTrajectory(given, model, scene, options);
        if (status === 'good' || 'limitsOnly' in options !== reason.includes('only its times may'))
          wrong.push(`${label}: ${status}, ${reason}`);
        if (!trajectory) continue;
        repaired++;
        const back = await readTrajectory(await contentOf(writer, trajectory, setting), file, jointNames);
        const result = check(trajectory);
        if (!result.valid) wrong.push(`${label}: not valid`);
        const end = (one: Trajectory, k: number) => one.points.at(k)!.positions;
        for (const k of [0, -1])
          if (end(back, k).some((x, j) => Math.abs(x - end(given, k)[j]) > 1e-9)) wrong.push(`${label}: end ${k}`);
        const times = trajectory.points.at(-1)!.time_from_start;
        if ('keepTimes' in options && times !== given.points.at(-1)!.time_from_start)
          wrong.push(`${label}: ${times} s`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(repaired).toBeGreaterThanOrEqual(12);
});

test('positions alone, line by line, are a path of OMPL', async () => {
  const text = `${motions.path.points.map(({ positions }) => positions.join(' ')).join(' \n')} \n\n`;
  const given = await readTrajectory(text, 'path.txt', jointNames);
  expect(given.points).toEqual(motions.path.points);
  expect(repairTrajectory(given, model, scene).status).toBe('repaired');
  await expect(readTrajectory('1 2 3\n1 2\n', 'path.txt', ['a', 'b', 'c'])).rejects.toThrow('path.txt:2: 2 values');
});

test('positions that may be those of fewer joints behind a count, or a time and a count, are refused', async () => {
  const read = (text: string) => readTrajectory(text, 'path.txt', ['a', 'b', 'c', 'd', 'e', 'f']);
  const [counted, timed] = ['5 0.1 -1 2 -2 0\n5 0.2 -1 2 -2 0\n', '0 4 0.1 -1 2 -2\n0.5 4 0.2 -1 2 -2\n'];
  for (const text of [counted, timed]) await expect(read(text)).rejects.toThrow('begin with a count of fewer joints');
  for (const text of [counted.replace('5 0.2', '4.9 0.2'), timed.replace('0.5 4', '0 4')])
    expect((await read(text)).points).toHaveLength(2);
});

test('positions that are probably in degrees cause a warning with the first of them', () => {
  const points = motions.lines.points.map((point) => ({
    ...point,
    positions: point.positions.map((x) => Math.round((x * 180) / Math.PI)),
  }));
  expect(statedWarnings({ jointNames, points }, model, 'm.csv')).toEqual([
    'm.csv: points[0]: shoulder_pan_joint is -52 rad, more than a full turn and out of its limits; if the positions ' +
      'are in degrees, convert them to radians',
  ]);
  expect(statedWarnings(motions.lines, model, 'm.csv')).toEqual([]);
});
