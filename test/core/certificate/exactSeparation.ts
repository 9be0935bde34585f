import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import type { CollisionObject } from '../../../src/core/scene/scene.ts';
import type { ShapeSpec } from '../../../src/core/shapes/shape.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';

/**
 * Forward kinematics and support functions in fixed-point numbers of 192 binary places: an oracle without rounding
 * errors to speak of (1e-40 m at 1e7 m). Shares no code with `src`.
 */
export type Fixed = bigint;
type Vector = readonly [Fixed, Fixed, Fixed];
/** Rotation, row by row, and translation. */
interface Placement {
  readonly R: readonly Fixed[];
  readonly p: Vector;
}

const BITS = 192n;
const ONE = 1n << BITS;

/** Converts a double exactly, unless it has digits below 2^−192. */
export function fixed(x: number): Fixed {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & ((1n << 52n) - 1n);
  const mantissa = exponent === 0n ? fraction : fraction | (1n << 52n);
  const shift = BITS + (exponent === 0n ? 1n : exponent) - 1075n;
  const size = shift >= 0n ? mantissa << shift : mantissa >> -shift;
  return bits >> 63n === 1n ? -size : size;
}

/** Converts to the nearest double, about. */
export const toNumber = (x: Fixed): number => Number(x >> (BITS - 120n)) / 2 ** 120;

const mul = (a: Fixed, b: Fixed): Fixed => (a * b) >> BITS;
const div = (a: Fixed, b: Fixed): Fixed => (a << BITS) / b;

