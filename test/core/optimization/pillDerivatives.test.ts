import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import type { Transform } from '../../../src/core/math/transform.ts';
import { PillDerivatives } from '../../../src/core/optimization/pillDerivatives.ts';
import { type CoreContact, PillProximity } from '../../../src/core/optimization/pillProximity.ts';
import { createCapsulePill, createPaddedPolygonPill, type Pill } from '../../../src/core/optimization/pills.ts';
import { QpSolver } from '../../../src/core/optimization/quadraticProgram.ts';
import { poseOf, randomTransform } from '../narrowphase/helpers.ts';
import { randomPill } from './randomPill.ts';

const dot = (p: ArrayLike<number>, q: ArrayLike<number>) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
const proximity = new PillProximity();
const derivatives = new PillDerivatives();
const at = (x: number, y: number, z: number) => poseOf([x, y, z], [1, 0, 0, 0]);

/**
 * Returns the pose perturbed by `step` along one of the twelve motions: metres along an axis, or radians about the
 * origin of the frame.
 */
function moved(T: Transform, k: number, step: number): Transform {
  const out = T.slice();
  if (k < 3) {
    out[4 * k + 3] += step;
    return out;
  }
  const turn = poseOf(
    [0, 0, 0],
    [Math.cos(step / 2), ...[3, 4, 5].map((axis) => (axis === k ? Math.sin(step / 2) : 0))],
  );
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) {
      out[4 * row + column] = 0;
      for (let m = 0; m < 3; m++) out[4 * row + column] += turn[4 * row + m] * T[4 * m + column];
    }
  }
  return out;
}

describe('derivatives by position and attitude', () => {
  test('derivatives of the proximity and of both closest points equal central differences where not flagged', () => {
    const random = new Random(3);
    const seen = { regular: 0, weak: 0, many: 0, crossing: 0, undecided: 0 };
    for (let i = 0; i < 900; i++) {
      const [a, b] = [randomPill(random, 1), randomPill(random, 1)];
      const [Ta, Tb] = [randomTransform(random, 1.5), randomTransform(random, 1.5)];
      const valuesAt = (motion: number, step: number) => {
        const isA = motion < 6;
        proximity.solve(a, isA ? moved(Ta, motion, step) : Ta, b, isA ? Tb : moved(Tb, motion - 6, step));
        return [proximity.value, ...proximity.pointA, ...proximity.pointB];
      };
      proximity.solve(a, Ta, b, Tb);
      seen[proximity.contact]++;
      derivatives.solve(proximity);
      const { proximityIsSmooth, pointsAreSmooth, pointA, pointB } = derivatives;
      const byBodies = [...derivatives.a, ...derivatives.b];
      for (let motion = 0; motion < 12; motion++) {
        const difference = (step: number) => {
          const [above, below] = [valuesAt(motion, step), valuesAt(motion, -step)];
          return above.map((x, k) => (x - below[k]) / (2 * step));
        };
        const [coarse, fine] = [difference(2e-5), difference(1e-5)];
        const known = fine.map((x, k) => (4 * x - coarse[k]) / 3);
        const label = `pair ${i}, motion ${motion}`;
        // The gradient of the proximity has a kink where another side becomes active; differences across a kink are no
        // reference.
        if (proximityIsSmooth && Math.abs(coarse[0] - fine[0]) < 1e-6) {
          expect(Math.abs(byBodies[motion] - known[0]), label).toBeLessThan(1e-6 * Math.max(1, Math.abs(known[0])));
        }
        const doubt = Math.max(...coarse.map((x, k) => Math.abs(x - fine[k])));
        if (!pointsAreSmooth || doubt > 1e-6) continue;
        for (let k = 0; k < 3; k++) {
          const scale = Math.max(1, ...known.map(Math.abs));
          expect(Math.abs(pointA[12 * k + motion] - known[1 + k]) / scale, label).toBeLessThan(1e-6);
          expect(Math.abs(pointB[12 * k + motion] - known[4 + k]) / scale, label).toBeLessThan(1e-6);
        }
      }
    }
    expect(seen.regular).toBeGreaterThan(500);
    expect(seen.crossing).toBeGreaterThan(5);
  });

  test('derivatives of the proximity equal the chain rule through P and c with the derivatives of the program', () => {
    // φ = ½ yᵀP y + cᵀy + eᵀe − (rA + rB)²: the derivative of the solution cancels, and its pull-back through the
    // program is 0.
    const random = new Random(4);
    const solver = new QpSolver(4, 32);
    for (let i = 0; i < 200; i++) {
      const [a, b] = [randomPill(random, 1), randomPill(random, 1)];
      const [Ta, Tb] = [randomTransform(random, 1.5), randomTransform(random, 1.5)];
      proximity.solve(a, Ta, b, Tb);
      if (proximity.contact !== 'regular' || proximity.variables === 0) continue;
      derivatives.solve(proximity);
      const { variables: n, constraints: m, P, c, G, h, y, w } = proximity;
      if (solver.solve(P, c, G, h, n, m) !== 'optimal') continue;
      const program = (motion: number, step: number) => {
        const isA = motion < 6;
        const other = new PillProximity();
        other.solve(a, isA ? moved(Ta, motion, step) : Ta, b, isA ? Tb : moved(Tb, motion - 6, step));
        return other;
      };
      const [dx, dz] = [new Float64Array(4), new Float64Array(m)];
      for (let motion = 0; motion < 12; motion++) {
        const [above, below] = [program(motion, 1e-5), program(motion, -1e-5)];
        const change = {
          P: P.map((_, k) => (above.P[k] - below.P[k]) / 2e-5),
          c: c.map((_, k) => (above.c[k] - below.c[k]) / 2e-5),
        };
        solver.pushForward(dx, dz, change);
        // The closest points of the cores move with their pills and with y.
        const moveA = [0, 1, 2].map((k) => derivatives.pointA[12 * k + motion]);
        const gapChange =
          2 *
          dot(
            w,
            [0, 1, 2].map((k) => moveA[k] - derivatives.pointB[12 * k + motion]),
          );
        const byBodies = motion < 6 ? derivatives.a[motion] : derivatives.b[motion - 6];
        const reach = Math.hypot(...w) - proximity.distance;
        // d‖w‖² = 2 w·ẇ; the surface points are offset by the radii along the normal, which only rotates.
        expect(Math.abs(gapChange - byBodies), `pair ${i}, ${motion}, ${reach}`).toBeLessThan(
          1e-8 * Math.max(1, Math.abs(byBodies)),
        );
        const yChange = y.map((_, k) => (above.y[k] - below.y[k]) / 2e-5);
        const bent = Math.max(...yChange.map((x, k) => (k < n ? Math.abs(x - dx[k]) : 0)));
        expect(bent, `pair ${i}, ${motion}`).toBeLessThan(1e-3 * Math.max(1, ...dx.map(Math.abs)));
      }
    }
  });

  test('a common rigid motion moves the closest points and leaves the proximity unchanged', () => {
    const random = new Random(5);
    for (let i = 0; i < 300; i++) {
      proximity.solve(
        randomPill(random, 1),
        randomTransform(random, 1.5),
        randomPill(random, 1),
        randomTransform(random, 1.5),
      );
      if (proximity.contact !== 'regular') continue;
      derivatives.solve(proximity);
      for (let k = 0; k < 3; k++) {
        expect(derivatives.a[k] + derivatives.b[k]).toBeCloseTo(0, 12);
        for (let row = 0; row < 3; row++) {
          const sum = derivatives.pointA[12 * row + k] + derivatives.pointA[12 * row + 6 + k];
          expect(sum).toBeCloseTo(row === k ? 1 : 0, 8);
        }
      }
    }
  });
});

