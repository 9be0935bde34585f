import type { Joint, RobotModel } from '../kinematics/robotModel.ts';
import { create, invert, transformPoint } from '../math/transform.ts';
import { addScaled, dot, norm, scale, sub, type Vec3 } from '../math/vec3.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import type { CollisionModel, MovingPart } from './collisionModel.ts';

/**
 * For each pair, the joints that move part A relative to part B, nearest to A first, and for each joint the maximum
 * distance of a point of A from its axis over all values of the turning joints in between (Infinity if there is a
 * prismatic one). `MotionBounds` computes bounds on relative motion from them.
 *
 * A pair with an obstacle, or with a link between A and the base, uses a prefix of the chain from A to the base, so
 * that one pass along that chain serves all of these pairs. Parts on different branches have a chain of their own: from
 * A up to the common ancestor, then down to B.
 */
export class JointChains {
  /** Chain c is entries start[c] … start[c + 1] − 1. */
  readonly start: Int32Array;
  /** Joint of each entry, index into `robot.joints`; no fixed joints. */
  readonly joint: Int32Array;
  /** Maximum distance of a point of A from the joint axis, metres; 1 for prismatic joints (metres per metre). */
  readonly reach: Float64Array;
  /** Robot part A of each chain. */
  readonly part: Int32Array;
  /** Per pair: its chain, and the number of entries of it between A and B. */
  readonly chainOfPair: Int32Array;
  readonly lengthOfPair: Int32Array;
  /** Bounding sphere of each robot part in the frame of its link: centre and radius, four numbers per part. */
  readonly balls: Float64Array;

  constructor(model: CollisionModel) {
    const { robot, moving, pairCount, pairA, pairB } = model;
    const balls = moving.map(ballOfPart);
    this.balls = Float64Array.from(balls.flatMap(({ center, radius }) => [...center, radius]));
    const chains = moving.map(({ link }, part) => chainAlong(part, balls[part], pathBetween(robot, link, -1)));
    const across = new Map<string, number>();
    this.chainOfPair = new Int32Array(pairCount);
    this.lengthOfPair = new Int32Array(pairCount);
    for (let pair = 0; pair < pairCount; pair++) {
      const a = pairA[pair];
      const link = model.isSelfPair(pair) ? moving[pairB[pair]].link : -1;
      const length = chains[a].lengthAtLink.get(link);
      this.chainOfPair[pair] = a;
      this.lengthOfPair[pair] = length ?? 0;
      if (length !== undefined) continue;
      const key = `${a} ${link}`;
      if (!across.has(key))
        across.set(key, chains.push(chainAlong(a, balls[a], pathBetween(robot, moving[a].link, link))) - 1);
      this.chainOfPair[pair] = across.get(key)!;
      this.lengthOfPair[pair] = chains[across.get(key)!].joints.length;
    }
    this.start = new Int32Array(chains.length + 1);
    for (const [c, chain] of chains.entries()) this.start[c + 1] = this.start[c] + chain.joints.length;
    this.joint = Int32Array.from(chains.flatMap((chain) => chain.joints));
    this.reach = Float64Array.from(chains.flatMap((chain) => chain.reaches));
    this.part = Int32Array.from(chains, (chain) => chain.part);
  }
}

interface Chain {
  readonly part: number;
  readonly joints: number[];
  readonly reaches: number[];
  /** Link → number of entries between A and it; −1: the world. */
  readonly lengthAtLink: Map<number, number>;
}

interface Ball {
  readonly center: Vec3;
  radius: number;
}

/** A joint on a chain, passed from child to parent (upwards) or from parent to child. */
interface Passage {
  readonly joint: Joint;
  readonly index: number;
  readonly upwards: boolean;
}

/** Returns the joints between two links, in order; link −1 is the world. */
function pathBetween(robot: RobotModel, from: number, to: number): Passage[] {
  const up = jointsAbove(robot, from);
  const down = jointsAbove(robot, to);
  const passage = (index: number, upwards: boolean): Passage => ({ joint: robot.joints[index], index, upwards });
  return [
    ...up.filter((joint) => !down.includes(joint)).map((joint) => passage(joint, true)),
    ...down
      .filter((joint) => !up.includes(joint))
      .reverse()
      .map((joint) => passage(joint, false)),
  ];
}

