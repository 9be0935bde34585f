import type { Transform } from '../math/transform.ts';
import { rotate, rotateBack, transformPoint } from '../math/transform.ts';
import { addScaled, copy, create, dot, scale, type Vec3 } from '../math/vec3.ts';
import { isHalfspace } from '../shapes/halfspace.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { roundoff } from './iterationLimits.ts';
import { clearOutcome, setFromSignedDistance, SignedDistanceBounds } from './outcome.ts';
import type { PairCache, Separation, Verdict } from './solver.ts';
import { COLLIDING, SEPARATED } from './solver.ts';

/** Sine of the angle below which two half-spaces count as facing each other: rounding of their unit normals, and no more. */
const OPPOSITE_SINE = 1e-15;

// Scratch of the functions below, which call nothing but support functions.
const n = create();
const m = create();
const pointA = create();
const pointB = create();
const known = new SignedDistanceBounds();
/** The gap of the last pair, metres: a number handed back would cost an allocation, and states near the floor ask for many. */
const measured = Float64Array.of(0);

/** The Boolean question where one body or both are half-spaces, by one support call. */
export function checkHalfspace(
  a: ConvexShape,
  T_b_a: Transform,
  b: ConvexShape,
  least: number,
  cache: PairCache,
): Verdict {
  measureGap(a, T_b_a, b);
  const gap = measured[0];
  // Rounding may have made a gap that is not there.
  cache.hasAxis = gap > least + roundoff * extentOf(a, T_b_a, b);
  if (!cache.hasAxis) return COLLIDING;
  copy(cache.axis, n);
  cache.gap = gap;
  return SEPARATED;
}

/** Distance, depth, normal and witness points where one body or both are half-spaces: exact, both bounds equal. */
export function solveHalfspace(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
  measureGap(a, T_b_a, b);
  const gap = measured[0];
  clearOutcome(out);
  const isKnown = gap > Number.NEGATIVE_INFINITY;
  known.lower = gap;
  known.upper = gap;
  known.extent = isKnown ? extentOf(a, T_b_a, b) : 0;
  setFromSignedDistance(out, known);
  out.iterations = 1;
  out.hasNormal = isKnown;
  out.hasWitnesses = isKnown;
  if (!isKnown) return;
  copy(out.normal, n);
  copy(out.witnessA, pointA);
  copy(out.witnessB, pointB);
}

/**
 * Leaves the signed gap, with margins, in `measured`, the normal from A to B and the nearest (deepest) points in the scratch. −Infinity
 * for two half-spaces that do not face each other: they meet, and no motion parts them.
 */
function measureGap(a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
  if (isHalfspace(a)) {
    // Plane of A through T's translation t, seen from B: gap = min n·(p − t) over p in B.
    rotate(n, T_b_a, a.size);
    if (isHalfspace(b)) {
      measured[0] = Number.NEGATIVE_INFINITY;
      if (!facing(n, b.size)) return;
      pointB.fill(0);
    } else {
      scale(m, n, -1);
      b.support(pointB, b, m, -1);
    }
    const height = n[0] * (pointB[0] - T_b_a[3]) + n[1] * (pointB[1] - T_b_a[7]) + n[2] * (pointB[2] - T_b_a[11]);
    addScaled(pointA, pointB, n, a.margin - height);
    addScaled(pointB, pointB, n, -b.margin);
    measured[0] = height - a.margin - b.margin;
    return;
  }
  // Plane of B through the origin: gap = min n_b·p over p in A, and the normal from A to B points into the solid.
  scale(n, b.size, -1);
  rotateBack(m, T_b_a, n);
  a.support(pointA, a, m, -1);
  transformPoint(pointA, T_b_a, pointA);
  const height = -dot(n, pointA);
  addScaled(pointB, pointA, n, height - b.margin);
  addScaled(pointA, pointA, n, a.margin);
  measured[0] = height - a.margin - b.margin;
}

/** The largest coordinate that took part in the last gap: of the deepest points, of the translation, and the margins. */
function extentOf(a: ConvexShape, T_b_a: Transform, b: ConvexShape): number {
  let largest = 0;
  for (let k = 0; k < 3; k++) {
    largest = Math.max(largest, Math.abs(pointA[k]), Math.abs(pointB[k]), Math.abs(T_b_a[4 * k + 3]));
  }
  return largest + a.margin + b.margin;
}

/** Whether two unit normals are opposite: only then can their half-spaces be apart. */
function facing(p: Vec3, q: Vec3): boolean {
  const x = p[1] * q[2] - p[2] * q[1],
    y = p[2] * q[0] - p[0] * q[2],
    z = p[0] * q[1] - p[1] * q[0];
  return dot(p, q) < 0 && Math.sqrt(x * x + y * y + z * z) <= OPPOSITE_SINE;
}
