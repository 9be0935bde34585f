import { expect, test } from 'vitest';
import { distanceSolvers } from '../../src/core/narrowphase/index.ts';
import { PairCache, Separation } from '../../src/core/narrowphase/solver.ts';
import { drawChunk } from '../core/narrowphase/certificates/draw.ts';
import { distanceFromA } from '../core/narrowphase/certificates/geometry.ts';
import { createPair } from '../core/narrowphase/helpers.ts';
import { keysOf } from '../helpers/keysOf.ts';

/**
 * GJK terminates with a tetrahedron around the origin; the barycentric coordinates of the origin determine the common
 * point. The thinner the tetrahedron, the more digits Cramer's rule loses: the weighted vertices added up to 5e-6 m
 * instead of 0, and all four coordinates were positive although the origin was 1e-8 m outside. The faces should have
 * been checked next, but the smallest distance so far had already been set to 0, and no face is closer. Of 18,700
 * colliding pairs, 80 to 400 per solver had a common point with an error above 1e-10 of the size, one of half the size;
 * refined barycentric coordinates leave 4e-15.
 */
const out = new Separation();

test.each(keysOf(distanceSolvers))('%s does not take a needle beside the origin for one around it', (name) => {
  const frustum = {
    type: 'frustum',
    radiusBottom: 0.0006744981948519048,
    radiusTop: 0.00003394314277606038,
    length: 0.006906768220276011,
  };
  const points = [
    [37.80673974290213, 18.903369871451066, 37.80673974290213],
    [-37.80673974290213, -18.903369871451066, 0],
    [-37.80673974290213, 18.903369871451066, -18.903369871451066],
    [-37.80673974290213, 37.80673974290213, 0],
    [-18.903369871451066, -18.903369871451066, 18.903369871451066],
  ];
  const T_b_a = Float64Array.of(
    ...[0.5628082651536722, 0.264970114012259, -0.7829672377277634, -10.50438359829581],
    ...[-0.8264140010195188, 0.1997808002014756, -0.5264290368034125, -5.251756324121153],
    ...[0.016933859383627514, 0.9433337005276491, 0.33141329764387406, 13.648657234650948],
  );
  const { a, b } = createPair(name, frustum, { type: 'convex', points }, T_b_a);
  distanceSolvers[name].create().distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, new PairCache());
  expect(out.status).toBe('separated');
  expect(out.distance.lower).toBeGreaterThan(1.0967e-8);
  expect(out.distance.upper).toBeLessThan(1.0971e-8);
});

/**
 * The other way round: of a tetrahedron with three corners 2e-6 m apart and one 14 m away Cramer's rule about the far
 * one is nothing but rounding, and the origin, 1e-9 of the size inside, was taken for outside: one pair of a million
 * was left open 4e-8 m deep. Shares are sharpened about a near corner.
 */
test.each(keysOf(distanceSolvers))('%s sees the origin inside a tetrahedron that is long and thin', (name) => {
  const frustum = {
    type: 'frustum',
    radiusBottom: 0.000010122462821750946,
    radiusTop: 0.000008484037330276767,
    length: 0.00326612313367621,
  };
  const box = { type: 'box', size: [4.140031884911815, 0.32804641476358004, 13.940440532123326] };
  const T_b_a = Float64Array.of(
    ...[-0.6574504181753282, -0.368116937127763, -0.6574563622330849, -2.0689483064262735],
    ...[0.7251915958792126, -0.07221804802028298, -0.6847493722569604, 0.16514735310335416],
    ...[0.20458762647640144, -0.9269705896843843, 0.3144350949765907, 3.6999299498048304],
  );
  const { a, b } = createPair(name, frustum, box, T_b_a);
  distanceSolvers[name].create().distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, new PairCache());
  expect(out.status).toBe('colliding');
});

test('the common point of two bodies lies in both, whatever simplex it comes from', () => {
  const solvers = Object.entries(distanceSolvers).map(([name, { create }]) => ({ name, solver: create() }));
  let colliding = 0;
  for (const pair of [...drawChunk(3, 66), ...drawChunk(4, 1)]) {
    for (const { name, solver } of solvers) {
      solver.distance(out, pair.a.shape, pair.T_b_a, pair.b.shape, Number.POSITIVE_INFINITY, new PairCache());
      if (out.status !== 'colliding') continue;
      colliding++;
      const off = Math.max(distanceFromA(pair, out.witnessA), pair.b.judge.distanceTo(out.witnessB));
      expect(off / pair.size, `${name}, ${pair.label}`).toBeLessThan(1e-13);
    }
  }
  expect(colliding).toBeGreaterThan(15_000);
});
