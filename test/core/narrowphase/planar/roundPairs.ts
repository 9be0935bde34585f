import type { Point, PosedPair } from './pairs.ts';

/** Steps of the golden section, each of which reduces the interval to 0.618 of its length. */
const STEPS = 70;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Returns the distance of a point from a solid ellipse about 0, by bisection for the multiplier; 0 inside. */
export function distanceFromEllipse(axes: readonly [Point, Point], p: Point): number {
  const radii = axes.map(([x, y]) => Math.hypot(x, y));
  const along = axes.map(([x, y], k) => Math.abs((x * p[0] + y * p[1]) / radii[k]));
  const level = (t: number) => Math.hypot(...radii.map((radius, k) => (radius * along[k]) / (t + radius * radius)));
  if (!(Math.hypot(along[0] / radii[0], along[1] / radii[1]) > 1)) return 0;
  let [low, high] = [0, Math.hypot(...along) * Math.max(...radii)];
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2;
    if (level(middle) > 1) low = middle;
    else high = middle;
  }
  // The nearest point is r² q / (t + r²), so that the difference is t q / (t + r²).
  return Math.hypot(...radii.map((radius, k) => (high * along[k]) / (high + radius * radius)));
}

/**
 * Returns the largest gap over all directions and that direction, by sampling and golden section about every local
 * maximum: at normals of points all around each ellipse, at the normals of edges, and at equal angles.
 */
export function largestGap(
  { sides }: PosedPair,
  gapAlong: (n: Point) => number,
): { readonly value: number; readonly normal: Point } {
  const angles: number[] = [];
  const directions: Point[] = [];
  for (const { axes, core } of sides) {
    core.forEach(([x, y], i) => {
      const [u, v] = core[(i + 1) % core.length];
      if (u !== x || v !== y) directions.push([v - y, x - u], [y - v, u - x]);
    });
    if (!axes) continue;
    const [p, q] = axes.map(([x, y]) => [x / (x * x + y * y), y / (x * x + y * y)]);
    for (let k = 0; k < 60; k++) {
      const [c, s] = [Math.cos((k * Math.PI) / 30), Math.sin((k * Math.PI) / 30)];
      directions.push([c * p[0] + s * q[0], c * p[1] + s * q[1]]);
    }
  }
  const between = [sides[1].core[0][0] - sides[0].core[0][0], sides[1].core[0][1] - sides[0].core[0][1]] as Point;
  directions.push(between);
  for (const [x, y] of directions) angles.push(Math.atan2(y, x));
  for (let k = 0; k < 60; k++) angles.push((k * Math.PI) / 30 - Math.PI);
  angles.sort((a, b) => a - b);
  const at = (angle: number) => gapAlong([Math.cos(angle), Math.sin(angle)]);
  const gaps = angles.map(at);
  let best = { value: Number.NEGATIVE_INFINITY, angle: 0 };
  const count = angles.length;
  const rounding = 1e-13 * Math.max(...gaps.map(Math.abs)); // two angles may be equal to rounding
  angles.forEach((angle, i) => {
    if (gaps[i] + rounding < Math.max(gaps[(i + 1) % count], gaps[(i + count - 1) % count])) return;
    const before = angles[(i + count - 1) % count] - (i === 0 ? 2 * Math.PI : 0);
    const after = angles[(i + 1) % count] + (i === count - 1 ? 2 * Math.PI : 0);
    for (const found of [maximum(at, before, angle), maximum(at, angle, after), { value: gaps[i], angle }]) {
      if (found.value > best.value) best = found;
    }
  });
  return { value: best.value, normal: [Math.cos(best.angle), Math.sin(best.angle)] };
}

function maximum(at: (angle: number) => number, from: number, to: number): { value: number; angle: number } {
  let [low, high] = [from, to];
  let [p, q] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
  let [valueP, valueQ] = [at(p), at(q)];
  for (let i = 0; i < STEPS; i++) {
    if (valueP > valueQ) {
      [high, q, valueQ] = [q, p, valueP];
      p = high - GOLDEN * (high - low);
      valueP = at(p);
    } else {
      [low, p, valueP] = [p, q, valueQ];
      q = low + GOLDEN * (high - low);
      valueQ = at(q);
    }
  }
  return valueP > valueQ ? { value: valueP, angle: p } : { value: valueQ, angle: q };
}
