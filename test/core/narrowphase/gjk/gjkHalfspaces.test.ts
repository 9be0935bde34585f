import { describe, expect, test } from 'vitest';
import { invert } from '../../../../src/core/math/transform.ts';
import { create } from '../../../../src/core/math/vec3.ts';
import { Gjk } from '../../../../src/core/narrowphase/gjk/gjk.ts';
import { GjkDistance } from '../../../../src/core/narrowphase/gjk/gjkDistance.ts';
import { COLLIDING, PairCache, SEPARATED, Separation } from '../../../../src/core/narrowphase/solver.ts';
import type { ShapeSpec } from '../../../../src/core/shapes/shape.ts';
import { between, createPair, type Pair, poseOf } from '../helpers.ts';

const identity = poseOf([0, 0, 0], [1, 0, 0, 0]);
const at = (x: number, y: number, z: number) => poseOf([x, y, z], [1, 0, 0, 0]);
const cube: ShapeSpec = { type: 'box', size: [1, 1, 1] };
const solver = new GjkDistance();
const out = new Separation();

function solve({ a, T_b_a, b }: Pair): Separation {
  solver.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, new PairCache());
  return out;
}

describe('half-spaces', () => {
  const ground: ShapeSpec = { type: 'halfspace', normal: [0, 0, 2] };
  const checker = new Gjk();

  test('a shape above, and its mirror image', () => {
    const pair = createPair('', cube, ground, at(5, 6, 0.75));
    solve(pair);
    expect([out.distance.lower, out.distance.upper]).toEqual([0.25, 0.25]);
    expect(between(out.normal, create(0, 0, -1))).toBe(0);
    expect(between(out.witnessA, out.witnessB)).toBeCloseTo(0.25, 14);
    expect(out.witnessB[2]).toBe(0);
    const T_a_b = identity.slice();
    invert(T_a_b, pair.T_b_a);
    solve({ ...pair, a: pair.b, b: pair.a, T_b_a: T_a_b });
    expect([out.distance.lower, out.distance.upper]).toEqual([0.25, 0.25]);
    expect(between(out.normal, create(0, 0, 1))).toBe(0);
    expect(between(out.witnessA, out.witnessB)).toBeCloseTo(0.25, 14);
  });

  test('a shape that intersects has a depth, and a verdict', () => {
    const pair = createPair('', { ...cube, margin: 0.125 }, ground, at(5, 6, 0.5));
    expect(solve(pair).depth.upper).toBe(0.125);
    expect(out.status).toBe('colliding');
    expect(checker.check(pair.a, pair.T_b_a, pair.b, 0, new PairCache())).toBe(COLLIDING);
    expect(checker.check(pair.a, at(0, 0, 0.75), pair.b, 0, new PairCache())).toBe(SEPARATED);
    expect(checker.check(pair.a, at(0, 0, 0.75), pair.b, 0.125, new PairCache())).toBe(COLLIDING);
  });

  test('two that face each other have a distance, others intersect', () => {
    const ceiling: ShapeSpec = { type: 'halfspace', normal: [0, 0, -1] };
    expect(solve(createPair('', ceiling, ground, at(7, 7, 2))).distance.lower).toBe(2);
    expect(solve(createPair('', ceiling, ground, at(7, 7, -2))).depth.lower).toBe(2);
    expect(solve(createPair('', ground, ground, at(7, 7, 2))).status).toBe('colliding');
    expect(out.hasNormal).toBe(false);
  });
});
