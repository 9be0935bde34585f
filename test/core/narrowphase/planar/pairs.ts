import {
  createPlanarTransform,
  type PlanarTransform,
  relativePlanar,
  rotatePlanar,
} from '../../../../src/core/math/planar.ts';
import type { Random } from '../../../../src/core/math/random.ts';
import { createPlanarShape } from '../../../../src/core/shapes/planar/index.ts';
import type { PlanarShape } from '../../../../src/core/shapes/planar/planarShape.ts';
import type { ShapeSpec } from '../../../../src/core/shapes/shape.ts';
import { distanceFromEllipse, largestGap } from './roundPairs.ts';

/** Point as a plain array: the tests are independent of the sources on purpose. */
export type Point = [number, number];

export interface Body {
  readonly spec: ShapeSpec;
  readonly center: Point;
  readonly x: number;
  readonly y: number;
  readonly angle: number;
}

/** A pair as the solvers take it, and as points: `core` in world axes, relative to the position of B. */
export interface PosedPair {
  readonly label: string;
  readonly a: PlanarShape;
  readonly b: PlanarShape;
  readonly T_b_a: PlanarTransform;
  readonly T_world_b: PlanarTransform;
  readonly sides: readonly [Side, Side];
  /** Largest length of the pair, to which tolerances are relative. */
  readonly size: number;
}

export interface Side {
  readonly core: readonly Point[];
  readonly roundness: number;
  /** Axes of an ellipse about the only point of `core`, of the lengths of its radii. */
  readonly axes?: readonly [Point, Point];
  readonly center: Point;
}

export function posed(label: string, a: Body, b: Body): PosedPair {
  const T_world_a = createPlanarTransform(a.x, a.y, a.angle);
  const T_world_b = createPlanarTransform(b.x, b.y, b.angle);
  const T_b_a = createPlanarTransform();
  relativePlanar(T_b_a, T_world_b, T_world_a);
  const sides = [sideOf(a, b), sideOf(b, b)] as const;
  // Coordinates in the frames of the shapes count too: transforming them leaves rounding errors of their size.
  const all = [...sides.flatMap(({ core, center }) => [...core, center]), ...ownPoints(a), ...ownPoints(b)];
  const radii = sides.flatMap(({ axes, roundness }) => [roundness, ...(axes ?? []).map(norm)]);
  const size = Math.max(...all.flat().map(Math.abs), ...radii);
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
  const transform = ([x, y]: Point): Point => [
    c * x - s * y + (body.x - origin.x),
    s * x + c * y + (body.y - origin.y),
  ];
  const {
    points = [[0, 0]],
    radii,
    radius = 0,
    margin = 0,
  } = body.spec as unknown as { points?: Point[]; radii?: Point; radius?: number; margin?: number };
  const axes = radii && ([[c * radii[0], s * radii[0]] as Point, [-s * radii[1], c * radii[1]] as Point] as const);
  const side = { core: points.map(transform), roundness: radius + margin, center: transform(body.center) };
  return axes ? { ...side, axes } : side;
}

/** Rotates a vector of a result from the frame of B to the axes of `sides`. */
export function rotatedToWorld({ T_world_b }: PosedPair, v: Float64Array): Point {
  const out = new Float64Array(2);
  rotatePlanar(out, T_world_b, v);
  return [out[0], out[1]];
}

export const dot = (a: Point, b: Point) => a[0] * b[0] + a[1] * b[1];
export const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1]];
export const norm = (a: Point) => Math.hypot(a[0], a[1]);
const supportValue = ({ core, roundness, axes }: Side, n: Point, from: Point) =>
  Math.max(...core.map((p) => dot(minus(p, from), n))) +
  roundness +
  (axes ? norm([dot(axes[0], n), dot(axes[1], n)]) : 0);

/** Returns the gap between the shapes along the unit vector n; negative: their overlap. */
export function gapAlong({ sides: [a, b] }: PosedPair, n: Point): number {
  const [p, q] = [a.core[0], b.core[0]];
  return dot(minus(q, p), n) - supportValue(a, n, p) - supportValue(b, [-n[0], -n[1]], q);
}

/** Returns the growth distance that n proves, a lower bound. */
export function growthAlong({ sides: [a, b] }: PosedPair, n: Point): number {
  return dot(minus(b.center, a.center), n) / (supportValue(a, n, a.center) + supportValue(b, [-n[0], -n[1]], b.center));
}

/** Returns the distance of a point from a shape; 0 inside. */
export function distanceFrom({ core, roundness, axes }: Side, p: Point): number {
  if (axes) return Math.max(0, distanceFromEllipse(axes, minus(p, core[0])) - roundness);
  let minDistance = Infinity;
  let inside = true;
  let area = 0;
  core.forEach((v, i) => {
    const e = minus(core[(i + 1) % core.length], v);
    const d = minus(p, v);
    minDistance = Math.min(minDistance, norm(minus(d, nearestOnSegment(e, d))));
    if (e[0] * d[1] - e[1] * d[0] < 0) inside = false;
    area += v[0] * (v[1] + e[1]) - v[1] * (v[0] + e[0]);
  });
  return inside && area > 0 ? 0 : Math.max(0, minDistance - roundness);
}

/** Returns the point of the segment from 0 to e nearest to d. */
function nearestOnSegment(e: Point, d: Point): Point {
  const ee = dot(e, e);
  const k = ee > 0 ? Math.min(1, Math.max(0, dot(d, e) / ee)) : 0;
  return [k * e[0], k * e[1]];
}

