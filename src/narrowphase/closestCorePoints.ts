import type { Transform } from '../math/transform.ts';
import type { Vec3 } from '../math/vec3.ts';
import type { ConvexShape } from '../shapes/shape.ts';

/** Interval of the parameter of a line that contains a zero of a derivative, with its values at the ends. */
class LineSearch {
  low = 0;
  high = 0;
  slopeLow = 0;
  slopeHigh = 0;
}

// Scratch of the functions below: they call nothing but each other.
const search = new LineSearch();
const center = new Float64Array(3);
const direction = new Float64Array(3);
const onLine = new Float64Array(3);
const onBox = new Float64Array(3);

/**
 * Computes the closest points of the cores of two shapes in closed form, in the frame of B: points (spheres) and
 * segments (capsules), and either of them and a box. Returns false for other shapes. `T_b_a`: pose of A in B. If the
 * cores intersect, both points are equal to rounding; for nearly parallel segments they may be less than closest, so
 * that callers have to bound the distance from below.
 */
export function closestCorePoints(
  pointA: Vec3,
  pointB: Vec3,
  a: ConvexShape,
  T_b_a: Transform,
  b: ConvexShape,
): boolean {
  const isRoundA = a.type === 'sphere' || a.type === 'capsule';
  const isRoundB = b.type === 'sphere' || b.type === 'capsule';
  if (isRoundA && isRoundB) closestOfSegments(pointA, pointB, a, T_b_a, b);
  else if (isRoundA && b.type === 'box') {
    for (let i = 0; i < 3; i++) {
      center[i] = T_b_a[4 * i + 3];
      direction[i] = T_b_a[4 * i + 2];
    }
    closestOnBox(b.size, a.size[0]);
    for (let i = 0; i < 3; i++) {
      pointA[i] = onLine[i];
      pointB[i] = onBox[i];
    }
  } else if (isRoundB && a.type === 'box') {
    // In the frame of A: the segment of B is R⁻¹ (s e_z − t).
    for (let i = 0; i < 3; i++) {
      center[i] = -(T_b_a[i] * T_b_a[3] + T_b_a[4 + i] * T_b_a[7] + T_b_a[8 + i] * T_b_a[11]);
      direction[i] = T_b_a[8 + i];
    }
    const s = closestOnBox(a.size, b.size[0]);
    for (let i = 0; i < 3; i++) {
      const k = 4 * i;
      pointA[i] = T_b_a[k] * onBox[0] + T_b_a[k + 1] * onBox[1] + T_b_a[k + 2] * onBox[2] + T_b_a[k + 3];
      pointB[i] = i === 2 ? s : 0;
    }
  } else return false;
  return true;
}

/**
 * Closest points of the segments c + t u (that of A) and s e_z (that of B), |t|, |s| at most half their lengths: the
 * minimum over t of the lines, then s and t in turn.
 */
function closestOfSegments(pointA: Vec3, pointB: Vec3, a: ConvexShape, T: Transform, b: ConvexShape): void {
  const halfA = a.size[0];
  const halfB = b.size[0];
  const ux = T[2],
    uy = T[6],
    uz = T[10];
  const cx = T[3],
    cy = T[7],
    cz = T[11];
  const sineSquared = ux * ux + uy * uy;
  let t = sineSquared > 0 ? clamp(-(cx * ux + cy * uy) / sineSquared, halfA) : 0;
  const s = clamp(cz + t * uz, halfB);
  t = clamp((s - cz) * uz - cx * ux - cy * uy, halfA);
  pointA[0] = cx + t * ux;
  pointA[1] = cy + t * uy;
  pointA[2] = cz + t * uz;
  pointB[0] = 0;
  pointB[1] = 0;
  pointB[2] = clamp(pointA[2], halfB);
}

/**
 * Computes the closest points of the segment `center` + t `direction`, |t| at most `half`, and the box with these half
 * edge lengths about the origin; returns t. The derivative of half the squared distance is monotone in t and linear
 * between the parameters at which the line passes through the planes of the faces.
 */
function closestOnBox(size: Float64Array, half: number): number {
  search.low = -half;
  search.high = half;
  search.slopeLow = slopeAt(size, -half);
  search.slopeHigh = slopeAt(size, half);
  let t: number;
  if (search.slopeLow >= 0) t = -half;
  else if (search.slopeHigh <= 0) t = half;
  else {
    for (let i = 0; i < 3; i++) {
      if (direction[i] === 0) continue;
      narrow(size, (size[i] - center[i]) / direction[i]);
      narrow(size, (-size[i] - center[i]) / direction[i]);
    }
    const { low, high, slopeLow, slopeHigh } = search;
    t = slopeHigh > slopeLow ? low - (slopeLow * (high - low)) / (slopeHigh - slopeLow) : low;
  }
  for (let i = 0; i < 3; i++) {
    onLine[i] = center[i] + t * direction[i];
    onBox[i] = clamp(onLine[i], size[i]);
  }
  return t;
}

/** Narrows the interval that contains the zero of the derivative by its value at t. */
function narrow(size: Float64Array, t: number): void {
  if (!(t > search.low && t < search.high)) return;
  const slope = slopeAt(size, t);
  if (slope <= 0) {
    search.low = t;
    search.slopeLow = slope;
  } else {
    search.high = t;
    search.slopeHigh = slope;
  }
}

/** Returns the derivative of half the squared distance from the box at the point t of the line. */
function slopeAt(size: Float64Array, t: number): number {
  let slope = 0;
  for (let i = 0; i < 3; i++) {
    const x = center[i] + t * direction[i];
    slope += direction[i] * (x - clamp(x, size[i]));
  }
  return slope;
}

function clamp(x: number, limit: number): number {
  return x < -limit ? -limit : x > limit ? limit : x;
}
