import type { RobotModel } from '../../kinematics/robotModel.ts';
import { create, type Transform } from '../../math/transform.ts';
import type { Vec3 } from '../../math/vec3.ts';
import { type JointRates, type MotionPiece, reachedPositions } from '../motionPieces.ts';
import { PairPlane } from '../pairPlane.ts';
import { MAX_EVALUATIONS } from '../planeProver.ts';
import { DeviationCache, type JointDeviations } from './jointDeviations.ts';

/** A robot with its motion, as a part of the tree of all robots. */
export interface CellMember {
  readonly model: RobotModel;
  /** Pieces of its motion from time 0 to its end, without gaps. */
  readonly pieces: readonly MotionPiece[];
  /** Index of its first link and of its first joint variable in the tree. */
  readonly firstLink: number;
  readonly firstVariable: number;
}

/** Interval of the time of one robot. */
type Times = readonly [from: number, to: number];

/**
 * Proves that fixed directions separate pairs of parts of two robots for all pairs of times in a cell: docs/proof.md,
 * "Cells of two times". Call `select`, then `setPair`, then `provesCell`.
 */
export class CellPlaneProver extends PairPlane {
  /** Minimum gap proved so far, metres. */
  minGap = Number.POSITIVE_INFINITY;
  private evaluations = 0;
  private readonly caches: readonly DeviationCache[];
  private readonly rates: JointRates;
  private readonly T_world_link: Transform[];
  /** Indices of the two robots. */
  private first = 0;
  private second = 1;

  /** @param robot the tree of all members, `compositeRobot` */
  constructor(
    robot: RobotModel,
    private readonly members: readonly CellMember[],
    private readonly padding: number,
  ) {
    const reached = members.map(({ model, pieces }) => reachedPositions(pieces, model.dof));
    super(robot, Float64Array.from(reached.flatMap((values) => Array.from(values))));
    this.caches = members.map(({ model, pieces }) => new DeviationCache(model, pieces));
    const zeros = () => new Float64Array(robot.dof);
    this.rates = { position: zeros(), velocity: zeros(), speed: zeros(), acceleration: zeros() };
    this.T_world_link = robot.links.map(() => create());
  }

  /** Sets the two robots of the following cells. */
  select(first: number, second: number): void {
    this.first = first;
    this.second = second;
  }

  /**
   * Returns true if n (unit up to rounding, in the frame of b) is proved to separate the pair by the padding wherever
   * the first robot is in `one` and the second one in `other`. Bisects the cell until the bound holds on each part.
   */
  provesCell(one: Times, other: Times, n: Vec3): boolean {
    this.setDirection(n);
    const stack: [Times, Times][] = [[one, other]];
    while (stack.length > 0) {
      const [timesA, timesB] = stack.pop()!;
      const a = this.caches[this.first].over(...timesA);
      const b = this.caches[this.second].over(...timesB);
      const { throughout, now } = this.evaluateGap(a, b);
      if (this.isEnough(throughout)) {
        this.minGap = Math.min(this.minGap, throughout);
        continue;
      }
      if (!this.isEnough(now) || ++this.evaluations > MAX_EVALUATIONS) return false;
      const isA = a.length >= b.length;
      const halves = halvesOf(isA ? timesA : timesB) ?? halvesOf(isA ? timesB : timesA);
      if (halves === undefined) return false;
      const wasA = isA === (halvesOf(isA ? timesA : timesB) !== undefined);
      for (const half of halves) stack.push(wasA ? [half, timesB] : [timesA, half]);
    }
    return true;
  }

  private isEnough(gap: number): boolean {
    return gap > 0 && gap >= this.padding;
  }

  /**
   * Computes lower bounds on the gap along the direction, over a cell and at its middle, less rounding errors. With σ
   * and τ in [−1, 1] the position in both intervals, each point of the cell is the end of a straight line of joint
   * values from the middle, of displacements δ = σ v_A + e_A and τ v_B + e_B. Along it a point c + r of a moves
   * relative to b by
   *   σ (V_A + Ω_A × r) + τ (V_B + Ω_B × r) + R,   ‖R‖ <= Σ_k d_k E_k + ½ Σ_k d_k (D_k² + 2 D_k Σ_j D_j)
   * with D = |v| + E: `relativeMotion` with D as speed and 2E as acceleration, over a time of 1. The rest is convex in
   * (σ, τ), so its maximum along n is at one of the four vertices of the cell.
   */
  private evaluateGap(a: JointDeviations, b: JointDeviations): { throughout: number; now: number } {
    const { T_world_link, size, relativeError } = this;
    this.fill(this.first, a, 1);
    this.fill(this.second, b, 1);
    const { n, c, beginOfB } = this.posed(T_world_link);
    const sum = this.relativeMotion(this.rates, T_world_link, c, 1);
    this.fill(this.second, b, -1);
    const difference = this.relativeMotion(this.rates, T_world_link, c, 1);
    const reach = Math.max(
      this.reachAfter(T_world_link, n, sum, 1),
      this.reachAfter(T_world_link, n, sum, -1),
      this.reachAfter(T_world_link, n, difference, 1),
      this.reachAfter(T_world_link, n, difference, -1),
    );
    const { turning, speed, acceleration } = sum;
    const ofFirstOrder = relativeError * (size * turning + this.rounding.turned * speed);
    return {
      throughout: beginOfB - reach - 0.5 * acceleration - ofFirstOrder,
      now: beginOfB - this.reach(T_world_link, n),
    };
  }

  /** Copies the joints of one robot to those of the tree; the velocity is multiplied by `sign`. */
  private fill(member: number, { rates, T_world_link }: JointDeviations, sign: 1 | -1): void {
    const { firstLink, firstVariable } = this.members[member];
    const all = this.rates;
    for (const key of ['position', 'speed', 'acceleration'] as const) all[key].set(rates[key], firstVariable);
    for (let j = 0; j < rates.velocity.length; j++) all.velocity[firstVariable + j] = sign * rates.velocity[j];
    for (const [i, T] of T_world_link.entries()) this.T_world_link[firstLink + i] = T;
  }
}

/** Returns both halves of an interval; undefined if it has no number between its ends. */
function halvesOf([from, to]: Times): [Times, Times] | undefined {
  const middle = from + 0.5 * (to - from);
  if (!(middle > from && middle < to)) return undefined;
  return [
    [from, middle],
    [middle, to],
  ];
}
