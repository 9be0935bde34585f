import { inscribedSphereRadius } from './inscribedSphere.ts';
import { createPolytope, supportPolytope, unindexedPolytope } from './polytope.ts';
import { ConvexShape, type Polytope, type ShapeDefinition, type ShapeSpec } from './shape.ts';

/**
 * Convex hull of points, anywhere in the frame of the shape. A single point, a segment or a flat plate is a hull too.
 * The default center is the mean of the extreme points.
 */
export const convex: ShapeDefinition = {
  summary: 'convex hull of points [[x, y, z], …]',
  fields: { points: 'points' },
  create,
  samples: [
    {
      type: 'convex',
      points: [
        [0.5, 0, 0],
        [-0.5, 0, 0],
        [0, 0.5, 0],
        [0, -0.5, 0],
        [0, 0, 0.5],
        [0, 0, -0.5],
      ],
    },
    {
      type: 'convex',
      points: [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 0.01],
      ],
    },
    {
      type: 'convex',
      points: [
        [0, 0, 0],
        [1, 0, 0],
        [1, 1, 0],
        [0, 1, 0],
      ],
      margin: 0.1,
    }, // a plate, rounded
    { type: 'convex', points: goldenSpiral(120) },
  ],
};

function create(spec: ShapeSpec, center?: ArrayLike<number>): ConvexShape {
  const { points, margin = 0 } = spec as ShapeSpec & { points: ArrayLike<number>[] };
  const polytope = createPolytope(points);
  const growthCenter = center ?? meanOfPoints(polytope);
  return convexShape(polytope, growthCenter, inscribedSphereRadius(polytope.vertices, growthCenter), margin);
}

/**
 * Returns the hull of points without a search structure: its support function compares all of them. Created hundreds of
 * times faster, for clouds that are replaced while an arm moves. The center is the mean of the points, about which no
 * sphere in the core is known.
 */
export function unindexedHull(points: readonly ArrayLike<number>[], margin: number): ConvexShape {
  const polytope = unindexedPolytope(points);
  return convexShape(polytope, meanOfPoints(polytope), 0, margin);
}

/**
 * Creates the shape of a polytope with a given center and the radius of a sphere about it in the polytope.
 * @param outerRadius that of the shape; default: it is computed
 * @param bounds those of the shape; default: they are computed
 */
export function convexShape(
  polytope: Polytope,
  center: ArrayLike<number>,
  coreInnerRadius: number,
  margin: number,
  outerRadius = outerRadiusOf(polytope, center) + margin,
  bounds = boundsOf(polytope, margin),
): ConvexShape {
  const parts = { type: 'convex', size: [], support: supportPolytope, coreInnerRadius, margin, center, polytope };
  return new ConvexShape(parts, outerRadius, bounds);
}

/** Returns the mean of the points that `extreme` lists. */
function meanOfPoints({ vertices, extreme }: Polytope): Float64Array {
  const x = vertices[0],
    y = vertices[1],
    z = vertices[2]; // relative to a vertex: keeps all digits far from the origin
  let [meanX, meanY, meanZ] = [0, 0, 0];
  for (const k of extreme) {
    meanX += (vertices[k] - x) / extreme.length;
    meanY += (vertices[k + 1] - y) / extreme.length;
    meanZ += (vertices[k + 2] - z) / extreme.length;
  }
  return Float64Array.of(x + meanX, y + meanY, z + meanZ);
}

function outerRadiusOf({ vertices }: Polytope, center: ArrayLike<number>): number {
  let squared = 0;
  for (let i = 0; i < vertices.length; i += 3) {
    const x = vertices[i] - center[0],
      y = vertices[i + 1] - center[1],
      z = vertices[i + 2] - center[2];
    squared = Math.max(squared, x * x + y * y + z * z);
  }
  return Math.sqrt(squared);
}

function boundsOf({ vertices }: Polytope, margin: number): Float64Array {
  const bounds = new Float64Array(6);
  for (let k = 0; k < 3; k++) {
    let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = k; i < vertices.length; i += 3) {
      min = Math.min(min, vertices[i]);
      max = Math.max(max, vertices[i]);
    }
    bounds[k] = min - margin;
    bounds[k + 3] = max + margin;
  }
  return bounds;
}

/** Returns sample points on a sphere of radius 0.5 m along a golden spiral. */
function goldenSpiral(count: number): number[][] {
  const points: number[][] = [];
  const [turnCos, turnSin] = [-0.7373688780783197, 0.6754902942615238]; // of the golden angle, π (3 − √5)
  let [x, y] = [1, 0];
  for (let i = 0; i < count; i++) {
    const z = 1 - (2 * i + 1) / count;
    const rho = Math.sqrt(1 - z * z);
    points.push([0.5 * rho * x, 0.5 * rho * y, 0.5 * z]);
    [x, y] = [turnCos * x - turnSin * y, turnSin * x + turnCos * y];
  }
  return points;
}
