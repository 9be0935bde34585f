import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';

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
  /** Unit vector of the axis of each joint after `forward`, and a point on it. */
  private readonly axes: Matrix[];
  private readonly origins: Matrix[];
  /** Column of the Jacobian of each joint. */
  private readonly columns: Matrix[];
  private readonly local = new Float64Array(12);
  private readonly turned = new Float64Array(12);

  constructor(
    readonly model: RobotModel,
    private readonly link: number,
    private readonly T_link_tool: ArrayLike<number>,
  ) {
    this.dof = model.dof;
    this.T = model.links.map(() => new Float64Array(12));
    this.chain = model.links.map((_, l) => l).filter((l) => model.links[l].parent >= 0);
    this.T[0].set(model.T_world_root);
    const [axes, origins] = [0, 1].map(() => Array.from({ length: this.dof }, () => new Float64Array(3)));
    this.axes = axes;
    this.origins = origins;
    this.columns = Array.from({ length: this.dof }, () => new Float64Array(6));
  }

  /** Computes the poses of all links and of the tool. */
  forward(q: ArrayLike<number>): void {
    const { model, T, local, turned, chain } = this;
    for (const l of chain) {
      const { parent, joint: index } = model.links[l];
      const { T_parent_joint, axis, type, variable, multiplier, offset } = model.joints[index];
      multiply(turned, T[parent], T_parent_joint);
      if (type === 'fixed') {
        T[l].set(turned);
        continue;
      }
      const value = variable < 0 ? offset : multiplier * q[variable] + offset;
      const x = axis[0];
      const y = axis[1];
      const z = axis[2];
      const turns = type !== 'prismatic';
      const c = turns ? Math.cos(value) : 1;
      const s = turns ? Math.sin(value) : 0;
      const t = 1 - c;
      const slide = turns ? 0 : value;
      local[0] = t * x * x + c;
      local[1] = t * x * y - s * z;
      local[2] = t * x * z + s * y;
      local[3] = slide * x;
      local[4] = t * x * y + s * z;
      local[5] = t * y * y + c;
      local[6] = t * y * z - s * x;
      local[7] = slide * y;
      local[8] = t * x * z - s * y;
      local[9] = t * y * z + s * x;
      local[10] = t * z * z + c;
      local[11] = slide * z;
      multiply(T[l], turned, local);
      if (variable < 0) continue;
      for (let i = 0; i < 3; i++) {
        this.axes[variable][i] = turned[4 * i] * x + turned[4 * i + 1] * y + turned[4 * i + 2] * z;
        this.origins[variable][i] = turned[4 * i + 3];
      }
    }
    multiply(this.tool, T[this.link], this.T_link_tool);
  }

  /**
   * Moves q towards a pose of the tool by damped least squares; returns the remaining error, of position and angle.
   * Revolute joints only.
   */
  correct(q: Float64Array, target: ArrayLike<number>, steps: number, damping: number, tolerance = 1e-7): number {
    const e = new Float64Array(6);
    const A = Array.from({ length: 6 }, () => new Float64Array(7));
    const { columns, dof } = this;
    for (let step = 0; ; step++) {
      this.forward(q);
      const size = this.error(e, target);
      if (size < tolerance || step === steps) return size;
      for (let j = 0; j < dof; j++) this.setColumn(j);
      // (J Jᵀ + λ² I) y = e, dq = Jᵀ y
      for (let r = 0; r < 6; r++) {
        for (let c = 0; c < 6; c++) {
          let sum = r === c ? damping * damping : 0;
          for (let j = 0; j < dof; j++) sum += columns[j][r] * columns[j][c];
          A[r][c] = sum;
        }
        A[r][6] = e[r];
      }
      const y = solved(A);
      for (let j = 0; j < dof; j++) {
        let dq = 0;
        for (let r = 0; r < 6; r++) dq += columns[j][r] * y[r];
        q[j] += Math.max(-0.5, Math.min(0.5, dq));
      }
    }
  }

  private setColumn(j: number): void {
    const [a, o, p, out] = [this.axes[j], this.origins[j], this.tool, this.columns[j]];
    const x = p[3] - o[0];
    const y = p[7] - o[1];
    const z = p[11] - o[2];
    out[0] = a[1] * z - a[2] * y;
    out[1] = a[2] * x - a[0] * z;
    out[2] = a[0] * y - a[1] * x;
    out[3] = a[0];
    out[4] = a[1];
    out[5] = a[2];
  }

  /** Difference to a pose: displacement and rotation vector; returns its norm. */
  private error(e: Float64Array, B: ArrayLike<number>): number {
    const A = this.tool;
    e[0] = B[3] - A[3];
    e[1] = B[7] - A[7];
    e[2] = B[11] - A[11];
    const x = product(B, 8, A, 4) - product(B, 4, A, 8);
    const y = product(B, 0, A, 8) - product(B, 8, A, 0);
    const z = product(B, 4, A, 0) - product(B, 0, A, 4);
    const sine = Math.sqrt(x * x + y * y + z * z) / 2;
    const angle = Math.atan2(sine, (product(B, 0, A, 0) + product(B, 4, A, 4) + product(B, 8, A, 8) - 1) / 2);
    const factor = sine > 1e-12 ? angle / sine / 2 : 0.5;
    e[3] = factor * x;
    e[4] = factor * y;
    e[5] = factor * z;
    if (sine <= 1e-12 && angle > 1) return angle;
    return Math.sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] + e[4] * e[4] + e[5] * e[5]);
  }
}

/** Scalar product of a row of one matrix and a row of another: of their rotations. */
const product = (A: ArrayLike<number>, i: number, B: ArrayLike<number>, k: number) =>
  A[i] * B[k] + A[i + 1] * B[k + 1] + A[i + 2] * B[k + 2];

/** Solves six linear equations, given as rows with the right side, which are changed, by elimination with pivots. */
function solved(A: Matrix[]): number[] {
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
