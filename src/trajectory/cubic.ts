/**
 * One joint over one piece of a trajectory, as four numbers of a flat array: x(u) = c₀ + c₁u + c₂u² + c₃u³, u in seconds from the piece's
 * beginning. `at` is where c₀ stands.
 */
export type Cubics = Float64Array;

export const CUBIC_SIZE = 4;

/** The cubic that runs from x to y with velocities v and w there, in T seconds. */
export function setHermite(c: Cubics, at: number, T: number, x: number, y: number, v: number, w: number): void {
  const mean = (y - x) / T;
  c[at] = x;
  c[at + 1] = v;
  c[at + 2] = (3 * mean - 2 * v - w) / T;
  c[at + 3] = (v + w - 2 * mean) / (T * T);
}

/** The straight line from x to y in T seconds; it stays at x where T is 0. */
export function setLine(c: Cubics, at: number, T: number, x: number, y: number): void {
  c[at] = x;
  c[at + 1] = T > 0 ? (y - x) / T : 0;
  c[at + 2] = 0;
  c[at + 3] = 0;
}

export function positionAt(c: Cubics, at: number, u: number): number {
  return c[at] + u * (c[at + 1] + u * (c[at + 2] + u * c[at + 3]));
}

export function velocityAt(c: Cubics, at: number, u: number): number {
  return c[at + 1] + u * (2 * c[at + 2] + 3 * u * c[at + 3]);
}

export function accelerationAt(c: Cubics, at: number, u: number): number {
  return 2 * c[at + 2] + 6 * u * c[at + 3];
}

/** The u at which the velocity has its extreme, where the acceleration is zero; NaN if there is none. */
export function inflection(c: Cubics, at: number): number {
  return c[at + 3] === 0 ? Number.NaN : -c[at + 2] / (3 * c[at + 3]);
}

/** Greatest |velocity| for u0 <= u <= u1. */
export function greatestSpeed(c: Cubics, at: number, u0: number, u1: number): number {
  const ends = Math.max(Math.abs(velocityAt(c, at, u0)), Math.abs(velocityAt(c, at, u1)));
  const top = inflection(c, at);
  return top > u0 && top < u1 ? Math.max(ends, Math.abs(velocityAt(c, at, top))) : ends;
}

/** Greatest |acceleration| for u0 <= u <= u1: it is linear, so at one of the ends. */
export function greatestAcceleration(c: Cubics, at: number, u0: number, u1: number): number {
  return Math.max(Math.abs(accelerationAt(c, at, u0)), Math.abs(accelerationAt(c, at, u1)));
}

/** out[0], out[1]: the u at which the joint turns back, NaN where there is none; from the root that does not cancel. */
export function turningPoints(out: Float64Array, c: Cubics, at: number): void {
  const a = 3 * c[at + 3];
  const b = 2 * c[at + 2];
  const d = c[at + 1];
  const root = Math.sqrt(b * b - 4 * a * d); // NaN where the velocity has no zero
  const sum = -(b < 0 ? b - root : b + root) / 2;
  out[0] = a === 0 ? Number.NaN : sum / a;
  out[1] = sum === 0 ? Number.NaN : d / sum;
}
