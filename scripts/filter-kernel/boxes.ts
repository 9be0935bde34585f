import { box, cluster, LANES, obstacle, part } from '../../src/core/collision/filter/layout.ts';
import {
  type Code,
  control,
  type FunctionBuilder,
  f32x4,
  i32,
  i32x4,
  type Local,
  type ModuleBuilder,
  v128,
} from './assembler.ts';

const { add, sub, mul, abs, greaterThan, loadSplat } = f32x4;

/** Mask of all four lanes. */
const ALL_LANES = 15;
const AXES = [0, 1, 2];

/** Sum of three products. */
export const dot = (a: readonly Code[], b: readonly Code[]): Code =>
  add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]));
const sum = (terms: readonly Code[]): Code => terms.reduce((total, term) => add(total, term));
const read = (locals: readonly Local[]): Code[] => locals.map(({ get }) => get);
const splats = (address: Code, offset: number): Code[] => AXES.map((k) => loadSplat(address, offset + 4 * k));
/** Three vectors in a row of a record of lanes. */
export const loads = (address: Code, offset: number): Code[] => AXES.map((k) => v128.load(address, offset + LANES * k));
const oneOf = (conditions: readonly Code[]): Code => conditions.reduce((any, condition) => v128.or(any, condition));

/** Adds the function that places the box of a cluster: the axes of its box are those of the link. */
export function addClusterPlacement(module: ModuleBuilder): FunctionBuilder {
  return addPlacement(module, cluster, (pose) => (row, column) => v128.load(pose.get, LANES * (4 * row + column)));
}

/** Adds the function that places the box of a part, which is turned against its link. */
export function addPartPlacement(module: ModuleBuilder): FunctionBuilder {
  return addPlacement(module, part, (pose, record) => (row, column) => {
    const rotation = AXES.map((k) => loadSplat(record.get, part.rotation + 4 * (3 * k + column)));
    return dot(loads(pose.get, LANES * 4 * row), rotation);
  });
}

/** Function of the record; writes its box: axes, centre, half extents along the world's axes with the margin. */
function addPlacement(
  module: ModuleBuilder,
  layout: typeof cluster | typeof part,
  axes: (pose: Local, record: Local) => (row: number, column: number) => Code,
): FunctionBuilder {
  const fn = module.function(1, false);
  const [record] = fn.parameters;
  const pose = fn.local(0x7f);
  const out = fn.local(0x7f);
  const row = fn.vectors(3);
  fn.emit(pose.set(i32.load(record.get, layout.pose)), out.set(i32.load(record.get, layout.box)));
  const entryOf = axes(pose, record);
  for (const r of AXES) {
    const center = dot(loads(pose.get, LANES * 4 * r), splats(record.get, layout.center));
    const extents = AXES.map((k) => mul(abs(row[k].get), loadSplat(record.get, layout.half + 4 * k)));
    fn.emit(
      ...AXES.map((k) => row[k].set(entryOf(r, k))),
      ...AXES.map((k) => v128.store(out.get, box.axes + LANES * (3 * r + k), row[k].get)),
      v128.store(out.get, box.center + LANES * r, add(center, v128.load(pose.get, LANES * (4 * r + 3)))),
      v128.store(out.get, box.extents + LANES * r, add(sum(extents), loadSplat(record.get, layout.margin))),
    );
  }
  return fn;
}

/** Lanes in which the world boxes of a placed box and an obstacle are apart. */
export const worldBoxesApart = (placed: Code, other: Code): Code =>
  oneOf(
    AXES.map((k) =>
      greaterThan(
        abs(sub(v128.load(placed, box.center + LANES * k), loadSplat(other, obstacle.center + 4 * k))),
        add(v128.load(placed, box.extents + LANES * k), loadSplat(other, obstacle.extents + 4 * k)),
      ),
    ),
  );

/** Lanes in which the world boxes of two placed boxes are apart. */
export const placedBoxesApart = (a: Code, b: Code): Code =>
  oneOf(
    AXES.map((k) =>
      greaterThan(
        abs(sub(v128.load(a, box.center + LANES * k), v128.load(b, box.center + LANES * k))),
        add(v128.load(a, box.extents + LANES * k), v128.load(b, box.extents + LANES * k)),
      ),
    ),
  );

/**
 * Adds the function (placed box, its half extents and margin, obstacle) → mask of the lanes in which the two are not
 * proved apart along a face normal of either box.
 */
export function addObstacleTest(module: ModuleBuilder): FunctionBuilder {
  const fn = module.function(3, true);
  const [placed, half, other] = fn.parameters;
  addFaceNormals(fn, {
    placed,
    half: splats(half.get, 0),
    margin: loadSplat(half.get, 12),
    apart: worldBoxesApart(placed.get, other.get),
    axesOfB: (k) => splats(other.get, obstacle.axes + 12 * k),
    centerOfB: splats(other.get, obstacle.center),
    halfOfB: splats(other.get, obstacle.half),
  });
  return fn;
}

