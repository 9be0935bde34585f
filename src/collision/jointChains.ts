import type { Joint, RobotModel } from '../kinematics/robotModel.ts';
import { create, invert, transformPoint } from '../math/transform.ts';
import { addScaled, dot, norm, scale, sub, type Vec3 } from '../math/vec3.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import type { CollisionModel, MovingPart } from './collisionModel.ts';

/**
 * For every pair, the joints that move its part A as seen from its part B, nearest to A first, and for each of them how far from its
 * axis a point of A can be, whatever the turning joints in between do (Infinity above a sliding one). Bounds on relative motion are made of this.
 *
 * A pair with an obstacle, or with a body on the way to the base, uses a front part of the chain from A to the base: one pass along that
 * chain serves them all. Bodies on different branches have a chain of their own: up from A to where the branches part, and down to B.
 */
export class JointChains {
  /** Chain c is entries start[c] … start[c + 1] − 1. */
  readonly start: Int32Array;
  /** Joint of each entry, index into `robot.joints`; one that moves. */
  readonly joint: Int32Array;
  /** Greatest distance of a point of A from the joint's axis, metres; 1 for sliding joints (metres per metre). */
  readonly reach: Float64Array;
  /** The moving part whose chain it is. */
  readonly part: Int32Array;
  /** Of each pair: its chain, and how many entries of it lie between A and B. */
  readonly chainOfPair: Int32Array;
  readonly lengthOfPair: Int32Array;
  /** Ball around each moving part in its link's frame: center and radius, four numbers a part. */
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
  /** Link → number of entries below it; −1 stands for the world. */
  readonly lengthAtLink: Map<number, number>;
}

interface Ball {
  readonly center: Vec3;
  radius: number;
}

/** A joint to pass, from its child's side up or from its parent's side down. */
interface Passage {
  readonly joint: Joint;
  readonly index: number;
  readonly upwards: boolean;
}

/** The joints between two links, in order; −1: from the link to the world. */
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

/** Carries the part's ball from joint to joint; each widens it to hold all that the joint can make of it. */
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

/** From the joint's frame to the parent's, or back. */
function throughPlacement(ball: Ball, { T_parent_joint }: Joint, upwards: boolean): void {
  const T = create();
  if (!upwards) invert(T, T_parent_joint);
  transformPoint(ball.center, upwards ? T_parent_joint : T, ball.center);
}

/** The ball after the joint's own motion, in the frame it leads to; returns the greatest distance of its points from the axis. */
function throughMotion(ball: Ball, joint: Joint, upwards: boolean): number {
  const { center } = ball;
  const { axis } = joint;
  if (joint.type === 'prismatic') {
    // However far it slides, also out of its limits: joints beyond it are judged by where they are at the moment.
    if (joint.variable >= 0) ball.radius = Number.POSITIVE_INFINITY;
    else addScaled(center, center, axis, upwards ? joint.offset : -joint.offset);
    return 1;
  }
  if (joint.type === 'fixed') return 0;
  // Turning leaves the point of the axis beside the center where it is; about it, everything stays within the greater ball.
  const foot = Float64Array.from(axis);
  scale(foot, axis, dot(center, axis));
  const away = Float64Array.from(center);
  sub(away, center, foot);
  center.set(foot);
  ball.radius += norm(away);
  return ball.radius;
}

/** A ball around a part in its link's frame: about the middle of its bounds, through its farthest corner where it has corners. */
function ballOfPart({ shape, T_link_part }: MovingPart): Ball {
  const { bounds } = shape;
  const middle = Float64Array.from([0, 1, 2], (i) => 0.5 * (bounds[i] + bounds[i + 3]));
  const inBounds = Math.max(farthestCorner(shape, middle), 0);
  const useBounds = inBounds <= shape.outerRadius;
  const center = useBounds ? middle : Float64Array.from(shape.center);
  transformPoint(center, T_link_part, center);
  return { center, radius: (useBounds ? inBounds : shape.outerRadius) * (1 + ROUNDING) };
}

/** Relative: what a square root of a sum of three squares may lack. */
const ROUNDING = 1e-14;

/** Greatest distance of the body from a point: over its corners, or over those of its bounds where it is round. */
function farthestCorner({ vertices, margin, bounds }: ConvexShape, from: Vec3): number {
  let most = 0;
  for (let i = 0; i < vertices.length; i += 3) {
    const d = Float64Array.of(vertices[i] - from[0], vertices[i + 1] - from[1], vertices[i + 2] - from[2]);
    most = Math.max(most, norm(d) + margin);
  }
  return vertices.length > 0 ? most : norm(Float64Array.from([0, 1, 2], (i) => bounds[i + 3] - from[i]));
}
