import { type Points, weld } from '../../core/hulls/pointCloud.ts';
import type { CollisionObjectPart } from '../../core/scene/scene.ts';

/**
 * Limit of the number of clusters of a cloud: each is a convex part and forms a collision pair with every part of the
 * robot.
 */
export const MAX_CLUSTERS = 2048;
/** The same limit for attached clouds: each part also forms a collision pair with every part of every obstacle. */
export const MAX_ATTACHED_CLUSTERS = 64;
/** Clusters that are narrower than this multiple of the radius are not split, unless they have too many points. */
const NARROW = 4;
/** Clusters of more points are split: their spheres are checked one by one, and their hull takes long to create. */
const MOST_POINTS = 1024;
/**
 * Once there are `MANY_CLUSTERS` clusters, those of at most this many points are not split: checking each of their
 * spheres is as cheap.
 */
const FEW_POINTS = 8;
/**
 * Below this number, clusters of few points are split, too: a motion that passes between their points then has a
 * certificate.
 */
const MANY_CLUSTERS = 256;

/** The hull of the spheres about some points. */
interface ClusterHull {
  readonly shape: { readonly type: 'convex'; readonly points: [number, number, number][]; readonly margin: number };
}

/** A contiguous range of the coordinate array, with the axis and width of its largest extent. */
interface Cluster {
  readonly from: number;
  readonly to: number;
  readonly axis: number;
  readonly width: number;
}

/**
 * Groups spheres about points into clusters and returns the convex hull of each cluster as a convex part, marked
 * `balls` if its spheres are to be checked one by one. Repeated points count once.
 */
export function sphereClusters(points: Points, radius: number): CollisionObjectPart[] {
  return clustersOf(weld(points), radius, false);
}

/**
 * As `attachedClusters` (for attached clouds) or `sphereClusters`.
 * @param points no two of them equal; their order is changed
 */
export function clustersOf(points: Float64Array, radius: number, isAttached: boolean): CollisionObjectPart[] {
  const hulls = clusterHulls(points, radius, isAttached ? MAX_ATTACHED_CLUSTERS : MAX_CLUSTERS);
  if (isAttached) return hulls;
  return hulls.map(({ shape }) => ({ shape, ...(shape.points.length > 1 ? { balls: true as const } : {}) }));
}

/**
 * As `sphereClusters`, but returns fewer parts, which are checked as convex hulls, including the space between their
 * spheres. For attached clouds: only the spheres of static obstacles are checked one by one.
 */
export function attachedClusters(points: Points, radius: number): CollisionObjectPart[] {
  return clustersOf(weld(points), radius, true);
}

/**
 * Splits the widest cluster at the middle of its widest axis until all are narrow or there are `max` clusters. Sorts
 * the coordinates in `order` by cluster.
 */
function clusterHulls(order: Float64Array, radius: number, max: number): ClusterHull[] {
  const groups = [measured(order, 0, order.length)];
  const widths = new Float64Array(max); // those of clusters that may be split, else −1
  for (const [most, few] of [
    [Math.min(MANY_CLUSTERS, max), 0],
    [max, FEW_POINTS],
  ]) {
    const setWidth = (i: number) => {
      const { from, to, width } = groups[i];
      const isNarrow = width <= NARROW * radius && to - from <= 3 * MOST_POINTS;
      widths[i] = isNarrow || to - from <= 3 * few ? -1 : width;
    };
    for (let i = 0; i < groups.length; i++) setWidth(i);
    while (groups.length < most) {
      let widest = 0;
      for (let i = 1; i < groups.length; i++) if (widths[i] > widths[widest]) widest = i;
      if (widths[widest] < 0) break;
      const { from, to, axis } = groups[widest];
      const middle = partition(order, from, to, axis);
      groups[widest] = measured(order, from, middle);
      setWidth(groups.push(measured(order, middle, to)) - 1);
      setWidth(widest);
    }
  }
  return groups.map(({ from, to }) => ({
    shape: { type: 'convex', points: pointsOf(order, from, to), margin: radius },
  }));
}

/** Returns the cluster of a range with its widest axis. */
function measured(points: Float64Array, from: number, to: number): Cluster {
  let axis = 0;
  let width = -1;
  for (let k = 0; k < 3; k++) {
    const [min, max] = extentOf(points, from, to, k);
    if (max - min > width) {
      width = max - min;
      axis = k;
    }
  }
  return { from, to, axis, width };
}

/** Returns the least and the greatest coordinate of a range along an axis. */
function extentOf(points: Float64Array, from: number, to: number, axis: number): readonly [number, number] {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = from + axis; i < to; i += 3) {
    min = Math.min(min, points[i]);
    max = Math.max(max, points[i]);
  }
  return [min, max];
}

/**
 * Partitions a range in place at the middle of its extent along an axis: points up to the middle first. Returns where
 * the others begin.
 */
function partition(points: Float64Array, from: number, to: number, axis: number): number {
  const [min, max] = extentOf(points, from, to, axis);
  const middle = min + 0.5 * (max - min);
  let end = from;
  for (let i = from; i < to; i += 3) {
    if (!(points[i + axis] <= middle && points[i + axis] < max)) continue; // the middle may be rounded to the maximum
    for (let k = 0; k < 3; k++) {
      const x = points[end + k];
      points[end + k] = points[i + k];
      points[i + k] = x;
    }
    end += 3;
  }
  return end;
}

function pointsOf(points: Float64Array, from: number, to: number): [number, number, number][] {
  return Array.from({ length: (to - from) / 3 }, (_, i): [number, number, number] => [
    points[from + 3 * i],
    points[from + 3 * i + 1],
    points[from + 3 * i + 2],
  ]);
}
