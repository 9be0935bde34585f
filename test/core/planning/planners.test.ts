import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { planners } from '../../../src/core/planning/index.ts';
import type { PlanningProblem } from '../../../src/core/planning/planner.ts';
import { pathLength } from '../../../src/core/planning/shortcut.ts';
import { cases } from '../../cases.ts';
import { DiscWorld, Iterations, shortestThroughGap, wallWithGap } from './discWorld.ts';

const SEEDS = cases(100);
const start = Float64Array.of(-0.8, -0.5);
const goal = Float64Array.of(0.8, -0.5);

describe.each(Object.entries(planners))('%s', (name, planner) => {
  const options = Object.fromEntries(Object.entries(planner.options).map(([key, option]) => [key, option.value]));
  const budgetOf = (iterations: number) => new Iterations(Math.min(iterations, planner.iterations));
  const planIn = (
    world: DiscWorld,
    seed: number,
    iterations: number,
    { goals = [goal], onBetter = undefined as PlanningProblem['onBetter'], budget = budgetOf(iterations) } = {},
  ) =>
    planner.plan(
      { space: world, motions: world, start, goals, onBetter },
      { ...options, stepSize: 0.2 },
      new Random(seed),
      budget,
    );
  // An iteration of BIT* validates one edge, one of RRT* several. Anytime planners spend their whole budget.
  const [enough, improving] = name.includes('rrt-star') ? [1500, 3000] : [4000, 15_000];

  test('finds valid paths through a gap for at least 97 % of the seeds', () => {
    let solved = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { status, path } = planIn(wallWithGap, seed, enough);
      if (status !== 'solved') continue;
      solved++;
      expect([...path[0]]).toEqual([...start]);
      expect([...path[path.length - 1]]).toEqual([...goal]);
      for (let i = 1; i < path.length; i++)
        expect(wallWithGap.isMotionValid(path[i - 1], path[i]), `seed ${seed}, motion ${i}`).toBe(true);
    }
    expect(solved).toBeGreaterThanOrEqual(Math.floor(0.97 * SEEDS));
  });

  test('gives the same path for the same seed and another one for another seed', () => {
    const [one, again, other] = [5, 5, 6].map((seed) => planIn(wallWithGap, seed, enough).path.map((q) => [...q]));
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
  });

  test('stops when the budget is spent, checks the budget once per iteration, and returns the status', () => {
    const closed = new DiscWorld(Array.from({ length: 21 }, (_, i) => [0, -1 + i * 0.1, 0.06] as const));
    const budget = budgetOf(300);
    const result = planIn(closed, 1, 300, { budget });
    expect(result).toMatchObject({ status: 'budget-spent', path: [], iterations: 300 });
    expect(budget.spent).toBe(301);
  });

  test('reaches one of several goals when the others are walled in', () => {
    const cell = Array.from({ length: 24 }, (_, i): [number, number, number] => {
      const angle = (i * Math.PI) / 12;
      return [0.5 + 0.2 * Math.cos(angle), 0.5 + 0.2 * Math.sin(angle), 0.04];
    });
    const { status, path } = planIn(new DiscWorld(cell), 3, 2000, { goals: [Float64Array.of(0.5, 0.5), goal] });
    expect(status).toBe('solved');
    expect([...path[path.length - 1]]).toEqual([...goal]);
  });

  test('reaches a goal one free step away, and stops there: nothing beats the straight way', () => {
    const near = Float64Array.of(start[0] + 0.1, start[1] + 0.1);
    const { status, path, iterations } = planIn(new DiscWorld([]), 1, enough, { goals: [near] });
    expect(status).toBe('solved');
    expect(iterations).toBeLessThan(enough);
    expect([...path[0], ...path[path.length - 1]]).toEqual([...start, ...near]);
    if (planner.improves) expect(pathLength(path, wallWithGap)).toBeCloseTo(0.1 * Math.SQRT2, 12);
  });

  test.runIf(planner.improves)(
    'reports strictly decreasing costs, the last that of its path, which is close to the shortest path',
    () => {
      const ratios: number[] = [];
      for (let seed = 1; seed <= cases(20); seed++) {
        const costs: number[] = [];
        const { path, iterations } = planIn(wallWithGap, seed, improving, { onBetter: (cost) => costs.push(cost) });
        expect(iterations, `seed ${seed}`).toBe(improving);
        for (let i = 1; i < costs.length; i++) expect(costs[i], `seed ${seed}`).toBeLessThan(costs[i - 1]);
        const length = pathLength(path, wallWithGap);
        expect(Math.abs(length - costs[costs.length - 1]), `seed ${seed}`).toBeLessThan(1e-12 * length);
        ratios.push(length / shortestThroughGap);
      }
      ratios.sort((a, b) => a - b);
      expect(ratios[0]).toBeGreaterThan(1 - 1e-12);
      expect(ratios[Math.floor(0.85 * ratios.length)]).toBeLessThan(1.04);
    },
  );

  test(`is described for --help: ${name}`, () => {
    expect(planner.summary.length).toBeGreaterThan(10);
    expect(planner.source).toMatch(/^[A-Za-z]+\d\d$/);
    expect(readFileSync('docs/references.md', 'utf8')).toContain(`| ${planner.source} |`);
    for (const { meaning, unit, value } of Object.values(planner.options)) {
      expect(meaning.length).toBeGreaterThan(10);
      expect(unit.length).toBeGreaterThan(2);
      expect(Number.isFinite(value)).toBe(true);
    }
  });
});