describe('non-differentiable configurations are flagged, with finite derivatives', () => {
  const square = createPaddedPolygonPill(0.1, [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ]);
  const capsule = createCapsulePill(0.1, 1);
  const lying = poseOf([0, 0, 1], [Math.SQRT1_2, 0, Math.SQRT1_2, 0]);
  test.each<[string, Pill, Transform, Pill, Transform, CoreContact, number]>([
    ['parallel capsules side by side', capsule, at(0, 0, 0), capsule, at(1, 0, 0.3), 'many', 1 - 0.04],
    ['parallel capsules end to end', capsule, at(0, 0, 0), capsule, at(0, 0, 2), 'regular', 1 - 0.04],
    ['crossing capsules', capsule, at(0, 0, 0), capsule, poseOf([0, 0, 0], [1, 1, 0, 0]), 'crossing', -0.04],
    ['the same capsule twice', capsule, at(0, 0, 0), capsule, at(0, 0, 0), 'crossing', -0.04],
    [
      'a capsule just beside the end of another',
      capsule,
      at(0, 0, 0.5),
      capsule,
      poseOf([1, 0, 0], [1, 1, 0, 0]),
      'weak',
      1 - 0.04,
    ],
    ['polygons that face each other', square, at(0, 0, 0), square, at(0.3, 0.2, 1), 'many', 1 - 0.04],
    ['polygons in one plane, apart', square, at(0, 0, 0), square, poseOf([4, 0, 0], [1, 0, 0, 0.3]), 'regular', 0],
    ['polygons in one plane, overlapping', square, at(0, 0, 0), square, at(0.3, 0.2, 0), 'crossing', -0.04],
    ['a capsule along a polygon', capsule, lying, square, at(0, 0, 0), 'many', 1 - 0.04],
    ['a capsule through a polygon', capsule, at(0, 0, 0), square, at(0, 0, 0), 'crossing', -0.04],
    ['a sphere over a polygon', createCapsulePill(0.1, 0), at(0.2, 0.1, 1), square, at(0, 0, 0), 'regular', 1 - 0.04],
    [
      'two balls in one place',
      createCapsulePill(0.1, 0),
      at(0, 0, 0),
      createCapsulePill(0.1, 0),
      at(0, 0, 0),
      'crossing',
      -0.04,
    ],
  ])('%s', (_label, a, Ta, b, Tb, contact, value) => {
    proximity.solve(a, Ta, b, Tb);
    expect(proximity.contact).toBe(contact);
    if (value !== 0) expect(proximity.value).toBeCloseTo(value, 9);
    derivatives.solve(proximity);
    expect(derivatives.pointsAreSmooth).toBe(contact === 'regular');
    expect(derivatives.proximityIsSmooth).toBe(contact !== 'many');
    const numbers = [...derivatives.a, ...derivatives.b, ...derivatives.pointA, ...derivatives.pointB];
    for (const x of [...numbers, ...proximity.pointA, ...proximity.pointB]) expect(Number.isFinite(x)).toBe(true);
    if (contact === 'crossing')
      for (const x of [...derivatives.a, ...derivatives.b]) expect(Math.abs(x)).toBeLessThan(1e-7);
  });
});
