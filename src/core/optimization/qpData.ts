/**
 * A quadratic program in scaled units, so that tolerances are relative to the data: unit of x = median distance of the
 * constraints from the origin, rows of G of length 1, largest entry of P and c equal to 1. With x = β x̂ and cost
 * factor α:
 *
 *     P̂ = αβ² P,  ĉ = αβ c,  Ĝᵢ = Gᵢ/‖Gᵢ‖,  ĥᵢ = hᵢ/(β‖Gᵢ‖),  ẑᵢ = αβ‖Gᵢ‖ zᵢ,  ŝᵢ = sᵢ/(β‖Gᵢ‖).
 */
export class QpData {
  n = 0;
  m = 0;
  readonly c: Float64Array;
  readonly h: Float64Array;
  private readonly P: Float64Array;
  private readonly G: Float64Array;
  /** Number of nonzero entries of each row, and their columns in order; `G` holds only these entries. */
  private readonly counts: Int32Array;
  private readonly columns: Int32Array;
  private readonly norms: Float64Array;
  private readonly distances: Float64Array;
  /** First nonzero column of each row of the lower half of P + GᵀWG: its Cholesky factor has the same profile. */
  readonly first: Int32Array;
  private alpha = 1;
  private beta = 1;

  constructor(
    readonly variables: number,
    readonly constraints: number,
  ) {
    this.P = new Float64Array(variables * variables);
    this.c = new Float64Array(variables);
    this.G = new Float64Array(constraints * variables);
    this.h = new Float64Array(constraints);
    this.counts = new Int32Array(constraints);
    this.columns = new Int32Array(constraints * variables);
    this.norms = new Float64Array(constraints);
    this.distances = new Float64Array(constraints);
    this.first = new Int32Array(variables);
  }

  load(
    P: ArrayLike<number>,
    c: ArrayLike<number>,
    G: ArrayLike<number>,
    h: ArrayLike<number>,
    n: number,
    m: number,
  ): void {
    if (n > this.variables || m > this.constraints)
      throw new RangeError(`${n} variables and ${m} constraints exceed the capacity of the solver`);
    this.n = n;
    this.m = m;
    let count = 0;
    for (let i = 0; i < m; i++) {
      this.loadRow(G, i, h[i] < Number.POSITIVE_INFINITY);
      this.h[i] = h[i] < Number.POSITIVE_INFINITY ? h[i] / this.norms[i] : 1; // no constraint: 0 <= 1
      if (this.counts[i] > 0 && this.h[i] !== 0) this.distances[count++] = Math.abs(this.h[i]);
    }
    let maxP = 0;
    let maxC = 0;
    for (let i = 0; i < n * n; i++) maxP = Math.max(maxP, Math.abs(P[i]));
    for (let i = 0; i < n; i++) maxC = Math.max(maxC, Math.abs(c[i]));
    this.beta = count > 0 ? medianOf(this.distances, count) : maxP > 0 && maxC > 0 ? maxC / maxP : 1;
    const { beta } = this;
    const maxScaled = Math.max(beta * beta * maxP, beta * maxC);
    this.alpha = maxScaled > 0 ? 1 / maxScaled : 1;
    for (let i = 0; i < n * n; i++) this.P[i] = this.alpha * beta * beta * P[i];
    for (let i = 0; i < n; i++) this.c[i] = this.alpha * beta * c[i];
    for (let i = 0; i < m; i++) if (this.counts[i] > 0) this.h[i] /= beta;
    this.findProfile();
  }

  private loadRow(G: ArrayLike<number>, i: number, hasBound: boolean): void {
    const { n, columns } = this;
    let count = 0;
    let largest = 0;
    for (let j = 0; j < n && hasBound; j++) {
      const entry = Math.abs(G[n * i + j]);
      if (entry === 0) continue;
      columns[n * i + count++] = j;
      largest = Math.max(largest, entry);
    }
    this.counts[i] = count;
    let squared = 0;
    for (let a = 0; a < count; a++) {
      const entry = G[n * i + columns[n * i + a]] / largest;
      squared += entry * entry;
    }
    this.norms[i] = largest > 0 ? largest * Math.sqrt(squared) : 1;
    for (let a = 0; a < count; a++) this.G[n * i + a] = G[n * i + columns[n * i + a]] / this.norms[i];
  }

  private findProfile(): void {
    const { n, m, P, counts, columns, first } = this;
    for (let i = 0; i < n; i++) {
      first[i] = i;
      for (let j = i - 1; j >= 0; j--) if (P[n * i + j] !== 0) first[i] = j;
    }
    for (let k = 0; k < m; k++) {
      for (let a = 0; a < counts[k]; a++) {
        const i = columns[n * k + a];
        first[i] = Math.min(first[i], columns[n * k]);
      }
    }
  }

  /** Computes out = P x. */
  timesP(out: Float64Array, x: Float64Array): void {
    const { n, P, first } = this;
    for (let i = 0; i < n; i++) {
      let sum = P[n * i + i] * x[i];
      for (let j = first[i]; j < i; j++) {
        const entry = P[n * i + j];
        sum += entry * x[j];
        out[j] += entry * x[i];
      }
      out[i] = sum;
    }
  }

