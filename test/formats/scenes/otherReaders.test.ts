import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { timeParameterize } from '../../../src/core/trajectory/timeParameterization.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { writers } from '../../../src/formats/trajectories/index.ts';
import { namesOf, pathsAndLimits } from '../../core/trajectory/motions.ts';
import { misfits } from '../ros/messageDefinitions.ts';
import { motion, path } from '../trajectories/trajectorySamples.ts';

// Reads written files by independent rules: the message definitions of ROS, an interpreter of the script, the formats
// of Klamp't.

/** Makes all numbers floats: YAML 1.1 parses `1` as an integer and `1e-7` as a text. */
const floatsOf = (text: string) =>
  [...text.matchAll(/(?:positions|velocities): \[(.*)\]/g)].flatMap(([, list]) => list.split(', '));

describe('ros-yaml is the message of its definition', () => {
  test('with rows as long as the names, times as whole seconds and less than a second more', () => {
    fc.assert(
      fc.property(pathsAndLimits, ({ path: polyline, limits }) => {
        const written = timeParameterize(polyline, namesOf(polyline[0].length), limits);
        const text = writers['ros-yaml'].write(written);
        const message = parse(text, { version: '1.1' });
        expect(misfits('JointTrajectory', message, 'trajectory')).toEqual([]);
        for (const [i, point] of message.points.entries()) {
          expect([point.positions.length, point.velocities.length]).toEqual([polyline[0].length, polyline[0].length]);
          const { sec, nanosec } = point.time_from_start;
          expect(nanosec).toBeLessThan(1e9);
          expect((sec * 1e9 + nanosec) / 1e9).toBe(written.points[i].time_from_start);
        }
        for (const number of floatsOf(text)) expect(number).toMatch(/^-?\d+\.\d+(e[-+]\d+)?$/);
      }),
      { numRuns: 100 },
    );
  });

  test('a path too, and the definition rejects an invalid message', () => {
    const message = parse(writers['ros-yaml'].write(path), { version: '1.1' });
    expect(misfits('JointTrajectory', message, 't')).toEqual([]);
    message.points[1].time_from_start = { secs: 1 };
    message.points[0].positions[0] = '1e-7';
    expect(misfits('JointTrajectory', message, 't')).toEqual([
      't.points[0].positions[0]: "1e-7" is no float64',
      't.points[1].time_from_start.secs: no such field',
    ]);
  });
});

interface Replay {
  /** Set points of servoj, or targets of movej, in order. */
  readonly targets: readonly (readonly number[])[];
  /** Seconds since the start of the program, for servoj. */
  readonly times: readonly number[];
  readonly stopped: boolean;
}

/**
 * Runs a program as a controller would: calls the function that it defines, statement by statement. Supports numbers
 * without exponents, lists and named arguments, and only these functions; everything else is an error.
 */
