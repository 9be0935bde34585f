import { expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { addScaled, create, dot, norm, type Vec3 } from '../../../../src/core/math/vec3.ts';
import { CONTAINS_ORIGIN, REDUCED, Simplex, STALLED } from '../../../../src/core/narrowphase/gjk/simplex.ts';

const origin = create();

/** Builds a simplex vertex by vertex, as a solver does, until a step does not return REDUCED. */
function build(simplex: Simplex, vertices: readonly Vec3[]): { last: number; seen: readonly Vec3[] } {
  simplex.clear();
  let last = -1;
  for (const [i, vertex] of vertices.entries()) {
    simplex.add(vertex, vertex);
    last = simplex.reduce(true);
    if (last !== REDUCED) return { last, seen: vertices.slice(0, i + 1) };
  }
  return { last, seen: vertices };
}

for (const unit of [1e-3, 1, 1e3]) {
  test(`v is the nearest point of the hull: every vertex lies beyond the plane through it, at scale ${unit}`, () => {
    const random = new Random(3);
    const simplex = new Simplex();
    for (let i = 0; i < 3000; i++) {
      const flat = i % 3 === 0 ? 1e-7 : 1;
      const shift = [0, 0.5, 5][random.below(3)];
      const vertices = Array.from({ length: 4 }, () =>
        create(
          unit * (random.between(-1, 1) + shift),
          unit * random.between(-1, 1),
          unit * flat * random.between(-1, 1) + unit * 0.1 * shift,
        ),
      );
      const { last, seen } = build(simplex, vertices);
      if (last === CONTAINS_ORIGIN) continue;
      const { v, count, weights, normSquared: squared } = simplex;
      // Steps drop vertices that do not span v, so only the remaining vertices are checked.
      for (let k = 0; k < count; k++) {
        const along = dot(v, simplex.w.subarray(3 * k, 3 * k + 3));
        expect(Math.abs(along - squared), `case ${i}`).toBeLessThan(1e-13 * unit * unit * (1 + shift) ** 2);
        expect(weights[k]).toBeGreaterThan(0);
      }
      expect(Math.sqrt(squared), `case ${i}`).toBeLessThanOrEqual(Math.min(...seen.map(norm)) * (1 + 1e-15));
    }
  });
}

test('a tetrahedron around the origin contains it, and its weights give the origin', () => {
  const random = new Random(4);
  const simplex = new Simplex();
  let count = 0;
  for (let i = 0; i < 500; i++) {
    const vertices = Array.from({ length: 4 }, () =>
      create(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)),
    );
    simplex.clear();
    for (const vertex of vertices.slice(0, 3)) simplex.add(vertex, vertex);
    simplex.add(vertices[3], vertices[3]);
    if (simplex.reduce(true) !== CONTAINS_ORIGIN) continue;
    count++;
    const sum = create();
    for (let k = 0; k < 4; k++) addScaled(sum, sum, vertices[k], simplex.weights[k]);
    expect(norm(sum)).toBeLessThan(1e-13);
  }
  expect(count).toBeGreaterThan(30); // one in eight
});

test('weights give the witness point on A as well', () => {
  const simplex = new Simplex();
  simplex.clear();
  simplex.add(create(1, -1, 0), create(10, 0, 0));
  simplex.reduce(true);
  simplex.add(create(1, 3, 0), create(10, 8, 0));
  expect(simplex.reduce(true)).toBe(REDUCED);
  const witness = create();
  simplex.witnessA(witness);
  expect([...witness]).toEqual([10, 2, 0]);
  expect([...simplex.v]).toEqual([1, 0, 0]);
});

test('the search direction of a tilted edge near the origin is orthogonal to it, although v has lost its digits', () => {
  const simplex = new Simplex();
  const tiny = 1e-13;
  simplex.clear();
  simplex.add(create(-3, -1, tiny), origin);
  simplex.reduce(true);
  simplex.add(create(6, 2, tiny), origin);
  simplex.reduce(true);
  const n = create();
  simplex.searchDirection(n);
  expect(Math.abs(n[0] * 9 + n[1] * 3) / norm(n)).toBeLessThan(1e-14);
});

test('a vertex that does not bring v nearer is removed, and nothing else changes', () => {
  const simplex = new Simplex();
  simplex.clear();
  simplex.add(create(1, 0, 0), origin);
  simplex.reduce(true);
  simplex.add(create(2, 5, 0), origin);
  expect(simplex.reduce(true)).toBe(STALLED);
  expect(simplex.count).toBe(1);
  expect([...simplex.v]).toEqual([1, 0, 0]);
});

test('a vertex that is not a number is removed', () => {
  const simplex = new Simplex();
  simplex.clear();
  simplex.add(create(1, 0, 0), origin);
  simplex.reduce(true);
  simplex.add(create(Number.NaN, 0, 0), origin);
  expect(simplex.reduce(true)).toBe(STALLED);
  expect(simplex.normSquared).toBe(1);
});
