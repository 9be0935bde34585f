import { expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { type Transform, transformPoint } from '../../../../src/core/math/transform.ts';
import { create, type Vec3 } from '../../../../src/core/math/vec3.ts';
import { LastingOverlap } from '../../../../src/core/narrowphase/depth/lastingOverlap.ts';
import { GjkDistance } from '../../../../src/core/narrowphase/gjk/gjkDistance.ts';
import { PairCache, Separation } from '../../../../src/core/narrowphase/solver.ts';
import { createShape } from '../../../../src/core/shapes/index.ts';
import { randomTransform } from '../helpers.ts';

type Points = readonly (readonly number[])[];

/** Angular velocity and velocity of the point at the origin, times a factor. */
interface Twist {
  readonly turning: readonly number[];
  readonly velocity: readonly number[];
}

const triple = (random: Random, reach: number) => [0, 1, 2].map(() => random.between(-reach, reach));

/** Points of a hull: an eighth of them so thin or so few that A ⊖ B is nearly flat. */
function randomPoints(random: Random): Points {
  const count = random.below(8) === 0 ? 4 : 6 + random.below(14);
  const reach = [0, 1, 2].map(() => [1, 0.5, 0.02][random.below(3)]);
  return Array.from({ length: count }, () => reach.map((r) => r * random.between(-1, 1)));
}

const hullOf = (points: Points) => createShape({ type: 'convex', points });

const moved = (points: Points, { turning: w, velocity: v }: Twist, factor: number): Points =>
  points.map(([x, y, z]) => [
    x + factor * (v[0] + w[1] * z - w[2] * y),
    y + factor * (v[1] + w[2] * x - w[0] * z),
    z + factor * (v[2] + w[0] * y - w[1] * x),
  ]);

const at = (T: Transform, points: Points): Points =>
  points.map((point) => {
    const out: Vec3 = create();
    transformPoint(out, T, Float64Array.from(point));
    return [...out];
  });

const gjk = new GjkDistance();
const separation = new Separation();
const here: Transform = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);

/** Largest factor of the velocities, to 1 %, up to which an overlap is proved to last; 0: none of at least 0.01. */
function provedFactor(overlap: LastingOverlap, twists: readonly Twist[]): number {
  let [low, high] = [0, 2];
  while (high - low > 0.01) {
    const factor = 0.5 * (low + high);
    for (const [i, of] of [overlap.ofA, overlap.ofB].entries()) {
      of.turning.set(twists[i].turning.map((x) => factor * x));
      of.velocity.set(twists[i].velocity.map((x) => factor * x));
    }
    if (overlap.isProved(gjk)) low = factor;
    else high = factor;
  }
  return low;
}

test('bodies that are proved to overlap at all times do, as far as the velocities are scaled', () => {
  const random = new Random(1);
  const overlap = new LastingOverlap();
  const failures: string[] = [];
  const seen = { proved: 0, checked: 0, tight: 0 };
  for (let k = 0; k < 160; k++) {
    const [pointsA, pointsB] = [randomPoints(random), randomPoints(random)];
    const T = randomTransform(random, 0.4);
    gjk.distance(separation, hullOf(pointsA), T, hullOf(pointsB), Number.POSITIVE_INFINITY, new PairCache());
    if (separation.status === 'separated') continue;
    const twists = [0, 1].map(() => ({ turning: triple(random, 0.4), velocity: triple(random, 0.2) }));
    const factor = provedFactor(overlap, twists);
    if (factor === 0) continue;
    seen.proved++;
    const inFrame = at(T, pointsA);
    const areApart = (scale: number, sigma: number, tau: number) => {
      const a = hullOf(moved(inFrame, twists[0], scale * sigma));
      const b = hullOf(moved(pointsB, twists[1], scale * tau));
      new GjkDistance().distance(separation, a, here, b, Number.POSITIVE_INFINITY, new PairCache());
      return separation.distance.lower > 0;
    };
    const corners = [-1, 1].flatMap((sigma) => [-1, 1].map((tau) => [sigma, tau]));
    for (const [sigma, tau] of [...corners, [random.between(-1, 1), Math.sign(random.next() - 0.5)]]) {
      seen.checked++;
      if (areApart(factor, sigma, tau)) failures.push(`pair ${k} at ${sigma}, ${tau}, factor ${factor}`);
    }
    if (corners.some(([sigma, tau]) => areApart(1.3 * factor, sigma, tau))) seen.tight++;
  }
  expect(failures).toEqual([]);
  expect(seen.proved).toBeGreaterThan(85);
  expect(seen.tight).toBeGreaterThan(9); // bodies a little faster come apart
});

test('a single vertex that swings its face across the other body prevents the proof', () => {
  const tetrahedron = [
    [1, 1, 1],
    [1, -1, -1],
    [-1, 1, -1],
    [-1, -1, 1],
  ];
  const minus = (p: readonly number[], q: readonly number[]) => p.map((x, k) => x - q[k]);
  const times = (p: readonly number[], factor: number) => p.map((x) => factor * x);
  const overlap = new LastingOverlap();
  const results: boolean[][] = [];
  for (let opposite = 0; opposite < 4; opposite++) {
    const face = tetrahedron.filter((_, i) => i !== opposite);
    // the other body is a point, the origin, at 0.1 over the centroid of the face
    const inward = times(tetrahedron[opposite], 1 / Math.sqrt(3));
    const centroid = [0, 1, 2].map((k) => (face[0][k] + face[1][k] + face[2][k]) / 3);
    const center = centroid.map((x, k) => x + 0.1 * inward[k]);
    const points = tetrahedron.map((point) => minus(point, center));
    const point = hullOf([[0, 0, 0]]);
    gjk.distance(separation, hullOf(points), here, point, Number.POSITIVE_INFINITY, new PairCache());
    for (let moving = 0; moving < 3; moving++) {
      // turns about the edge of the two others, so that only this vertex of the face moves
      const [from, to] = face.filter((_, i) => i !== moving).map((vertex) => minus(vertex, center));
      const edge = times(minus(to, from), 1 / Math.sqrt(8));
      const proved = [0.09, 0.45].map((travel) => {
        const turning = times(edge, travel / Math.sqrt(6));
        overlap.ofA.turning.set(turning);
        overlap.ofA.velocity.set(times(cross(turning, from), -1));
        return overlap.isProved(gjk);
      });
      results.push(proved);
    }
  }
  expect(results).toEqual(Array(12).fill([true, false]));
});

const cross = (p: readonly number[], q: readonly number[]) => [
  p[1] * q[2] - p[2] * q[1],
  p[2] * q[0] - p[0] * q[2],
  p[0] * q[1] - p[1] * q[0],
];
