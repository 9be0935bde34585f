/** Point or direction. A Float64Array, so that subarrays of larger arrays can be used as vectors. */
export type Vec3 = Float64Array;

export function create(x = 0, y = 0, z = 0): Vec3 {
  return Float64Array.of(x, y, z);
}

export function set(out: Vec3, x: number, y: number, z: number): void {
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

export function copy(out: Vec3, a: Vec3): void {
  out[0] = a[0];
  out[1] = a[1];
  out[2] = a[2];
}

export function add(out: Vec3, a: Vec3, b: Vec3): void {
  out[0] = a[0] + b[0];
  out[1] = a[1] + b[1];
  out[2] = a[2] + b[2];
}

export function sub(out: Vec3, a: Vec3, b: Vec3): void {
  out[0] = a[0] - b[0];
  out[1] = a[1] - b[1];
  out[2] = a[2] - b[2];
}

/** Returns a new vector a − b. */
export function difference(a: Vec3, b: Vec3): Vec3 {
  const out = create();
  sub(out, a, b);
  return out;
}

/** out = a + factor b */
export function addScaled(out: Vec3, a: Vec3, b: Vec3, factor: number): void {
  out[0] = a[0] + factor * b[0];
  out[1] = a[1] + factor * b[1];
  out[2] = a[2] + factor * b[2];
}

/** Returns a new vector a + factor b. */
export function plusScaled(a: Vec3, b: Vec3, factor: number): Vec3 {
  const out = create();
  addScaled(out, a, b, factor);
  return out;
}

export function scale(out: Vec3, a: Vec3, factor: number): void {
  out[0] = factor * a[0];
  out[1] = factor * a[1];
  out[2] = factor * a[2];
}

export function cross(out: Vec3, a: Vec3, b: Vec3): void {
  const x = a[1] * b[2] - a[2] * b[1];
  const y = a[2] * b[0] - a[0] * b[2];
  const z = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

export function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function norm(a: Vec3): number {
  return Math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/** out = a / ‖a‖; returns ‖a‖. A zero vector is left unchanged. */
export function normalize(out: Vec3, a: Vec3): number {
  const length = norm(a);
  const factor = length > 0 ? 1 / length : 0;
  scale(out, a, factor);
  return length;
}

/**
 * Writes a vector, of any length but 0, perpendicular to e: the cross product of e with the axis along which e is
 * smallest.
 */
export function perpendicular(out: Vec3, e: Vec3): void {
  const x = Math.abs(e[0]),
    y = Math.abs(e[1]),
    z = Math.abs(e[2]);
  const isX = x <= y && x <= z;
  const isY = !isX && y <= z;
  set(out, isX ? 1 : 0, isY ? 1 : 0, isX || isY ? 0 : 1);
  cross(out, e, out);
}

/** Writes two unit vectors that are perpendicular to a unit vector n and to each other: u × v = n. */
export function setTangents(u: Vec3, v: Vec3, n: Vec3): void {
  perpendicular(u, n);
  normalize(u, u);
  cross(v, n, u);
}

/** Returns two new unit vectors that are perpendicular to a unit vector n and to each other: u × v = n. */
export function tangentsOf(n: Vec3): readonly [Vec3, Vec3] {
  const [u, v] = [create(), create()];
  setTangents(u, v, n);
  return [u, v];
}
