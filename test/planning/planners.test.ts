import { describe, expect, test } from 'vitest';
import { Random } from '../../src/math/random.ts';
import { planners } from '../../src/planning/index.ts';
import { pathLength, shortcutPath } from '../../src/planning/shortcut.ts';
import { DiscWorld, Iterations, wallWithGap } from './discWorld.ts';

const start = Float64Array.of(-0.8, -0.5);
const goal = Float64Array.of(0.8, -0.5);

describe.each(Object.entries(planners))('%s', (name, planner) => {
  const options = Object.fromEntries(Object.entries(planner.options).map(([key, option]) => [key, option.value]));
  const planIn = (world: DiscWorld, seed: number, iterations = planner.iterations, goals = [goal]) =>
    planner.plan(
      { space: world, motions: world, start, goals },
      { ...options, stepSize: 0.2 },
      new Random(seed),
      new Iterations(iterations),
    );

  test('finds valid paths through a gap for at least 97 of 100 seeds', () => {
    let solved = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const { status, path } = planIn(wallWithGap, seed, 4000);
      if (status !== 'solved') continue;
      solved++;
      expect([...path[0]]).toEqual([...start]);
      expect([...path[path.length - 1]]).toEqual([...goal]);
      for (let i = 1; i < path.length; i++)
        expect(wallWithGap.isMotionValid(path[i - 1], path[i]), `seed ${seed}, motion ${i}`).toBe(true);
    }
    expect(solved).toBeGreaterThanOrEqual(97);
  });

  test('gives the same path for the same seed and another one for another seed', () => {
    const [one, again, other] = [5, 5, 6].map((seed) => planIn(wallWithGap, seed).path.map((q) => [...q]));
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
  });

  test('gives up when the budget is spent, and says so', () => {
    const closed = new DiscWorld(Array.from({ length: 21 }, (_, i) => [0, -1 + i * 0.1, 0.06] as const));
    const result = planIn(closed, 1, 300);
    expect(result).toMatchObject({ status: 'budget-spent', path: [], iterations: 300 });
  });

  test('reaches one of several goals when the others are walled in', () => {
    const cell = Array.from({ length: 24 }, (_, i): [number, number, number] => {
      const angle = (i * Math.PI) / 12;
      return [0.5 + 0.2 * Math.cos(angle), 0.5 + 0.2 * Math.sin(angle), 0.04];
    });
    const { status, path } = planIn(new DiscWorld(cell), 3, 2000, [Float64Array.of(0.5, 0.5), goal]);
    expect(status).toBe('solved');
    expect([...path[path.length - 1]]).toEqual([...goal]);
  });

  test(`is described for --help: ${name}`, () => {
    expect(planner.summary.length).toBeGreaterThan(10);
    for (const option of Object.values(planner.options)) expect(option.meaning.length).toBeGreaterThan(10);
  });
});

test('a shortcut path is valid, never longer, has the same ends, and comes near the shortest way in the median', () => {
  const ratios: number[] = [];
  const shortest = 2 * Math.sqrt(0.8 ** 2 + 1.2 ** 2); // over the gap at (0, 0.7), as the crow flies
  for (let seed = 1; seed <= 40; seed++) {
    const world = wallWithGap;
    const random = new Random(seed);
    const { path } = planners['rrt-connect'].plan(
      { space: world, motions: world, start, goals: [goal] },
      { stepSize: 0.2 },
      random,
      new Iterations(4000),
    );
    const shorter = shortcutPath(path, world, world, random);
    expect(pathLength(shorter, world)).toBeLessThanOrEqual(pathLength(path, world) + 1e-12);
    expect([...shorter[0], ...shorter[shorter.length - 1]]).toEqual([...start, ...goal]);
    for (let i = 1; i < shorter.length; i++) expect(world.isMotionValid(shorter[i - 1], shorter[i])).toBe(true);
    ratios.push(pathLength(shorter, world) / shortest);
  }
  ratios.sort((a, b) => a - b);
  expect(ratios[20]).toBeLessThan(1.05);
});
