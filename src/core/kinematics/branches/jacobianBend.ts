const ORDER = 6;
const SQUARE = ORDER * ORDER;
const ENCLOSURE_STEPS = 16;
/** rad: joint motions that are larger are not enclosed. */
const MAX_SPREAD = 0.5;

/**
 * How the Jacobian J of an arm of six turning joints changes about a state, as far as it matters to its inverse Y. With
 * aⱼ, lⱼ the angular and linear parts of column j, base first, ∂J/∂qₖ has the columns aₖ × Jⱼ for k <= j, and
 * (aⱼ × lₖ, 0) for k > j. Of the second derivatives the linear parts are at most ℓ, the greatest distance of the frame
 * from the axis nearest to it of the three, the angular ones 1 if both joints are before j, else 0.
 */
export class JacobianBend {
  /** Y ∂J/∂qₖ, row i, column j, at 36 i + 6 j + k. */
  private readonly first = new Float64Array(ORDER * SQUARE);
  /** Norms of the linear and of the angular half of each row of Y. */
  readonly linear = new Float64Array(ORDER);
  readonly angular = new Float64Array(ORDER);
  /** Distances of the frame from the axes at q₀. */
  private readonly arms: readonly number[];

  /**
   * @param J of order 6
   * @param Y its inverse
   * @param levers greatest distances of the frame from the axes
   */
  constructor(
    J: Float64Array,
    Y: Float64Array,
    private readonly levers: readonly number[],
  ) {
    const { first, linear, angular } = this;
    const bend = new Float64Array(ORDER);
    this.arms = levers.map((_, j) => Math.sqrt(J[j] ** 2 + J[ORDER + j] ** 2 + J[2 * ORDER + j] ** 2));
    for (let i = 0; i < ORDER; i++) {
      linear[i] = normOf(Y, ORDER * i);
      angular[i] = normOf(Y, ORDER * i + 3);
    }
    for (let j = 0; j < ORDER; j++)
      for (let k = 0; k < ORDER; k++) {
        bend.fill(0);
        crossInto(bend, 0, J, Math.min(j, k), Math.max(j, k), 0);
        if (k < j) crossInto(bend, 3, J, k, j, 3 * ORDER);
        for (let i = 0; i < ORDER; i++) first[SQUARE * i + ORDER * j + k] = rowTimes(Y, ORDER * i, bend);
      }
  }

  /**
   * Bounds the motion of the joints while the frame moves by a constant twist, whose image by Y is s = Σ cₖ times step
   * k, up to `slack`, σ. Let q' = s + e with |e| <= σ + t F until the time t. Then q − q₀ = t (s + d) with |d| <= D,
   * D = σ + F/2, and |e| <= E = σ + F, so that
   *   e = −(Y J − 1) q',  |e| <= σ + t |B(s + d, s + e)| + third order,  B(u, v) = Y (∂J/∂q u) v
   * which holds for all times if F is at least the sum of the terms with t = 1. Integrated, terms of order n have an
   * nth of that (`error`, a bound of d at the end). `rateError`, σ + F, holds for all rates Σ dₖ stepₖ at these states,
   * |dₖ| <= 1. Undefined if no F is found.
   */
  bounds(steps: readonly (readonly number[])[], slack: readonly number[]) {
    const G = slack.map((_, j) => steps.reduce((sum, step) => sum + Math.abs(step[j]), 0));
    const own = this.ofSteps(steps);
    /** B(s + d, s + e) − B(s, s) */
    const mixed = (D: readonly number[], E: readonly number[]) => {
      const ofD = this.changed(D);
      return D.map(
        (_, i) => rowTimes(own.left, ORDER * i, E) + rowTimes(own.right, ORDER * i, D) + rowTimes(ofD, ORDER * i, E),
      );
    };
    const atSlack = mixed(slack, slack);
    let F = slack.map((_, i) => own.ofRates[i] + atSlack[i]);
    for (let step = 0; step < ENCLOSURE_STEPS; step++) {
      const D = slack.map((value, j) => value + 0.5 * F[j]);
      const E = slack.map((value, j) => value + F[j]);
      const H = G.map((value, j) => value + D[j]);
      if (!H.every((value) => value <= MAX_SPREAD)) return undefined;
      const second = mixed(D, E);
      const rest = this.secondOrder(H);
      const rates = G.map((value, j) => value + E[j]);
      const third = G.map((_, i) => rowTimes(rest, ORDER * i, rates));
      const next = second.map((value, i) => (own.ofRates[i] + value + third[i]) * (1 + 1e-9));
      if (next.every((value, i) => value <= F[i])) {
        const ofD = this.changed(D);
        for (let at = 0; at < SQUARE; at++) rest[at] += own.left[at] + ofD[at];
        if (!isContracting(rest)) return undefined;
        const halves = slack.map((_, i) => 0.5 * (own.along[i] + atSlack[i]));
        const error = slack.map(
          (value, i) => value + (halves[i] + (second[i] - atSlack[i] + third[i]) / 3) * (1 + 1e-9),
        );
        return { error, rateError: slack.map((value, i) => value + next[i]) };
      }
      F = next.map((value) => 1.05 * value);
    }
    return undefined;
  }

