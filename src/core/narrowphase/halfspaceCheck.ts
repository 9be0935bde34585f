import { rotate, rotateBack, type Transform, transformPoint } from '../math/transform.ts';
import { addScaled, copy, create, dot, scale, sub, type Vec3 } from '../math/vec3.ts';
import { isHalfspace } from '../shapes/halfspace.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { roundoff } from './iterationLimits.ts';
import { clearSeparation, SignedDistanceBounds, setFromSignedDistance } from './outcome.ts';
import { COLLIDING, PairCache, SEPARATED, type Separation, type Verdict } from './solver.ts';
import { posedSupportWithMargin, supportWithMargin } from './supportAlong.generated.ts';

/** Largest sine of the angle between two opposite unit normals: covers the rounding of the normals and nothing else. */
const OPPOSITE_SINE = 1e-15;

/**
 * Output of `measureGap`; vectors in the frame of B. A record, because a returned number would be allocated on the
 * heap.
 */
class HalfspaceGap {
  /** Signed distance in metres, margins included; −∞ for two half-spaces that do not face each other. */
  distance = Number.NEGATIVE_INFINITY;
  /** Unit vector from A to B. */
  readonly normal: Vec3 = create();
  /** Witness points: closest if separated, deepest if in collision. */
  readonly pointA: Vec3 = create();
  readonly pointB: Vec3 = create();
}

// Scratch of the functions below. Support functions may use it in a query of their own: it is written after their call.
const measured = new HalfspaceGap();
const d = create();
const bounds = new SignedDistanceBounds();

/**
 * Checks a pair in which one shape is a half-space, or both are, by one support call. Contract as of `Checker.check`.
 */
export function checkHalfspace(
  a: ConvexShape,
  T_b_a: Transform,
  b: ConvexShape,
  minDistance: number,
  cache: PairCache,
): Verdict {
  measureGap(measured, a, T_b_a, b);
  const { distance } = measured;
  // A gap within rounding counts as contact.
  cache.hasAxis = distance > minDistance + roundoff * extentOf(measured, a, T_b_a, b);
  if (!cache.hasAxis) return COLLIDING;
  copy(cache.axis, measured.normal);
  cache.gap = distance;
  return SEPARATED;
}

/**
 * Computes distance, depth, normal and witness points if a shape is a half-space, or both are. Exact: both bounds are
 * equal.
 */
export function solveHalfspace(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
  measureGap(measured, a, T_b_a, b);
  const { distance, normal, pointA, pointB } = measured;
  clearSeparation(out);
  const isSeparable = distance > Number.NEGATIVE_INFINITY;
  bounds.lower = distance;
  bounds.upper = distance;
  bounds.extent = isSeparable ? extentOf(measured, a, T_b_a, b) : 0;
  setFromSignedDistance(out, bounds);
  out.iterations = 1;
  out.hasNormal = isSeparable;
  out.hasWitnesses = isSeparable;
  if (!isSeparable) return;
  copy(out.normal, normal);
  copy(out.witnessA, pointA);
  copy(out.witnessB, pointB);
}

/**
 * Computes signed distance, normal and witness points. The distance is −∞ for two half-spaces that do not face each
 * other: they intersect, and no translation separates them.
 */
function measureGap(out: HalfspaceGap, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
  const { normal: n, pointA, pointB } = out;
  if (isHalfspace(a)) {
    // The plane of A passes through the translation t of T: gap = min n·(p − t) over p in B.
    rotate(n, T_b_a, a.size);
    if (isHalfspace(b)) {
      out.distance = Number.NEGATIVE_INFINITY;
      if (!areOpposite(n, b.size)) return;
      pointB.fill(0);
    } else {
      scale(d, n, -1);
      b.support(pointB, b, d, -1);
      rotate(n, T_b_a, a.size);
    }
    const height = n[0] * (pointB[0] - T_b_a[3]) + n[1] * (pointB[1] - T_b_a[7]) + n[2] * (pointB[2] - T_b_a[11]);
    addScaled(pointA, pointB, n, a.margin - height);
    addScaled(pointB, pointB, n, -b.margin);
    out.distance = height - a.margin - b.margin;
    return;
  }
  // The plane of B passes through the origin: gap = min n_b·p over p in A. The normal from A to B points into the
  // half-space.
  scale(n, b.size, -1);
  rotateBack(d, T_b_a, n);
  a.support(pointA, a, d, -1);
  scale(n, b.size, -1);
  transformPoint(pointA, T_b_a, pointA);
  const height = -dot(n, pointA);
  addScaled(pointB, pointA, n, height - b.margin);
  addScaled(pointA, pointA, n, a.margin);
  out.distance = height - a.margin - b.margin;
}

/**
 * Returns the largest coordinate of the witness points and of the translation, plus the margins, in metres: the scale
 * of rounding.
 */
function extentOf({ pointA, pointB }: HalfspaceGap, a: ConvexShape, T_b_a: Transform, b: ConvexShape): number {
  let largest = 0;
  for (let k = 0; k < 3; k++) {
    largest = Math.max(largest, Math.abs(pointA[k]), Math.abs(pointB[k]), Math.abs(T_b_a[4 * k + 3]));
  }
  return largest + a.margin + b.margin;
}

/** Whether two unit normals are opposite. Only then can two half-spaces be separated. */
function areOpposite(p: Vec3, q: Vec3): boolean {
  const x = p[1] * q[2] - p[2] * q[1],
    y = p[2] * q[0] - p[0] * q[2],
    z = p[0] * q[1] - p[1] * q[0];
  return dot(p, q) < 0 && Math.sqrt(x * x + y * y + z * z) <= OPPOSITE_SINE;
}

// Scratch of the function below, which calls those above before it writes `d`.
const n = create();
const point = create();
const centers = create();
const gapCache = new PairCache();

/**
 * Computes the growth distance of a pair with a half-space in closed form. Only the plane normal n, from A to B, can
 * separate: σ = n·(cB − cA) / (hA(n) + hB(−n)), h relative to the centres; 0 if the centre of the other shape is inside
 * the half-space. Two half-spaces, and pairs with hA + hB = 0, have no growth distance: only the status is written.
 */
export function growthOfHalfspace(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
  gapCache.hasAxis = false;
  const verdict = checkHalfspace(a, T_b_a, b, 0, gapCache);
  out.status = verdict === COLLIDING ? 'colliding' : 'separated';
  out.iterations = 1;
  if (isHalfspace(a) && isHalfspace(b)) return;

  let support: number;
  if (isHalfspace(a)) {
    rotate(n, T_b_a, a.size);
    scale(d, n, -1);
    supportWithMargin(point, b, d, 0);
    rotate(n, T_b_a, a.size);
    scale(d, n, -1);
    sub(point, point, b.center);
    support = a.innerRadius + dot(d, point);
  } else {
    scale(n, b.size, -1);
    posedSupportWithMargin(point, a, T_b_a, n, 0);
    scale(n, b.size, -1);
    transformPoint(d, T_b_a, a.center);
    sub(point, point, d);
    support = b.innerRadius + dot(n, point);
  }
  transformPoint(centers, T_b_a, a.center);
  sub(centers, b.center, centers);
  if (!(support > 0) || a.innerRadius < 0 || b.innerRadius < 0) return;
  const growth = Math.max(0, dot(n, centers) / support);
  out.growth.lower = growth;
  out.growth.upper = growth;
  out.hasNormal = true;
  copy(out.normal, n);
}