/**
 * Returns the signed distance and its direction from A to B by exhaustive search: all edge normals of both cores if
 * these overlap, otherwise all pairs of a vertex and an edge.
 */
export function signedDistance(pair: PosedPair): { readonly value: number; readonly normal: Point } {
  const [a, b] = pair.sides;
  if (a.axes || b.axes) return largestGap(pair, (n) => gapAlong(pair, n));
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

/** Returns the shortest vector from a vertex or edge of core A to a vertex or edge of core B. */
function nearest(a: readonly Point[], b: readonly Point[]): Point {
  let best: Point = [Infinity, Infinity];
  const compare = (points: readonly Point[], ring: readonly Point[], sign: number) => {
    for (const p of points) {
      ring.forEach((v, i) => {
        const d = minus(p, v);
        const off = minus(d, nearestOnSegment(minus(ring[(i + 1) % ring.length], v), d));
        if (norm(off) < norm(best)) best = [sign * off[0], sign * off[1]];
      });
    }
  };
  compare(b, a, 1);
  compare(a, b, -1);
  return best;
}

/**
 * Returns a random pair of about the given size: polygons of 1 to 30 vertices on ellipses down to needles, some with
 * repeated and collinear points, discs, margins; far apart, near, in contact at many depths, nested, coincident.
 */
export function randomPair(random: Random, scale: number, seed: string, withEllipse = false): PosedPair {
  const a = randomBody(random, scale, withEllipse && random.below(2) === 0);
  const b = randomBody(random, scale * 10 ** random.between(-3, 1), withEllipse && a.spec.type !== 'ellipse');
  const kind = random.below(6);
  const spread = scale * [1, 0.3, 3, 1e4, 0, 1][kind];
  const moved: Body = { ...b, x: a.x + random.between(-spread, spread), y: a.y + random.between(-spread, spread) };
  const label = `${seed}: ${JSON.stringify([a, moved])}`;
  if (kind !== 5) return posed(label, a, moved);
  // Moves to a chosen signed distance: three steps along the normal.
  const target = random.below(5) === 0 ? 0 : scale * 10 ** random.between(-12, -1) * (random.below(2) === 0 ? -1 : 1);
  let touching = moved;
  for (let i = 0; i < 3; i++) {
    const { value, normal } = signedDistance(posed('', a, touching));
    const step = target - value;
    touching = { ...touching, x: touching.x + step * normal[0], y: touching.y + step * normal[1] };
  }
  return posed(`${seed}: ${JSON.stringify([a, touching])}`, a, touching);
}

function randomBody(random: Random, size: number, isEllipse: boolean): Body {
  const x = random.between(-3, 3) * size;
  const y = random.between(-3, 3) * size;
  const angle = random.below(3) === 0 ? 0 : random.between(-4, 4);
  const margin = random.below(3) === 0 ? { margin: size * 10 ** random.between(-3, 0) } : {};
  if (isEllipse) {
    const thin = [1, 10 ** random.between(-5, 0), 1 - 10 ** random.between(-9, -1)][random.below(3)];
    const radii = random.below(2) === 0 ? [size, thin * size] : [thin * size, size];
    const center = radii.map((radius) => random.between(-0.6, 0.6) * random.below(2) * radius) as Point;
    return { spec: { type: 'ellipse', radii, ...margin }, center, x, y, angle };
  }
  if (random.below(6) === 0) {
    const center: Point = [random.between(-0.3, 0.3) * size, random.between(-0.3, 0.3) * size];
    return { spec: { type: 'disc', radius: size * random.between(0.4, 1), ...margin }, center, x, y, angle };
  }
  const vertices = randomVertices(random, size);
  const center = vertices.reduce(([u, v], [p, q]) => [u + p / vertices.length, v + q / vertices.length], [0, 0]);
  return { spec: { type: 'polygon', points: withExtras(random, vertices), ...margin }, center, x, y, angle };
}

/** Returns points on an ellipse in order; a third of the time at equal angles, so that edges are parallel. */
function randomVertices(random: Random, size: number): Point[] {
  const count = [1, 2, 3, 4, 5, 8, 12, 30][random.below(8)];
  const isEven = random.below(3) === 0;
  const thin = random.below(4) === 0 ? 10 ** random.between(-5, 0) : 1;
  const tilt = random.between(0, 7);
  const [c, s] = [Math.cos(tilt), Math.sin(tilt)];
  const distanceFrom = random.below(4) === 0 ? 100 * size : 0;
  const angles = Array.from({ length: count }, (_, i) => (2 * Math.PI * (i + (isEven ? 0 : random.next()))) / count);
  return angles
    .sort((p, q) => p - q)
    .map((angle) => {
      const u = size * Math.cos(angle);
      const v = thin * size * Math.sin(angle);
      return [c * u - s * v + distanceFrom, s * u + c * v - distanceFrom];
    });
}

/** Adds repeated points and midpoints of edges to a polygon. */
function withExtras(random: Random, vertices: readonly Point[]): Point[] {
  if (random.below(4) !== 0) return [...vertices];
  return vertices.flatMap((p, i): Point[] => {
    const q = vertices[(i + 1) % vertices.length];
    const halfway: Point = [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
    return [[p], [p, p], [p, halfway], [p, halfway, q]][random.below(4)];
  });
}
