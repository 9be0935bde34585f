/** Kinematic trees, their poses, and distances of capsules and boxes, without code of the project. */
export type Vec = readonly [number, number, number];

/** Rotation matrix by rows. */
export type Matrix = readonly number[];

/** Body of a link, in the frame of the link: all points within `radius` of a segment, or a box. */
export type Body =
  | { readonly type: 'capsule'; readonly a: Vec; readonly b: Vec; readonly radius: number }
  | { readonly type: 'box'; readonly R: Matrix; readonly p: Vec; readonly half: Vec };

/** Joint i moves link i + 1. */
export interface OracleJoint {
  /** Link that the joint is on; 0 is the root. */
  readonly parent: number;
  readonly type: 'turning' | 'sliding' | 'fixed';
  readonly R: Matrix;
  readonly p: Vec;
  readonly axis: Vec;
  /** Its value is multiplier · q[variable] + offset. */
  readonly variable: number;
  readonly multiplier: number;
  readonly offset: number;
}

export interface OracleTree {
  readonly joints: readonly OracleJoint[];
  readonly ranges: readonly (readonly [number, number])[];
  /** Body of each link. */
  readonly bodies: readonly (Body | undefined)[];
}

interface Frame {
  readonly R: Matrix;
  readonly p: Vec;
}

const product = (A: Matrix, B: Matrix): Matrix =>
  [0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j]));
const moved = ({ R, p }: Frame, [x, y, z]: Vec): Vec => [
  R[0] * x + R[1] * y + R[2] * z + p[0],
  R[3] * x + R[4] * y + R[5] * z + p[1],
  R[6] * x + R[7] * y + R[8] * z + p[2],
];
const minus = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const along = (a: Vec, d: Vec, t: number): Vec => [a[0] + t * d[0], a[1] + t * d[1], a[2] + t * d[2]];
const clamp = (t: number): number => Math.min(1, Math.max(0, t));

/** Rodrigues' formula. */
export function rotation([x, y, z]: Vec, angle: number): Matrix {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const k = 1 - c;
  return [
    ...[c + k * x * x, k * x * y - s * z, k * x * z + s * y],
    ...[k * x * y + s * z, c + k * y * y, k * y * z - s * x],
    ...[k * x * z - s * y, k * y * z + s * x, c + k * z * z],
  ];
}

/** Returns the poses of all links. */
function framesOf({ joints }: OracleTree, q: readonly number[]): Frame[] {
  const frames: Frame[] = [{ R: [1, 0, 0, 0, 1, 0, 0, 0, 1], p: [0, 0, 0] }];
  for (const { parent, type, R, p, axis, variable, multiplier, offset } of joints) {
    const frame = { R: product(frames[parent].R, R), p: moved(frames[parent], p) };
    const value = type === 'fixed' ? 0 : multiplier * q[variable] + offset;
    if (type === 'sliding') frames.push({ R: frame.R, p: moved(frame, along([0, 0, 0], axis, value)) });
    else frames.push({ R: product(frame.R, rotation(axis, value)), p: frame.p });
  }
  return frames;
}

function pointToSegment(x: Vec, a: Vec, b: Vec): number {
  const d = minus(b, a);
  const length = dot(d, d);
  const offset = minus(x, along(a, d, length > 0 ? clamp(dot(minus(x, a), d) / length) : 0));
  return Math.sqrt(dot(offset, offset));
}

/** The nearest points are both inside the segments, or one of them is an end. */
function segmentToSegment(a: Vec, b: Vec, c: Vec, d: Vec): number {
  const ends = [pointToSegment(a, c, d), pointToSegment(b, c, d), pointToSegment(c, a, b), pointToSegment(d, a, b)];
  const [u, v, w] = [minus(b, a), minus(d, c), minus(a, c)];
  const [uu, uv, vv, uw, vw] = [dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)];
  const determinant = uu * vv - uv * uv;
  if (determinant > 1e-12 * uu * vv) {
    const [s, t] = [(uv * vw - vv * uw) / determinant, (uu * vw - uv * uw) / determinant];
    const offset = minus(along(a, u, s), along(c, v, t));
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) ends.push(Math.sqrt(dot(offset, offset)));
  }
  return Math.min(...ends);
}

/** The distance from a box is convex along a segment: golden section. */
function segmentToBox(a: Vec, b: Vec, { R, p }: Frame, half: Vec): number {
  const d = minus(b, a);
  const at = (t: number) => {
    const x = minus(along(a, d, t), p);
    const out = half.map((h, i) => Math.max(0, Math.abs(R[i] * x[0] + R[3 + i] * x[1] + R[6 + i] * x[2]) - h));
    return Math.hypot(...out);
  };
  let [from, to] = [0, 1];
  let least = Math.min(at(0), at(1));
  for (let i = 0; i < 45 && dot(d, d) > 0; i++) {
    const [s, t] = [to - 0.618034 * (to - from), from + 0.618034 * (to - from)];
    const [ofS, ofT] = [at(s), at(t)];
    least = Math.min(least, ofS, ofT);
    if (ofS < ofT) to = t;
    else from = s;
  }
  return least;
}

/** Returns the distance of the bodies of two links, of which at most one is a box; negative in collision. */
export function distanceOf(tree: OracleTree, a: number, b: number, q: readonly number[]): number {
  const frames = framesOf(tree, q);
  const [one, two] = tree.bodies[a]!.type === 'capsule' ? [a, b] : [b, a];
  const [capsule, other] = [tree.bodies[one]!, tree.bodies[two]!];
  if (capsule.type === 'box') throw new Error('two boxes');
  const [from, to] = [moved(frames[one], capsule.a), moved(frames[one], capsule.b)];
  if (other.type === 'box') {
    const pose = { R: product(frames[two].R, other.R), p: moved(frames[two], other.p) };
    return segmentToBox(from, to, pose, other.half) - capsule.radius;
  }
  const [c, d] = [moved(frames[two], other.a), moved(frames[two], other.b)];
  return segmentToSegment(from, to, c, d) - capsule.radius - other.radius;
}

/** Returns the least distance of two links over the ranges that samples and descents from the best of them find. */
export function leastDistance(
  tree: OracleTree,
  [a, b]: readonly [number, number],
  next: () => number,
  { samples, descents }: { readonly samples: number; readonly descents: number },
): { least: number; q: number[] } {
  const { ranges } = tree;
  const found = Array.from({ length: samples }, () => {
    // Every fourth value is an end of its range, where minima are more often than inside.
    const q = ranges.map(([lower, upper]) =>
      next() < 0.25 ? (next() < 0.5 ? lower : upper) : lower + next() * (upper - lower),
    );
    return { q, least: distanceOf(tree, a, b, q) };
  }).sort((one, two) => one.least - two.least);
  for (const start of found.slice(0, descents)) {
    for (let step = 0.25; step > 1e-10; ) {
      const before = start.least;
      const directions = [
        ...ranges.map((_, k) => ranges.map((_range, i) => (i === k ? 1 : 0))),
        ...[0, 1, 2].map(() => ranges.map(() => 2 * next() - 1)),
      ];
      for (const direction of directions)
        for (const side of [step, -step]) {
          const q = start.q.map((value, i) => {
            const [lower, upper] = ranges[i];
            return Math.min(upper, Math.max(lower, value + side * direction[i] * (upper - lower)));
          });
          const least = distanceOf(tree, a, b, q);
          if (least < start.least) Object.assign(start, { q, least });
        }
      if (start.least === before) step /= 2;
    }
  }
  return found.reduce((best, one) => (one.least < best.least ? one : best));
}
