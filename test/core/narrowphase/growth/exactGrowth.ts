import type { ConvexShape } from '../../../../src/core/shapes/shape.ts';

/**
 * Growth distance of two hulls in integers: an oracle without rounding errors. The pose is the affine map of its twelve
 * doubles, whether or not its rotation is orthonormal to the last digit. Shares no code with `src`.
 */
export interface ExactGrowth {
  /** The growth distance is `numerator` / `denominator`, both positive. */
  readonly numerator: bigint;
  readonly denominator: bigint;
}

type Vector = readonly [bigint, bigint, bigint];

/** Pivots after which the search gives up: degenerate bases may repeat. */
const PIVOTS = 200;
const view = new DataView(new ArrayBuffer(8));

/** The integer m and the exponent e with x = m · 2^e. */
function parts(x: number): [bigint, number] {
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & ((1n << 52n) - 1n);
  const mantissa = exponent === 0 ? fraction : fraction | (1n << 52n);
  return [bits >> 63n === 1n ? -mantissa : mantissa, Math.max(1, exponent) - 1075];
}

/** Least exponent among some doubles. */
const exponentOf = (values: Iterable<number>): number => {
  let least = 0;
  for (const x of values) if (x !== 0) least = Math.min(least, parts(x)[1]);
  return least;
};

/** x / 2^exponent, an integer. */
const integer = (x: number, exponent: number): bigint => {
  if (x === 0) return 0n;
  const [mantissa, own] = parts(x);
  return mantissa << BigInt(own - exponent);
};

const sub = (p: Vector, q: Vector): Vector => [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
const dot = (p: Vector, q: Vector): bigint => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
const cross = (p: Vector, q: Vector): Vector => [
  p[1] * q[2] - p[2] * q[1],
  p[2] * q[0] - p[0] * q[2],
  p[0] * q[1] - p[1] * q[0],
];

/** Vertices of a hull or a box. */
export function verticesOf({ vertices, type, size }: ConvexShape): number[][] {
  if (type === 'box')
    return [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [0, 1, 2].map((k) => (i & (1 << k) ? size[k] : -size[k])));
  return Array.from({ length: vertices.length / 3 }, (_, i) => Array.from(vertices.subarray(3 * i, 3 * i + 3)));
}

/**
 * Computes the growth distance of two polytopes without margins; undefined if the centres coincide, if the ray leaves
 * A ⊖ B at its start, or if the search does not end.
 */
export function exactGrowth(a: ConvexShape, T_b_a: Float64Array, b: ConvexShape): ExactGrowth | undefined {
  const pointsA = verticesOf(a);
  const pointsB = verticesOf(b);
  const rotation = [0, 1, 2, 4, 5, 6, 8, 9, 10].map((i) => T_b_a[i]);
  const translation = [3, 7, 11].map((i) => T_b_a[i]);
  const turn = exponentOf(rotation);
  const length = exponentOf([...pointsA.flat(), ...pointsB.flat(), ...a.center, ...b.center, ...translation]);
  const R = rotation.map((x) => integer(x, turn));
  const inB = (p: ArrayLike<number>): Vector =>
    [0, 1, 2].map((k) => integer(p[k], length) << BigInt(-turn)) as unknown as Vector;
  const rotated = (p: ArrayLike<number>): Vector => {
    const q = [0, 1, 2].map((k) => integer(p[k], length)) as unknown as Vector;
    return [0, 3, 6].map((i) => R[i] * q[0] + R[i + 1] * q[1] + R[i + 2] * q[2]) as unknown as Vector;
  };
  const centerA = rotated(a.center);
  const centerB = inB(b.center);
  const relativeA = pointsA.map((p) => sub(rotated(p), centerA));
  const relativeB = pointsB.map((p) => sub(inB(p), centerB));
  const points = relativeA.flatMap((p) => relativeB.map((q) => sub(p, q)));
  return alongRay(points, sub(sub(centerB, centerA), inB(translation)));
}

/** Intersects the boundary of the hull of some points about 0 with a ray from 0, by pivoting. */
function alongRay(points: readonly Vector[], ray: Vector): ExactGrowth | undefined {
  if (dot(ray, ray) === 0n) return undefined;
  // First portal: far behind 0, about the ray.
  const size = (x: bigint) => (x < 0n ? -x : x);
  const last = [0, 1, 2].reduce((best, k) => (size(ray[k]) > size(ray[best]) ? k : best), 0);
  const axis = (k: number, x: bigint): Vector => [0, 1, 2].map((i) => (i === k % 3 ? x : 0n)) as unknown as Vector;
  const sign = ray[last] > 0n ? 1n : -1n;
  const depth = (1n << 200n) * points.reduce((most, p) => most + dot(p, p), 1n);
  const behind = (x: bigint, y: bigint): Vector => {
    const [p, q] = [axis(last + 1, x * dot(ray, ray)), axis(last + 2, sign * y * dot(ray, ray))];
    return [0, 1, 2].map((k) => p[k] + q[k] - depth * ray[k]) as unknown as Vector;
  };
  let portal = [behind(2n, -1n), behind(-1n, 2n), behind(-1n, -1n)];
  const first = new Set(portal);
  for (let pivot = 0; pivot < PIVOTS; pivot++) {
    const [x1, x2, x3] = portal;
    const n = cross(sub(x2, x1), sub(x3, x1));
    const along = dot(n, ray);
    if (along <= 0n) return undefined;
    let w = x1;
    for (const p of points) if (dot(n, p) > dot(n, w)) w = p;
    if (w === x1) {
      if (portal.some((p) => first.has(p))) return undefined;
      const height = dot(n, x1);
      return height > 0n ? { numerator: along, denominator: height } : undefined;
    }
    const e = cross(ray, w);
    const [e1, e2, e3] = [dot(e, x1), dot(e, x2), dot(e, x3)];
    if (e1 >= 0n && e2 <= 0n && (e1 > 0n || e2 < 0n)) portal = [x1, x2, w];
    else if (e2 >= 0n && e3 <= 0n && (e2 > 0n || e3 < 0n)) portal = [w, x2, x3];
    else portal = [x1, w, x3];
  }
  return undefined;
}

/** The sign of (growth − 1): 1 if the shapes are separated, 0 if they touch. */
export const signOfSeparation = ({ numerator, denominator }: ExactGrowth): number =>
  numerator > denominator ? 1 : numerator < denominator ? -1 : 0;

/** (value − growth) / growth to about 1e-20. */
export function relativeError(value: number, { numerator, denominator }: ExactGrowth): number {
  if (!Number.isFinite(value)) return value;
  const exponent = exponentOf([value]);
  const difference = integer(value, exponent) * denominator - (numerator << BigInt(-exponent));
  const shifted = (difference << 80n) / (numerator << BigInt(-exponent));
  return Number(shifted) / 2 ** 80;
}