function jointsAbove(robot: RobotModel, link: number): number[] {
  const joints: number[] = [];
  for (let l = link; l >= 0 && robot.links[l].joint >= 0; l = robot.links[l].parent) joints.push(robot.links[l].joint);
  return joints;
}

/**
 * Transforms the bounding sphere of a part from joint to joint; each joint enlarges it to contain the sphere at all
 * joint values.
 */
function chainAlong(part: number, start: Ball, path: readonly Passage[]): Chain {
  const chain: Chain = { part, joints: [], reaches: [], lengthAtLink: new Map() };
  const ball: Ball = { center: Float64Array.from(start.center), radius: start.radius };
  for (const { joint, index, upwards } of path) {
    if (upwards) chain.lengthAtLink.set(joint.child, chain.joints.length);
    if (!upwards) throughPlacement(ball, joint, false);
    const reach = throughMotion(ball, joint, upwards);
    if (upwards) throughPlacement(ball, joint, true);
    if (joint.variable >= 0) {
      chain.joints.push(index);
      chain.reaches.push(reach);
    }
    if (upwards) chain.lengthAtLink.set(joint.parent, chain.joints.length);
  }
  chain.lengthAtLink.set(-1, chain.joints.length);
  return chain;
}

/** Transforms the sphere from the joint frame to that of the parent link, or back. */
function throughPlacement(ball: Ball, { T_parent_joint }: Joint, upwards: boolean): void {
  const T = create();
  if (!upwards) invert(T, T_parent_joint);
  transformPoint(ball.center, upwards ? T_parent_joint : T, ball.center);
}

/**
 * Replaces the sphere by one that contains it at all joint values; returns the maximum distance of its points from the
 * axis.
 */
function throughMotion(ball: Ball, joint: Joint, upwards: boolean): number {
  const { center } = ball;
  const { axis } = joint;
  if (joint.type === 'prismatic') {
    // Unlimited travel (limits may be exceeded): for joints beyond, `MotionBounds` uses the distance measured at the
    // current pose instead.
    if (joint.variable >= 0) ball.radius = Number.POSITIVE_INFINITY;
    else addScaled(center, center, axis, upwards ? joint.offset : -joint.offset);
    return 1;
  }
  if (joint.type === 'fixed') return 0;
  // The projection of the centre onto the axis does not move when the joint turns; a sphere about it contains every
  // turned sphere.
  const foot = Float64Array.from(axis);
  scale(foot, axis, dot(center, axis));
  const away = Float64Array.from(center);
  sub(away, center, foot);
  center.set(foot);
  ball.radius += norm(away);
  return ball.radius;
}

/**
 * Returns the smaller of two bounding spheres of a part, in the frame of its link: about the centre of its bounds, or
 * about its centre.
 */
function ballOfPart({ shape, T_link_part }: MovingPart): Ball {
  const { bounds } = shape;
  const middle = Float64Array.from([0, 1, 2], (i) => 0.5 * (bounds[i] + bounds[i + 3]));
  const inBounds = Math.max(farthestCorner(shape, middle), 0);
  const useBounds = inBounds <= shape.outerRadius;
  const center = useBounds ? middle : Float64Array.from(shape.center);
  transformPoint(center, T_link_part, center);
  return { center, radius: (useBounds ? inBounds : shape.outerRadius) * (1 + ROUNDING) };
}

/** Relative; covers the rounding error of the square root of a sum of three squares. */
const ROUNDING = 1e-14;

/**
 * Returns the maximum distance of a shape from a point: over its vertices, or over those of its bounds if it has none.
 */
function farthestCorner({ vertices, margin, bounds }: ConvexShape, from: Vec3): number {
  let most = 0;
  for (let i = 0; i < vertices.length; i += 3) {
    const d = Float64Array.of(vertices[i] - from[0], vertices[i + 1] - from[1], vertices[i + 2] - from[2]);
    most = Math.max(most, norm(d) + margin);
  }
  return vertices.length > 0 ? most : norm(Float64Array.from([0, 1, 2], (i) => bounds[i + 3] - from[i]));
}
