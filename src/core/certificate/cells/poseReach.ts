import { largestAngle } from '../../kinematics/pose.ts';
import { PoseRounding } from '../../kinematics/poseRounding.ts';
import { movingJoints } from '../../kinematics/reach.ts';
import type { Joint, RobotModel } from '../../kinematics/robotModel.ts';
import { composed, inverted, originOf, rotated, type Transform, transformedPoint } from '../../math/transform.ts';
import { create as createVec3, dot, norm, plusScaled, tangentsOf, type Vec3 } from '../../math/vec3.ts';
import { linkPoses } from '../linkPoses.ts';
import { type JointCell, POSE_SLACK, type RequiredPose } from './jointCells.ts';
import { COLUMN, type Line, LinkPoints, POINTS } from './linkPoints.ts';

/** Number of sweeps in which the direction that separates two sets of points is improved. */
const SWEEPS = 12;
/** The sweeps end if one reduces the squared distance of the sets by less than this share. */
const PROGRESS = 0.01;
/** Distance of the points of a link from each other, relative to the lengths of the chain. */
const SPREAD = 0.15;
/** Added to sizes of rounding errors, which are far below it. */
const ROUNDINGS = 16;

/**
 * Proves that in no state of a cell the frame of a goal is within the tolerance of its pose.
 *
 * Four points of a link between base and frame are enclosed from the base, through the joints before the link, and from
 * the pose of the goal, back through the joints after it (`LinkPoints`). If the frame is at the goal in a state, both
 * enclosures contain the four points, for the same tₛ; a direction λ of the space of all four points, with
 *   λ·(x − x′) > Σₛ |λ·gₛ| + the greatest λ·(d + b) of discs and balls
 * proves that there is none. One such link suffices. The best λ is the difference x − x′ of points of both
 * enclosures that is nearest to 0.
 */
export class PoseReach {
  private readonly chain: readonly Joint[];
  private readonly rounding: PoseRounding;
  private readonly spread: number;
  /** The link that excluded the last cell, which is tried first. */
  private last = 0;
  private readonly generators: Float64Array;
  private readonly forward: LinkPoints;
  private readonly backward: LinkPoints;
  private readonly center = new Float64Array(COLUMN);
  private readonly lambda = new Float64Array(COLUMN);
  /** Of symbols, their values; of discs and balls, the vector subtracted from λ. */
  private readonly values: Float64Array;
  private readonly rest = new Float64Array(3 * COLUMN);

  constructor(
    private readonly robot: RobotModel,
    private readonly required: RequiredPose,
  ) {
    this.chain = movingJoints(robot, required.frame.link);
    this.rounding = new PoseRounding(robot);
    this.rounding.reach(new Float64Array(robot.dof));
    this.spread = SPREAD * this.rounding.chain;
    // The last two are those of the tolerance.
    this.values = new Float64Array(2 * this.chain.length + 2);
    this.generators = new Float64Array(COLUMN * this.values.length);
    this.forward = new LinkPoints(this.generators);
    this.backward = new LinkPoints(this.generators);
  }

  /** Returns true if no state of the cell has the required pose. */
  excludes({ middle, half }: JointCell): boolean {
    const { chain, robot, required } = this;
    const { frame, T_world_goal } = required;
    const T_world_link = linkPoses(robot, middle);
    // The pose of the world when the frame of the robot in the middle of the cell is at the goal.
    const T_goal = composed(T_world_goal, inverted(composed(T_world_link[frame.link], frame.T_link_frame)));
    const lines = chain.map((joint) => lineOf(joint, T_world_link[joint.child]));
    const atGoal = lines.map(({ origin, axis }) => ({
      origin: transformedPoint(T_goal, origin),
      axis: rotated(T_goal, axis),
    }));
    const widths = chain.map(({ variable, multiplier }) => Math.abs(multiplier) * half[variable]);
    this.rounding.reach(middle.map(Math.abs));
    for (let n = 0; n < chain.length; n++) {
      const k = (this.last + n) % chain.length;
      this.follow(k, lines, atGoal, widths, T_goal);
      if (!this.isApart()) continue;
      this.last = k;
      return true;
    }
    return false;
  }

  /** Follows four points of the link of joint k from the base and from the goal. */
  private follow(
    k: number,
    lines: readonly Line[],
    atGoal: readonly Line[],
    widths: readonly number[],
    T_goal: Transform,
  ): void {
    const { chain, spread, rounding, required, forward, backward, center, generators } = this;
    const goal = originOf(required.T_world_goal);
    const points = pointsOf(lines, k, spread, transformedPoint(inverted(T_goal), goal));
    const move = (set: LinkPoints, line: Line, j: number) =>
      chain[j].type === 'prismatic' ? set.slide(line, widths[j], j) : set.turn(line, widths[j], j);
    generators.fill(0, generators.length - 2 * COLUMN);
    forward.reset(points);
    for (let j = k; j >= 0; j--) move(forward, lines[j], j);
    backward.reset(points.map((p) => transformedPoint(T_goal, p)));
    for (let j = k + 1; j < chain.length; j++) move(backward, atGoal[j], j);
    this.loosen();
    const slack = ROUNDINGS * rounding.relative * rounding.size(norm(goal), spread + norm(points[0]));
    for (let i = 0; i < POINTS; i++) backward.balls[i] += slack;
    for (let i = 0; i < COLUMN; i++) center[i] = forward.x[i] - backward.x[i];
  }

