import type { Transform } from '../math/transform.ts';
import type { Vec3 } from '../math/vec3.ts';
import type { ConvexShape } from '../shapes/shape.ts';

/** Largest squared cosine between an axis and a vector that counts as orthogonal: rounding of side contacts. */
const ORTHOGONAL = 1e-12;

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
 * Computes the closest points of the cores of two shapes in closed form, in the frame of B: points (spheres), segments
 * (capsules) and sides of cylinders; points or segments and a box. Returns false for other shapes. `T_b_a`: pose of A
 * in B. The points are points of the cores. If the cores intersect, both are equal to rounding; for nearly parallel
 * segments, and next to the rim of a cylinder, they may be less than closest, so that callers have to bound the
 * distance from below.
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
  if (isRoundA && isRoundB) closestOfSegments(pointA, pointB, a.size[0], T_b_a, b.size[0]);
  else if ((isRoundA || a.type === 'cylinder') && (isRoundB || b.type === 'cylinder')) {
    return closestOfSides(pointA, pointB, a, T_b_a, b);
  } else if (isRoundA && b.type === 'box') {
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
function closestOfSegments(pointA: Vec3, pointB: Vec3, halfA: number, T: Transform, halfB: number): void {
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
 * Computes the closest points of two cylinders, or of a cylinder and a segment, if they are on the sides: on the line
 * between the closest points of the axes, which is orthogonal to them. Returns false next to the caps and in collision.
 */
function closestOfSides(pointA: Vec3, pointB: Vec3, a: ConvexShape, T: Transform, b: ConvexShape): boolean {
  const radiusA = a.type === 'cylinder' ? a.size[0] : 0;
  const radiusB = b.type === 'cylinder' ? b.size[0] : 0;
  const halfA = axisHalf(a);
  const halfB = axisHalf(b);
  closestOfSegments(pointA, pointB, halfA, T, halfB);
  const ux = T[2],
    uy = T[6],
    uz = T[10];
  if (radiusB > 0 && !(Math.abs(pointB[2]) < halfB)) return false;
  const t = (pointA[0] - T[3]) * ux + (pointA[1] - T[7]) * uy + (pointA[2] - T[11]) * uz;
  if (radiusA > 0 && !(Math.abs(t) < halfA)) return false;
  const x = pointB[0] - pointA[0],
    y = pointB[1] - pointA[1],
    z = pointB[2] - pointA[2];
  const radii = radiusA + radiusB;
  const squared = x * x + y * y + z * z;
  const along = x * ux + y * uy + z * uz;
  if (!(squared > radii * radii)) return false;
  if (radiusA > 0) {
    if (!(along * along < ORTHOGONAL * squared)) return false;
    // Across the axis of A, so that the point stays in the cylinder.
    const ax = x - along * ux,
      ay = y - along * uy,
      az = z - along * uz;
    const s = radiusA / Math.sqrt(ax * ax + ay * ay + az * az);
    pointA[0] += s * ax;
    pointA[1] += s * ay;
    pointA[2] += s * az;
  }
  if (radiusB > 0) {
    if (!(z * z < ORTHOGONAL * squared)) return false;
    const s = radiusB / Math.sqrt(x * x + y * y);
    pointB[0] -= s * x;
    pointB[1] -= s * y;
  }
  return true;
}

/** Returns half the length of the axis of a round shape, a segment along z in its frame; negative for other shapes. */
function axisHalf({ type, size }: ConvexShape): number {
  if (type === 'sphere' || type === 'capsule') return size[0];
  if (type === 'cylinder') return size[1];
  return type === 'cone' || type === 'frustum' ? size[2] : -1;
}

/**
 * Writes the vector between the closest points of the axes of two shapes, from A to B, in the frame of B; returns false
 * if one of them has no axis, or if the axes intersect.
 */
export function axisDirection(n: Vec3, a: ConvexShape, T_b_a: Transform, b: ConvexShape): boolean {
  const halfA = axisHalf(a);
  const halfB = axisHalf(b);
  if (halfA < 0 || halfB < 0) return false;
  closestOfSegments(onLine, onBox, halfA, T_b_a, halfB);
  n[0] = onBox[0] - onLine[0];
  n[1] = onBox[1] - onLine[1];
  n[2] = onBox[2] - onLine[2];
  return n[0] * n[0] + n[1] * n[1] + n[2] * n[2] > 0;
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
