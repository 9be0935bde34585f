/**
 * A vector over an interval of time, in world axes: its value and its derivative in the middle, and upper bounds on
 * the lengths of itself, its first and its second derivative over the whole interval.
 */
export interface Series {
  readonly now: readonly [number, number, number];
  readonly slope: readonly [number, number, number];
  /** Bounds of orders 0, 1 and 2. */
  readonly most: readonly [number, number, number];
}

export type Point = readonly [number, number, number];

export const ZERO: Series = { now: [0, 0, 0], slope: [0, 0, 0], most: [0, 0, 0] };

export const constant = (now: Point): Series => ({ now, slope: [0, 0, 0], most: [length(now), 0, 0] });

export const length = ([x, y, z]: Point): number => Math.sqrt(x * x + y * y + z * z);
export const plus = (a: Point, b: Point): Point => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const times = (a: Point, s: number): Point => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const crossed = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

export const sum = (...all: readonly Series[]): Series =>
  all.reduce((a, b) => ({
    now: plus(a.now, b.now),
    slope: plus(a.slope, b.slope),
    most: plus(a.most, b.most),
  }));

export const scaled = (a: Series, factor: number): Series => ({
  now: times(a.now, factor),
  slope: times(a.slope, factor),
  most: times(a.most, Math.abs(factor)),
});

/** Bounds of a product whose factors have bounds a and b: Leibniz. */
const product = (a: Point, b: Point): Point => [
  a[0] * b[0],
  a[1] * b[0] + a[0] * b[1],
  a[2] * b[0] + 2 * a[1] * b[1] + a[0] * b[2],
];

export const cross = (a: Series, b: Series): Series => ({
  now: crossed(a.now, b.now),
  slope: plus(crossed(a.slope, b.now), crossed(a.now, b.slope)),
  most: product(a.most, b.most),
});

/** A scalar over an interval: value and derivative in the middle, bounds of orders 0 to 2. */
export interface Rate {
  readonly now: number;
  readonly slope: number;
  readonly most: Point;
}

export const scaledBy = (a: Series, { now, slope, most }: Rate): Series => ({
  now: times(a.now, now),
  slope: plus(times(a.slope, now), times(a.now, slope)),
  most: product(a.most, most),
});

export const productOf = (a: Rate, b: Rate): Rate => ({
  now: a.now * b.now,
  slope: a.slope * b.now + a.now * b.slope,
  most: product(a.most, b.most),
});

export const dotOf = (a: Series, b: Series): Rate => ({
  now: dot(a.now, b.now),
  slope: dot(a.slope, b.now) + dot(a.now, b.slope),
  most: product(a.most, b.most),
});

/**
 * Returns a vector that is fixed in a frame which turns with angular velocity ω and acceleration α: its derivative is
 * ω × r, its second derivative at most (|α| + |ω|²) |r|.
 */
export function fixedIn(now: Point, { now: w, most: [speed] }: Series, { most: [change] }: Series): Series {
  const size = length(now);
  return { now, slope: crossed(w, now), most: [size, speed * size, (change + speed * speed) * size] };
}

/**
 * Returns J a for an inertia J, fixed in the same frame: (J a)' = J a' + ω × J a − J (ω × a). With
 * |J'| <= 2 |ω| |J| and |J''| <= (2 |α| + 4 |ω|²) |J|.
 * @param J value in world axes
 * @param size bound on its norm
 */
export function inertiaTimes(J: readonly Point[], size: number, a: Series, w: Series, alpha: Series): Series {
  const of = (x: Point): Point => [dot(J[0], x), dot(J[1], x), dot(J[2], x)];
  const now = of(a.now);
  const change = plus(crossed(w.now, now), times(of(crossed(w.now, a.now)), -1));
  const [speed] = w.most;
  const bounds: Point = [size, 2 * speed * size, (2 * alpha.most[0] + 4 * speed * speed) * size];
  return { now, slope: plus(of(a.slope), change), most: product(bounds, a.most) };
}
