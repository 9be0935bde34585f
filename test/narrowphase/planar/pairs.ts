import { createPlanarTransform, type PlanarTransform, relativePlanar, rotatePlanar } from '../../../src/math/planar.ts';
import type { Random } from '../../../src/math/random.ts';
import { createPlanarShape } from '../../../src/shapes/planar/index.ts';
import type { PlanarShape } from '../../../src/shapes/planar/planarShape.ts';
import type { ShapeSpec } from '../../../src/shapes/shape.ts';

/** Points, in the tests' own words: plain arrays, written apart from the sources on purpose. */
export type Point = [number, number];

export interface Body {
  readonly spec: ShapeSpec;
  readonly center: Point;
  readonly x: number;
  readonly y: number;
  readonly angle: number;
}

/** A pair as the solvers see it, and as points: `core` in the world's axes, measured from the position of B. */
export interface PosedPair {
  readonly label: string;
  readonly a: PlanarShape;
  readonly b: PlanarShape;
  readonly T_b_a: PlanarTransform;
  readonly T_world_b: PlanarTransform;
  readonly sides: readonly [Side, Side];
  /** Largest length that takes part: what tolerances are relative to. */
  readonly size: number;
}

export interface Side {
  readonly core: readonly Point[];
  readonly roundness: number;
  readonly center: Point;
}

export function posed(label: string, a: Body, b: Body): PosedPair {
  const T_world_a = createPlanarTransform(a.x, a.y, a.angle);
  const T_world_b = createPlanarTransform(b.x, b.y, b.angle);
  const T_b_a = createPlanarTransform();
  relativePlanar(T_b_a, T_world_b, T_world_a);
  const sides = [sideOf(a, b), sideOf(b, b)] as const;
  // Coordinates in their own frames count, too: turned and moved, they leave their rounding behind.
  const all = [...sides.flatMap(({ core, center }) => [...core, center]), ...ownPoints(a), ...ownPoints(b)];
  const size = Math.max(...all.flat().map(Math.abs), ...sides.map((side) => side.roundness));
  return {
    label,
    a: createPlanarShape(a.spec, a.center),
    b: createPlanarShape(b.spec, b.center),
    T_b_a,
    T_world_b,
    sides,
    size,
  };
}

const ownPoints = ({ spec, center }: Body): Point[] => [...((spec['points'] as Point[]) ?? []), center];

function sideOf(body: Body, origin: Body): Side {
  const [c, s] = [Math.cos(body.angle), Math.sin(body.angle)];
  const place = ([x, y]: Point): Point => [c * x - s * y + (body.x - origin.x), s * x + c * y + (body.y - origin.y)];
  const {
    points,
    radius = 0,
    margin = 0,
  } = body.spec as unknown as { points: Point[]; radius: number; margin: number };
  const core = body.spec.type === 'disc' ? [[0, 0] as Point] : points;
  return { core: core.map(place), roundness: radius + margin, center: place(body.center) };
}

/** A vector of an answer, turned from the frame of B into the axes that `sides` are written in. */
export function turned({ T_world_b }: PosedPair, v: Float64Array): Point {
  const out = new Float64Array(2);
  rotatePlanar(out, T_world_b, v);
  return [out[0], out[1]];
}

export const dot = (a: Point, b: Point) => a[0] * b[0] + a[1] * b[1];
export const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1]];
export const norm = (a: Point) => Math.hypot(a[0], a[1]);
const reach = ({ core, roundness }: Side, n: Point, from: Point) =>
  Math.max(...core.map((p) => dot(minus(p, from), n))) + roundness;

/** Width of the empty strip between the bodies along the unit vector n; below zero: their overlap. */
export function gapAlong({ sides: [a, b] }: PosedPair, n: Point): number {
  const [p, q] = [a.core[0], b.core[0]];
  return dot(minus(q, p), n) - reach(a, n, p) - reach(b, [-n[0], -n[1]], q);
}

/** The growth distance that n proves. */
export function growthAlong({ sides: [a, b] }: PosedPair, n: Point): number {
  return dot(minus(b.center, a.center), n) / (reach(a, n, a.center) + reach(b, [-n[0], -n[1]], b.center));
}

/** How far a point is from a body; 0 inside. */
export function away({ core, roundness }: Side, p: Point): number {
  let least = Infinity;
  let inside = true;
  let area = 0;
  core.forEach((v, i) => {
    const e = minus(core[(i + 1) % core.length], v);
    const d = minus(p, v);
    least = Math.min(least, norm(minus(d, along(e, d))));
    if (e[0] * d[1] - e[1] * d[0] < 0) inside = false;
    area += v[0] * (v[1] + e[1]) - v[1] * (v[0] + e[0]);
  });
  return inside && area > 0 ? 0 : Math.max(0, least - roundness);
}

/** The point of the segment from 0 to e nearest to d. */
function along(e: Point, d: Point): Point {
  const ee = dot(e, e);
  const k = ee > 0 ? Math.min(1, Math.max(0, dot(d, e) / ee)) : 0;
  return [k * e[0], k * e[1]];
}

/**
 * Signed distance and its direction from A to B by looking at everything: every edge normal of both cores when these overlap, every
 * corner against every edge otherwise.
 */