function sqrt(a: Fixed): Fixed {
  const square = a << BITS;
  if (square <= 0n) return 0n;
  let x = 1n << BigInt((square.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (x + square / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}

/** Halvings of an angle before its series: 1e6 rad become 1e-3. */
const HALVINGS = 30n;

function sinCos(x: Fixed): [Fixed, Fixed] {
  const small = x >> HALVINGS;
  let [sin, cos, term] = [0n, 0n, ONE];
  for (let k = 0n; term !== 0n && k < 60n; k++) {
    const signed = k % 4n < 2n ? term : -term;
    if (k % 2n === 0n) cos += signed;
    else sin += signed;
    term = mul(term, small) / (k + 1n);
  }
  for (let k = 0n; k < HALVINGS; k++) [sin, cos] = [2n * mul(sin, cos), mul(cos, cos) - mul(sin, sin)];
  return [sin, cos];
}

const dot = (a: Vector, b: Vector): Fixed => mul(a[0], b[0]) + mul(a[1], b[1]) + mul(a[2], b[2]);
const rows = (R: readonly Fixed[]): Vector[] => [0, 3, 6].map((i) => [R[i], R[i + 1], R[i + 2]]);
const columns = (R: readonly Fixed[]): Vector[] => [0, 1, 2].map((i) => [R[i], R[i + 3], R[i + 6]]);
const rotated = (R: readonly Fixed[], v: Vector): Vector => rows(R).map((row) => dot(row, v)) as unknown as Vector;
const rotatedBack = (R: readonly Fixed[], v: Vector): Vector => columns(R).map((c) => dot(c, v)) as unknown as Vector;

function composed(a: Placement, b: Placement): Placement {
  const R = rows(a.R).flatMap((row) => columns(b.R).map((column) => dot(row, column)));
  const p = rotated(a.R, b.p).map((x, i) => x + a.p[i]) as unknown as Vector;
  return { R, p };
}

/** Placement of a pose whose quaternion need not be of length 1. */
function placementOf({ xyz, quat_wxyz }: { xyz: readonly number[]; quat_wxyz: readonly number[] }): Placement {
  const [w, x, y, z] = quat_wxyz.map(fixed);
  const square = mul(w, w) + mul(x, x) + mul(y, y) + mul(z, z);
  const of = (a: Fixed) => div(a, square);
  const twice = (a: Fixed, b: Fixed) => 2n * mul(a, b);
  const R = [
    ONE - of(twice(y, y) + twice(z, z)),
    of(twice(x, y) - twice(w, z)),
    of(twice(x, z) + twice(w, y)),
    of(twice(x, y) + twice(w, z)),
    ONE - of(twice(x, x) + twice(z, z)),
    of(twice(y, z) - twice(w, x)),
    of(twice(x, z) - twice(w, y)),
    of(twice(y, z) + twice(w, x)),
    ONE - of(twice(x, x) + twice(y, y)),
  ];
  return { R, p: xyz.map(fixed) as unknown as Vector };
}

/** Placement of a joint's child at its value. */
function motionOf(type: string, axis: readonly number[], value: Fixed): Placement {
  const given = axis.map(fixed) as unknown as Vector;
  const length = sqrt(dot(given, given));
  const [x, y, z] = given.map((a) => div(a, length));
  const still = [ONE, 0n, 0n, 0n, ONE, 0n, 0n, 0n, ONE];
  if (type === 'prismatic') return { R: still, p: [mul(x, value), mul(y, value), mul(z, value)] };
  if (type === 'fixed') return { R: still, p: [0n, 0n, 0n] };
  const [sin, cos] = sinCos(value);
  const rest = ONE - cos;
  const of = (a: Fixed, b: Fixed) => mul(mul(a, b), rest);
  const R = [
    of(x, x) + cos,
    of(x, y) - mul(z, sin),
    of(x, z) + mul(y, sin),
    of(x, y) + mul(z, sin),
    of(y, y) + cos,
    of(y, z) - mul(x, sin),
    of(x, z) - mul(y, sin),
    of(y, z) + mul(x, sin),
    of(z, z) + cos,
  ];
  return { R, p: [0n, 0n, 0n] };
}

/** Joint values at time t of a motion: straight lines, or cubics if there are velocities. */
export function stateAt({ points }: Trajectory, t: number): Fixed[] {
  const times = points.map((point, i) => point.time_from_start ?? i);
  const next = times.findIndex((time) => time > t);
  const k = (next < 0 ? points.length - 1 : Math.max(1, next)) - 1;
  const [a, b] = [points[k], points[k + 1]];
  const T = fixed(times[k + 1]) - fixed(times[k]);
  const s = div(fixed(t) - fixed(times[k]), T);
  const [s2, s3] = [mul(s, s), mul(s, mul(s, s))];
  return a.positions.map((_, j) => {
    const [p, q] = [fixed(a.positions[j]), fixed(b.positions[j])];
    if (a.velocities === undefined) return p + mul(s, q - p);
    const [v, w] = [mul(T, fixed(a.velocities[j])), mul(T, fixed(b.velocities![j]))];
    return p + mul(s, v) + mul(s2, 3n * (q - p) - 2n * v - w) + mul(s3, 2n * (p - q) + v + w);
  });
}

/** Placements of all links, by name. The planned joints are in the order of the robot model. */
export function linkPlacements(robot: RobotModel, base: Placement, q: readonly Fixed[]): Map<string, Placement> {
  const { description, variables } = robot;
  const values = new Map(variables.map(({ name }, i) => [name, q[i]]));
  const placed = new Map([[description.root, base]]);
  const open = [...description.joints];
  while (open.length > 0) {
    const joint = open.splice(
      open.findIndex(({ parent }) => placed.has(parent)),
      1,
    )[0];
    const { mimic } = joint;
    const value = mimic
      ? mul(fixed(mimic.multiplier), values.get(mimic.joint)!) + fixed(mimic.offset)
      : (values.get(joint.name) ?? 0n);
    const atJoint = composed(placed.get(joint.parent)!, placementOf(joint.origin));
    placed.set(joint.child, composed(atJoint, motionOf(joint.type, joint.axis, value)));
  }
  return placed;
}

export const basePlacement = placementOf;

/** Shapes of random worlds. */
type KnownShape = { readonly margin?: number } & (
  | { readonly type: 'box'; readonly size: readonly number[] }
  | { readonly type: 'sphere'; readonly radius: number }
  | { readonly type: 'capsule' | 'cylinder'; readonly radius: number; readonly length: number }
  | { readonly type: 'convex'; readonly points: readonly (readonly number[])[] }
);

/** max d·x over the points of a shape in its own frame; d of any length. */
function heightOf(spec: ShapeSpec, d: Vector): Fixed {
  const shape = spec as unknown as KnownShape;
  const abs = (a: Fixed) => (a < 0n ? -a : a);
  const margin = mul(fixed(shape.margin ?? 0), sqrt(dot(d, d)));
  switch (shape.type) {
    case 'box':
      return margin + shape.size.reduce((sum, length, i) => sum + mul(fixed(length) / 2n, abs(d[i])), 0n);
    case 'sphere':
      return margin + mul(fixed(shape.radius), sqrt(dot(d, d)));
    case 'capsule':
      return margin + mul(fixed(shape.radius), sqrt(dot(d, d))) + mul(fixed(shape.length) / 2n, abs(d[2]));
    case 'cylinder': {
      const across = sqrt(mul(d[0], d[0]) + mul(d[1], d[1]));
      return margin + mul(fixed(shape.radius), across) + mul(fixed(shape.length) / 2n, abs(d[2]));
    }
    case 'convex': {
      const heights = shape.points.map((point) => dot(point.map(fixed) as unknown as Vector, d));
      return margin + heights.reduce((most, one) => (one > most ? one : most));
    }
    default:
      throw new Error(`no exact support function of a ${spec.type}`);
  }
}

interface Part {
  readonly shape: ShapeSpec;
  readonly placement: Placement;
}

/** max n·x over the points of a part in the world. */
const heightAlong = ({ shape, placement: { R, p } }: Part, n: Vector): Fixed =>
  heightOf(shape, rotatedBack(R, n)) + dot(p, n);

/** Part of a link or an obstacle in the world. `links` are those of `linkPlacements`. */
export function partOf(
  robot: RobotModel,
  obstacles: readonly CollisionObject[],
  links: ReadonlyMap<string, Placement>,
  name: string,
  part: number,
): Part & { readonly frame: Placement } {
  const link = robot.description.links.find((one) => one.name === name);
  if (link) {
    const { shape, pose } = link.collisions[part];
    const frame = links.get(name)!;
    return { shape, placement: composed(frame, placementOf(pose)), frame };
  }
  const { pose, parts } = obstacles.find((one) => one.name === name)!;
  const { shape, at } = parts[part];
  const placement = at ? composed(placementOf(pose), placementOf(at)) : placementOf(pose);
  return { shape, placement, frame: { R: [ONE, 0n, 0n, 0n, ONE, 0n, 0n, 0n, ONE], p: [0n, 0n, 0n] } };
}

/** Width of the slab between a and b along a direction that is fixed in the frame of b, metres; of any length. */
export function exactGap(a: Part, b: Part & { readonly frame: Placement }, direction: readonly number[]): Fixed {
  const n = rotated(b.frame.R, direction.map(fixed) as unknown as Vector);
  const length = sqrt(dot(n, n));
  const back = n.map((x) => -x) as unknown as Vector;
  return div(-heightAlong(b, back) - heightAlong(a, n), length);
}
