import { create, invert, type Transform, transformPoint } from '../math/transform.ts';
import { create as createVec3, type Vec3 } from '../math/vec3.ts';

/** Axis of a revolute joint in a chain, through the origin of its frame. */
export interface ChainAxis {
  /** Pose of that frame in the frame of the previous axis; of the first axis in the root frame. */
  readonly T_before_axis: Transform;
  /** Unit vector. */
  readonly direction: Vec3;
}

/** Polyline with one point per axis, from the first axis to the last, or to the tip. */
export interface ShortestChain {
  /** Point on the first axis, root frame. */
  readonly first: Vec3;
  /** Point on the last axis, in its frame. */
  readonly last: Vec3;
  /** Lengths of the segments; they do not depend on the joint values. */
  readonly lengths: readonly number[];
}

/** Number of sweeps of coordinate descent. It converges fast, and any points give a valid bound. */
const SWEEPS = 30;

/**
 * Minimizes the length of the polyline by coordinate descent: the sum of distances is convex in the positions along the
 * axes, and the optimal position of one point between its neighbors has a closed form (law of reflection).
 * @param tip end of the polyline in the frame of the last axis; default: a point of that axis
 */
export function shortestChain(axes: readonly ChainAxis[], tip: Vec3 | undefined): ShortestChain {
  const positions = new Float64Array(axes.length);
  const inverses = axes.map(({ T_before_axis }) => {
    const T = create();
    invert(T, T_before_axis);
    return T;
  });
  const pointOn = (i: number) => axes[i].direction.map((x) => x * positions[i]);
  /** The previous point, in the frame of axis i. */
  const before = (i: number): Vec3 | undefined => (i === 0 ? undefined : moved(inverses[i], pointOn(i - 1)));
  /** The next point, likewise. */
  const after = (i: number): Vec3 | undefined =>
    i === axes.length - 1 ? tip : moved(axes[i + 1].T_before_axis, pointOn(i + 1));
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (const [i, { direction }] of axes.entries()) positions[i] = optimalPosition(direction, before(i), after(i));

  const ends = tip ? [tip] : [];
  const lengths = axes.slice(1).map((_, i) => distance(before(i + 1)!, pointOn(i + 1)));
  return {
    first: moved(axes[0].T_before_axis, pointOn(0)),
    last: pointOn(axes.length - 1),
    lengths: [...lengths, ...ends.map((end) => distance(pointOn(axes.length - 1), end))],
  };
}

/** Position along an axis that minimizes the sum of the distances to two points. */
function optimalPosition(axis: Vec3, from: Vec3 | undefined, to: Vec3 | undefined): number {
  const one = (from ?? to) && footOf(axis, (from ?? to)!);
  const other = (to ?? from) && footOf(axis, (to ?? from)!);
  if (!one || !other) return 0;
  const sum = one.away + other.away;
  return sum > 0 ? (one.along * other.away + other.along * one.away) / sum : (one.along + other.along) / 2;
}

function footOf(axis: Vec3, point: Vec3): { readonly along: number; readonly away: number } {
  const along = axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2];
  return {
    along,
    away: distance(
      point,
      axis.map((x) => x * along),
    ),
  };
}

function moved(T: Transform, point: Vec3): Vec3 {
  const out = createVec3();
  transformPoint(out, T, point);
  return out;
}

/** Returns the distance of two points. */
export function distance(a: Vec3, b: Vec3): number {
  return Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2);
}
