import type { Random } from '../../../../src/core/math/random.ts';

/** Convex shapes about the origin, by their distance and their gauge, written again with `Math`. */

export type Point = readonly [number, number, number];

export interface PlainShape {
  /** Fields of the shape in a scene, for a shape that is `scale` times as large. */
  readonly spec: (scale: number) => { readonly type: string; readonly [key: string]: unknown };
  /** Distance of a point; 0 inside. */
  readonly distance: (p: Point) => number;
  /** Least scale at which a point is inside; undefined: the shape cannot be scaled. */
  readonly gauge?: (p: Point) => number;
}

const length = (...p: readonly number[]) => Math.hypot(...p);
const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Point, b: Point) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

function bisected(isInside: (scale: number) => boolean): number {
  let [low, high] = [0, 1e4];
  for (let step = 0; step < 90; step++) {
    const middle = 0.5 * (low + high);
    if (isInside(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function segmentDistance(p: readonly [number, number], a: readonly [number, number], b: readonly [number, number]) {
  const [ux, uy] = [b[0] - a[0], b[1] - a[1]];
  const share = Math.min(1, Math.max(0, ((p[0] - a[0]) * ux + (p[1] - a[1]) * uy) / (ux * ux + uy * uy || 1)));
  return Math.hypot(p[0] - a[0] - share * ux, p[1] - a[1] - share * uy);
}

function frustum(type: 'cone' | 'frustum', bottom: number, top: number, half: number): PlainShape {
  const wallAt = (z: number) => bottom + ((top - bottom) * (z + half)) / (2 * half);
  const isInside = (rho: number, z: number) => Math.abs(z) <= half && rho <= wallAt(z);
  return {
    spec: (scale) =>
      type === 'cone'
        ? { type, radius: scale * bottom, length: 2 * scale * half }
        : { type, radiusBottom: scale * bottom, radiusTop: scale * top, length: 2 * scale * half },
    distance: ([x, y, z]) => {
      const p = [Math.hypot(x, y), z] as const;
      if (isInside(...p)) return 0;
      const corners = [
        [0, -half],
        [bottom, -half],
        [top, half],
        [0, half],
      ] as const;
      return Math.min(...[0, 1, 2].map((i) => segmentDistance(p, corners[i], corners[i + 1])));
    },
    gauge: ([x, y, z]) => bisected((s) => isInside(Math.hypot(x, y) / s, z / s)),
  };
}

function ellipsoid(radii: Point): PlainShape {
  return {
    spec: (scale) => ({ type: 'ellipsoid', radii: radii.map((r) => scale * r) }),
    gauge: (p) => Math.hypot(...p.map((x, i) => x / radii[i])),
    distance: (p) => {
      if (Math.hypot(...p.map((x, i) => x / radii[i])) <= 1) return 0;
      const at = (t: number) => p.map((x, i) => (radii[i] ** 2 * x) / (t + radii[i] ** 2));
      const t = bisected((s) => Math.hypot(...at(s).map((x, i) => x / radii[i])) <= 1);
      return Math.hypot(...at(t).map((x, i) => x - p[i]));
    },
  };
}

/** Distance from a triangle: from its inside if the foot of the perpendicular is there, otherwise from its edges. */
function triangleDistance(p: Point, [a, b, c]: readonly [Point, Point, Point]): number {
  const n = cross(minus(b, a), minus(c, a));
  const nn = dot(n, n);
  const edges = [
    [a, b],
    [b, c],
    [c, a],
  ] as const;
  const isOver = nn > 0 && edges.every(([u, v]) => dot(cross(minus(v, u), minus(p, u)), n) >= 0);
  if (isOver) return Math.abs(dot(minus(p, a), n)) / Math.sqrt(nn);
  return Math.min(
    ...edges.map(([u, v]) => {
      const w = minus(v, u);
      const share = Math.min(1, Math.max(0, dot(minus(p, u), w) / dot(w, w)));
      return length(...minus(p, [u[0] + share * w[0], u[1] + share * w[1], u[2] + share * w[2]]));
    }),
  );
}

/** The hull of points, each with its opposite. */
function hull(half: readonly Point[]): PlainShape {
  const points = [...half, ...half.map(([x, y, z]): Point => [-x, -y, -z])];
  const triples = points.flatMap((a, i) =>
    points.slice(i + 1).flatMap((b, j) => points.slice(i + j + 2).map((c) => [a, b, c] as const)),
  );
  // The shares of three points that add up to p: the gauge is the least sum over all triples with shares >= 0.
  const gauge = (p: Point) =>
    Math.min(
      ...triples.map(([a, b, c]) => {
        const det = dot(a, cross(b, c));
        if (Math.abs(det) < 1e-9) return Number.POSITIVE_INFINITY;
        const shares = [dot(p, cross(b, c)), dot(p, cross(c, a)), dot(p, cross(a, b))].map((x) => x / det);
        return Math.min(...shares) >= -1e-12 ? shares[0] + shares[1] + shares[2] : Number.POSITIVE_INFINITY;
      }),
    );
  return {
    spec: (scale) => ({ type: 'convex', points: points.map((p) => p.map((x) => scale * x)) }),
    gauge,
    distance: (p) => (gauge(p) <= 1 ? 0 : Math.min(...triples.map((triple) => triangleDistance(p, triple)))),
  };
}

const kinds: Readonly<Record<string, (random: Random) => PlainShape>> = {
  box: (random) => {
    const half = [0, 1, 2].map(() => random.between(0.05, 0.3));
    return {
      spec: (scale) => ({ type: 'box', size: half.map((x) => 2 * scale * x) }),
      distance: (p) => length(...p.map((x, i) => Math.max(0, Math.abs(x) - half[i]))),
      gauge: (p) => Math.max(...p.map((x, i) => Math.abs(x) / half[i])),
    };
  },
  sphere: (random) => {
    const radius = random.between(0.05, 0.3);
    return {
      spec: (scale) => ({ type: 'sphere', radius: scale * radius }),
      distance: (p) => Math.max(0, length(...p) - radius),
      gauge: (p) => length(...p) / radius,
    };
  },
  capsule: (random) => {
    const [radius, half] = [random.between(0.05, 0.3), random.between(0.05, 0.3)];
    const beyond = ([x, y, z]: Point, s: number) => length(x, y, Math.max(0, Math.abs(z) - s * half)) - s * radius;
    return {
      spec: (scale) => ({ type: 'capsule', radius: scale * radius, length: 2 * scale * half }),
      distance: (p) => Math.max(0, beyond(p, 1)),
      gauge: (p) => bisected((s) => beyond(p, s) <= 0),
    };
  },
  cylinder: (random) => {
    const [radius, half] = [random.between(0.05, 0.3), random.between(0.05, 0.3)];
    return {
      spec: (scale) => ({ type: 'cylinder', radius: scale * radius, length: 2 * scale * half }),
      distance: ([x, y, z]) => length(Math.max(0, Math.hypot(x, y) - radius), Math.max(0, Math.abs(z) - half)),
      gauge: ([x, y, z]) => Math.max(Math.hypot(x, y) / radius, Math.abs(z) / half),
    };
  },
  cone: (random) => frustum('cone', random.between(0.05, 0.4), 0, random.between(0.05, 0.3)),
  frustum: (random) =>
    frustum('frustum', random.between(0.05, 0.4), random.between(0.02, 0.4), random.between(0.05, 0.3)),
  ellipsoid: (random) => ellipsoid([random.between(0.05, 0.3), random.between(0.05, 0.3), random.between(0.05, 0.3)]),
  convex: (random) => hull(Array.from({ length: 4 }, () => [0, 1, 2].map(() => random.between(-0.3, 0.3)) as never)),
  plate: (random) => {
    const [x, y] = [random.between(0.05, 0.3), random.between(0.05, 0.3)];
    const points = [
      [x, y, 0],
      [-x, y, 0],
      [-x, -y, 0],
      [x, -y, 0],
    ];
    return {
      spec: () => ({ type: 'convex', points }),
      distance: (p) => length(Math.max(0, Math.abs(p[0]) - x), Math.max(0, Math.abs(p[1]) - y), p[2]),
    };
  },
  rod: (random) => {
    const [x, y] = [random.between(-0.3, 0.3), random.between(0.05, 0.3)];
    const points = [1, -1, 0.5, 0].map((share) => [share * x, share * y, 0]);
    return {
      spec: () => ({ type: 'convex', points }),
      distance: (p) => length(segmentDistance([p[0], p[1]], [x, y], [-x, -y]), p[2]),
    };
  },
  halfspace: (random) => {
    const normal = [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1) + 0.01] as const;
    return {
      spec: () => ({ type: 'halfspace', normal }),
      distance: (p) => Math.max(0, dot(p, normal) / length(...normal)),
    };
  },
};

export const plainShapes: readonly string[] = Object.keys(kinds);

export const randomShape = (random: Random, kind: string): PlainShape => kinds[kind](random);
