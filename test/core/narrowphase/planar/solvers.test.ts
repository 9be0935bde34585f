import { expect, test } from 'vitest';
import { signedAreas } from '../../../../bench/narrowphase/signedAreas.ts';
import { createPlanarTransform, relativePlanar } from '../../../../src/core/math/planar.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { Gjk2d } from '../../../../src/core/narrowphase/planar/gjk2d.ts';
import { GrowthDistance2d } from '../../../../src/core/narrowphase/planar/growthDistance2d.ts';
import { PlanarCache, type PlanarChecker } from '../../../../src/core/narrowphase/planar/planarSolver.ts';
import { SeparatingAxis2d } from '../../../../src/core/narrowphase/planar/separatingAxis2d.ts';
import { s2d } from '../../../../src/core/narrowphase/planar/subdistance.ts';
import { COLLIDING, SEPARATED, Separation, UNDECIDED } from '../../../../src/core/narrowphase/solver.ts';
import { createPlanarShape } from '../../../../src/core/shapes/planar/index.ts';
import type { PlanarShape } from '../../../../src/core/shapes/planar/planarShape.ts';
import { cases } from '../../../cases.ts';
import { composePlanar } from '../../../helpers/planar.ts';
import {
  distanceFrom,
  gapAlong,
  growthAlong,
  minus,
  norm,
  type Point,
  type PosedPair,
  randomPair,
  rotatedToWorld,
  signedDistance,
} from './pairs.ts';

const COUNT = cases(700);
/** Pairs with an ellipse, after these. */
const ROUND_COUNT = cases(150);
/** Rounding error, relative to the largest length of a pair. */
const TOLERANCE = 1e-12;
/** Gaps larger than this, relative to that length, must be distinguished from contact. */
const BAND = 1e-11;
const relativeGap = 1e-13;

const scales = [1e-3, 1, 1e3]; // millimetres to kilometres: no tolerance may hide a length

function* pairsAt(scale: number, stream: number): Generator<PosedPair & { readonly truth: number }> {
  for (let i = 0; i < COUNT + ROUND_COUNT; i++) {
    const label = `seed ${i}, stream ${stream}, scale ${scale}`;
    const pair = randomPair(new Random(i, stream), scale, label, i >= COUNT);
    yield { ...pair, truth: signedDistance(pair).value };
  }
}

const gjks = {
  'four cases': new Gjk2d({ relativeGap }),
  'seven cases': new Gjk2d({ relativeGap, triangle: s2d }),
  'signed areas': new Gjk2d({ relativeGap, triangle: signedAreas }),
};

for (const scale of scales) {
  for (const [variant, gjk] of Object.entries(gjks)) {
    test(`gjk-2d in ${variant} proves its distances, depths and witnesses at scale ${scale}`, () => {
      const out = new Separation();
      for (const pair of pairsAt(scale, 1)) {
        gjk.distance(out, pair.a, pair.T_b_a, pair.b, Number.POSITIVE_INFINITY, true, new PlanarCache());
        expectProof(out, pair);
      }
    });
  }

  test(`the cache of another pair does not change the result at scale ${scale}`, () => {
    const out = new Separation();
    const cache = new PlanarCache();
    for (const pair of pairsAt(scale, 1)) {
      gjks['four cases'].distance(out, pair.a, pair.T_b_a, pair.b, Number.POSITIVE_INFINITY, true, cache);
      expectProof(out, pair);
    }
  });

  test(`growth-distance-2d proves both bounds at scale ${scale}, cold and with a cache of another pair`, () => {
    const solver = new GrowthDistance2d({ relativeGap });
    const out = new Separation();
    const used = new PlanarCache();
    for (const pair of pairsAt(scale, 2)) {
      for (const cache of [new PlanarCache(), used]) {
        solver.growth(out, pair.a, pair.T_b_a, pair.b, cache);
        expectStatus(out, pair);
        if (out.growth.upper < Number.POSITIVE_INFINITY && out.growth.upper > 0) expectGrowth(out, pair);
      }
    }
  });

  const checkers: Record<string, PlanarChecker> = {
    ...gjks,
    growth: new GrowthDistance2d(),
    sat: new SeparatingAxis2d(),
  };
  for (const [name, checker] of Object.entries(checkers)) {
    test(`the verdict (${name}) is right for any minimum distance at scale ${scale}`, () => {
      for (const { truth, ...pair } of pairsAt(scale, 3)) {
        const cache = new PlanarCache();
        const verdict = checker.check(pair.a, pair.T_b_a, pair.b, 0, cache);
        if (name === 'sat' && (pair.a.round || pair.b.round)) {
          expect(verdict, pair.label).toBe(UNDECIDED);
          continue;
        }
        if (Math.abs(truth) > BAND * pair.size) expect(verdict, pair.label).toBe(truth > 0 ? SEPARATED : COLLIDING);
        if (verdict === SEPARATED) {
          expect(gapAlong(pair, rotatedToWorld(pair, cache.axis)), pair.label).toBeGreaterThan(-TOLERANCE * pair.size);
        }
        if (truth < 1e-9 * pair.size) continue;
        expect(checker.check(pair.a, pair.T_b_a, pair.b, 0.9 * truth, cache), pair.label).toBe(SEPARATED);
        expect(checker.check(pair.a, pair.T_b_a, pair.b, 1.1 * truth, cache), pair.label).toBe(COLLIDING);
      }
    });
  }
}

