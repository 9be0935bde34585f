import { assert, describe, test } from 'vitest';
import { quickHull } from '../../../src/core/hulls/quickHull.ts';
import { Random } from '../../../src/core/math/random.ts';

const clouds: Readonly<Record<string, (random: Random) => number[]>> = {
  'a ball': (random) => {
    const d = [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)];
    const length = Math.hypot(...d);
    return d.map((x) => x / length / 2);
  },
  'a cube': (random) => [0, 1, 2].map(() => random.between(-0.5, 0.5)),
  'a grid': (random) => [0, 1, 2].map(() => random.below(5) / 4 - 0.5),
  'the faces of a cube': (random) => {
    const p = [0, 1, 2].map(() => random.between(-0.5, 0.5));
    p[random.below(3)] = random.below(2) - 0.5;
    return p;
  },
  'a needle': (random) => [random.between(-0.5, 0.5), 1e-6 * random.between(-1, 1), 1e-6 * random.between(-1, 1)],
};

describe('quickHull', () => {
  test.each(Object.entries(clouds))(
    'of %s is a closed surface with every point behind each of its faces',
    (name, point) => {
      const random = new Random(name.length);
      for (const count of [4, 10, 100, 1000]) {
        const points = Float64Array.from(Array.from({ length: count }, () => point(random)).flat());
        const faces = quickHull(points);
        if (faces === undefined) {
          assert.isBelow(count, 100, 'only few points are flat'); // four points of a grid often are
          continue;
        }
        const edges = new Set(faces.flatMap(([a, b, c]) => [`${a} ${b}`, `${b} ${c}`, `${c} ${a}`]));
        assert.equal(edges.size, 3 * faces.length, 'no edge twice in one direction');
        for (const edge of edges) assert.isTrue(edges.has(edge.split(' ').reverse().join(' ')));
        assert.equal(new Set(faces.flat()).size - edges.size / 2 + faces.length, 2, 'corners - edges + faces');
        for (const face of faces) {
          const [a, b, c] = face.map((i) => [...points.subarray(3 * i, 3 * i + 3)]);
          const [u, v] = [b, c].map((p) => p.map((x, k) => x - a[k]));
          const n = [0, 1, 2].map((k) => u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
          const length = Math.hypot(...n);
          if (length < 1e-9) continue; // the plane of a sliver is meaningless
          let most = 0;
          for (let i = 0; i < points.length; i += 3)
            most = Math.max(
              most,
              n[0] * (points[i] - a[0]) + n[1] * (points[i + 1] - a[1]) + n[2] * (points[i + 2] - a[2]),
            );
          assert.isAtMost(most / length, 1e-14);
        }
      }
    },
  );

  test.each([
    ['points of a plane', Array.from({ length: 300 }, (_, i) => (i % 3 === 2 ? 0.25 : Math.sin(i * i)))],
    ['points of a line', Array.from({ length: 300 }, (_, i) => Math.floor(i / 3) / 100)],
    ['one point', [1, 2, 3]],
    ['three points', [0, 0, 0, 1, 0, 0, 0, 1, 0]],
  ])('there is none of %s', (_, points) => {
    assert.isUndefined(quickHull(Float64Array.from(points)));
  });
});
