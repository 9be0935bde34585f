import { Random } from '../../../src/core/math/random.ts';
import { type Transform, transformPoint } from '../../../src/core/math/transform.ts';
import { create, dot, type Vec3 } from '../../../src/core/math/vec3.ts';
import { PillProximity } from '../../../src/core/optimization/pillProximity.ts';
import {
  createCapsulePill,
  createPaddedPolygonPill,
  type Pill,
  specOfPill,
} from '../../../src/core/optimization/pills.ts';
import type { PosedPill } from '../../../src/core/optimization/posedPill.ts';
import { randomTransform } from '../narrowphase/helpers.ts';
import { randomPill } from './randomPill.ts';

/** Statistics of the certificates of many pairs. */
export interface PillTally {
  pairs: number;
  /** Pairs whose program was not solved. */
  unsolved: number;
  /** Largest difference between the distance and its certificate, relative to the size of the pair. */
  worst: number;
  /** Pairs (index, difference) whose difference exceeds 1e-6. */
  readonly wrong: [number, number][];
}

/**
 * Returns a random pill: an ordinary one, or a capsule or polygon that may be needle-like or tiny (extents from 1e-4 to
 * 1), in metres times `unit`.
 */
function anyPill(random: Random, unit: number): Pill {
  const kind = random.below(4);
  if (kind === 0) return randomPill(random, unit);
  const radius = unit * random.between(0.02, 0.3);
  if (kind === 1) return createCapsulePill(radius, unit * 10 ** random.between(-4, 1));
  const wide = 10 ** random.between(-4, 0);
  const high = random.below(2) ? wide * 10 ** random.between(-4, 0) : 1;
  const count = 3 + random.below(10);
  return createPaddedPolygonPill(
    radius,
    Array.from({ length: count }, (_, k) => {
      const angle = (2 * Math.PI * (k + 0.8 * random.next())) / count;
      const [x, y] = [Math.cos(angle) * random.between(0.3, 1), Math.sin(angle) * random.between(0.3, 1)];
      return [unit * wide * x, unit * high * y];
    }),
  );
}

/**
 * Returns a random pose, often one that makes the pair degenerate: parallel, coincident, side by side, translated along
 * an axis.
 */
function placeSecond(random: Random, unit: number, Ta: Transform): Transform {
  const T = randomTransform(random, unit);
  const kind = random.below(6);
  if (kind <= 2) for (const k of [0, 1, 2, 4, 5, 6, 8, 9, 10]) T[k] = Ta[k];
  if (kind === 1 || kind === 2) for (const k of [3, 7, 11]) T[k] = Ta[k];
  if (kind === 2) T[3 + 4 * random.below(3)] += unit * random.between(-1, 1);
  if (kind === 3) for (const k of [3, 7, 11]) T[k] = Ta[k] + 3 * unit * random.between(-1, 1);
  return T;
}

/** Solves random pairs at three scales and compares each distance with its certificate. */
export function certifyPills(pairs: number, seed: number): PillTally {
  const random = new Random(seed);
  const proximity = new PillProximity();
  const tally: PillTally = { pairs: 0, unsolved: 0, worst: 0, wrong: [] };
  for (let i = 0; i < pairs; i++) {
    const unit = [1e-3, 1, 1e3][i % 3];
    const [a, b] = [anyPill(random, unit), anyPill(random, unit)];
    const Ta = randomTransform(random, unit);
    proximity.solve(a, Ta, b, placeSecond(random, unit, Ta));
    tally.pairs++;
    if (proximity.contact === 'undecided') tally.unsolved++;
    else {
      const difference = uncertainty(proximity) / Math.max(unit, a.boundingRadius, b.boundingRadius);
      tally.worst = Math.max(tally.worst, difference);
      if (!(difference <= 1e-6)) tally.wrong.push([i, difference]);
    }
  }
  return tally;
}

/**
 * Returns the maximum error of the distance in metres, from its certificate alone: the closest points are in the cores
 * (upper bound), and the slab along the normal between the cores is empty (lower bound).
 */
function uncertainty({ a, b, distance, w }: PillProximity): number {
  const gap = distance + a.pill.radius + b.pill.radius;
  const length = Math.sqrt(dot(w, w));
  const outside = outsideOf(a) + outsideOf(b) + Math.abs(gap - length);
  if (length === 0) return outside;
  const n = w.map((x) => x / length); // from B to A
  const slab = Math.min(...heights(a, n)) - Math.max(...heights(b, n));
  return outside + Math.max(0, gap - Math.max(0, slab));
}

/** Returns the distance of the closest point of a core from the core, metres. */
function outsideOf({ pill: { dimension, C, d }, core, origin, axes }: PosedPill): number {
  const offset = core.map((x, k) => x - origin[k]);
  const y = Array.from({ length: dimension }, (_, k) => dot(offset, axes[k]));
  const along = (k: number, i: number) => C[dimension * i + k] * y[k];
  const beyond = Array.from(d, (bound, i) => y.reduce((sum, _, k) => sum + along(k, i), -bound));
  return Math.max(0, ...beyond);
}

/** Returns the heights of the vertices of a core along n. */
function heights({ pill, origin, axes }: PosedPill, n: Vec3): number[] {
  const T = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
  const local = { ...pill, origin: create(), axes: [create(1, 0, 0), create(0, 1, 0)].slice(0, pill.dimension) };
  for (let row = 0; row < 3; row++) {
    for (let k = 0; k < pill.dimension; k++) T[4 * row + k] = axes[k][row];
    T[4 * row + 3] = origin[row];
  }
  const vertex = create();
  return (specOfPill(local) as unknown as { points: number[][] }).points.map((point) => {
    transformPoint(vertex, T, Float64Array.from(point));
    return dot(vertex, n);
  });
}