function expectStatus(out: Separation, { truth, size, label }: PosedPair & { truth: number }): void {
  expect(out.status, label).not.toBe('undecided');
  if (Math.abs(truth) > BAND * size) expect(out.status, label).toBe(truth > 0 ? 'separated' : 'colliding');
}

/**
 * Expects bounds around the true value; the normal proves the lower bound (of distance or depth), the witness points
 * the upper one.
 */
function expectProof(out: Separation, pair: PosedPair & { truth: number }): void {
  const { truth, size, label, sides } = pair;
  const tolerance = TOLERANCE * size;
  const distance = Math.max(0, truth);
  expectStatus(out, pair);
  expect(Math.abs(out.distance.lower - distance), label).toBeLessThan(tolerance);
  expect(Math.abs(out.distance.upper - distance), label).toBeLessThan(tolerance);
  expect(out.distance.lower, label).toBeLessThanOrEqual(out.distance.upper);
  const normal = rotatedToWorld(pair, out.normal);
  expect(norm(normal), label).toBeCloseTo(1, 12);
  const signed = truth > 0 ? out.distance.lower : -out.depth.upper;
  expect(Math.abs(gapAlong(pair, normal) - signed), label).toBeLessThan(tolerance);
  if (truth < 0) expect(Math.abs(out.depth.upper + truth), label).toBeLessThan(tolerance);
  const a = rotatedToWorld(pair, out.witnessA);
  const b = rotatedToWorld(pair, out.witnessB);
  expect(distanceFrom(sides[0], a), label).toBeLessThan(tolerance);
  expect(distanceFrom(sides[1], b), label).toBeLessThan(tolerance);
  expect(Math.abs(norm(minus(a, b)) - out.distance.upper), label).toBeLessThan(tolerance);
}

/**
 * Expects that the normal proves the lower bound and that the witness points, scaled about the centers by the upper
 * bound, coincide.
 */
function expectGrowth(out: Separation, pair: PosedPair): void {
  const { a, b, size, label, sides } = pair;
  const { lower, upper } = out.growth;
  const inner = a.innerRadius + b.innerRadius;
  // Error of a point relative to the length of the ray; crossed segments have no inner radius, and a larger error is
  // allowed.
  const relative = inner > 0 ? TOLERANCE * (1 + size / inner) : 1e-8;
  expect(upper - lower, label).toBeGreaterThanOrEqual(0);
  expect(upper - lower, label).toBeLessThanOrEqual(2 * relative * upper);
  const normal = rotatedToWorld(pair, out.normal);
  expect(norm(normal), label).toBeCloseTo(1, 12);
  expect(growthAlong(pair, normal), label).toBeGreaterThanOrEqual(lower - 10 * relative * (1 + lower));

  const points = [rotatedToWorld(pair, out.witnessA), rotatedToWorld(pair, out.witnessB)] as const;
  const rest = upper / Math.min(1, upper); // the witness points of overlapping shapes are already scaled
  const [p, q] = sides.map((side, i): Point => {
    expect(distanceFrom(side, points[i]), label).toBeLessThan(1e-11 * size);
    const [x, y] = minus(points[i], side.center);
    return [side.center[0] + rest * x, side.center[1] + rest * y];
  });
  expect(norm(minus(p, q)), label).toBeLessThanOrEqual(1e-10 * rest * size);
}

