import { header, joint, LANES } from '../../src/core/collision/filter/layout.ts';
import {
  type Code,
  control,
  type FunctionBuilder,
  f32x4,
  f64x2,
  I32,
  i32,
  i32x4,
  type Local,
  type ModuleBuilder,
  v128,
} from './assembler.ts';

const { add, mul } = f32x4;

/** Terms of the series of sin and cos about 0, after the first one. */
const SINE = [-1 / 6, 1 / 120, -1 / 5040, 1 / 362880];
const COSINE = [-1 / 2, 1 / 24, -1 / 720, 1 / 40320];

/**
 * Adds the function that computes the poses of all moving links in four lanes, by the recursion of `poseMovingLinks`.
 */
export function addKinematics(module: ModuleBuilder): FunctionBuilder {
  const fn = module.function(0, false);
  const [at, end, parent, child] = [fn.local(I32), fn.local(I32), fn.local(I32), fn.local(I32)];
  const [x, y, z, ...locals] = fn.vectors(3 + 15);
  const rotation = locals.slice(0, 9);
  const position = locals.slice(9, 12);
  const [s, c, slide] = locals.slice(12, 15);
  const constant = (k: number) => f32x4.loadSplat(at.get, joint.constants + 4 * k);

  const turning = [
    sineAndCosine(fn, at, s, c),
    ...rotation.map((entry, k) =>
      entry.set(add(add(constant(k), mul(s.get, constant(9 + k))), mul(c.get, constant(18 + k)))),
    ),
    ...position.map((entry, k) => entry.set(f32x4.loadSplat(at.get, joint.position + 4 * k))),
  ];
  const sliding = [
    slide.set(v128.lowHalves(f32x4.demote(jointValue(at, 0)), f32x4.demote(jointValue(at, 1)))),
    ...rotation.map((entry, k) => entry.set(constant(k))),
    ...position.map((entry, k) =>
      entry.set(
        add(
          f32x4.loadSplat(at.get, joint.position + 4 * k),
          mul(slide.get, f32x4.loadSplat(at.get, joint.axis + 4 * k)),
        ),
      ),
    ),
  ];
  const product = (a: Local, b: Local, c: Local) => add(add(mul(x.get, a.get), mul(y.get, b.get)), mul(z.get, c.get));
  const composed = [0, 1, 2].map((row) => {
    const entry = (column: number) => LANES * (4 * row + column);
    return [
      ...[x, y, z].map((local, k) => local.set(v128.load(parent.get, entry(k)))),
      ...[0, 1, 2].map((k) => v128.store(child.get, entry(k), product(rotation[k], rotation[k + 3], rotation[k + 6]))),
      v128.store(
        child.get,
        entry(3),
        add(product(position[0], position[1], position[2]), v128.load(parent.get, entry(3))),
      ),
    ];
  });

  fn.emit(
    at.set(i32.load(i32.const(0), header.joints)),
    end.set(i32.load(i32.const(0), header.jointsEnd)),
    control.while(i32.less(at.get, end.get), [
      parent.set(i32.load(at.get, joint.parent)),
      child.set(i32.load(at.get, joint.child)),
      control.if(i32.load(at.get, joint.slides), sliding, turning),
      composed,
      at.set(i32.add(at.get, i32.const(joint.SIZE))),
    ]),
  );
  return fn;
}

/** Value of the joint in two of the lanes, double precision: factor · q + offset. */
function jointValue(at: Local, half: 0 | 1): Code {
  const q = v128.load(i32.load(at.get, joint.values), LANES * half);
  return f64x2.add(f64x2.mul(f64x2.loadSplat(at.get, joint.factor), q), f64x2.loadSplat(at.get, joint.offset));
}

/**
 * Sine and cosine of the joint's value. The angle is reduced by multiples of π/2 in double precision, then the series
 * is evaluated in single precision: the errors are bounded in `floatErrors.ts`.
 */
function sineAndCosine(fn: FunctionBuilder, at: Local, s: Local, c: Local): Code {
  const [low, high, lowTurns, highTurns, r, square, sine, cosine, quarters, isOdd] = fn.vectors(10);
  const reduced = (value: Local, turns: Local, half: 0 | 1) => [
    value.set(jointValue(at, half)),
    turns.set(f64x2.nearest(f64x2.mul(value.get, f64x2.const(2 / Math.PI)))),
    value.set(f64x2.sub(value.get, f64x2.mul(turns.get, f64x2.const(Math.PI / 2)))),
  ];
  const series = (terms: readonly number[]) =>
    terms.reduceRight<Code>(
      (sum, term) => (sum.length === 0 ? f32x4.const(term) : add(f32x4.const(term), mul(square.get, sum))),
      [],
    );
  const sign = (turns: Code) => i32x4.shiftLeft(v128.and(turns, i32x4.const(2)), 30);
  return [
    reduced(low, lowTurns, 0),
    reduced(high, highTurns, 1),
    r.set(v128.lowHalves(f32x4.demote(low.get), f32x4.demote(high.get))),
    quarters.set(v128.lowHalves(i32x4.truncate(lowTurns.get), i32x4.truncate(highTurns.get))),
    square.set(mul(r.get, r.get)),
    sine.set(add(r.get, mul(mul(r.get, square.get), series(SINE)))),
    cosine.set(add(f32x4.const(1), mul(square.get, series(COSINE)))),
    isOdd.set(i32x4.notEqual(v128.and(quarters.get, i32x4.const(1)), i32x4.const(0))),
    s.set(v128.xor(v128.select(cosine.get, sine.get, isOdd.get), sign(quarters.get))),
    c.set(v128.xor(v128.select(sine.get, cosine.get, isOdd.get), sign(i32x4.add(quarters.get, i32x4.const(1))))),
  ];
}
