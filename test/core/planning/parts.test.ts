import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { ConnectionCount } from '../../../src/core/planning/connectionCount.ts';
import { CostTree } from '../../../src/core/planning/costTree.ts';
import { InformedSet, UnitBall } from '../../../src/core/planning/informed/informedSet.ts';
import { MinHeap } from '../../../src/core/planning/minHeap.ts';
import { DiscWorld } from './discWorld.ts';

test('a heap gives its numbers in the order of their keys, pushed and popped in any order', () => {
  const random = new Random(3);
  const heap = new MinHeap();
  const keys: number[] = [];
  const left = new Set<number>();
  for (let step = 0; step < 3000; step++) {
    if (random.next() < 0.6) {
      left.add(keys.length);
      keys.push(Math.floor(random.between(0, 50)));
      heap.push(keys[keys.length - 1], keys.length - 1);
    } else {
      const least = Math.min(...[...left].map((value) => keys[value]));
      expect(heap.leastKey).toBe(least);
      const value = heap.pop();
      if (left.size === 0) expect(value).toBe(-1);
      else expect(keys[value]).toBe(least);
      left.delete(value);
    }
    expect(heap.size).toBe(left.size);
  }
  heap.clear();
  expect(heap.pop()).toBe(-1);
});

test('the count of neighbours is e (1 + 1/d) ln n, rounded up, or one more', () => {
  for (const dof of [2, 6, 7]) {
    const connections = new ConnectionCount(dof);
    for (const n of [1, 2, 3, 10, 100, 5000, 40, 100_000]) {
      const exact = Math.max(1, Math.ceil(Math.E * (1 + 1 / dof) * Math.log(n)));
      expect([exact, exact + 1]).toContain(connections.of(n));
    }
  }
});

test('costs in a tree are those of the ways from the root, however often nodes move to other parents', () => {
  const random = new Random(5);
  const tree = new CostTree();
  tree.add(0);
  const lengths: number[] = [0];
  for (let step = 0; step < 2000; step++) {
    const isNew = tree.count < 150;
    const node = isNew ? tree.add() : 1 + random.below(tree.count - 1);
    if (isNew) expect(tree.costs[node]).toBe(Number.POSITIVE_INFINITY);
    const parent = random.below(isNew ? node : tree.count);
    if (tree.fromRoot(parent).includes(node)) continue;
    lengths[node] = random.between(0.1, 1);
    tree.attach(node, parent, lengths[node]);
    expect(tree.fromRoot(node).slice(-2)).toEqual([parent, node]);
    if (step % 50 > 0) continue;
    for (let i = 0; i < tree.count; i++) {
      const way = tree.fromRoot(i);
      expect(way[0]).toBe(0);
      expect(tree.costs[i]).toBe(way.reduce((sum, each) => sum + lengths[each], 0));
    }
  }
});

describe.each([1, 2, 3, 6, 7])('the unit ball in %i dimensions', (dof) => {
  test('is filled evenly: moments, shells and halves are as they should be', () => {
    const random = new Random(dof);
    const ball = new UnitBall(dof);
    const q = new Float64Array(dof);
    const count = 20_000;
    const squares = new Float64Array(dof);
    const products = new Float64Array(dof);
    const sums = new Float64Array(dof);
    let inner = 0;
    const half = 0.5 ** (1 / dof); // the ball of half the volume
    for (let i = 0; i < count; i++) {
      ball.sample(q, random);
      const radius = Math.sqrt(q.reduce((sum, x) => sum + x * x, 0));
      expect(radius).toBeLessThan(1);
      if (radius < half) inner++;
      for (let k = 0; k < dof; k++) {
        sums[k] += q[k] / count;
        squares[k] += (q[k] * q[k]) / count;
        if (dof > 1) products[k] += (q[k] * q[(k + 1) % dof]) / count;
      }
    }
    expect(Math.abs(inner / count - 0.5)).toBeLessThan(0.02);
    for (let k = 0; k < dof; k++) {
      expect(Math.abs(sums[k])).toBeLessThan(0.02);
      expect(Math.abs(squares[k] * (dof + 2) - 1)).toBeLessThan(0.05);
      expect(Math.abs(products[k])).toBeLessThan(0.01);
    }
  });
});

describe('the informed set', () => {
  const space = new DiscWorld([]);
  const start = Float64Array.of(-0.6, -0.2);
  const goals = [Float64Array.of(0.5, 0.3), Float64Array.of(-0.2, 0.9)];

  // Small: drawn from the ellipsoids, which overlap and stick out of the limits. Large: drawn from the space.
  for (const cost of [1.25, 1.6, 2.5]) {
    test(`of paths shorter than ${cost} is sampled within limits, evenly, and nowhere else`, () => {
      const informed = new InformedSet({ space, start, goals });
      const random = new Random(9);
      const q = new Float64Array(2);
      const count = 20_000;
      const inside = (x: Float64Array) => informed.costToCome(x) + informed.costToGo(x) < cost;
      // The same, by drawing from the space and throwing away; compared in cells of a grid.
      const cells = new Float64Array(64);
      const cellOf = (x: Float64Array) => 8 * Math.floor(4 * (x[0] + 1)) + Math.floor(4 * (x[1] + 1));
      for (let i = 0; i < count; i++) {
        informed.sample(q, cost, random);
        expect(inside(q)).toBe(true);
        expect(Math.max(Math.abs(q[0]), Math.abs(q[1]))).toBeLessThanOrEqual(1);
        cells[cellOf(q)] += 1 / count;
      }
      for (let i = 0; i < count; ) {
        space.sample(q, random);
        if (!inside(q)) continue;
        cells[cellOf(q)] -= 1 / count;
        i++;
      }
      for (const difference of cells) expect(Math.abs(difference)).toBeLessThan(0.01);
    });
  }

  test('is the whole space as long as there is no path', () => {
    const informed = new InformedSet({ space, start, goals });
    const [a, b] = [new Float64Array(2), new Float64Array(2)];
    informed.sample(a, Number.POSITIVE_INFINITY, new Random(1));
    space.sample(b, new Random(1));
    expect(a).toEqual(b);
  });

  test('is the start alone where the goal is the start and the cost next to nothing', () => {
    const informed = new InformedSet({ space, start, goals: [start] });
    const q = new Float64Array(2);
    informed.sample(q, 1e-6, new Random(1));
    expect(space.distance(q, start)).toBeLessThan(1e-6);
  });
});