  /** Returns Gᵢ x. */
  rowTimes(i: number, x: Float64Array): number {
    const { n, G, counts, columns } = this;
    let sum = 0;
    for (let a = n * i, end = a + counts[i]; a < end; a++) sum += G[a] * x[columns[a]];
    return sum;
  }

  /** Computes out += factor Gᵢᵀ. */
  addRow(out: Float64Array, i: number, factor: number): void {
    const { n, G, counts, columns } = this;
    for (let a = n * i, end = a + counts[i]; a < end; a++) out[columns[a]] += factor * G[a];
  }

  /** Computes out += Gᵀ y. */
  addTransposed(out: Float64Array, y: Float64Array): void {
    for (let i = 0; i < this.m; i++) this.addRow(out, i, y[i]);
  }

  /** Computes the lower half of K = P + diagonal I. */
  copyP(K: Float64Array, diagonal: number): void {
    const { n, P, first } = this;
    for (let i = 0; i < n; i++) {
      for (let j = first[i]; j < i; j++) K[n * i + j] = P[n * i + j];
      K[n * i + i] = P[n * i + i] + diagonal;
    }
  }

  /** Computes the lower half of K += weight Gᵢᵀ Gᵢ. */
  addOuter(K: Float64Array, i: number, weight: number): void {
    const { n, G, counts, columns } = this;
    const begin = n * i;
    for (let a = begin, end = begin + counts[i]; a < end; a++) {
      const factor = weight * G[a];
      const row = n * columns[a];
      for (let b = begin; b <= a; b++) K[row + columns[b]] += factor * G[b];
    }
  }

  /**
   * Units of the scaled program in those of the data: of x, of multiplier i, of the stationarity residual, of slack i.
   */
  get unitX(): number {
    return this.beta;
  }
  unitZ(i: number): number {
    return 1 / (this.alpha * this.beta * this.norms[i]);
  }
  get unitForce(): number {
    return this.alpha * this.beta;
  }
  unitSlack(i: number): number {
    return 1 / (this.beta * this.norms[i]);
  }

  unscale(x: Float64Array, z: Float64Array, s: Float64Array): void {
    for (let i = 0; i < this.n; i++) x[i] *= this.beta;
    for (let i = 0; i < this.m; i++) {
      z[i] *= this.unitZ(i);
      s[i] *= this.beta * this.norms[i];
    }
  }
}

/** Returns the median of the first `count` values, which are reordered [Hoare61]. */
function medianOf(values: Float64Array, count: number): number {
  const middle = Math.floor(count / 2);
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = values[middle];
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i > j) break;
      const value = values[i];
      values[i++] = values[j];
      values[j--] = value;
    }
    if (j < middle) low = i;
    if (i > middle) high = j;
  }
  return values[middle];
}

/**
 * Factorises K = L Lᵀ in place in the lower half of K, whose rows start at `first`; returns false if a pivot is not
 * above `minPivot`.
 */
export function factorize(K: Float64Array, n: number, first: Int32Array, minPivot: number): boolean {
  for (let i = 0; i < n; i++) {
    eliminate(K, n, first, i);
    if (!(K[n * i + i] > minPivot)) return false;
    K[n * i + i] = Math.sqrt(K[n * i + i]);
  }
  return true;
}

/** A pivot below this fraction of its diagonal entry is rounding. */
const ROUNDING = 1e-15;
/**
 * Replaces such a pivot: that entry of a solution is then 0, and the accuracy of the others is unaffected [Wright99].
 */
const LARGE_PIVOT = 1e100;

/** Like `factorize`, for matrices that are positive definite up to rounding. */
export function factorizeRobust(K: Float64Array, n: number, first: Int32Array): void {
  for (let i = 0; i < n; i++) {
    const entry = K[n * i + i];
    eliminate(K, n, first, i);
    const pivot = K[n * i + i];
    K[n * i + i] = pivot > ROUNDING * entry ? Math.sqrt(pivot) : LARGE_PIVOT;
  }
}

/** Computes row i of L, its diagonal entry still squared. */
function eliminate(K: Float64Array, n: number, first: Int32Array, i: number): void {
  const begin = first[i];
  for (let j = begin; j <= i; j++) {
    let sum = K[n * i + j];
    for (let k = Math.max(begin, first[j]); k < j; k++) sum -= K[n * i + k] * K[n * j + k];
    K[n * i + j] = i === j ? sum : sum / K[n * j + j];
  }
}

/** Solves L x = b in place of b. */
export function solveLower(L: Float64Array, b: Float64Array, n: number, first: Int32Array): void {
  for (let i = 0; i < n; i++) {
    let sum = b[i];
    for (let k = first[i]; k < i; k++) sum -= L[n * i + k] * b[k];
    b[i] = sum / L[n * i + i];
  }
}

/** Solves Lᵀ x = b in place of b. */
export function solveUpper(L: Float64Array, b: Float64Array, n: number, first: Int32Array): void {
  for (let i = n - 1; i >= 0; i--) {
    const x = b[i] / L[n * i + i];
    b[i] = x;
    for (let k = first[i]; k < i; k++) b[k] -= L[n * i + k] * x;
  }
}
