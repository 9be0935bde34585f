import type { Joint, RobotModel } from '../../kinematics/robotModel.ts';
import { derived } from '../../math/derived.ts';
import { create, invert, transformPoint } from '../../math/transform.ts';
import { addScaled, create as createVec3, dot, norm, scale, sub, type Vec3 } from '../../math/vec3.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import type { CollisionModel } from '../model/collisionModel.ts';
import type { RobotPart } from '../model/modelParts.ts';

/**
 * For each pair, the joints that move part A relative to part B, nearest to A first, and for each joint the maximum
 * distance of a point of A from its axis over all values of the turning joints in between (Infinity if there is a
 * prismatic one). `MotionBounds` computes bounds on relative motion from them.
 *
 * Chain i is that of robot part i to the base. A pair with an obstacle, or with a link between A and the base, uses a
 * prefix of the chain from A to the base, so that one pass along that chain serves all of these pairs. Parts on
 * different branches have a chain of their own: from A up to the common ancestor, then down to B.
 */
export class JointChains {
  /** Chain c is entries start[c] … start[c + 1] − 1. */
  readonly start: Int32Array;
  /** Joint of each entry, index into `robot.joints`; no fixed joints. */
  readonly joint: Int32Array;
  /** Maximum distance of a point of A from the joint axis, metres; 1 for prismatic joints (metres per metre). */
  readonly maxAxisDistance: Float64Array;
  /** Robot part A of each chain. */
  readonly part: Int32Array;
  /** Per pair: its chain, and the number of entries of it between A and B. */
  readonly chainOfPair: Int32Array;
  readonly lengthOfPair: Int32Array;
  /** Bounding sphere of each robot part in the frame of its link: centre and radius, four numbers per part. */
  readonly spheres: Float64Array;

  /** Returns the chains of a model, which all of its provers share. */
  static readonly of = derived((model: CollisionModel) => new JointChains(model));

  private constructor(model: CollisionModel) {
    const { robot, robotParts, pairCount, pairA, pairB } = model;
    const { spheres, packed, toBase } = partChains(robot)(robotParts);
    const chains = [...toBase];
    this.spheres = packed;
    const moved = movedAbove(robot);
    this.chainOfPair = new Int32Array(pairCount);
    this.lengthOfPair = new Int32Array(pairCount);
    // For the current part A, whose pairs are consecutive: its ancestor links, and the chains to links of other
    // branches.
    const above = new Int32Array(robot.links.length).fill(-1);
    const across = new Map<number, ChainPrefix>();
    for (let pair = 0; pair < pairCount; pair++) {
      const a = pairA[pair];
      const from = robotParts[a].link;
      if (pair === 0 || a !== pairA[pair - 1]) {
        across.clear();
        for (let l = from; l >= 0; l = robot.links[l].parent) above[l] = a;
      }
      const to = model.isSelfPair(pair) ? robotParts[pairB[pair]].link : -1;
      if (to < 0 || above[to] === a) {
        this.chainOfPair[pair] = a;
        this.lengthOfPair[pair] = moved[from] - (to < 0 ? 0 : moved[to]);
        continue;
      }
      if (!across.has(to)) {
        let top = to;
        while (above[top] !== a) top = robot.links[top].parent;
        // The chain to a link contains, as prefixes, the chains to all links between it and the common ancestor.
        for (let l = to; l !== top && !across.has(l); l = robot.links[l].parent) {
          across.set(l, { chain: chains.length, length: moved[from] + moved[l] - 2 * moved[top] });
        }
        chains.push(chainAlong(robot, a, spheres[a], from, to, top));
      }
      const { chain, length } = across.get(to)!;
      this.chainOfPair[pair] = chain;
      this.lengthOfPair[pair] = length;
    }
    this.start = new Int32Array(chains.length + 1);
    for (const [c, chain] of chains.entries()) this.start[c + 1] = this.start[c] + chain.joints.length;
    this.joint = new Int32Array(this.start[chains.length]);
    this.maxAxisDistance = new Float64Array(this.joint.length);
    for (const [c, { joints, distances }] of chains.entries()) {
      this.joint.set(joints, this.start[c]);
      this.maxAxisDistance.set(distances, this.start[c]);
    }
    this.part = Int32Array.from(chains, (chain) => chain.part);
  }
}

interface Chain {
  readonly part: number;
  readonly joints: number[];
  readonly distances: number[];
}

/** The first entries of a chain. */
interface ChainPrefix {
  readonly chain: number;
  readonly length: number;
}

interface Sphere {
  readonly center: Vec3;
  radius: number;
}

