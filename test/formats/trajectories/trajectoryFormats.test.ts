import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timeParameterize } from '../../../src/core/trajectory/timeParameterization.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { trajectoryHash } from '../../../src/core/trajectory/trajectoryHash.ts';
import { motionFaults } from '../../../src/core/trajectory/trajectoryLimits.ts';
import { readTrajectory, writers } from '../../../src/formats/trajectories/index.ts';
import { namesOf, pathsAndLimits } from '../../core/trajectory/motions.ts';
import { motion, path } from './trajectorySamples.ts';

const golden = (file: string) => readFileSync(new URL(`../../fixtures/trajectories/${file}`, import.meta.url), 'utf8');

/** Values that every format must preserve: names, times, positions, and velocities if the format has them. */
const essence = ({ jointNames, points }: Trajectory) => ({
  jointNames,
  points: points.map(({ accelerations: _, ...point }) => point),
});

for (const [name, { write, ending }] of Object.entries(writers)) {
  describe(`the format ${name}`, () => {
    test('writes a motion and a path byte-identical to the reference', () => {
      expect(write(motion)).toBe(golden(`motion-${name}${ending}`));
      expect(write(path)).toBe(golden(`path-${name}${ending}`));
    });

    test('a path survives a round trip, with and without file extension, with a byte order mark and with CRLF', async () => {
      const text = write(path);
      for (const rendition of [text, `\uFEFF${text}`, text.replaceAll('\n', '\r\n'), `\n${text}\n`]) {
        for (const file of [`path${ending}`, 'stdin']) {
          expect(essence(await readTrajectory(rendition, file, path.jointNames))).toEqual(essence(path));
        }
      }
    });

    test('any motion survives a round trip bit for bit, on its polyline and within its limits', async () => {
      await fc.assert(
        fc.asyncProperty(pathsAndLimits, async ({ path: polyline, limits }) => {
          const original = timeParameterize(polyline, namesOf(polyline[0].length), limits);
          fc.pre(original.points[original.points.length - 1].time_from_start! < 20); // scripts have 500 lines a second
          const read = await readTrajectory(write(original), `motion${ending}`, original.jointNames);
          expect(motionFaults(read, limits)).toEqual([]);
          if (name !== 'urscript') expect(essence(read)).toEqual(essence(original));
        }),
        { numRuns: 40 },
      );
    });

    test('a single point, timed or not, and a step of 1e-9 at large joint values survive a round trip', async () => {
      const jointNames = ['turn', 'slide'];
      const far = [8 * Math.PI, -12.5];
      const near = [8 * Math.PI + 1e-9, -12.5];
      const [none, seconds] = [[0, 0], (time_from_start: number) => ({ time_from_start })];
      const rest = { velocities: none };
      const cases: readonly Trajectory['points'][] = [
        [{ positions: far }],
        [{ positions: far }, { positions: far }, { positions: near }],
        [{ ...seconds(0), positions: far, ...rest }],
        [
          { ...seconds(0), positions: far, ...rest },
          { ...seconds(0.002), positions: near, ...rest },
        ],
      ];
      for (const points of cases) {
        const trajectory = { jointNames, points };
        const read = await readTrajectory(write(trajectory), `one${ending}`, jointNames);
        expect(read.points.map(({ time_from_start: time }) => time)).toEqual(
          points.map((point) => point.time_from_start),
        );
        const tolerance = name === 'urscript' ? 1e-12 : 0; // its twelve decimals
        for (const [i, { positions }] of read.points.entries())
          for (const [j, value] of positions.entries())
            expect(Math.abs(value - points[i].positions[j])).toBeLessThanOrEqual(tolerance);
      }
    });

    test('rejects a text that is truncated within its last point, and an empty one', async () => {
      const text = write(motion).trimEnd();
      const lastGap = Math.max(text.lastIndexOf(','), text.lastIndexOf(' '));
      for (const end of [lastGap, lastGap - 1]) {
        const refused = { name: 'InputError', message: expect.stringMatching(/^motion\./) };
        await expect(readTrajectory(text.slice(0, end), `motion${ending}`, motion.jointNames)).rejects.toMatchObject(
          refused,
        );
      }
      await expect(readTrajectory('', `motion${ending}`)).rejects.toThrow(`motion${ending}: the file is empty`);
    });
  });
}

