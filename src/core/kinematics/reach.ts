import {
  compose,
  create,
  invert,
  originOf,
  type Transform,
  transformedPoint,
  transformPoint,
} from '../math/transform.ts';
import { create as createVec3, type Vec3 } from '../math/vec3.ts';
import { anchorsOf } from './forwardKinematics.ts';
import { largestAngle, type PoseTolerance } from './pose.ts';
import type { Joint, RobotModel } from './robotModel.ts';

/** Spherical shell around a fixed centre that a point of a link cannot leave: metres. */
export interface Shell {
  /** Centre in the world frame. */
  readonly centre: Vec3;
  /** The point in the frame of the link. */
  readonly point: Vec3;
  /** Inner radius. */
  readonly inner: number;
  /** Outer radius. */
  readonly outer: number;
}

/** Outer bounds on the reachable workspace of a link, from link lengths alone. */
export interface Shells {
  /** Shell of the link's origin, for any orientation. */
  readonly origin: Shell;
  /** Shell of the wrist: a point on the last axis, whose position is determined by the pose of the link. */
  readonly wrist: Shell;
}

/**
 * Two outer bounds on the reachable workspace: shells from the nearest points of consecutive axes, and from a shortest
 * chain of one point per axis.
 */
export interface Reach extends Shells {
  /** Shells from a shortest chain along all axes. */
  readonly short: Shells;
}

/** Proof that a pose is out of reach. */
export interface Shortfall {
  /** Metres: lower bound on the distance of the point from its target in all configurations. */
  readonly by: number;
  /** `origin`: the position is out of reach; `wrist`: the wrist is, for this orientation. */
  readonly of: 'origin' | 'wrist';
  /** Distance of the target of that point from the centre of its shell; metres. */
  readonly distance: number;
  /** The shell that the target lies outside of. */
  readonly shell: Shell;
}

/**
 * Computes the shells of a link. Every choice of one point per axis gives a valid bound; the shorter chain is sometimes
 * tighter.
 */
export function reachOf(model: RobotModel, link: number): Reach {
  const nearest = shellsOfNearest(model, link);
  let short: Shells | undefined;
  return {
    ...nearest,
    // Computed on demand: not needed if the closed form finds solutions.
    get short() {
      short ??= shellsOfShort(model, link) ?? nearest;
      return short;
    },
  };
}

/**
 * Represents each axis of the chain by its point nearest to the point of the previous axis. Both links of a revolute
 * joint carry this point, so the distances between consecutive points are constant: their sum bounds the distance of
 * the last point from the first from above, the longest minus all others from below.
 */
function shellsOfNearest(model: RobotModel, link: number): Shells {
  const { chain, T_anchor_joint, T_anchor_link } = chainTo(model, link);
  const T_link_anchor = create();
  invert(T_link_anchor, T_anchor_link);

  // `at` is the current point, in the frame of the last moving link.
  let at = chain.length > 1 ? originOf(T_anchor_joint[1]) : createVec3();
  const first = chain[0];
  if (first !== undefined) transformPoint(at, T_anchor_joint[0], at);
  const centre = createVec3();
  const segments: (readonly [number, number])[] = [];
  for (const [i, joint] of chain.entries()) {
    const T = T_anchor_joint[i];
    const next = nextPoint(T, joint, at);
    if (i === 0) transformPoint(centre, model.T_world_root, joint.type === 'prismatic' ? at : next.before);
    if (joint.type === 'prismatic') segments.push(slideOf(model, joint));
    else if (i > 0) segments.push([distance(at, next.before), distance(at, next.before)]);
    at = next.after;
  }
  if (first === undefined) transformPoint(centre, model.T_world_root, at);
  const wristPoint = createVec3();
  transformPoint(wristPoint, T_link_anchor, at);
  const tip = distance(wristPoint, createVec3());
  return {
    wrist: { centre, point: wristPoint, ...spanOf(segments) },
    origin: { centre, point: createVec3(), ...spanOf([...segments, [tip, tip]]) },
  };
}

/**
 * Shells through a shortest chain along the revolute axes, with prismatic joints at 0; undefined without revolute
 * joints.
 */
function shellsOfShort(model: RobotModel, link: number): Shells | undefined {
  const { chain, T_anchor_joint, T_anchor_link } = chainTo(model, link);
  const axes: ChainAxis[] = [];
  let T_axis_next = create(); // of the next axis in the frame of the last one
  for (const [i, joint] of chain.entries()) {
    compose(T_axis_next, T_axis_next, T_anchor_joint[i]);
    if (joint.type === 'prismatic') continue;
    axes.push({ T_before_axis: T_axis_next, direction: joint.axis });
    T_axis_next = create();
  }
  if (axes.length === 0) return undefined;
  compose(T_axis_next, T_axis_next, T_anchor_link);
  const T_link_axis = create();
  invert(T_link_axis, T_axis_next);
  const slides = chain.filter((joint) => joint.type === 'prismatic').map((joint) => slideOf(model, joint));
  const shellOf = (tip: Vec3 | undefined): Shell => {
    const { first, last, lengths } = shortestChain(axes, tip);
    const [centre, point] = [createVec3(), createVec3()];
    transformPoint(centre, model.T_world_root, first);
    if (!tip) transformPoint(point, T_link_axis, last);
    return { centre, point, ...spanOf([...lengths.map((length) => [length, length] as const), ...slides]) };
  };
  return { origin: shellOf(originOf(T_axis_next)), wrist: shellOf(undefined) };
}

