import { create, invert, type Transform, transformPoint } from '../math/transform.ts';
import { create as createVec3, type Vec3 } from '../math/vec3.ts';

/** The axis of a turning joint in a chain, through the origin of its own frame. */
export interface ChainAxis {
  /** From that frame to the one of the axis before it; of the first one to the root. */
  readonly T_before_axis: Transform;
  /** A unit vector. */
  readonly direction: Vec3;
}

/** A way along a chain: from a point on its first axis over one point of each axis to a point on the last, or to the tip. */
export interface WayAlong {
  /** The point on the first axis, in the frame of the root. */
  readonly first: Vec3;
  /** The point on the last axis, in its frame. */
  readonly last: Vec3;
  /** From each of the points to the next: they stay what they are, however the joints turn. */
  readonly lengths: readonly number[];
}

/** So often each point moves to where the way over it is shortest. It converges fast, and any points make a true bound. */
const SWEEPS = 30;

/**
 * A short way along a chain: a sum of distances is convex in the places along the axes, and over one of them it is least where a mirror
 * turned about the axis would send light, so one place after the other is put there.
 * @param tip where the way ends, in the frame of the last axis; without it at a point of that axis
 */
export function shortWay(axes: readonly ChainAxis[], tip: Vec3 | undefined): WayAlong {
  const places = new Float64Array(axes.length);
  const inverses = axes.map(({ T_before_axis }) => {
    const T = create();
    invert(T, T_before_axis);
    return T;
  });
  const pointOn = (i: number) => axes[i].direction.map((x) => x * places[i]);
  /** The point before, in the frame of axis i. */
  const before = (i: number): Vec3 | undefined => (i === 0 ? undefined : moved(inverses[i], pointOn(i - 1)));
  /** The point after, likewise. */
  const after = (i: number): Vec3 | undefined =>
    i === axes.length - 1 ? tip : moved(axes[i + 1].T_before_axis, pointOn(i + 1));
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (const [i, { direction }] of axes.entries()) places[i] = placeBetween(direction, before(i), after(i));

  const ends = tip ? [tip] : [];
  const lengths = axes.slice(1).map((_, i) => distance(before(i + 1)!, pointOn(i + 1)));
  return {
    first: moved(axes[0].T_before_axis, pointOn(0)),
    last: pointOn(axes.length - 1),
    lengths: [...lengths, ...ends.map((end) => distance(pointOn(axes.length - 1), end))],
  };
}

/** How far along an axis the way from one point to another touches it, if it is to be as short as can be. */
function placeBetween(axis: Vec3, from: Vec3 | undefined, to: Vec3 | undefined): number {
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

function distance(a: Vec3, b: Vec3): number {
  return Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2);
}
