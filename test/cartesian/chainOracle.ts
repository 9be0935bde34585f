import type { RobotModel } from '../../src/kinematics/robotModel.ts';

// Independent of the sources: forward kinematics, Jacobian and damped least squares of one serial chain.

type Matrix = Float64Array;

function multiply(out: Matrix, a: ArrayLike<number>, b: ArrayLike<number>): void {
  for (let r = 0; r < 12; r += 4)
    for (let c = 3; c >= 0; c--)
      out[r + c] = a[r] * b[c] + a[r + 1] * b[4 + c] + a[r + 2] * b[8 + c] + (c === 3 ? a[r + 3] : 0);
}

/** The chain of joints that moves one link. */
export class ChainOracle {
  readonly dof: number;
  /** Poses of all links of the chain after `forward`, by link index. */
  readonly T: Matrix[];
  /** Pose of the tool after `forward`. */
  readonly tool = new Float64Array(12);
  private readonly chain: readonly number[];
  private readonly axes: number[][] = [];
  private readonly origins: number[][] = [];

  constructor(
    readonly model: RobotModel,
    private readonly link: number,
    private readonly T_link_tool: ArrayLike<number>,
  ) {
    this.dof = model.dof;
    this.T = model.links.map(() => new Float64Array(12));
    this.chain = model.links.map((_, l) => l).filter((l) => model.links[l].parent >= 0);
    this.T[0].set(model.T_world_root);
  }

  /** Computes the poses of all links and of the tool. */
  forward(q: ArrayLike<number>): void {
    const { model, T } = this;
    const local = new Float64Array(12);
    const turned = new Float64Array(12);
    for (const l of this.chain) {
      const { parent, joint: index } = model.links[l];
      const { T_parent_joint, axis, type, variable, multiplier, offset } = model.joints[index];
      multiply(turned, T[parent], T_parent_joint);
      const value = variable < 0 ? offset : multiplier * q[variable] + offset;
      const [x, y, z] = axis;
      const turns = type !== 'fixed' && type !== 'prismatic';
      const [c, s] = turns ? [Math.cos(value), Math.sin(value)] : [1, 0];
      const t = 1 - c;
      const slide = type === 'prismatic' ? value : 0;
      local.set([t * x * x + c, t * x * y - s * z, t * x * z + s * y, slide * x]);
      local.set([t * x * y + s * z, t * y * y + c, t * y * z - s * x, slide * y], 4);
      local.set([t * x * z - s * y, t * y * z + s * x, t * z * z + c, slide * z], 8);
      multiply(T[l], turned, local);
      if (variable < 0) continue;
      const rotate = (r: number) => turned[r] * x + turned[r + 1] * y + turned[r + 2] * z;
      this.axes[variable] = [rotate(0), rotate(4), rotate(8)];
      this.origins[variable] = [turned[3], turned[7], turned[11]];
    }
    multiply(this.tool, T[this.link], this.T_link_tool);
  }

  /**
   * Moves q towards a pose of the tool by damped least squares; returns the remaining error, of position and angle.
   * Revolute joints only.
   */
  correct(q: Float64Array, target: ArrayLike<number>, steps: number, damping: number, tolerance = 1e-7): number {
    const e = new Float64Array(6);
    for (let step = 0; ; step++) {
      this.forward(q);
      const size = this.error(e, target);
      if (size < tolerance || step === steps) return size;
      const J = q.map((_, j) => j) as unknown as number[];
      const columns = Array.from(J, (_, j) => this.column(j));
      // (J Jᵀ + λ² I) y = e, dq = Jᵀ y
      const A = Array.from({ length: 6 }, (_, r) =>
        Array.from({ length: 7 }, (_, c) => {
          if (c === 6) return e[r];
          return columns.reduce((sum, one) => sum + one[r] * one[c], r === c ? damping * damping : 0);
        }),
      );
      const y = solved(A);
      for (let j = 0; j < q.length; j++) {
        const dq = columns[j].reduce((sum, value, r) => sum + value * y[r], 0);
        q[j] += Math.max(-0.5, Math.min(0.5, dq));
      }
    }
  }

  private column(j: number): number[] {
    const [ax, ay, az] = this.axes[j];
    const [ox, oy, oz] = this.origins[j];
    const [x, y, z] = [this.tool[3] - ox, this.tool[7] - oy, this.tool[11] - oz];
    return [ay * z - az * y, az * x - ax * z, ax * y - ay * x, ax, ay, az];
  }

  /** Difference to a pose: displacement and rotation vector; returns its norm. */
  private error(e: Float64Array, B: ArrayLike<number>): number {
    const A = this.tool;
    e[0] = B[3] - A[3];
    e[1] = B[7] - A[7];
    e[2] = B[11] - A[11];
    const at = (i: number, j: number) =>
      B[4 * i] * A[4 * j] + B[4 * i + 1] * A[4 * j + 1] + B[4 * i + 2] * A[4 * j + 2];
    const v = [at(2, 1) - at(1, 2), at(0, 2) - at(2, 0), at(1, 0) - at(0, 1)];
    const sine = Math.hypot(...v) / 2;
    const angle = Math.atan2(sine, (at(0, 0) + at(1, 1) + at(2, 2) - 1) / 2);
    const factor = sine > 1e-12 ? angle / sine / 2 : 0.5;
    for (let i = 0; i < 3; i++) e[3 + i] = factor * v[i];
    return sine <= 1e-12 && angle > 1 ? angle : Math.hypot(...e);
  }
}

/** Solves six linear equations, given as rows with the right side, by elimination with pivots. */
function solved(A: number[][]): number[] {
  for (let c = 0; c < 6; c++) {
    let pivot = c;
    for (let r = c + 1; r < 6; r++) if (Math.abs(A[r][c]) > Math.abs(A[pivot][c])) pivot = r;
    [A[c], A[pivot]] = [A[pivot], A[c]];
    for (let r = 0; r < 6; r++) {
      if (r === c) continue;
      const factor = A[r][c] / A[c][c];
      for (let k = c; k < 7; k++) A[r][k] -= factor * A[c][k];
    }
  }
  return A.map((row, r) => row[6] / row[r]);
}
