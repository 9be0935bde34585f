import { expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { create, dot, norm, scale, sub, type Vec3 } from '../../../src/core/math/vec3.ts';
import { addSupportCurvature } from '../../../src/core/narrowphase/supportCurvature.ts';
import { createShape } from '../../../src/core/shapes/index.ts';
import { randomDirections } from './helpers.ts';

const STEP = 1e-5;
const specs = [
  { type: 'ellipsoid', radii: [0.5, 0.2, 0.05] },
  { type: 'cylinder', radius: 0.3, length: 0.5 },
  { type: 'cone', radius: 0.3, length: 0.5 },
  { type: 'frustum', radiusBottom: 0.1, radiusTop: 0.4, length: 0.3 },
  { type: 'box', size: [1, 2, 3] },
  { type: 'capsule', radius: 0.2, length: 0.5 },
];

test('second derivatives of support functions equal differences of support points', () => {
  const random = new Random(41);
  let compared = 0;
  for (const spec of specs) {
    const shape = createShape(spec);
    const supportAt = (d: Vec3): Vec3 => {
      const p = create();
      shape.support(p, shape, d, -1);
      return p;
    };
    for (const d of randomDirections(random, 200)) {
      const [u, v] = randomDirections(random, 2);
      const moved = (along: Vec3, step: number) => supportAt(Float64Array.from(d, (x, k) => x + step * along[k]));
      const change = (along: Vec3): Vec3 => {
        const out = create();
        sub(out, moved(along, STEP), moved(along, -STEP));
        scale(out, out, 0.5 / STEP);
        return out;
      };
      if (norm(change(u)) > 100 || norm(change(v)) > 100) continue; // a vertex, side or rim changes within the step
      const out = Float64Array.of(1, 2, 3);
      addSupportCurvature(out, shape, d, supportAt(d), Float64Array.of(...u, ...v));
      const expected = [1 + dot(u, change(u)), 2 + dot(u, change(v)), 3 + dot(v, change(v))];
      for (let k = 0; k < 3; k++) expect(Math.abs(out[k] - expected[k]), `${spec.type} ${k}`).toBeLessThan(2e-5);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(1000);
});
