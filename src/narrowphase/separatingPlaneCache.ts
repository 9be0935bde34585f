import type { Transform } from '../math/transform.ts';
import { create, type Vec3 } from '../math/vec3.ts';
import { cornerAlong, supportOver } from '../shapes/polytope.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { roundoff } from './iterationLimits.ts';
import type { PairCache } from './solver.ts';

/** Scratch of the functions here, which call nobody but support functions, and those nobody. */
const d: Vec3 = create();

/**
 * One look along the axis that parted the two last: whether it still parts them by more than `least` metres and rounding; if so, the cache
 * holds the gap. Only A is asked. The axis stands still in B's frame, so how far B reaches against it is true of B wherever the bodies
 * are, and is asked once an axis.
 */
export function stillParts(a: ConvexShape, T_b_a: Transform, b: ConvexShape, least: number, cache: PairCache): boolean {
  const { axis, planeSupportB: sideOfB } = cache;
  const nx = axis[0],
    ny = axis[1],
    nz = axis[2];
  const isKnown = cache.planeShapeB === b && sideOfB[0] === nx && sideOfB[1] === ny && sideOfB[2] === nz;
  if (!isKnown) cacheSupportOfB(cache, b);

  const lx = T_b_a[0] * nx + T_b_a[4] * ny + T_b_a[8] * nz;
  const ly = T_b_a[1] * nx + T_b_a[5] * ny + T_b_a[9] * nz;
  const lz = T_b_a[2] * nx + T_b_a[6] * ny + T_b_a[10] * nz;
  const { vertices } = a;
  let ax: number, ay: number, az: number;
  d[0] = lx;
  d[1] = ly;
  d[2] = lz;
  if (vertices.length > 0) {
    const corner = cornerAlong(a, d, cache.hintA);
    ax = vertices[corner];
    ay = vertices[corner + 1];
    az = vertices[corner + 2];
  } else {
    a.support(d, a, d, cache.hintA);
    ax = d[0];
    ay = d[1];
    az = d[2];
  }
  const tx = T_b_a[3],
    ty = T_b_a[7],
    tz = T_b_a[11];
  const sizeA = Math.abs(ax) + Math.abs(ay) + Math.abs(az);
  const extent = sizeA + sideOfB[4] + Math.abs(tx) + Math.abs(ty) + Math.abs(tz);
  const reachA = lx * ax + ly * ay + lz * az;
  const gap = sideOfB[3] - reachA - (nx * tx + ny * ty + nz * tz) - a.margin - b.margin;
  if (!(gap > least + roundoff * extent)) return false;
  cache.gap = gap;
  return true;
}

/** Fills what the cache knows of B along its axis. */
function cacheSupportOfB(cache: PairCache, b: ConvexShape): void {
  const { axis, planeSupportB: sideOfB } = cache;
  const nx = axis[0],
    ny = axis[1],
    nz = axis[2];
  d[0] = -nx;
  d[1] = -ny;
  d[2] = -nz;
  supportOver(d, b, cache.hintB);
  sideOfB[0] = nx;
  sideOfB[1] = ny;
  sideOfB[2] = nz;
  sideOfB[3] = nx * d[0] + ny * d[1] + nz * d[2];
  sideOfB[4] = Math.abs(d[0]) + Math.abs(d[1]) + Math.abs(d[2]);
  cache.planeShapeB = b;
}