  /** Enlarges the sets of points that are fixed to the frame of the goal by the tolerance of its pose. */
  private loosen(): void {
    const { backward, required, chain } = this;
    const { T_world_goal, tolerance } = required;
    const { position, angle } = tolerance;
    const origin = originOf(T_world_goal);
    let rest = largestAngle(angle);
    if (typeof angle !== 'number') {
      // The rotation by a sum of two rotation vectors is that by one, and one by at most the length of the other.
      const widest = angle.indexOf(Math.max(...angle));
      const axis = Float64Array.from([0, 1, 2], (k) => T_world_goal[4 * k + widest]);
      backward.turn({ origin, axis }, angle[widest], chain.length);
      rest = largestAngle([0, 1, 2].map((k) => (k === widest ? 0 : angle[k])) as [number, number, number]);
    }
    for (let i = 0; i < POINTS; i++)
      backward.balls[i] += position + POSE_SLACK + Math.min(rest + POSE_SLACK, 2) * backward.distanceFrom(origin, i);
  }

  /** Searches for the difference that is nearest to 0, and returns true if a direction separates the enclosures. */
  private isApart(): boolean {
    const { lambda, center, values, rest, generators, forward, backward } = this;
    if (backward.balls[0] === Number.POSITIVE_INFINITY || forward.balls[0] === Number.POSITIVE_INFINITY) return false;
    values.fill(0);
    rest.fill(0);
    lambda.set(center);
    let before = Number.POSITIVE_INFINITY;
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      if (this.isSeparating()) return true;
      const square = columnProduct(lambda, lambda, 0);
      if (!(square < (1 - PROGRESS) * before)) return false;
      before = square;
      for (let s = 0; s < values.length; s++) {
        const at = COLUMN * s;
        let own = 0;
        for (let i = 0; i < COLUMN; i++) own += generators[at + i] * generators[at + i];
        if (!(own > 0)) continue;
        const value = Math.min(1, Math.max(-1, values[s] - columnProduct(lambda, generators, at) / own));
        const change = value - values[s];
        values[s] = value;
        for (let i = 0; i < COLUMN; i++) lambda[i] += change * generators[at + i];
      }
      for (let i = 0; i < POINTS; i++) {
        this.subtract(0, i, forward.discs[i], forward.axis);
        this.subtract(1, i, backward.discs[i], backward.axis);
        this.subtract(2, i, forward.balls[i] + backward.balls[i], NO_AXIS);
      }
    }
    return this.isSeparating();
  }

  /**
   * Moves λ of one point towards 0 by a vector perpendicular to an axis, of length at most `most`, which replaces the
   * one of the last sweep.
   */
  private subtract(kind: number, i: number, most: number, [a, b, c]: Vec3): void {
    const { lambda, rest } = this;
    const [at, own] = [3 * i, COLUMN * kind + 3 * i];
    for (let k = 0; k < 3; k++) lambda[at + k] -= rest[own + k];
    const along = a * lambda[at] + b * lambda[at + 1] + c * lambda[at + 2];
    const across = [lambda[at] - along * a, lambda[at + 1] - along * b, lambda[at + 2] - along * c];
    const length = Math.sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2]);
    const share = length > most ? most / length : 1;
    for (let k = 0; k < 3; k++) {
      rest[own + k] = -share * across[k];
      lambda[at + k] += rest[own + k];
    }
  }

  /** Returns true if λ separates the differences from 0. */
  private isSeparating(): boolean {
    const { lambda, center, generators, forward, backward, values } = this;
    let room = columnProduct(lambda, center, 0);
    for (let s = 0; s < values.length; s++) room -= Math.abs(columnProduct(lambda, generators, COLUMN * s));
    for (let i = 0; i < POINTS; i++) {
      const [u, v, w] = [lambda[3 * i], lambda[3 * i + 1], lambda[3 * i + 2]];
      room -= (forward.balls[i] + backward.balls[i]) * Math.sqrt(u * u + v * v + w * w);
      for (const { discs, axis } of [forward, backward]) {
        const along = axis[0] * u + axis[1] * v + axis[2] * w;
        const [p, q, r] = [u - along * axis[0], v - along * axis[1], w - along * axis[2]];
        room -= discs[i] * Math.sqrt(p * p + q * q + r * r);
      }
    }
    return room > 0;
  }
}

const NO_AXIS = new Float64Array(3);

/** λ·g of one symbol. */
function columnProduct(lambda: Float64Array, generators: Float64Array, at: number): number {
  let sum = 0;
  for (let i = 0; i < COLUMN; i++) sum += lambda[i] * generators[at + i];
  return sum;
}

/**
 * Returns four points of the link of joint k: one on the axis of the next joint, as near as possible to the one after
 * it, and others along that axis and perpendicular to it.
 */
function pointsOf(lines: readonly Line[], k: number, spread: number, frame: Vec3): readonly Vec3[] {
  const next = lines[k + 1];
  const point = next === undefined ? frame : nearestPoint(next, lines[k + 2], frame);
  const axis = next?.axis ?? lines[k].axis;
  return [createVec3(), axis, ...tangentsOf(axis)].map((d) => plusScaled(point, d, spread));
}

/** Returns the point of a line that is nearest to another line, or to a point if they are parallel or there is none. */
function nearestPoint({ origin, axis }: Line, other: Line | undefined, p: Vec3): Vec3 {
  const cosine = other === undefined ? 1 : dot(axis, other.axis);
  const rest = 1 - cosine * cosine;
  const away = plusScaled(other === undefined || rest < 1e-6 ? p : other.origin, origin, -1);
  const straight = dot(away, axis);
  return plusScaled(origin, axis, rest < 1e-6 ? straight : (straight - cosine * dot(away, other!.axis)) / rest);
}

function lineOf(joint: Joint, T_world_child: Transform): Line {
  return { origin: originOf(T_world_child), axis: rotated(T_world_child, joint.axis) };
}
