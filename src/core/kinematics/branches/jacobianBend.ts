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
   * Bounds the motion of the joints while the frame moves by a constant twist whose image by Y is Σ cₖ times step k,
   * up to `slack`. With q' = Σ cₖ stepₖ + e, |e| <= E at all times, J changes by a term of first order in q − q₀, which
   * is at most t times as large, and a rest, so that
   *   |e| <= slack + Σ |B(step, step)| + (mixed terms with E) + third order,  B(u, v) = Y (∂J/∂q u) v
   * and |q − q₀ − Σ cₖ stepₖ| at the end has half of the second, a third of the third order (`error`). `rateError`, E,
   * holds for all rates Σ dₖ stepₖ at these states, |dₖ| <= 1. Undefined if no E is found.
   */
  bounds(steps: readonly (readonly number[])[], slack: readonly number[]) {
    const G = slack.map((_, j) => steps.reduce((sum, step) => sum + Math.abs(step[j]), 0));
    const own = this.ofSteps(steps);
    const ofG = this.changed(G);
    let E: readonly number[] = slack;
    for (let step = 0; step < ENCLOSURE_STEPS; step++) {
      const H = G.map((value, j) => value + E[j]);
      if (!H.every((value) => value <= MAX_SPREAD)) return undefined;
      const ofE = this.changed(E);
      // B(u, v) − B(g, h) for |g|, |h| <= G, |u − g|, |v − h| <= E, H = G + E
      const mixed = slack.map((_, i) => rowTimes(ofG, ORDER * i, E) + rowTimes(ofE, ORDER * i, H));
      const rest = this.secondOrder(H);
      const third = slack.map((_, i) => rowTimes(rest, ORDER * i, H));
      const next = slack.map((value, i) => value + (own.ofRates[i] + mixed[i] + third[i]) * (1 + 1e-9));
      if (next.every((value, i) => value <= E[i])) {
        if (!this.isRegular(H)) return undefined;
        const second = mixed.map((value, i) => own.along[i] + value);
        const error = slack.map((value, i) => value + (second[i] / 2 + third[i] / 3) * (1 + 1e-9));
        return { error, rateError: E };
      }
      E = next.map((value) => 1.05 * value);
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
    let w = H.map(() => 1);
    for (let step = 0; step < ENCLOSURE_STEPS; step++) {
      const image = w.map((_, i) => rowTimes(M, ORDER * i, w) * (1 + 1e-9));
      if (image.every((value, i) => value < w[i])) return true;
      w = image.map((value) => 1 + value);
    }
    return false;
  }

  /** Returns the greatest |B(u, u)| and |B(u, v)| of sums u, v of the steps, one per row. */
  private ofSteps(steps: readonly (readonly number[])[]) {
    const { first } = this;
    const along = new Float64Array(ORDER);
    const ofRates = new Float64Array(ORDER);
    for (let i = 0; i < ORDER; i++) {
      const turned = steps.map((u) => {
        const row = new Float64Array(ORDER);
        for (let j = 0; j < ORDER; j++) row[j] = rowTimes(first, SQUARE * i + ORDER * j, u);
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
    return { along, ofRates };
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
    const { levers, linear, angular } = this;
    const out = new Float64Array(SQUARE);
    for (let j = 0, before = 0; j < ORDER; j++) {
      let all = before + H[j];
      let reach = levers[j] * all * all;
      for (let k = j + 1; k < ORDER; k++) {
        const more = all + H[k];
        reach += levers[k] * (more * more - all * all);
        all = more;
      }
      for (let i = 0; i < ORDER; i++) out[ORDER * i + j] = 0.5 * (linear[i] * reach + angular[i] * before * before);
      before += H[j];
    }
    return out;
  }
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
