import { compose, create, invert, type Transform, transformPoint } from '../math/transform.ts';
import { create as createVec3, type Vec3 } from '../math/vec3.ts';
import type { PoseTolerance } from './dampedLeastSquares.ts';
import { anchorsOf } from './forwardKinematics.ts';
import type { Joint, RobotModel } from './robotModel.ts';
import { type ChainAxis, shortWay } from './shortWay.ts';

/** A point carried by a link, and the shell around a fixed centre that it cannot leave: metres. */
export interface Shell {
  /** In the world. */
  readonly centre: Vec3;
  /** In the frame of the link. */
  readonly point: Vec3;
  readonly inner: number;
  readonly outer: number;
}

/** What a link can reach at most, by lengths alone: shells that hold necessarily, whatever the joints do within their limits. */
export interface Shells {
  /** Of the link's origin, in any orientation. */
  readonly origin: Shell;
  /** Of the wrist: a point on the last axis, where it is as soon as the whole pose is given. */
  readonly wrist: Shell;
}

/** Over the points of the axes nearest to each other, one after the other; and over those of a short way along all of them. */
export interface Reach extends Shells {
  readonly short: Shells;
}

/** How much of the way to a pose is certainly missing. */
export interface Shortfall {
  /** Metres: no configuration brings the point nearer to where the pose puts it. */
  readonly by: number;
  /** The position alone is too far; or the wrist would be, for a link turned that way. */
  readonly of: 'origin' | 'wrist';
  /** Distance of that point from the centre of its shell; metres. */
  readonly distance: number;
  readonly shell: Shell;
}

/**
 * The shells of a link. Any points of the axes will do, and where the nearest ones make a long way, others make a shorter one: both hold.
 */
export function reachOf(model: RobotModel, link: number): Reach {
  const nearest = shellsOfNearest(model, link);
  let short: Shells | undefined;
  return {
    ...nearest,
    // Where a closed form finds solutions, nobody asks.
    get short() {
      short ??= shellsOfShort(model, link) ?? nearest;
      return short;
    },
  };
}

/**
 * Along the chain of moving joints, each axis is represented by its point nearest to that of the axis before: both links
 * at a turning joint carry this point, so the distances from one to the next never change, and their sum bounds how far the
 * last can get from the first (in a straight line), and how near (with the longest against all others).
 */
function shellsOfNearest(model: RobotModel, link: number): Shells {
  const { chain, T_anchor_joint, T_anchor_link } = chainTo(model, link);
  const T_link_anchor = create();
  invert(T_link_anchor, T_anchor_link);

  // `at` is the point at hand, in the frame of the last moving link so far.
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

/** The same over a short way along the turning axes, as they stand with slides at 0; undefined where nothing turns. */
function shellsOfShort(model: RobotModel, link: number): Shells | undefined {
  const { chain, T_anchor_joint, T_anchor_link } = chainTo(model, link);
  const axes: ChainAxis[] = [];
  let T_axis_next = create(); // from what comes next to the last axis so far
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
    const { first, last, lengths } = shortWay(axes, tip);
    const [centre, point] = [createVec3(), createVec3()];
    transformPoint(centre, model.T_world_root, first);
    if (!tip) transformPoint(point, T_link_axis, last);
    return { centre, point, ...spanOf([...lengths.map((length) => [length, length] as const), ...slides]) };
  };
  return { origin: shellOf(originOf(T_axis_next)), wrist: shellOf(undefined) };
}

/** The joints that move on the way to a link, and where each, and the link, is in the frame of the moving link before it. */
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

/** How far the pose is certainly out of reach, by more than the tolerance makes up for; undefined where lengths alone do not tell. */
export function shortfallOf(reach: Reach, T_world_link: Transform, tolerance: PoseTolerance): Shortfall | undefined {
  const target = createVec3();
  for (const of of ['origin', 'wrist'] as const) {
    let most: Shortfall | undefined;
    for (const shell of [reach[of], reach.short[of]]) {
      transformPoint(target, T_world_link, shell.point);
      const away = distance(target, shell.centre);
      const by = Math.max(away - shell.outer, shell.inner - away);
      const forgiven = tolerance.position + tolerance.angle * distance(shell.point, createVec3());
      if (by > Math.max(most?.by ?? 0, forgiven + ROUNDING * (1 + away))) most = { by, of, distance: away, shell };
    }
    if (most) return most;
  }
  return undefined;
}

/** Relative to the distance, and absolute in metres below one: what sums of lengths may be off by. */
const ROUNDING = 1e-9;

/** The joints that move on the way from the root to a link. */
export function movingJoints({ links, joints }: RobotModel, link: number): Joint[] {
  const chain: Joint[] = [];
  for (let l = link; links[l].parent >= 0; l = links[l].parent) chain.unshift(joints[links[l].joint]);
  return chain.filter((joint) => joint.variable >= 0);
}

/** Where the joint's own point is: in the frame of the link before it, and of the one after it. */
function nextPoint(T_link_joint: Transform, joint: Joint, at: Vec3): { readonly before: Vec3; readonly after: Vec3 } {
  const local = createVec3();
  const T_joint_link = create();
  invert(T_joint_link, T_link_joint);
  transformPoint(local, T_joint_link, at);
  if (joint.type === 'prismatic') return { before: at, after: local }; // carried along: what moves is in the segment
  const [x, y, z] = joint.axis;
  const along = local[0] * x + local[1] * y + local[2] * z;
  const after = createVec3(along * x, along * y, along * z);
  const before = createVec3();
  transformPoint(before, T_link_joint, after);
  return { before, after };
}

/** Least and greatest length of a slide within its limits. */
function slideOf({ variables }: RobotModel, { variable, multiplier, offset }: Joint): readonly [number, number] {
  const { lower, upper } = variables[variable].limits;
  const [a, b] = multiplier === 0 ? [offset, offset] : [multiplier * lower + offset, multiplier * upper + offset];
  const most = Math.max(Math.abs(a), Math.abs(b));
  return [a * b > 0 ? Math.min(Math.abs(a), Math.abs(b)) : 0, most];
}

/** The shell that a chain of segments fills at most. */
function spanOf(segments: readonly (readonly [number, number])[]): { readonly inner: number; readonly outer: number } {
  const outer = segments.reduce((sum, [, most]) => sum + most, 0);
  if (outer === Number.POSITIVE_INFINITY) return { inner: 0, outer };
  const inner = segments.reduce((least, [fewest, most]) => Math.max(least, fewest - (outer - most)), 0);
  return { inner, outer };
}

const originOf = (T: Transform): Vec3 => createVec3(T[3], T[7], T[11]);

function distance(a: Vec3, b: Vec3): number {
  return Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2);
}
