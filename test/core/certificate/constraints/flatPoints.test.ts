import { assert, test } from 'vitest';
import { polytopeDistance } from '../../../../src/core/certificate/constraints/polytopeDistance.ts';
import { nearestOfFlatRegion } from '../../../../src/core/constraints/regionShapes.ts';
import { Random } from '../../../../src/core/math/random.ts';

test('distances from flat hulls agree with the points that planning regards as nearest, with repeated points', () => {
  const random = new Random(11);
  const nearest = new Float64Array(3);
  for (let k = 0; k < 600; k++) {
    const dimension = k % 3;
    const [o, u, v] = [0, 1, 2].map(() => [0, 1, 2].map(() => random.between(-1, 1)));
    const distinct = Array.from({ length: 1 + random.below(6) }, () => {
      const [s, t] = [random.below(9) / 4, random.below(9) / 4];
      return o.map((x, i) => x + (dimension > 0 ? s * u[i] : 0) + (dimension > 1 ? t * v[i] : 0));
    });
    const points = [...distinct, distinct[random.below(distinct.length)]];
    const project = nearestOfFlatRegion(points);
    assert(project, `${k}`);
    const distance = polytopeDistance(Float64Array.from(points.flat()));
    for (let i = 0; i < 5; i++) {
      const x = Float64Array.from([0, 1, 2], () => random.between(-3, 3));
      project(nearest, x);
      assert.closeTo(distance(x), Math.hypot(...nearest.map((value, j) => value - x[j])), 1e-12, `${k}`);
    }
  }
});
