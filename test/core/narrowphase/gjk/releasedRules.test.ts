import { expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { type Transform, transformPoint } from '../../../../src/core/math/transform.ts';
import { baselineDistanceSolvers } from '../../../../src/core/narrowphase/baselines.ts';
import type { IterativeDistance } from '../../../../src/core/narrowphase/gjk/gjkDistance.ts';
import type { GjkIteration } from '../../../../src/core/narrowphase/gjk/gjkIteration.ts';
import { distanceSolvers } from '../../../../src/core/narrowphase/index.ts';
import { PairCache, Separation } from '../../../../src/core/narrowphase/solver.ts';
import type { ShapeSpec } from '../../../../src/core/shapes/shape.ts';
import { createPair, randomTransform } from '../helpers.ts';
import { countUpdates, type Rule, type Support } from './releasedRules.ts';

/** The gap of the papers, m². */
const GAP = 1e-8;
/**
 * Heights of vertices that differ by less are equal, metres: the iterate is orthogonal to an edge of A if two vertices
 * of its simplex have one point of B, and the paper leaves open which end of that edge is the support point.
 */
const TIE = 1e-13;

type Vector = readonly number[];
type Body = { readonly spec: ShapeSpec; readonly lowest: (d: Vector) => Vector[] };

/** Support functions of their own: scaled spheres, and the lowest of all vertices. */
function randomBody(random: Random, kind: 'ellipsoid' | 'hull'): Body {
  const lengths = [0, 1, 2].map(() => random.between(0.1, 0.5));
  if (kind === 'ellipsoid') {
    const lowest = (d: Vector) => {
      const norm = Math.sqrt(d.reduce((sum, x, k) => sum + (lengths[k] * x) ** 2, 0));
      return [d.map((x, k) => -(lengths[k] ** 2) * (x / norm))];
    };
    return { spec: { type: 'ellipsoid', radii: lengths }, lowest };
  }
  const points = Array.from({ length: 60 }, () => {
    const d = [0, 1, 2].map(() => random.between(-1, 1));
    const norm = Math.hypot(...d);
    return d.map((x, k) => (lengths[k] * x) / norm);
  });
  const lowest = (d: Vector) => {
    const heights = points.map((p) => along(p, d));
    const highest = Math.min(...heights) + TIE * Math.hypot(...d);
    return points.filter((_, k) => heights[k] <= highest);
  };
  return { spec: { type: 'convex', points } as unknown as ShapeSpec, lowest };
}

function supportOf(a: Body, T: Transform, b: Body): Support {
  const column = (k: number) => [T[k], T[4 + k], T[8 + k]];
  return (d) => {
    const pointsB = b.lowest(d.map((x) => -x));
    return a.lowest([0, 1, 2].map((k) => along(column(k), d))).flatMap((pA) => {
      const inB = [0, 1, 2].map((i) => T[4 * i] * pA[0] + T[4 * i + 1] * pA[1] + T[4 * i + 2] * pA[2] + T[4 * i + 3]);
      return pointsB.map((pB) => inB.map((x, i) => x - pB[i]));
    });
  };
}

const along = (p: Vector, d: Vector) => p[0] * d[0] + p[1] * d[1] + p[2] * d[2];

const cases: readonly (readonly [string, Rule, Rule])[] = [
  ['gjk-plain', 'plain', 'plain'],
  ['gjk-polyak', 'polyak', 'polyak'],
  ['gjk-polyak-normalized', 'polyak-normalized', 'polyak-normalized'],
  ['gjk-polyak-printed', 'polyak-printed', 'polyak-printed'],
  ['gjk-nesterov', 'nesterov', 'nesterov-normalized'],
  ['gjk-nesterov-unnormalized', 'nesterov-printed', 'nesterov-printed'],
];

test.each(cases)('%s updates its simplex as often as the rule of the paper, on 300 pairs', (name, curved, flat) => {
  const random = new Random(91);
  const definition = { ...baselineDistanceSolvers, ...distanceSolvers }[name]!;
  const solver = definition.create({ relativeGap: 0, dualityGap: GAP }) as IterativeDistance<GjkIteration>;
  const out = new Separation();
  const centerA = new Float64Array(3);
  const differing: string[] = [];
  let ties = 0;
  for (let i = 0; i < 300; i++) {
    const kind = i % 2 === 0 ? 'ellipsoid' : 'hull';
    const a = randomBody(random, kind);
    const b = randomBody(random, kind);
    const T = randomTransform(random, 1);
    // Closer pairs take up to 166 updates by the printed rule of Polyak, and rounding decides about the last ones.
    const gap = [-0.01, 0.01, 0.03, 0.1, 1][i % 5];
    for (const k of [3, 7, 11]) T[k] *= 4 / Math.hypot(T[3], T[7], T[11]);
    const pair = createPair(`pair ${i}`, a.spec, b.spec, T);
    solver.distance(out, pair.a, T, pair.b, Number.POSITIVE_INFINITY, new PairCache());
    for (let k = 0; k < 3; k++) T[4 * k + 3] += out.normal[k] * (out.distance.upper - gap);
    solver.distance(out, pair.a, T, pair.b, Number.POSITIVE_INFINITY, new PairCache());
    transformPoint(centerA, T, pair.a.center);
    const x0 = [...centerA].map((x, k) => x - pair.b.center[k]);
    const rule = kind === 'hull' ? flat : curved;
    const expected = countUpdates(rule, supportOf(a, T, b), x0, GAP);
    const { updates } = solver.iteration;
    if (!expected.has(updates)) differing.push(`${i} (${kind}s, ${gap} m): ${updates}, ${[...expected]}`);
    ties += Number(expected.size > 1);
  }
  expect(differing).toEqual([]);
  expect(ties).toBeLessThan(30);
});