test('the results are invariant when A and B are swapped and both are moved together', () => {
  const growth = new GrowthDistance2d({ relativeGap });
  const gjk = gjks['four cases'];
  const first = new Separation();
  const second = new Separation();
  const random = new Random(4);
  for (const pair of pairsAt(1, 5)) {
    const { a, b, T_b_a, T_world_b, size, label } = pair;
    const T_world_a = createPlanarTransform();
    composePlanar(T_world_a, T_world_b, T_b_a);
    const motion = createPlanarTransform(random.between(-5, 5), random.between(-5, 5), random.between(-4, 4));
    composePlanar(T_world_a, motion, T_world_a);
    const T_world_moved = createPlanarTransform();
    composePlanar(T_world_moved, motion, T_world_b);
    const T_a_b = createPlanarTransform();
    relativePlanar(T_a_b, T_world_a, T_world_moved);

    gjk.distance(first, a, T_b_a, b, Number.POSITIVE_INFINITY, true, new PlanarCache());
    gjk.distance(second, b, T_a_b, a, Number.POSITIVE_INFINITY, true, new PlanarCache());
    expect(Math.abs(first.distance.upper - second.distance.upper), label).toBeLessThan(1e-11 * size);
    if (first.status !== 'separated' && second.status !== 'separated') {
      expect(Math.abs(first.depth.upper - second.depth.upper), label).toBeLessThan(1e-11 * size);
    }

    growth.growth(first, a, T_b_a, b, new PlanarCache());
    growth.growth(second, b, T_a_b, a, new PlanarCache());
    const inner = a.innerRadius + b.innerRadius;
    if (inner < 1e-3 * size) continue;
    expect(Math.abs(first.growth.upper - second.growth.upper), label).toBeLessThan(1e-8 * (1 + first.growth.upper));
  }
});

const disc = createPlanarShape({ type: 'disc', radius: 1 });
const segment = createPlanarShape({
  type: 'polygon',
  points: [
    [-1, 0],
    [1, 0],
  ],
});
const out = new Separation();

test('distance, depth and growth distance of discs equal their closed forms', () => {
  const T_b_a = createPlanarTransform(-3, 0, 0.7);
  gjks['four cases'].distance(out, disc, T_b_a, disc, Number.POSITIVE_INFINITY, true, new PlanarCache());
  expect(out).toMatchObject({ status: 'separated', distance: { lower: 1, upper: 1 } });
  expect(out.normal[0]).toBe(1);
  new GrowthDistance2d({ relativeGap }).growth(out, disc, T_b_a, disc, new PlanarCache());
  expect(out.growth.lower).toBeCloseTo(1.5, 12);
  expect(out.growth.upper).toBeCloseTo(1.5, 12);
  gjks['four cases'].distance(
    out,
    disc,
    createPlanarTransform(-0.5),
    disc,
    Number.POSITIVE_INFINITY,
    true,
    new PlanarCache(),
  );
  expect(out.depth.upper).toBeCloseTo(1.5, 15);
});

test('collinear segments have a status but no growth distance; crossed segments have one', () => {
  const growth = new GrowthDistance2d({ relativeGap });
  growth.growth(out, segment, createPlanarTransform(-3), segment, new PlanarCache());
  expect(out).toMatchObject({
    status: 'separated',
    growth: { lower: 0, upper: Number.POSITIVE_INFINITY },
    hasNormal: false,
  });
  growth.growth(out, segment, createPlanarTransform(-1), segment, new PlanarCache());
  expect(out.status).not.toBe('separated');
  growth.growth(out, segment, createPlanarTransform(-2, 0, Math.PI / 2), segment, new PlanarCache());
  expect(out.growth.upper).toBeCloseTo(2, 12);
});

test('coinciding centers give growth distance 0 and colliding, flat or not', () => {
  const growth = new GrowthDistance2d();
  for (const body of [disc, segment]) {
    growth.growth(out, body, createPlanarTransform(0, 0, 1), body, new PlanarCache());
    expect(out).toMatchObject({ status: 'colliding', growth: { lower: 0, upper: 0 } });
  }
});

