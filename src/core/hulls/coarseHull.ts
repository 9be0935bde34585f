import { type Points, weld } from './pointCloud.ts';

/**
 * Support points of a set in a fixed set of directions: an approximate hull. The sketch of a union takes the farther
 * point in each direction. Suitable for comparing thousands of hulls, not for collision checking, because it lies
 * inside the true hull.
 */
export interface HullSketch {
  /** Support value of the set in each direction; −Infinity for an empty set. */
  readonly reach: Float64Array;
  /** The support points. */
  readonly points: Float64Array;
}

/**
 * Computes the volume (m³) of the hull of all points of one or more sketches. It is never less than the sum of the
 * volumes of sets that are separated by planes.
 */
export type SketchVolume = (...sketches: HullSketch[]) => number;

/** Loads three's hull once, so that all later calls are synchronous. */
export async function loadSketchVolume(): Promise<SketchVolume> {
  const { ConvexHull, Vector3 } = await import('./threeGeometry.ts');
  return (...sketches) => {
    const filled = sketches.filter(({ reach }) => reach[0] > Number.NEGATIVE_INFINITY);
    const all = new Float64Array(filled.reduce((sum, { points }) => sum + points.length, 0));
    for (const [i, { points }] of filled.entries()) all.set(points, i * points.length);
    const welded = weld(all);
    if (welded.length < 12) return 0;
    const [x, y, z] = welded; // origin of the tetrahedra below, which avoids cancellation
    const vectors: InstanceType<typeof Vector3>[] = [];
    for (let i = 0; i < welded.length; i += 3) {
      vectors.push(new Vector3(welded[i] - x, welded[i + 1] - y, welded[i + 2] - z));
    }
    const hull = new ConvexHull();
    try {
      hull.setFromPoints(vectors);
    } catch {
      return 0; // flat, or nearly
    }
    let volume = 0;
    for (const { edge } of hull.faces) {
      const a = edge.vertex.point;
      const b = edge.next.vertex.point;
      const c = edge.next.next.vertex.point;
      volume += a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
    }
    return Math.max(0, volume / 6);
  };
}

/** Computes the sketch of a set of points, which may repeat. */
export function sketchOf(all: Points): HullSketch {
  const points = weld(all);
  const half = directions.length / 3;
  const reach = new Float64Array(2 * half).fill(Number.NEGATIVE_INFINITY);
  const farthest = new Int32Array(2 * half);
  for (let i = 0; i < points.length; i += 3) {
    for (let k = 0; k < half; k++) {
      const along =
        points[i] * directions[3 * k] + points[i + 1] * directions[3 * k + 1] + points[i + 2] * directions[3 * k + 2];
      if (along > reach[k]) {
        reach[k] = along;
        farthest[k] = i;
      }
      if (-along > reach[half + k]) {
        reach[half + k] = -along;
        farthest[half + k] = i;
      }
    }
  }
  return {
    reach,
    points: Float64Array.from({ length: 6 * half }, (_, j) => points[farthest[Math.floor(j / 3)] + (j % 3)]),
  };
}

/** Computes the sketch of the union of both sets. */
export function union(a: HullSketch, b: HullSketch): HullSketch {
  const reach = new Float64Array(a.reach.length);
  const points = new Float64Array(a.points.length);
  for (let k = 0; k < reach.length; k++) {
    const from = a.reach[k] >= b.reach[k] ? a : b;
    reach[k] = from.reach[k];
    for (let axis = 0; axis < 3; axis++) points[3 * k + axis] = from.points[3 * k + axis];
  }
  return { reach, points };
}

/** Directions to a grid on the cube, one of each opposite pair; their lengths do not matter. */
const directions: Float64Array = (() => {
  const all: number[] = [];
  for (let x = -2; x <= 2; x++) {
    for (let y = -2; y <= 2; y++) {
      for (let z = -2; z <= 2; z++) {
        const first = x !== 0 ? x : y !== 0 ? y : z;
        if (first > 0 && Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) === 2) all.push(x, y, z);
      }
    }
  }
  return Float64Array.from(all);
})();
