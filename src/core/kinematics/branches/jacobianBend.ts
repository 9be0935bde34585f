const ORDER = 6;
const ENCLOSURE_STEPS = 16;
/** rad: joint motions that are larger are not enclosed. */
const MAX_SPREAD = 0.5;

/** Norms of the linear and the angular half of each row of an inverse Jacobian. */
type RowNorms = readonly (readonly number[])[];

/**
 * How the Jacobian J of an arm of six turning joints changes about a state, as far as it matters to its inverse Y. With
 * aⱼ, lⱼ the angular and linear parts of column j, base first, ∂J/∂qₖ has the columns aₖ × Jⱼ for k <= j, and
 * (aⱼ × lₖ, 0) for k > j. Of the second derivatives the linear parts are at most ℓ, the greatest distance of the frame
 * from the axis nearest to it of the three, the angular ones 1 if both joints are before j, else 0.
 */
export class JacobianBend {
  /** Y ∂J/∂qₖ, row i, column j, at 36 i + 6 j + k. */
  private readonly first = new Float64Array(ORDER * ORDER * ORDER);

  /**
   * @param J of order 6
   * @param Y its inverse
   * @param levers greatest distances of the frame from the axes
   */
  constructor(
    J: Float64Array,
    Y: Float64Array,
    private readonly rows: RowNorms,
    private readonly levers: readonly number[],
  ) {
    const { first } = this;
    for (let j = 0; j < ORDER; j++)
      for (let k = 0; k < ORDER; k++) {
        const linear = crossed(J, Math.min(j, k), Math.max(j, k), 0);
        const angular = k < j ? crossed(J, k, j, ORDER * 3) : [0, 0, 0];
        for (let i = 0; i < ORDER; i++) {
          let sum = 0;
          for (let m = 0; m < 3; m++) sum += Y[ORDER * i + m] * linear[m] + Y[ORDER * i + 3 + m] * angular[m];
          first[ORDER * (ORDER * i + j) + k] = sum;
        }
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
    const own = slack.map((_, i) => this.ofSteps(i, steps));
    let E: readonly number[] = slack;
    for (let step = 0; step < ENCLOSURE_STEPS; step++) {
      const H = G.map((value, j) => value + E[j]);
      if (!H.every((value) => value <= MAX_SPREAD)) return undefined;
      const mixed = own.map((_, i) => this.mixed(i, G, E, H));
      const third = this.third(H);
      const next = slack.map((value, i) => value + (own[i].ofRates + mixed[i] + third[i]) * (1 + 1e-9));
      if (next.every((value, i) => value <= E[i])) {
        if (!this.isRegular(H)) return undefined;
        const second = own.map(({ along }, i) => along + mixed[i]);
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
    const M = this.rows.map(([, angular], i) => this.changes(i, H).map((value) => value + total * angular));
    let w = H.map(() => 1);
    for (let step = 0; step < ENCLOSURE_STEPS; step++) {
      const image = M.map((row) => row.reduce((sum, value, j) => sum + value * w[j], 0) * (1 + 1e-9));
      if (image.every((value, i) => value < w[i])) return true;
      w = image.map((value) => 1 + value);
    }
    return false;
  }

  /** Returns the greatest |B(u, u)| and |B(u, v)|, row i, of sums u, v of the steps. */
  private ofSteps(i: number, steps: readonly (readonly number[])[]) {
    let [along, ofRates] = [0, 0];
    for (const [a, u] of steps.entries())
      for (const [b, v] of steps.entries()) {
        const [one, other] = [this.product(i, u, v), this.product(i, v, u)];
        ofRates += Math.abs(one);
        if (b >= a) along += Math.abs(b > a ? one + other : one);
      }
    return { along, ofRates };
  }

  private product(i: number, u: readonly number[], v: readonly number[]): number {
    let sum = 0;
    for (let j = 0; j < ORDER; j++)
      for (let k = 0; k < ORDER; k++) sum += this.first[ORDER * (ORDER * i + j) + k] * u[k] * v[j];
    return sum;
  }

  /** Returns the greatest B(u, v) − B(g, h), row i: |g|, |h| <= G, |u − g|, |v − h| <= E, H = G + E. */
  private mixed(i: number, G: readonly number[], E: readonly number[], H: readonly number[]): number {
    let sum = 0;
    for (let j = 0; j < ORDER; j++)
      for (let k = 0; k < ORDER; k++)
        sum += Math.abs(this.first[ORDER * (ORDER * i + j) + k]) * (G[k] * E[j] + E[k] * H[j]);
    return sum;
  }

  /** Returns the greatest change of row i of Y J in the box H. */
  private changes(i: number, H: readonly number[]): number[] {
    const rest = this.thirdOf(i, H);
    return H.map((_, j) => {
      let sum = rest[j];
      for (let k = 0; k < ORDER; k++) sum += Math.abs(this.first[ORDER * (ORDER * i + j) + k]) * H[k];
      return sum;
    });
  }

  private third = (H: readonly number[]) =>
    this.rows.map((_, i) => this.thirdOf(i, H).reduce((sum, value, j) => sum + value * H[j], 0));

  /** Returns the greatest part of second order of the changes of row i of Y J in the box H. */
  private thirdOf(i: number, H: readonly number[]): number[] {
    const [linear, angular] = this.rows[i];
    const before = sums(H);
    return H.map((_, j) => {
      let reach = this.levers[j] * before[j + 1] ** 2;
      for (let k = j + 1; k < ORDER; k++) reach += this.levers[k] * (before[k + 1] ** 2 - before[k] ** 2);
      return 0.5 * (linear * reach + angular * before[j] ** 2);
    });
  }
}

/** Returns 0 and the sums of the first values. */
function sums(values: readonly number[]): number[] {
  const out = [0];
  for (const value of values) out.push(out[out.length - 1] + value);
  return out;
}

/** Returns the cross product of the angular part of column j of J and the part at `row` of column k. */
function crossed(J: Float64Array, j: number, k: number, row: number): number[] {
  const a = [3, 4, 5].map((r) => J[ORDER * r + j]);
  const b = [0, 1, 2].map((r) => J[row + ORDER * r + k]);
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