  /**
   * Returns true if Y J is proved to be regular in the box |q − q₀| <= H: |Y J − 1| w < w for some w. `isUnique`: also
   * that no two states of the box have one pose. Between two such, the linear parts of J d add up to 0, d their
   * difference, and the angular ones to at most half the square of their length, Σ |d| <= 2 Σ H.
   */
  isRegular(H: readonly number[], isUnique = false): boolean {
    const total = isUnique ? H.reduce((sum, value) => sum + value, 0) : 0;
    const M = this.changed(H);
    const rest = this.secondOrder(H);
    for (let i = 0; i < ORDER; i++)
      for (let j = 0; j < ORDER; j++) M[ORDER * i + j] += rest[ORDER * i + j] + total * this.angular[i];
    return isContracting(M);
  }

  /** Returns the greatest |B(u, u)| and |B(u, v)| of sums u, v of the steps, one per row. */
  private ofSteps(steps: readonly (readonly number[])[]) {
    const { first } = this;
    const along = new Float64Array(ORDER);
    const ofRates = new Float64Array(ORDER);
    const left = new Float64Array(SQUARE);
    const right = new Float64Array(SQUARE);
    for (let i = 0; i < ORDER; i++) {
      const turned = steps.map((u) => {
        const row = new Float64Array(ORDER);
        for (let j = 0; j < ORDER; j++) row[j] = rowTimes(first, SQUARE * i + ORDER * j, u);
        for (let j = 0; j < ORDER; j++) left[ORDER * i + j] += Math.abs(row[j]);
        for (let k = 0; k < ORDER; k++) {
          let sum = 0;
          for (let j = 0; j < ORDER; j++) sum += first[SQUARE * i + ORDER * j + k] * u[j];
          right[ORDER * i + k] += Math.abs(sum);
        }
        return row;
      });
      for (let a = 0; a < steps.length; a++)
        for (let b = a; b < steps.length; b++) {
          const one = rowTimes(turned[a], 0, steps[b]);
          const other = b > a ? rowTimes(turned[b], 0, steps[a]) : 0;
          along[i] += Math.abs(one + other);
          ofRates[i] += Math.abs(one) + Math.abs(other);
        }
    }
    return { along, ofRates, left, right };
  }

  /** Returns the greatest change of first order of Y J in a box, row by row. */
  private changed(H: readonly number[]): Float64Array {
    const { first } = this;
    const out = new Float64Array(SQUARE);
    for (let at = 0; at < SQUARE; at++) {
      let sum = 0;
      for (let k = 0; k < ORDER; k++) sum += Math.abs(first[ORDER * at + k]) * H[k];
      out[at] = sum;
    }
    return out;
  }

  /** Returns the greatest change of second order of Y J in a box, row by row. */
  private secondOrder(H: readonly number[]): Float64Array {
    const { linear, angular } = this;
    const out = new Float64Array(SQUARE);
    const arms = this.armsIn(H);
    for (let j = 0, before = 0; j < ORDER; j++) {
      let all = before + H[j];
      let reach = arms[j] * all * all;
      for (let k = j + 1; k < ORDER; k++) {
        const more = all + H[k];
        reach += arms[k] * (more * more - all * all);
        all = more;
      }
      for (let i = 0; i < ORDER; i++) out[ORDER * i + j] = 0.5 * (linear[i] * reach + angular[i] * before * before);
      before += H[j];
    }
    return out;
  }

  /** Returns the greatest distances of the frame from the axes in a box: only joints beyond an axis change its own. */
  private armsIn(H: readonly number[]): number[] {
    const { levers } = this;
    let moved = 0;
    return this.arms.reduceRight<number[]>((out, arm, j) => {
      out[j] = Math.min(levers[j], arm + moved);
      moved += levers[j] * H[j];
      return out;
    }, []);
  }
}

/** Returns true if M w < w for some w. */
function isContracting(M: Float64Array): boolean {
  let w = Array.from({ length: ORDER }, () => 1);
  for (let step = 0; step < ENCLOSURE_STEPS; step++) {
    const image = w.map((_, i) => rowTimes(M, ORDER * i, w) * (1 + 1e-9));
    if (image.every((value, i) => value < w[i])) return true;
    w = image.map((value) => 1 + value);
  }
  return false;
}

/** Returns the product of the row of six numbers at a place of a list, and a vector. */
function rowTimes(rows: Float64Array, at: number, v: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < ORDER; k++) sum += rows[at + k] * v[k];
  return sum;
}

/** Returns the norm of the three numbers of a list from a place on. */
export const normOf = (v: ArrayLike<number>, at: number) =>
  Math.sqrt(v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2]);

/** Writes the cross product of the angular part of column j of J and the part at `row` of column k. */
function crossInto(out: Float64Array, at: number, J: Float64Array, j: number, k: number, row: number): void {
  const [ax, ay, az] = [J[3 * ORDER + j], J[4 * ORDER + j], J[5 * ORDER + j]];
  const [bx, by, bz] = [J[row + k], J[row + ORDER + k], J[row + 2 * ORDER + k]];
  out[at] = ay * bz - az * by;
  out[at + 1] = az * bx - ax * bz;
  out[at + 2] = ax * by - ay * bx;
}
