import { Random } from '../../../../src/core/math/random.ts';
import type { Transform } from '../../../../src/core/math/transform.ts';
import { GjkDistance } from '../../../../src/core/narrowphase/gjk/gjkDistance.ts';
import { PairCache, Separation } from '../../../../src/core/narrowphase/solver.ts';
import { isHalfspace } from '../../../../src/core/shapes/halfspace.ts';
import { createShape } from '../../../../src/core/shapes/index.ts';
import type { ConvexShape, ShapeSpec } from '../../../../src/core/shapes/shape.ts';
import { randomSpec, randomTransform } from '../helpers.ts';
import { type Judge, judgeOf } from './judge.ts';

export interface DrawnBody {
  readonly spec: ShapeSpec;
  readonly center: readonly number[] | undefined;
  readonly shape: ConvexShape;
  /** The same shape with its default centre, which lies inside. */
  readonly solid: ConvexShape;
  readonly judge: Judge;
  /** Largest coordinate, metres; of half-spaces the margin. */
  readonly extent: number;
}

export interface DrawnPair {
  readonly label: string;
  readonly a: DrawnBody;
  readonly b: DrawnBody;
  readonly T_b_a: Transform;
  /**
   * Reference of relative tolerances: the sum of the extents, metres, and for half-spaces the distance of the origins.
   */
  readonly size: number;
}

/** Pairs per chunk. They share shapes, because building a hull takes longer than a query. */
export const CHUNK = 4000;
const BODIES = 50;

const distances = new GjkDistance();
const found = new Separation();

/**
 * Generates the pairs of a chunk of a seed: all kinds of shapes, thin to 1000:1, flat, without volume, on lattices; at
 * scales from 1e-4 to 1e4 m, one shape in eight a thousand times smaller or larger; at random poses, and moved to a gap
 * or overlap of 1e-14 to 0.1 of their size.
 */
export function* drawChunk(seed: number, chunk: number, count = CHUNK): Generator<DrawnPair> {
  const random = new Random(seed, chunk);
  const scale = 10 ** random.between(-4, 4);
  const bodies = Array.from({ length: BODIES }, () => drawBody(random, scale));
  for (let i = 0; i < count; i++) {
    const a = bodies[random.below(BODIES)];
    const b = bodies[random.below(BODIES)];
    if (isHalfspace(a.shape) && isHalfspace(b.shape)) continue;
    const extent = a.extent + b.extent;
    if (!(extent > 0)) continue; // two points at their origins have no size
    const T_b_a = randomTransform(random, extent * [3, 0.6, 0.6, 0.1][random.below(4)]);
    if (random.below(2) === 0) bringNear(T_b_a, a.shape, b.shape, contactGap(random, extent));
    const isFloor = isHalfspace(a.shape) || isHalfspace(b.shape);
    const size = extent + (isFloor ? Math.abs(T_b_a[3]) + Math.abs(T_b_a[7]) + Math.abs(T_b_a[11]) : 0);
    yield { label: `seed ${seed}, chunk ${chunk}, pair ${i}`, a, b, T_b_a, size };
  }
}

function drawBody(random: Random, scale: number): DrawnBody {
  const unit = scale * (random.below(8) === 0 ? 1000 ** (random.below(2) === 0 ? -1 : 1) : 1);
  const isFloor = random.below(40) === 0;
  const part = () => random.between(-1, 1);
  const spec = isFloor
    ? { type: 'halfspace', normal: [part(), part(), random.below(2)], margin: random.below(2) * 0.1 * unit }
    : randomSpec(random, unit);
  // Every fourth shape gets a random centre, inside or outside.
  const center = random.below(4) === 0 ? [part(), part(), part()].map((x) => 0.2 * unit * x) : undefined;
  const shape = createShape(spec, center);
  const extent = isFloor ? shape.margin : Math.max(...shape.bounds.map(Math.abs));
  const solid = center === undefined ? shape : createShape(spec);
  return { spec, center, shape, solid, judge: judgeOf(spec), extent };
}

function contactGap(random: Random, size: number): number {
  const sign = random.below(2) === 0 ? 1 : -1;
  return random.below(10) === 0 ? 0 : sign * size * 10 ** random.between(-14, -1);
}

/** Moves A along the normal to a signed distance of `gap` metres; exact if the shapes were separated. */
function bringNear(T_b_a: Transform, a: ConvexShape, b: ConvexShape, gap: number): void {
  distances.distance(found, a, T_b_a, b, Number.POSITIVE_INFINITY, new PairCache());
  if (!found.hasNormal) return;
  const step = found.distance.lower - found.depth.upper - gap;
  if (!Number.isFinite(step)) return;
  for (let k = 0; k < 3; k++) T_b_a[4 * k + 3] += step * found.normal[k];
}

/** Returns the pair as JSON, for a report. */
export function describePair({ label, a, b, T_b_a }: DrawnPair): string {
  const { spec, center } = a;
  return JSON.stringify({ label, a: spec, centerA: center, b: b.spec, centerB: b.center, T_b_a: Array.from(T_b_a) });
}