/** Bounding spheres of the parts of a robot, and their chains to the base: scenes without further parts share them. */
const partChains = derived((robot: RobotModel) =>
  derived((parts: readonly RobotPart[]) => {
    const spheres = parts.map(boundingSphereOf);
    return {
      spheres,
      packed: Float64Array.from(spheres.flatMap(({ center, radius }) => [...center, radius])),
      toBase: parts.map(({ link }, part) => chainAlong(robot, part, spheres[part], link, -1, -1)),
    };
  }),
);

/** Returns for each link the number of movable joints between it and the root. */
const movedAbove = derived(({ links, joints }: RobotModel): Int32Array => {
  const moved = new Int32Array(links.length);
  for (const { index, parent, joint } of links) {
    if (parent >= 0) moved[index] = moved[parent] + (joints[joint].variable >= 0 ? 1 : 0); // parents come first
  }
  return moved;
});

/**
 * Transforms the bounding sphere of a part from joint to joint: up from a link to `top`, then down to the link `to`;
 * both −1: up to the world. Each joint enlarges the sphere to contain it at all joint values.
 */
function chainAlong(
  { links, joints }: RobotModel,
  part: number,
  start: Sphere,
  from: number,
  to: number,
  top: number,
): Chain {
  const chain: Chain = { part, joints: [], distances: [] };
  const sphere: Sphere = { center: Float64Array.from(start.center), radius: start.radius };
  const add = (index: number, distance: number) => {
    if (joints[index].variable < 0) return;
    chain.joints.push(index);
    chain.distances.push(distance);
  };
  for (let l = from; l !== top && links[l].joint >= 0; l = links[l].parent) {
    const joint = joints[links[l].joint];
    add(links[l].joint, throughMotion(sphere, joint, true));
    transformPoint(sphere.center, joint.T_parent_joint, sphere.center);
  }
  const down: number[] = [];
  for (let l = to; l !== top; l = links[l].parent) down.push(links[l].joint);
  const T_joint_parent = create();
  for (const index of down.reverse()) {
    invert(T_joint_parent, joints[index].T_parent_joint);
    transformPoint(sphere.center, T_joint_parent, sphere.center);
    add(index, throughMotion(sphere, joints[index], false));
  }
  return chain;
}

/**
 * Replaces the sphere by one that contains it at all joint values; returns the maximum distance of its points from the
 * axis.
 */
function throughMotion(sphere: Sphere, joint: Joint, upwards: boolean): number {
  const { center } = sphere;
  const { axis } = joint;
  if (joint.type === 'prismatic') {
    // Unlimited travel (limits may be exceeded): for joints beyond, `MotionBounds` uses the distance measured at the
    // current pose instead.
    if (joint.variable >= 0) sphere.radius = Number.POSITIVE_INFINITY;
    else addScaled(center, center, axis, upwards ? joint.offset : -joint.offset);
    return 1;
  }
  if (joint.type === 'fixed') return 0;
  // The projection of the centre onto the axis does not move when the joint turns; a sphere about it contains every
  // turned sphere.
  const along = dot(center, axis);
  scale(foot, axis, along);
  sub(away, center, foot);
  center.set(foot);
  sphere.radius += norm(away);
  return sphere.radius;
}

const foot: Vec3 = createVec3();
const away: Vec3 = createVec3();

/** Returns a bounding sphere of a part in the frame of its link. */
function boundingSphereOf({ shape, T_link_part }: RobotPart): Sphere {
  const sphere = smallerSphere(shape);
  const center = createVec3();
  transformPoint(center, T_link_part, sphere.center);
  return { center, radius: sphere.radius };
}

/**
 * Returns the smaller of two bounding spheres of a shape, in its frame: about the centre of its bounds, or about its
 * centre.
 */
const smallerSphere = derived((shape: ConvexShape): Sphere => {
  const { bounds } = shape;
  const middle = Float64Array.from([0, 1, 2], (i) => 0.5 * (bounds[i] + bounds[i + 3]));
  const inBounds = Math.max(maxVertexDistance(shape, middle), 0);
  const useBounds = inBounds <= shape.outerRadius;
  const center = useBounds ? middle : Float64Array.from(shape.center);
  return { center, radius: (useBounds ? inBounds : shape.outerRadius) * (1 + ROUNDING) };
});

/** Relative; covers the rounding error of the square root of a sum of three squares. */
const ROUNDING = 1e-14;

/**
 * Returns the maximum distance of a shape from a point: over its vertices, or over those of its bounds if it has none.
 */
function maxVertexDistance({ vertices, margin, bounds }: ConvexShape, from: Vec3): number {
  let most = 0;
  for (let i = 0; i < vertices.length; i += 3) {
    away[0] = vertices[i] - from[0];
    away[1] = vertices[i + 1] - from[1];
    away[2] = vertices[i + 2] - from[2];
    most = Math.max(most, norm(away) + margin);
  }
  return vertices.length > 0 ? most : norm(Float64Array.from([0, 1, 2], (i) => bounds[i + 3] - from[i]));
}