function run(script: string): Replay {
  const lines = script.split('\n').map((line) => line.replace(/#.*/, '').trimEnd());
  const [, name] = /^def (\w+)\(\):$/.exec(lines[0]) ?? [];
  const end = lines.indexOf('end');
  expect(name, 'the program defines a function').toBeDefined();
  expect(
    lines.slice(end + 1).filter((line) => line !== ''),
    'and calls it',
  ).toEqual([`${name}()`]);
  const targets: number[][] = [];
  const times: number[] = [];
  let time = 0;
  let stopped = false;
  for (const line of lines.slice(1, end).filter((text) => text.trim() !== '')) {
    const [, call, inside] = /^ {2}(\w+)\((.*)\)$/.exec(line) ?? [];
    const [, list, named = ''] = /^(?:\[([^\]]*)\])?,? ?(.*)$/.exec(inside) ?? [];
    const values = list?.split(',').map(numberOf);
    const parameters = new Map(named.split(', ').map((part) => part.split('=') as [string, string]));
    expect(stopped, `${line}: after the stop`).toBe(false);
    if (call === 'movej') {
      expect([...parameters.keys()]).toEqual(['a', 'v', 'r']);
      expect(numberOf(parameters.get('r')!)).toBe(0);
      targets.push(values!);
    } else if (call === 'servoj') {
      expect([...parameters.keys()]).toEqual(['t', 'lookahead_time', 'gain']);
      expect(numberOf(parameters.get('lookahead_time')!)).toBeGreaterThanOrEqual(0.03); // the manual's ranges
      expect(numberOf(parameters.get('lookahead_time')!)).toBeLessThanOrEqual(0.2);
      expect(numberOf(parameters.get('gain')!)).toBeGreaterThanOrEqual(100);
      expect(numberOf(parameters.get('gain')!)).toBeLessThanOrEqual(2000);
      targets.push(values!);
      times.push(time);
      time += numberOf(parameters.get('t')!);
    } else {
      expect(call, line).toBe('stopj');
      expect(numberOf(inside)).toBeGreaterThan(0);
      stopped = true;
    }
  }
  return { targets, times, stopped };
}

function numberOf(text: string): number {
  expect(text.trim()).toMatch(/^-?\d+(\.\d+)?$/);
  return Number(text);
}

const away = (a: readonly number[], b: ArrayLike<number>) => Math.max(...a.map((value, i) => Math.abs(value - b[i])));

describe('urscript, run by an interpreter', () => {
  test('of a path: movej with r=0 to every waypoint, in order, to twelve decimals', () => {
    const { targets, times, stopped } = run(writers.urscript.write(path));
    expect({ times, stopped, count: targets.length }).toEqual({ times: [], stopped: false, count: path.points.length });
    for (const [i, target] of targets.entries())
      expect(away(target, path.points[i].positions)).toBeLessThanOrEqual(5e-13);
  });

  test('of a motion: servoj every 2 ms on its curve, from end to end, slower by less than a cycle for each stop', () => {
    fc.assert(
      fc.property(pathsAndLimits, ({ path: polyline, limits }) => {
        const written = timeParameterize(polyline, namesOf(polyline[0].length), limits);
        const curve = new TrajectoryCurve(written);
        fc.pre(curve.end < 5); // 500 lines per second
        const { targets, times, stopped } = run(writers.urscript.write(written));
        expect(stopped).toBe(true);
        expect(away(targets[0], written.points[0].positions)).toBeLessThanOrEqual(5e-13);
        expect(away(targets.at(-1)!, written.points.at(-1)!.positions)).toBeLessThanOrEqual(5e-13);
        const stops = written.points.filter(({ velocities }) => velocities!.every((v) => v === 0)).length;
        expect(times.at(-1)! - curve.end).toBeGreaterThan(-1e-9);
        expect(times.at(-1)! - curve.end).toBeLessThan(0.002 * stops + 1e-9);
        const q = new Float64Array(curve.dof);
        const greatest = greatestSpeed(curve);
        for (const [k, target] of targets.entries()) {
          // The program lags behind the curve by at most the total duration of the stops so far.
          curve.position(q, times[k]);
          expect(away(target, q)).toBeLessThanOrEqual(greatest * 0.002 * stops + 1e-9);
        }
      }),
      { numRuns: 40 },
    );
  });
});

/** Computes the maximum joint speed, rad/s. */
function greatestSpeed(curve: TrajectoryCurve): number {
  const bounds = new Float64Array(curve.dof);
  curve.speedBounds(bounds, curve.start, curve.end);
  return Math.max(...bounds);
}

describe("klampt, by the rules of Klamp't's own files", () => {
  /** A line consists of a time, a tab, and a vector: its length, then its values, separated by blanks. */
  const linesOf = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => {
        const fields = line.split('\t');
        const [count, ...values] = fields.at(-1)!.split(' ').map(Number);
        expect(values).toHaveLength(count);
        return { time: fields.length === 2 ? Number(fields[0]) : undefined, values };
      });

  test('a motion is a HermiteTrajectory: positions, then velocities, at increasing times', () => {
    const lines = linesOf(writers.klampt.write(motion));
    expect(lines).toEqual(
      motion.points.map(({ time_from_start, positions, velocities }) => ({
        time: time_from_start,
        values: [...positions, ...velocities!],
      })),
    );
  });

  test('a path is a set of configurations, straight lines with times a RobotTrajectory', () => {
    expect(linesOf(writers.klampt.write(path))).toEqual(
      path.points.map(({ positions }) => ({ time: undefined, values: positions })),
    );
    const straight: Trajectory = { ...motion, interpolation: 'linear' };
    expect(linesOf(writers.klampt.write(straight))).toEqual(
      motion.points.map(({ time_from_start, positions }) => ({ time: time_from_start, values: positions })),
    );
  });
});
