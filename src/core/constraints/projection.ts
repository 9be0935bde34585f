import type { ToolTracker } from '../cartesian/toolTracker.ts';
import { solveCholesky } from '../math/cholesky.ts';
import type { Configuration } from '../math/configuration.ts';
import type { FrameConstraint } from './frameConstraint.ts';

/** The constraints on one frame, and its kinematics. */
export interface ConstrainedFrame {
  readonly functions: readonly FrameConstraint[];
  readonly tracker: ToolTracker;
}

/** Bounds on each joint: rad, m. */
export interface JointBounds {
  /** Lower bound of each joint; −Infinity: none. */
  readonly lower: ArrayLike<number>;
  /** Upper bound of each joint; Infinity: none. */
  readonly upper: ArrayLike<number>;
}

const MAX_STEPS = 40;
/** Longest step of one joint, rad or m. */
const MAX_STEP = 0.3;
/** Projections end at least this far inside, rad and m. */
const INSIDE = 1e-5;
/** Relative to the largest diagonal entry of J Jᵀ: damps steps where gradients are nearly parallel. */
const DAMPING = 1e-6;
/** Squared norm of a joint gradient below which the joints cannot reduce the excess. */
const SINGULAR = 1e-12;
/** Maximum number of rows of one constraint. */
const ROWS = 3;

/**
 * Newton's method onto the set that satisfies all constraints on frames, and onto its tangent space. One per thread.
 */
export class Projection {
  private readonly rows: Float64Array[];
  private readonly right: Float64Array;
  private readonly normal: Float64Array;
  private readonly twist = new Float64Array(6);
  private readonly twists = Array.from({ length: ROWS }, () => new Float64Array(6));

  constructor(
    private readonly frames: readonly ConstrainedFrame[],
    private readonly dof: number,
  ) {
    const count = ROWS * frames.reduce((sum, { functions }) => sum + functions.length, 0);
    this.rows = Array.from({ length: count }, () => new Float64Array(dof));
    this.right = new Float64Array(count);
    this.normal = new Float64Array(count * count);
  }

  /**
   * Moves a state in place until it is inside the bounds and satisfies all constraints, by damped Newton steps of least
   * norm on all violated ones. Returns false if that fails; q is then undefined.
   */
  project(q: Configuration, { lower, upper }: JointBounds): boolean {
    for (let step = 0, share = 1; step < MAX_STEPS; step++, share /= 2) {
      for (let j = 0; j < this.dof; j++) q[j] = Math.min(upper[j], Math.max(lower[j], q[j]));
      const count = this.lineariseViolated(q, share);
      if (count <= 0) return count === 0;
      if (!this.solve(count)) return false;
      this.step(q, count);
    }
    return false;
  }

  /**
   * Removes from a direction at q, in place, the components that change what thin constraints keep nearly constant.
   */
  makeTangent(direction: Float64Array, q: Configuration): void {
    const { rows, right, twists } = this;
    let count = 0;
    for (const { functions, tracker } of this.frames) {
      for (const one of functions) {
        const found = one.thinRows?.(twists, tracker.pose(q)) ?? 0;
        for (let i = 0; i < found; i++) tracker.transposed(rows[count++], q, twists[i]);
      }
    }
    if (count === 0) return;
    for (let i = 0; i < count; i++) right[i] = -dot(rows[i], direction);
    if (!this.solve(count)) return;
    for (let i = 0; i < count; i++) for (let j = 0; j < this.dof; j++) direction[j] += right[i] * rows[i][j];
  }

  /**
   * Computes a row and a right side for each violated constraint. Returns their number; −1 if the joints cannot reduce
   * an excess.
   */
  private lineariseViolated(q: Configuration, share: number): number {
    const { rows, right, twist } = this;
    let count = 0;
    for (const { functions, tracker } of this.frames) {
      const T = tracker.pose(q);
      for (const one of functions) {
        const excess = one.excess(T);
        if (!(excess > 0)) continue;
        one.gradient(twist, T);
        const row = rows[count];
        tracker.transposed(row, q, twist);
        if (!(dot(row, row) > SINGULAR)) return -1;
        right[count++] = -(excess + Math.max(INSIDE, share * one.inside));
      }
    }
    return count;
  }

  /** Solves (J Jᵀ + damping) y = r; y overwrites r. */
  private solve(count: number): boolean {
    const { rows, right, normal } = this;
    let most = 0;
    for (let a = 0; a < count; a++) {
      for (let b = 0; b <= a; b++) normal[count * a + b] = dot(rows[a], rows[b]);
      most = Math.max(most, normal[(count + 1) * a]);
    }
    if (!(most > SINGULAR)) return false;
    for (let a = 0; a < count; a++) normal[(count + 1) * a] += DAMPING * most;
    return solveCholesky(normal, right, count);
  }

  /** Adds Jᵀ y to q, scaled down to the longest step. */
  private step(q: Configuration, count: number): void {
    const { rows, right, dof } = this;
    let most = 0;
    for (let j = 0; j < dof; j++) {
      let sum = 0;
      for (let i = 0; i < count; i++) sum += right[i] * rows[i][j];
      rows[0][j] = sum; // column j of the rows is not needed any more
      most = Math.max(most, Math.abs(sum));
    }
    const scale = most > MAX_STEP ? MAX_STEP / most : 1;
    for (let j = 0; j < dof; j++) q[j] += scale * rows[0][j];
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < a.length; j++) sum += a[j] * b[j];
  return sum;
}
