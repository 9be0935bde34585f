import { type Points, weld } from '../../hulls/pointCloud.ts';
import type { BodyPart } from '../../scene/scene.ts';

/** A cloud becomes at most this many groups: each is a part of its body, and a pair with every part of the robot. */
export const MOST_GROUPS = 2048;
/** A cloud that a link carries: each part is a pair with every part of every obstacle, too. */
export const MOST_CARRIED = 64;
/** Groups narrower than this many radii are not parted again; nor, once there are some, those of few points: a look at each ball costs no more. */
const NARROW = 4;
const FEW_POINTS = 8;
/** Up to here few points are parted, too: a motion that comes between them then has a certificate. */
const SOME_GROUPS = 256;

/** A run of the points, and its widest extent. */
interface Group {
  readonly from: number;
  readonly to: number;
  readonly axis: number;
  readonly width: number;
}

/** Balls about points as parts of a body: neighbours together in groups, the hull of each a convex part. Points that repeat count once. */
export function ballGroups(points: Points, radius: number): BodyPart[] {
  return hullsOfGroups(points, radius, MOST_GROUPS).map(({ shape }) => ({
    shape,
    ...(shape.points.length > 1 ? { balls: true as const } : {}),
  }));
}

/**
 * The same as few convex parts that hold all balls, and what is between those of a group. For clouds that a link carries: ball by ball
 * only what stands is looked at.
 */
export function carriedGroups(points: Points, radius: number): BodyPart[] {
  return hullsOfGroups(points, radius, MOST_CARRIED);
}

/** The widest group is halved, in the middle of its widest axis, until all are narrow or there are enough. */
function hullsOfGroups(points: Points, radius: number, most: number) {
  const order = weld(points);
  const groups = [measured(order, 0, order.length)];
  for (;;) {
    let widest = -1;
    for (const [i, { from, to, width }] of groups.entries()) {
      const isDone = width <= NARROW * radius || (groups.length >= SOME_GROUPS && to - from <= 3 * FEW_POINTS);
      if (!isDone && (widest < 0 || width > groups[widest].width)) widest = i;
    }
    if (widest < 0 || groups.length === most) break;
    const { from, to, axis } = groups[widest];
    const middle = part(order, from, to, axis);
    groups[widest] = measured(order, from, middle);
    groups.push(measured(order, middle, to));
  }
  return groups.map(({ from, to }) => ({
    shape: { type: 'convex', points: pointsOf(order, from, to), margin: radius } as const,
  }));
}

function measured(points: Float64Array, from: number, to: number): Group {
  let axis = 0;
  let width = -1;
  for (let k = 0; k < 3; k++) {
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let i = from + k; i < to; i += 3) {
      least = Math.min(least, points[i]);
      most = Math.max(most, points[i]);
    }
    if (most - least > width) {
      width = most - least;
      axis = k;
    }
  }
  return { from, to, axis, width };
}

/** Brings the points below the middle of the run's extent before the others, and returns where those begin. */
function part(points: Float64Array, from: number, to: number, axis: number): number {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let i = from + axis; i < to; i += 3) {
    least = Math.min(least, points[i]);
    most = Math.max(most, points[i]);
  }
  const middle = least + 0.5 * (most - least);
  let end = from;
  for (let i = from; i < to; i += 3) {
    if (!(points[i + axis] <= middle && points[i + axis] < most)) continue; // the middle may be rounded to the end
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