describe('elbowroom-trajectory/1', () => {
  test('states the SHA-256 of names and points as written in the file', () => {
    const { joint_names, points, hash } = JSON.parse(writers.json.write(motion));
    expect(hash).toBe(
      createHash('sha256')
        .update(JSON.stringify([joint_names, points]), 'utf8')
        .digest('hex'),
    );
  });

  test('preserves all fields, and is byte-identical when written again', async () => {
    const text = writers.json.write({ ...motion, cutShort: true });
    const read = await readTrajectory(text, 'motion.json');
    expect(read).toEqual({ ...motion, interpolation: 'cubic', cutShort: true, statedHash: trajectoryHash(motion) });
    expect(writers.json.write(read)).toBe(text);
  });

  test('has the hash of the file for any keys of points in any order', async () => {
    const points = [
      { positions: [1], effort: [2], time_from_start: 0, velocities: [0] },
      { velocities: [0], positions: [1.5], time_from_start: 2 },
    ];
    const read = await readTrajectory(
      JSON.stringify({ format: 'elbowroom-trajectory/1', joint_names: ['é'], points }),
      'other.json',
    );
    expect(trajectoryHash(read)).toBe(
      createHash('sha256')
        .update(JSON.stringify([['é'], points]), 'utf8')
        .digest('hex'),
    );
  });

  test('points with positions alone are a path of straight lines, whatever interpolation is stated', async () => {
    const points = motion.points.map(({ positions }) => ({ positions }));
    const text = JSON.stringify({ joint_names: motion.jointNames, points, interpolation: 'cubic' });
    const read = await readTrajectory(text, 'path.json');
    expect(read).toMatchObject({ points });
    expect(read.interpolation).toBeUndefined();
  });

  test('preserves linear interpolation', async () => {
    const linear: Trajectory = { ...motion, interpolation: 'linear' };
    expect((await readTrajectory(writers.json.write(linear), 'motion.json')).interpolation).toBe('linear');
    for (const name of ['csv', 'ros-yaml', 'klampt']) {
      const read = await readTrajectory(
        writers[name].write(linear),
        `motion${writers[name].ending}`,
        motion.jointNames,
      );
      expect(
        read.points.every((point) => point.velocities === undefined),
        name,
      ).toBe(true);
    }
  });
});

describe('a script of set points', () => {
  test('passes through every waypoint, and deviates from the polyline by at most its twelve decimals', async () => {
    const read = await readTrajectory(writers.urscript.write(motion), 'motion.script');
    const corner = read.points.find(
      ({ positions: [shoulder, wrist] }) => Math.abs(shoulder - 0.5) < 1e-12 && Math.abs(wrist + 0.25) < 1e-12,
    );
    expect(corner).toBeDefined();
    for (const {
      positions: [shoulder, wrist],
      time_from_start: time,
    } of read.points) {
      const offLine = time! <= corner!.time_from_start! ? wrist - (0.1 - 0.7 * shoulder) : shoulder - 0.5;
      expect(Math.abs(offLine)).toBeLessThanOrEqual(1e-12);
    }
  });

  test('lags behind the motion by less than one cycle per stop', async () => {
    const read = await readTrajectory(writers.urscript.write(motion), 'motion.script');
    const late = new TrajectoryCurve(read).end - new TrajectoryCurve(motion).end;
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThan(2 * 0.002);
    expect(read.points.map((point) => point.time_from_start)).toEqual(read.points.map((_, k) => k / 500));
  });
});