test('distance stops early at stopAt with a valid lower bound', () => {
  const polygon = createPlanarShape({
    type: 'polygon',
    points: [
      [-1, -1],
      [1, -1],
      [0.9, 0.8],
      [-1, 1],
    ],
  });
  gjks['four cases'].distance(out, polygon, createPlanarTransform(-9, 3, 0.4), polygon, 1, false, new PlanarCache());
  expect(out.status).toBe('separated');
  expect(out.distance.lower).toBeGreaterThanOrEqual(1);
  expect(out.iterations).toBe(1);
});

test('a second query at the same pose takes one iteration', () => {
  for (const pair of pairsAt(1, 6)) {
    const cache = new PlanarCache();
    const gjk = gjks['four cases'];
    gjk.distance(out, pair.a, pair.T_b_a, pair.b, Number.POSITIVE_INFINITY, false, cache);
    if (out.status !== 'separated' || pair.a.round || pair.b.round) continue; // ellipses have no vertices to store
    gjk.distance(out, pair.a, pair.T_b_a, pair.b, Number.POSITIVE_INFINITY, false, cache);
    expect(out.iterations, pair.label).toBe(1);
  }
});

test('the status of a growth distance near contact does not depend on a warm start', () => {
  const random = new Random(91);
  const solver = new GrowthDistance2d();
  const [cold, warm] = [new Separation(), new Separation()];
  let separated = 0;
  for (let i = 0; i < 2000; i++) {
    const spec = () => ({ type: 'polygon', points: randomTriangle(random), margin: random.below(2) * 0.1 });
    const [a, b] = [createPlanarShape(spec()), createPlanarShape(spec())];
    const [cos, sin] = [0.6, 0.8];
    const T = Float64Array.of(cos, sin, random.between(1, 2), random.between(-0.5, 0.5));
    solver.growth(cold, a, T, b, new PlanarCache());
    if (!(cold.growth.upper > 0.1)) continue;
    // Move A until the growth distance is within the default gap of 1.
    const factor = (1 + random.between(-2e-8, 2e-8)) / cold.growth.upper;
    scaleOffset(T, a, b, factor);
    solver.growth(cold, a, T, b, new PlanarCache());
    const cache = new PlanarCache();
    solver.growth(warm, a, T, b, cache);
    solver.growth(warm, a, T, b, cache);
    expect(warm.status, `pair ${i}`).toBe(cold.status);
    if (cold.status === 'separated') separated++;
  }
  expect(separated).toBeGreaterThan(300);
});

function randomTriangle(random: Random): [number, number][] {
  const part = () => random.between(-0.2, 0.2);
  return [
    [-0.5 + part(), -0.5 + part()],
    [0.5 + part(), -0.5 + part()],
    [part(), 0.5 + part()],
  ];
}

/** Scales the vector between the centers by `factor`. */
function scaleOffset(T: Float64Array, a: PlanarShape, b: PlanarShape, factor: number): void {
  const [x, y] = a.center;
  const centerA = [T[0] * x - T[1] * y + T[2], T[1] * x + T[0] * y + T[3]];
  for (let k = 0; k < 2; k++) T[2 + k] += (1 - factor) * (b.center[k] - centerA[k]);
}

test('discs that touch are not separated, and those an instant apart are, at all scales', () => {
  const checker = new GrowthDistance2d();
  const random = new Random(12);
  const failures: string[] = [];
  for (let i = 0; i < 600; i++) {
    const scale = 10 ** random.between(-6, 6);
    const radii = [scale * random.between(0.1, 1), scale * 10 ** random.between(-3, 0)];
    const [a, b] = radii.map((radius) => createPlanarShape({ type: 'disc', radius }));
    const sum = radii[0] + radii[1];
    const angle = random.between(-Math.PI, Math.PI);
    const place = (length: number) => createPlanarTransform(length * Math.cos(angle), length * Math.sin(angle), angle);
    if (checker.check(a, place(sum * (1 - 1e-15)), b, 0, new PlanarCache()) === SEPARATED)
      failures.push(`touching ${i}`);
    if (checker.check(a, place(sum * (1 + 1e-13)), b, 0, new PlanarCache()) !== SEPARATED) failures.push(`apart ${i}`);
    if (checker.check(a, place(sum * (1 - 1e-13)), b, 0, new PlanarCache()) !== COLLIDING) failures.push(`deep ${i}`);
  }
  expect(failures).toEqual([]);
});
