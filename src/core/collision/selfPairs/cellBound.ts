import { poseMovingLinks, type RobotState } from '../../kinematics/forwardKinematics.ts';
import type { Joint } from '../../kinematics/robotModel.ts';
import { compose, create, relative, rotate, rotateBack, type Transform } from '../../math/transform.ts';
import { create as createVec3, cross, dot, scale, type Vec3 } from '../../math/vec3.ts';
import { GjkDistance } from '../../narrowphase/gjk/gjkDistance.ts';
import { PairCache, Separation } from '../../narrowphase/solver.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import type { JointChains } from '../bounds/jointChains.ts';
import type { RobotPart } from '../model/modelParts.ts';

/** Maximum number of joints of a cell, which has a power of two of vertices. */
export const MAX_CELL_JOINTS = 6;
/** Relative gap at which the distance at the middle of a cell is good enough: its normal alone is used. */
const LOOSE_GAP = 0.1;

/** Bounds on the distance of a pair over a cell of joint values, metres. */
export interface DistanceBounds {
  /** Lower bound over the whole cell; −Infinity if none is known. */
  lower: number;
  /** No part of the cell has a distance above this one. */
  upper: number;
}

/**
 * Bounds the distance of two parts over a cell: joint values within `half` of its middle. At the middle, n is the
 * normal of the distance. The points x of A, relative to B, move by Σ δ_k ∂x/∂q_k and a part of second order, so along
 * n (docs/proof.md, with δ_k in place of w_k t):
 *
 *     max n·x  ≤  max over δ_k = ±half_k of [ s_A(n + Σ δ_k n × z_k) + Σ δ_k (n × z_k)·(c − o_k) ]
 *                 + ½ Σ_k d_k half_k (half_k + 2 Σ_j half_j)
 *
 * with c the origin of A, s_A its support function about c, and in the last sum the turning joints j between k and B; a
 * turning joint k itself has the term half_k, a prismatic one adds δ_k n·z_k instead of the terms with n × z_k. The
 * first part is convex in δ, so its maximum is at a vertex of the cell.
 */
export class CellBound {
  private readonly solver = new GjkDistance({ relativeGap: LOOSE_GAP });
  private readonly separation = new Separation();
  private readonly cache = new PairCache();
  private readonly q: Float64Array;
  // Scratch, in the world unless noted.
  private readonly T_world_a: Transform = create();
  private readonly T_world_b: Transform = create();
  private readonly T_b_a: Transform = create();
  private readonly n: Vec3 = createVec3();
  private readonly z: Vec3 = createVec3();
  private readonly arm: Vec3 = createVec3();
  private readonly direction: Vec3 = createVec3();
  private readonly local: Vec3 = createVec3();
  private readonly vertex: Vec3 = createVec3();
  /** n × z_k and the height that it adds per unit of δ_k, four numbers per joint. */
  private readonly turns = new Float64Array(4 * MAX_CELL_JOINTS);

  constructor(private readonly state: RobotState) {
    this.q = new Float64Array(state.model.dof);
  }

  /**
   * Computes the bounds of a pair over a cell.
   * @param middle values of the joints at the middle of the cell
   * @param half half widths of the cell
   */
  compute(out: DistanceBounds, pair: PairGeometry, middle: Float64Array, half: Float64Array): void {
    const { separation, n, T_world_b } = this;
    const { a, b } = pair;
    this.pose(pair, middle);
    this.cache.clear();
    this.solver.solve(separation, a.shape, this.T_b_a, b.shape, this.cache);
    const { distance, normal, hasNormal } = separation;
    out.upper = distance.upper + approach(pair, half);
    out.lower = Number.NEGATIVE_INFINITY;
    if (!(distance.lower > 0) || !hasNormal) return;
    rotate(n, T_world_b, normal);
    const lower = this.nearestOfB(b.shape) - this.farthestOfA(pair, half) - remainder(pair, half);
    if (lower > 0) out.lower = lower;
  }

  private pose({ a, b, joints }: PairGeometry, middle: Float64Array): void {
    const { state, q, T_world_a, T_world_b, T_b_a } = this;
    for (let k = 0; k < joints.length; k++) {
      const { variable, multiplier, offset } = joints[k].joint;
      q[variable] = (middle[k] - offset) / multiplier;
    }
    poseMovingLinks(state, q);
    placePart(T_world_a, state, a);
    placePart(T_world_b, state, b);
    relative(T_b_a, T_world_b, T_world_a);
  }

  /** Returns min n·(y − c) over the points y of B. */
  private nearestOfB(shape: ConvexShape): number {
    const { n, direction, T_world_b, T_world_a, arm } = this;
    scale(direction, n, -1);
    difference(arm, T_world_b, T_world_a);
    return dot(n, arm) - this.height(shape, T_world_b);
  }

  /** Returns the maximum of n·(x − c), to first order, over the points x of A and the vertices of the cell. */
  private farthestOfA({ a, joints }: PairGeometry, half: Float64Array): number {
    const { n, direction, turns, T_world_a } = this;
    for (let k = 0; k < joints.length; k++) this.computeTurn(joints[k], k);
    let farthest = Number.NEGATIVE_INFINITY;
    for (let vertex = 0; vertex < 1 << joints.length; vertex++) {
      direction.set(n);
      let added = 0;
      for (let k = 0; k < joints.length; k++) {
        const delta = (vertex & (1 << k)) === 0 ? half[k] : -half[k];
        for (let i = 0; i < 3; i++) direction[i] += delta * turns[4 * k + i];
        added += delta * turns[4 * k + 3];
      }
      farthest = Math.max(farthest, this.height(a.shape, T_world_a) + added);
    }
    return farthest;
  }