export function signedDistance(pair: PosedPair): { readonly value: number; readonly normal: Point } {
  const [a, b] = pair.sides;
  const margins = a.roundness + b.roundness;
  let value = -Infinity;
  let normal: Point = [1, 0];
  const consider = (n: Point) => {
    const gap = gapAlong(pair, n);
    if (gap > value) [value, normal] = [gap, n];
  };
  for (const [core, sign] of [
    [a.core, 1],
    [b.core, -1],
  ] as const) {
    core.forEach((v, i) => {
      const e = minus(core[(i + 1) % core.length], v);
      if (norm(e) > 0) consider([(sign * e[1]) / norm(e), (-sign * e[0]) / norm(e)]);
    });
  }
  const between = nearest(a.core, b.core);
  if (norm(between) > 1e-13 * pair.size) consider([between[0] / norm(between), between[1] / norm(between)]);
  if (value === -Infinity) return { value: -margins, normal }; // two points at one place
  return { value, normal };
}

/** The shortest vector from a corner or edge of one core to a corner or edge of the other. */
function nearest(a: readonly Point[], b: readonly Point[]): Point {
  let best: Point = [Infinity, Infinity];
  const look = (points: readonly Point[], ring: readonly Point[], sign: number) => {
    for (const p of points) {
      ring.forEach((v, i) => {
        const d = minus(p, v);
        const off = minus(d, along(minus(ring[(i + 1) % ring.length], v), d));
        if (norm(off) < norm(best)) best = [sign * off[0], sign * off[1]];
      });
    }
  };
  look(b, a, 1);
  look(a, b, -1);
  return best;
}

/**
 * A random pair of about the given size: polygons of 1 to 30 corners on ellipses down to needles, some with repeated points and points
 * in line, discs, margins; far apart, near, in contact to many depths, nested, in one place.
 */
export function randomPair(random: Random, scale: number, seed: string): PosedPair {
  const a = randomBody(random, scale);
  const b = randomBody(random, scale * 10 ** random.between(-3, 1));
  const way = random.below(6);
  const spread = scale * [1, 0.3, 3, 1e4, 0, 1][way];
  const moved: Body = { ...b, x: a.x + random.between(-spread, spread), y: a.y + random.between(-spread, spread) };
  const label = `${seed}: ${JSON.stringify([a, moved])}`;
  if (way !== 5) return posed(label, a, moved);
  // To a chosen signed distance: two steps along the direction that decides it.
  const target = random.below(5) === 0 ? 0 : scale * 10 ** random.between(-12, -1) * (random.below(2) === 0 ? -1 : 1);
  let touching = moved;
  for (let i = 0; i < 3; i++) {
    const { value, normal } = signedDistance(posed('', a, touching));
    const step = target - value;
    touching = { ...touching, x: touching.x + step * normal[0], y: touching.y + step * normal[1] };
  }
  return posed(`${seed}: ${JSON.stringify([a, touching])}`, a, touching);
}

function randomBody(random: Random, size: number): Body {
  const x = random.between(-3, 3) * size;
  const y = random.between(-3, 3) * size;
  const angle = random.below(3) === 0 ? 0 : random.between(-4, 4);
  const margin = random.below(3) === 0 ? { margin: size * 10 ** random.between(-3, 0) } : {};
  if (random.below(6) === 0) {
    const center: Point = [random.between(-0.3, 0.3) * size, random.between(-0.3, 0.3) * size];
    return { spec: { type: 'disc', radius: size * random.between(0.4, 1), ...margin }, center, x, y, angle };
  }
  const corners = randomCorners(random, size);
  const center = corners.reduce(([u, v], [p, q]) => [u + p / corners.length, v + q / corners.length], [0, 0]);
  return { spec: { type: 'polygon', points: withExtras(random, corners), ...margin }, center, x, y, angle };
}

/** On an ellipse, in order, with even angles sometimes so that edges are parallel to others. */
function randomCorners(random: Random, size: number): Point[] {
  const count = [1, 2, 3, 4, 5, 8, 12, 30][random.below(8)];
  const isEven = random.below(3) === 0;
  const thin = random.below(4) === 0 ? 10 ** random.between(-5, 0) : 1;
  const tilt = random.between(0, 7);
  const [c, s] = [Math.cos(tilt), Math.sin(tilt)];
  const away = random.below(4) === 0 ? 100 * size : 0;
  const angles = Array.from({ length: count }, (_, i) => (2 * Math.PI * (i + (isEven ? 0 : random.next()))) / count);
  return angles
    .sort((p, q) => p - q)
    .map((angle) => {
      const u = size * Math.cos(angle);
      const v = thin * size * Math.sin(angle);
      return [c * u - s * v + away, s * u + c * v - away];
    });
}

/** The same polygon in more points: some repeated, some halfway along an edge. */
function withExtras(random: Random, corners: readonly Point[]): Point[] {
  if (random.below(4) !== 0) return [...corners];
  return corners.flatMap((p, i): Point[] => {
    const q = corners[(i + 1) % corners.length];
    const halfway: Point = [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
    return [[p], [p, p], [p, halfway], [p, halfway, q]][random.below(4)];
  });
}