/** As `addObstacleTest`, of two placed boxes, each followed by its half extents and margin. */
export function addSelfTest(module: ModuleBuilder): FunctionBuilder {
  const fn = module.function(4, true);
  const [placed, half, other, otherHalf] = fn.parameters;
  addFaceNormals(fn, {
    placed,
    half: splats(half.get, 0),
    margin: add(loadSplat(half.get, 12), loadSplat(otherHalf.get, 12)),
    apart: placedBoxesApart(placed.get, other.get),
    axesOfB: (k) => AXES.map((row) => v128.load(other.get, box.axes + LANES * (3 * row + k))),
    centerOfB: loads(other.get, box.center),
    halfOfB: splats(otherHalf.get, 0),
  });
  return fn;
}

interface BoxPair {
  readonly placed: Local;
  readonly half: readonly Code[];
  readonly margin: Code;
  /** Lanes in which the world boxes are apart. */
  readonly apart: Code;
  readonly axesOfB: (k: number) => readonly Code[];
  readonly centerOfB: readonly Code[];
  readonly halfOfB: readonly Code[];
}

/** Separating axes: the face normals of B, then those of A (the placed box). */
function addFaceNormals(fn: FunctionBuilder, { placed, half, margin, apart, ...b }: BoxPair): void {
  const separated = fn.local(0x7b);
  const offset = fn.vectors(3);
  const axis = fn.vectors(3);
  /** |b_i · a_k| at index 3 i + k. */
  const cosines = fn.vectors(9);
  const axisOfA = (k: number) => AXES.map((row) => v128.load(placed.get, box.axes + LANES * (3 * row + k)));
  const returnIfSeparated = control.if(i32x4.allTrue(separated.get), control.return(i32.const(0)));
  fn.emit(
    separated.set(apart),
    returnIfSeparated,
    ...AXES.map((k) => offset[k].set(sub(v128.load(placed.get, box.center + LANES * k), b.centerOfB[k]))),
  );
  const test = (distance: Code, radii: readonly Code[]) =>
    separated.set(v128.or(separated.get, greaterThan(abs(distance), add(sum(radii), margin))));
  for (const i of AXES) {
    const own = AXES.map((k) => cosines[3 * i + k]);
    const radii = own.map(({ get }, k) => mul(get, half[k]));
    fn.emit(
      ...b.axesOfB(i).map((entry, k) => axis[k].set(entry)),
      ...own.map((local, k) => local.set(abs(dot(read(axis), axisOfA(k))))),
      test(dot(read(axis), read(offset)), [b.halfOfB[i], ...radii]),
    );
  }
  fn.emit(returnIfSeparated);
  for (const k of AXES) {
    const radii = AXES.map((i) => mul(cosines[3 * i + k].get, b.halfOfB[i]));
    fn.emit(test(dot(axisOfA(k), read(offset)), [half[k], ...radii]));
  }
  fn.emit(i32.xor(i32x4.bitmask(separated.get), i32.const(ALL_LANES)));
}

/**
 * Adds the function (part, obstacle) → mask of the lanes in which the inner sphere of the part surely overlaps the
 * solid box of the obstacle.
 */
export function addSphereTest(module: ModuleBuilder): FunctionBuilder {
  const fn = module.function(2, true);
  const [own, other] = fn.parameters;
  const pose = fn.local(0x7f);
  const radius = fn.local(0x7b);
  const outside = fn.local(0x7b);
  const offset = fn.vectors(3);
  const distances = fn.vectors(3);
  const zero = f32x4.const(0);
  fn.emit(
    radius.set(sub(loadSplat(own.get, part.radius), loadSplat(other.get, obstacle.depth))),
    control.if(i32.isZero(i32x4.bitmask(greaterThan(radius.get, zero))), control.return(i32.const(0))),
    pose.set(i32.load(own.get, part.pose)),
    ...AXES.map((r) => {
      const center = dot(loads(pose.get, LANES * 4 * r), splats(own.get, part.sphere));
      const world = add(center, v128.load(pose.get, LANES * (4 * r + 3)));
      return offset[r].set(sub(world, loadSplat(other.get, obstacle.center + 4 * r)));
    }),
    ...AXES.map((i) => {
      const along = abs(dot(splats(other.get, obstacle.axes + 12 * i), read(offset)));
      return distances[i].set(f32x4.max(zero, sub(along, loadSplat(other.get, obstacle.solid + 4 * i))));
    }),
    outside.set(dot(read(distances), read(distances))),
    i32x4.bitmask(f32x4.lessThan(outside.get, mul(radius.get, radius.get))),
  );
  return fn;
}