  /** Computes n × z_k and (n × z_k)·(c − o_k), or 0 and n·z_k if the joint is prismatic. */
  private computeTurn({ joint, isPrismatic }: PairGeometry['joints'][number], k: number): void {
    const { n, z, arm, local, turns, T_world_a, state } = this;
    const T_world_child = state.T_world_link[joint.child];
    rotate(z, T_world_child, joint.axis);
    if (isPrismatic) {
      turns.fill(0, 4 * k, 4 * k + 3);
      turns[4 * k + 3] = dot(n, z);
      return;
    }
    cross(local, n, z);
    difference(arm, T_world_a, T_world_child);
    turns.set(local, 4 * k);
    turns[4 * k + 3] = dot(local, arm);
  }

  /** Returns the support of a shape along `direction`, relative to the origin of its pose. */
  private height(shape: ConvexShape, T_world_part: Transform): number {
    const { direction, local, vertex } = this;
    rotateBack(local, T_world_part, direction);
    shape.support(vertex, shape, local, -1);
    return dot(vertex, local) + shape.margin * Math.sqrt(dot(direction, direction));
  }
}

function placePart(T_world_part: Transform, { T_world_link }: RobotState, { link, T_link_part }: RobotPart): void {
  compose(T_world_part, T_world_link[link], T_link_part);
}

/** Offset of the origin of one pose from that of another. */
function difference(out: Vec3, T: Transform, from: Transform): void {
  out[0] = T[3] - from[3];
  out[1] = T[7] - from[7];
  out[2] = T[11] - from[11];
}

/** Bound on how far any point of A moves between the middle and a point of the cell, metres. */
function approach({ joints }: PairGeometry, half: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < joints.length; k++) sum += joints[k].reach * half[k];
  return sum;
}

/** Bound on the part of second order of the motion of A, metres. Joints are numbered from A to B. */
function remainder({ joints }: PairGeometry, half: Float64Array): number {
  let sum = 0;
  let nearer = 0;
  for (let k = joints.length - 1; k >= 0; k--) {
    const { reach, isPrismatic } = joints[k];
    sum += 0.5 * reach * half[k] * ((isPrismatic ? 0 : half[k]) + 2 * nearer);
    if (!isPrismatic) nearer += half[k];
  }
  return sum;
}

/** A joint that moves the two parts of a pair relative to each other. */
export interface PairJoint {
  readonly joint: Joint;
  readonly isPrismatic: boolean;
  /** Greatest distance of a point of A from the axis over all values of the joint between, metres; 1 if prismatic. */
  readonly reach: number;
  /** Range of its values that is divided into cells: a full turn, or the travel. */
  readonly start: number;
  readonly size: number;
}

/** The two parts of a self-collision pair, and the joints between them, that of A first. */
export interface PairGeometry {
  readonly a: RobotPart;
  readonly b: RobotPart;
  readonly joints: readonly PairJoint[];
}

/** Greatest travel of a prismatic joint, metres; also excludes slides without limits. */
const MAX_TRAVEL = 100;
const FULL_TURN = 2 * Math.PI;
/** Number of joints of a pair with a table. */
const MAX_JOINTS = 2;

/** Returns the geometry of a pair, or undefined if more joints move it, or one value moves two of them. */
export function pairGeometryOf(
  chains: JointChains,
  pair: number,
  { a, b }: Pick<PairGeometry, 'a' | 'b'>,
  { model }: RobotState,
  maxJoints = MAX_JOINTS,
): PairGeometry | undefined {
  const count = chains.lengthOfPair[pair];
  if (count < 1 || count > maxJoints || !isBounded(a) || !isBounded(b)) return undefined;
  const first = chains.start[chains.chainOfPair[pair]];
  const joints: PairJoint[] = [];
  for (let entry = first; entry < first + count; entry++) {
    const joint = model.joints[chains.joint[entry]];
    const isPrismatic = joint.type === 'prismatic';
    const { lower, upper } = model.variables[joint.variable].limits;
    const ends = [joint.multiplier * lower + joint.offset, joint.multiplier * upper + joint.offset];
    const start = isPrismatic ? Math.min(...ends) : 0;
    const size = isPrismatic ? Math.max(...ends) - start : FULL_TURN;
    if (!(size > 0 && size <= MAX_TRAVEL) || !(chains.maxAxisDistance[entry] < Number.POSITIVE_INFINITY))
      return undefined;
    joints.push({ joint, isPrismatic, reach: chains.maxAxisDistance[entry], start, size });
  }
  if (new Set(joints.map(({ joint }) => joint.variable)).size < count) return undefined;
  return joints.every(({ joint }) => joint.multiplier !== 0) ? { a, b, joints } : undefined;
}

/** Shapes that are functions of the user, and half-spaces, have no tables. */
const isBounded = ({ shape }: RobotPart): boolean =>
  shape.type !== 'support' && shape.extent < Number.POSITIVE_INFINITY && shape.outerRadius < Number.POSITIVE_INFINITY;