/**
 * Moving joints from the root to a link; the pose of each, and of the link, in the frame of the previous moving link.
 */
function chainTo(model: RobotModel, link: number) {
  const anchors = anchorsOf(model);
  const { link: last, T_anchor_link } = anchors[link];
  const chain = movingJoints(model, last);
  const T_anchor_joint = chain.map(({ parent, T_parent_joint }) => {
    const T = create();
    compose(T, anchors[parent].T_anchor_link, T_parent_joint);
    return T;
  });
  return { chain, T_anchor_joint, T_anchor_link };
}

/**
 * Lower bound on the distance by which the pose is out of reach beyond the tolerance; undefined if the shells contain
 * it.
 * @param center origin of the frame that the tolerance refers to, in the link frame: rotations within the tolerance
 *   move the other points about it
 */
export function shortfallOf(
  reach: Reach,
  T_world_link: Transform,
  tolerance: PoseTolerance,
  center: Vec3 = createVec3(),
): Shortfall | undefined {
  const target = createVec3();
  const angle = largestAngle(tolerance.angle);
  for (const of of ['origin', 'wrist'] as const) {
    let most: Shortfall | undefined;
    for (const shell of [reach[of], reach.short[of]]) {
      transformPoint(target, T_world_link, shell.point);
      const away = distance(target, shell.centre);
      const by = Math.max(away - shell.outer, shell.inner - away);
      const allowed = tolerance.position + angle * distance(shell.point, center);
      if (by > Math.max(most?.by ?? 0, allowed + ROUNDING * (1 + away))) most = { by, of, distance: away, shell };
    }
    if (most) return most;
  }
  return undefined;
}

/** Rounding error of sums of lengths: relative to the distance, absolute in metres below 1 m. */
const ROUNDING = 1e-9;

/** Moving joints from the root to a link. */
export function movingJoints({ links, joints }: RobotModel, link: number): Joint[] {
  const chain: Joint[] = [];
  for (let l = link; links[l].parent >= 0; l = links[l].parent) chain.unshift(joints[links[l].joint]);
  return chain.filter((joint) => joint.variable >= 0);
}

/** The point of the joint's axis nearest to `at`, in the frames of its parent and child links. */
function nextPoint(T_link_joint: Transform, joint: Joint, at: Vec3): { readonly before: Vec3; readonly after: Vec3 } {
  const local = createVec3();
  const T_joint_link = create();
  invert(T_joint_link, T_link_joint);
  transformPoint(local, T_joint_link, at);
  // moved with the joint: its travel is a segment of its own
  if (joint.type === 'prismatic') return { before: at, after: local };
  const [x, y, z] = joint.axis;
  const along = local[0] * x + local[1] * y + local[2] * z;
  const after = createVec3(along * x, along * y, along * z);
  const before = createVec3();
  transformPoint(before, T_link_joint, after);
  return { before, after };
}

/** Minimum and maximum displacement of a prismatic joint within its limits. */
function slideOf({ variables }: RobotModel, { variable, multiplier, offset }: Joint): readonly [number, number] {
  const { lower, upper } = variables[variable].limits;
  const [a, b] = multiplier === 0 ? [offset, offset] : [multiplier * lower + offset, multiplier * upper + offset];
  const most = Math.max(Math.abs(a), Math.abs(b));
  return [a * b > 0 ? Math.min(Math.abs(a), Math.abs(b)) : 0, most];
}

/** Inner and outer radius of the points that a chain of segments can reach. */
function spanOf(segments: readonly (readonly [number, number])[]): { readonly inner: number; readonly outer: number } {
  const outer = segments.reduce((sum, [, most]) => sum + most, 0);
  if (outer === Number.POSITIVE_INFINITY) return { inner: 0, outer };
  const inner = segments.reduce((least, [fewest, most]) => Math.max(least, fewest - (outer - most)), 0);
  return { inner, outer };
}

/** Axis of a revolute joint in a chain, through the origin of its frame. */
interface ChainAxis {
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
function shortestChain(axes: readonly ChainAxis[], tip: Vec3 | undefined): ShortestChain {
  const positions = new Float64Array(axes.length);
  const inverses = axes.map(({ T_before_axis }) => {
    const T = create();
    invert(T, T_before_axis);
    return T;
  });
  const pointOn = (i: number) => axes[i].direction.map((x) => x * positions[i]);
  /** The previous point, in the frame of axis i. */
  const before = (i: number): Vec3 | undefined => (i === 0 ? undefined : transformedPoint(inverses[i], pointOn(i - 1)));
  /** The next point, likewise. */
  const after = (i: number): Vec3 | undefined =>
    i === axes.length - 1 ? tip : transformedPoint(axes[i + 1].T_before_axis, pointOn(i + 1));
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (const [i, { direction }] of axes.entries()) positions[i] = optimalPosition(direction, before(i), after(i));

  const ends = tip ? [tip] : [];
  const lengths = axes.slice(1).map((_, i) => distance(before(i + 1)!, pointOn(i + 1)));
  return {
    first: transformedPoint(axes[0].T_before_axis, pointOn(0)),
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

/** Returns the distance of two points. */
function distance(a: Vec3, b: Vec3): number {
  return Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2);
}
