import { expect, test } from 'vitest';
import { motionFaults } from '../../../src/core/trajectory/trajectoryLimits.ts';
import { readTrajectory } from '../../../src/formats/trajectories/index.ts';

const CYCLE = 0.002;
const limits = { lower: [-9], upper: [9], velocity: [3], acceleration: [100], jerk: [1e5] };

/** Faults of set points at the given intervals; their velocities in between. */
function kinds(steps: readonly (readonly [duration: number, velocity: number])[]): string[] {
  const points = [{ time_from_start: 0, positions: [0] }];
  for (const [duration, velocity] of steps) {
    const { time_from_start, positions } = points.at(-1)!;
    points.push({ time_from_start: time_from_start + duration, positions: [positions[0] + duration * velocity] });
  }
  return motionFaults({ jointNames: ['a'], points, setPoints: true, interpolation: 'linear' }, limits).map(
    (f) => f.kind,
  );
}

test('a very short interval before a set point excuses no acceleration', () => {
  const cruise = Array.from({ length: 5 }, () => [CYCLE, 2] as const);
  const ramp = Array.from({ length: 19 }, (_, i) => [CYCLE, (i < 10 ? i : 18 - i) * 0.05] as const);
  for (const pause of [1e-9, 1e-7, 1e-5, CYCLE]) {
    const jumps = kinds([[pause, 0], ...cruise, [pause, 0]]);
    expect(jumps, `${pause}`).toEqual(['acceleration', 'jerk']);
  }
  expect(kinds([[CYCLE, 0], ...ramp, [CYCLE, 0]])).toEqual([]);
  expect(kinds([[1e-5, 0], ...ramp, [1e-5, 0]])).toEqual([]);
});

test('a time of servoj below one control cycle is refused', async () => {
  const script = (t: number) =>
    `movej([0])\nservoj([0], t=${t})\nservoj([0.00001], t=${t})\nservoj([0.00001], t=${t})\n`;
  await expect(readTrajectory(script(1e-6), 'p.script', ['a'])).rejects.toThrow('servoj with t=0.000001');
  await expect(readTrajectory(script(0.0019), 'p.script', ['a'])).rejects.toThrow('servoj with t=0.0019');
  await expect(readTrajectory(script(0.002), 'p.script', ['a'])).resolves.toMatchObject({ jointNames: ['a'] });
});
