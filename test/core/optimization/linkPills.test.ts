import { expect, test } from 'vitest';
import { transformOfPose } from '../../../src/core/kinematics/pose.ts';
import type { CollisionDescription } from '../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { fitCapsule } from '../../../src/core/optimization/capsuleFit.ts';
import { linkPills } from '../../../src/core/optimization/linkPills.ts';
import { fitPaddedPolygon } from '../../../src/core/optimization/polygonFit.ts';
import { createShape } from '../../../src/core/shapes/index.ts';
import { randomRobot } from '../../helpers/robots.ts';
import { excess, randomDirections } from '../narrowphase/helpers.ts';

const directions = randomDirections(new Random(1), 400);

/** Returns the maximum protrusion of part b from part a over many directions, metres. */
function sticksOut(outer: CollisionDescription, inner: CollisionDescription): number {
  const [a, b] = [createShape(outer.shape), createShape(inner.shape)];
  const [Ta, Tb] = [transformOfPose(outer.pose), transformOfPose(inner.pose)];
  let worst = Number.NEGATIVE_INFINITY;
  for (const n of directions) {
    const d = new Float64Array(3);
    for (let k = 0; k < 3; k++) d[k] = Tb[k] * n[0] + Tb[4 + k] * n[1] + Tb[8 + k] * n[2];
    const p = new Float64Array(3);
    b.support(p, b, d, -1);
    const point = Float64Array.from(
      [0, 1, 2],
      (row) =>
        Tb[4 * row] * p[0] + Tb[4 * row + 1] * p[1] + Tb[4 * row + 2] * p[2] + Tb[4 * row + 3] + b.margin * n[row],
    );
    worst = Math.max(worst, excess(point, a, Ta, directions));
  }
  return worst;
}

test('every pill contains its part: no support point of any kind of part is outside', () => {
  const kinds = new Set<string>();
  for (let seed = 0; seed < 5; seed++) {
    const robot = randomRobot(new Random(seed), 4);
    const pills = linkPills(robot);
    expect(pills.length).toBe(robot.links.flatMap((link) => link.collisions).length);
    for (const { link, part, kind, collision } of pills) {
      kinds.add(kind);
      const held = robot.links.find(({ name }) => name === link)!.collisions[part];
      expect(sticksOut(collision, held), `${seed} ${link} ${part}: ${kind} around ${held.shape.type}`).toBeLessThan(
        1e-12,
      );
    }
  }
  expect(kinds.size).toBe(2);
}, 60_000);

test('the fit to points on a capsule is within 2 % of the volume of that capsule', () => {
  const random = new Random(2);
  for (let i = 0; i < 6; i++) {
    const [radius, length] = [random.between(0.05, 0.2), random.between(0.1, 0.8)];
    const axis = randomDirections(random, 1)[0];
    const points = randomDirections(random, 300).flatMap((d) => {
      const side = d[0] * axis[0] + d[1] * axis[1] + d[2] * axis[2] < 0 ? -0.5 : 0.5;
      return Array.from(d, (x, k) => 3 + radius * x + side * length * axis[k]);
    });
    const fit = fitCapsule(Float64Array.from(points));
    const volume = Math.PI * radius * radius * (length + (4 / 3) * radius);
    expect(fit.volume, `capsule ${i}`).toBeLessThan(1.02 * volume);
    expect(fit.volume, `capsule ${i}`).toBeGreaterThan(0.9 * volume);
  }
});

test('none of thousands of random capsules is 2 % smaller than the fit', () => {
  const random = new Random(3);
  for (let i = 0; i < 6; i++) {
    const size = [1, 0.5 + 0.5 * random.next(), 0.3 + 0.7 * random.next()];
    const points = Float64Array.from({ length: 90 }, (_, k) => size[k % 3] * random.between(-1, 1));
    const fit = fitCapsule(points);
    let best = Number.POSITIVE_INFINITY;
    let [from, to] = [fit.from, fit.to];
    for (let t = 0; t < 6000; t++) {
      // New random starts, and perturbations of the best one with decreasing size.
      const spread = t < 2000 ? 1 : t < 4000 ? 0.1 : 0.01;
      const draw = (p: Float64Array) => p.map((x) => (t < 2000 ? 0 : x) + spread * random.between(-1, 1));
      const [p, q] = [draw(from), draw(to)];
      const volume = volumeAround(points, p, q);
      if (volume < best) [best, from, to] = [volume, p, q];
    }
    expect(fit.volume, `cloud ${i}`).toBeLessThan(1.02 * best);
  }
});

function volumeAround(points: Float64Array, p: Float64Array, q: Float64Array): number {
  const d = q.map((x, k) => x - p[k]);
  const squared = d.reduce((sum, x) => sum + x * x, 0);
  let radius = 0;
  for (let i = 0; i < points.length; i += 3) {
    const e = [0, 1, 2].map((k) => points[i + k] - p[k]);
    const t = Math.min(1, Math.max(0, (e[0] * d[0] + e[1] * d[1] + e[2] * d[2]) / squared));
    radius = Math.max(radius, Math.hypot(...e.map((x, k) => x - t * d[k])));
  }
  return Math.PI * radius * radius * (Math.sqrt(squared) + (4 / 3) * radius);
}

test('the fit to a plate is a padded polygon in its plane with few vertices and little extra volume', () => {
  const [w, h, t] = [0.4, 0.3, 0.02];
  const vertices = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1 ? w : -w, i & 2 ? h : -h, i & 4 ? t : -t]);
  const fit = fitPaddedPolygon(Float64Array.from(vertices))!;
  expect(fit.vertices.length).toBeLessThanOrEqual(8);
  expect(fit.volume).toBeLessThan(1.25 * 8 * w * h * t);
  const part = {
    shape: { type: 'box', size: [2 * w, 2 * h, 2 * t] },
    pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] },
    triangles: 0,
    source: 0,
  } as const;
  const robot = {
    ...randomRobot(new Random(1), 1),
    links: [{ name: 'plate', collisions: [part] }],
    joints: [],
    root: 'plate',
  };
  expect(linkPills(robot)[0].kind).toBe('padded-polygon');
});
