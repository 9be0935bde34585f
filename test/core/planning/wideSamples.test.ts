import { expect, test } from 'vitest';
import type { Configuration } from '../../../src/core/math/configuration.ts';
import { Random } from '../../../src/core/math/random.ts';
import { rrtConnect } from '../../../src/core/planning/rrtConnect.ts';
import { Iterations } from './discWorld.ts';
import { TorusWorld } from './torusWorld.ts';

/** Of each iteration: an edge longer than the space reaches its sample, and no edge is valid. */
function samplesOf(space: TorusWorld, iterations: number, goals = [Float64Array.of(-1, 0, 0)]): Configuration[] {
  const samples: Configuration[] = [];
  const motions = {
    isStateValid: () => true,
    isMotionValid: (_: Configuration, qTo: Configuration) => {
      samples.push(qTo.slice());
      return false;
    },
  };
  const problem = { space, motions, start: Float64Array.of(1, 0, 0), goals };
  const { status } = rrtConnect.plan(problem, { stepSize: 100 }, new Random(7), new Iterations(iterations));
  expect(status).toBe('budget-spent');
  return samples;
}

test('samples of hard searches lie within the limits, many of them on a limit; joints that wrap have none', () => {
  const space = new TorusWorld();
  const samples = samplesOf(space, 1300);
  const isOnLimit = (j: number) => (q: Configuration) => q[j] === space.lower[j] || q[j] === space.upper[j];
  expect(samples).toHaveLength(1300);
  for (const q of samples) for (let j = 0; j < 3; j++) expect(Math.abs(q[j])).toBeLessThanOrEqual(space.upper[j]);
  const [easy, hard] = [samples.slice(0, 300), samples.slice(300)];
  expect(easy.filter(isOnLimit(2))).toHaveLength(0);
  for (const j of [0, 1]) expect(hard.filter(isOnLimit(j))).toHaveLength(0);
  const share = hard.filter(isOnLimit(2)).length / hard.length;
  expect(share).toBeGreaterThan(0.2); // 1 - 1 / 1.35 = 0.26
  expect(share).toBeLessThan(0.32);
  expect(hard.some((q) => q[2] === space.lower[2]) && hard.some((q) => q[2] === space.upper[2])).toBe(true);
});

test('samples of searches for several goals are not moved', () => {
  const goals = [Float64Array.of(-1, 0, 0), Float64Array.of(-1, 0, 0.5)];
  for (const q of samplesOf(new TorusWorld(), 600, goals)) expect(Math.abs(q[2])).toBeLessThan(1);
});

test('samples on path constraints are not moved', () => {
  const space = Object.assign(new TorusWorld(), {
    constraints: { project: () => true, makeTangent: () => {}, curve: (a: Configuration, b: Configuration) => [a, b] },
  });
  for (const q of samplesOf(space, 600)) expect(Math.abs(q[2])).toBeLessThan(1);
});
