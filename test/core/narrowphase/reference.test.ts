import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { norm } from '../../../src/core/math/vec3.ts';
import { Epa } from '../../../src/core/narrowphase/depth/epa.ts';
import { Gjk } from '../../../src/core/narrowphase/gjk/gjk.ts';
import { GjkDistance } from '../../../src/core/narrowphase/gjk/gjkDistance.ts';
import { COLLIDING, PairCache, SEPARATED, Separation } from '../../../src/core/narrowphase/solver.ts';
import { createShape } from '../../../src/core/shapes/index.ts';
import type { ConvexShape, ShapeSpec } from '../../../src/core/shapes/shape.ts';
import { between, poseOf, seenFrom, slabAlong } from './helpers.ts';

// Reference pairs with known results are kept beside the repository on the developers' machines. They are optional:
// without them all tests here are skipped.
const folder = new URL('../../../../shared/data/narrowphase/', import.meta.url);
const isThere = existsSync(new URL('pairs.jsonl', folder));

interface Body {
  readonly shape: ShapeSpec;
  readonly pose?: Placement;
  readonly center?: number[];
}
interface Placement {
  readonly xyz?: number[];
  readonly quat_wxyz?: number[];
}
interface Row {
  readonly id: string;
  readonly a: Body;
  readonly b: Body;
  readonly expected: Readonly<Record<string, number | boolean | string | undefined>>;
}
interface Track {
  readonly id: string;
  readonly a: Body;
  readonly b: Body;
  readonly steps: readonly { readonly a?: Placement; readonly b?: Placement }[];
}

const read = <T>(file: string): T[] =>
  readFileSync(new URL(file, folder), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

const place = ({ xyz = [0, 0, 0], quat_wxyz = [1, 0, 0, 0] }: Placement = {}) => poseOf(xyz, quat_wxyz);

/**
 * Returns the known result of a row: `gap` is the distance, or minus the depth; undefined if only the overlap is known.
 */
function truthOf({ expected: e }: Row) {
  const signed = e['signedDistance'] as number | undefined;
  if (signed !== undefined) {
    return {
      gap: signed,
      tolerance: e['tol'] as number,
      isClear: e['mustClassify'] === true,
      isColliding: signed <= 0,
      isExact: true,
    };
  }
  const depth = e['depth'] as number | undefined;
  return {
    gap: depth === undefined ? (e['distance'] as number) : -depth,
    tolerance: 1e-7,
    isClear: Math.abs((e['growth'] as number) - 1) > 1e-6,
    isColliding: e['colliding'] === true,
    isExact: e['depthKind'] !== 'best-known',
  };
}

function pairOf(row: Row): { a: ConvexShape; b: ConvexShape; T_b_a: Float64Array } {
  const T_b_a = seenFrom(place(row.b.pose), place(row.a.pose));
  return { a: createShape(row.a.shape, row.a.center), b: createShape(row.b.shape, row.b.center), T_b_a };
}

for (const file of ['pairs.jsonl', 'degenerate.jsonl']) {
  describe.skipIf(!isThere)(`reference ${file}`, () => {
    const rows = isThere ? read<Row>(file) : [];
    const out = new Separation();

    test('every distance is within its tolerance and proved by its normal', () => {
      const solver = new GjkDistance();
      for (const row of rows) {
        const truth = truthOf(row);
        const pair = pairOf(row);
        solver.distance(out, pair.a, pair.T_b_a, pair.b, Number.POSITIVE_INFINITY, new PairCache());
        const distance = Math.max(0, truth.gap);
        expect(Math.abs(out.distance.lower - distance), row.id).toBeLessThanOrEqual(truth.tolerance);
        expect(Math.abs(out.distance.upper - distance), row.id).toBeLessThanOrEqual(truth.tolerance);
        if (truth.isClear) expect(out.status, row.id).toBe(truth.isColliding ? 'colliding' : 'separated');
        if (out.distance.lower > 0) {
          const slack = Math.max(1e-9, 0.1 * truth.tolerance);
          expect(slabAlong(out.normal, pair), row.id).toBeGreaterThanOrEqual(out.distance.lower - slack);
        }
        expect(Math.abs(between(out.witnessA, out.witnessB) - out.distance.upper), row.id).toBeLessThanOrEqual(
          truth.tolerance,
        );
      }
    });

    test('every Boolean verdict is right', () => {
      const checker = new Gjk();
      for (const row of rows) {
        const { isClear, isColliding } = truthOf(row);
        const { a, T_b_a, b } = pairOf(row);
        const verdict = checker.check(a, T_b_a, b, 0, new PairCache());
        if (isClear) expect(verdict, row.id).toBe(isColliding ? COLLIDING : SEPARATED);
      }
    });

    test('every depth is within its tolerance and its normal separates the pair', () => {
      const epa = new Epa();
      for (const row of rows) {
        const { gap, tolerance, isExact } = truthOf(row);
        if (!(gap < -tolerance)) continue;
        const pair = pairOf(row);
        epa.depth(out, pair.a, pair.T_b_a, pair.b);
        // A best-known depth is an upper bound: less is better, more than 1e-5 above is worse than known.
        if (isExact) expect(Math.abs(out.depth.upper + gap), row.id).toBeLessThanOrEqual(tolerance);
        else expect(out.depth.upper + gap, row.id).toBeLessThanOrEqual(1e-5);
        expect(out.depth.lower, row.id).toBeLessThanOrEqual(-gap + tolerance);
        expect(Math.abs(-slabAlong(out.normal, pair) - out.depth.upper), row.id).toBeLessThanOrEqual(tolerance);
      }
    });
  });
}

test.skipIf(!isThere)('along a track, forward and backward, warm results equal cold results', () => {
  const solver = new GjkDistance();
  const checker = new Gjk();
  const [warm, cold] = [new Separation(), new Separation()];
  for (const track of read<Track>('sequences.jsonl')) {
    const a = createShape(track.a.shape, track.a.center);
    const b = createShape(track.b.shape, track.b.center);
    const size = Math.max(...[...a.bounds, ...b.bounds].map(Math.abs));
    const poses = track.steps.map((step) => seenFrom(place(step.b ?? track.b.pose), place(step.a ?? track.a.pose)));
    const [cache, verdicts] = [new PairCache(), new PairCache()];
    for (const [i, T_b_a] of [...poses, ...poses.toReversed()].entries()) {
      const label = `${track.id}, step ${i}`;
      const tolerance = 1e-11 * (size + norm(Float64Array.of(T_b_a[3], T_b_a[7], T_b_a[11])));
      solver.distance(cold, a, T_b_a, b, Number.POSITIVE_INFINITY, new PairCache());
      solver.distance(warm, a, T_b_a, b, Number.POSITIVE_INFINITY, cache);
      expect(Math.abs(warm.distance.lower - cold.distance.lower), label).toBeLessThanOrEqual(tolerance);
      expect(Math.abs(warm.distance.upper - cold.distance.upper), label).toBeLessThanOrEqual(tolerance);
      const verdict = checker.check(a, T_b_a, b, 0, verdicts);
      if (cold.distance.lower > tolerance) expect(verdict, label).toBe(SEPARATED);
      else if (cold.status === 'colliding') expect(verdict, label).toBe(COLLIDING);
    }
  }
});
