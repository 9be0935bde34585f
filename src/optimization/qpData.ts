/**
 * A quadratic program in units of its own, so that tolerances are relative to the data: x in the median distance of the constraints from
 * the origin, each row of G of length 1, the greatest entry of P and c 1. With x = β x̂ and cost α:
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
  /** Columns of a row's first entry that is not 0, and behind its last. */
  private readonly from: Int32Array;
  private readonly to: Int32Array;
  private readonly norms: Float64Array;
  private readonly distances: Float64Array;
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
    this.from = new Int32Array(constraints);
    this.to = new Int32Array(constraints);
    this.norms = new Float64Array(constraints);
    this.distances = new Float64Array(constraints);
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
      throw new RangeError(`no room for ${n} variables, ${m} constraints`);
    this.n = n;
    this.m = m;
    let count = 0;
    for (let i = 0; i < m; i++) {
      this.loadRow(G, i, h[i] < Number.POSITIVE_INFINITY);
      this.h[i] = h[i] < Number.POSITIVE_INFINITY ? h[i] / this.norms[i] : 1; // an empty row: 0 <= 1
      if (this.from[i] < this.to[i] && this.h[i] !== 0) this.distances[count++] = Math.abs(this.h[i]);
    }
    let [curved, steep] = [0, 0];
    for (let i = 0; i < n * n; i++) curved = Math.max(curved, Math.abs(P[i]));
    for (let i = 0; i < n; i++) steep = Math.max(steep, Math.abs(c[i]));
    this.beta = count > 0 ? medianOf(this.distances, count) : curved > 0 && steep > 0 ? steep / curved : 1;
    const { beta } = this;
    const greatest = Math.max(beta * beta * curved, beta * steep);
    this.alpha = greatest > 0 ? 1 / greatest : 1;
    for (let i = 0; i < n * n; i++) this.P[i] = this.alpha * beta * beta * P[i];
    for (let i = 0; i < n; i++) this.c[i] = this.alpha * beta * c[i];
    for (let i = 0; i < m; i++) if (this.from[i] < this.to[i]) this.h[i] /= beta;
  }

  private loadRow(G: ArrayLike<number>, i: number, isThere: boolean): void {
    const { n } = this;
    let [from, to, largest] = [n, 0, 0];
    for (let j = 0; j < n && isThere; j++) {
      const entry = Math.abs(G[n * i + j]);
      if (entry === 0) continue;
      from = Math.min(from, j);
      to = j + 1;
      largest = Math.max(largest, entry);
    }
    this.from[i] = from;
    this.to[i] = to;
    let squared = 0;
    for (let j = from; j < to; j++) squared += (G[n * i + j] / largest) * (G[n * i + j] / largest);
    this.norms[i] = largest > 0 ? largest * Math.sqrt(squared) : 1;
    for (let j = from; j < to; j++) this.G[n * i + j] = G[n * i + j] / this.norms[i];
  }

  /** out = P x */
  timesP(out: Float64Array, x: Float64Array): void {
    const { n, P } = this;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += P[n * i + j] * x[j];
      out[i] = sum;
    }
  }

  /** Gᵢ x */
  rowTimes(i: number, x: Float64Array): number {
    const { n, G, from, to } = this;
    let sum = 0;
    for (let j = from[i], end = to[i]; j < end; j++) sum += G[n * i + j] * x[j];
    return sum;
  }

  /** out += factor Gᵢᵀ */
  addRow(out: Float64Array, i: number, factor: number): void {
    const { n, G, from, to } = this;
    for (let j = from[i], end = to[i]; j < end; j++) out[j] += factor * G[n * i + j];
  }

  /** out += Gᵀ y */
  addTransposed(out: Float64Array, y: Float64Array): void {
    for (let i = 0; i < this.m; i++) this.addRow(out, i, y[i]);
  }

  /** K = P + diagonal I, its lower half. */
  copyP(K: Float64Array, diagonal: number): void {
    const { n, P } = this;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) K[n * i + j] = P[n * i + j];
      K[n * i + i] = P[n * i + i] + diagonal;
    }
  }

  /** K += weight Gᵢᵀ Gᵢ, its lower half. */
  addOuter(K: Float64Array, i: number, weight: number): void {
    const { n, G, from, to } = this;
    const first = from[i];
    for (let row = first, end = to[i]; row < end; row++) {
      const factor = weight * G[n * i + row];
      for (let column = first; column <= row; column++) K[n * row + column] += factor * G[n * i + column];
    }
  }

  /** Units of the scaled program in those of the data: of x, of multiplier i, of the stationarity, of slack i. */
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

/** The median of the first `count` values, which are put in another order [Hoare61]. */
function medianOf(values: Float64Array, count: number): number {
  const middle = Math.floor(count / 2);
  let [low, high] = [0, count - 1];
  while (low < high) {
    const pivot = values[middle];
    let [i, j] = [low, high];
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

/** K = L Lᵀ in place of K's lower half; false where a pivot is not above `least`. */
export function factorize(K: Float64Array, n: number, least: number): boolean {
  for (let i = 0; i < n; i++) {
    eliminate(K, n, i);
    if (!(K[n * i + i] > least)) return false;
    K[n * i + i] = Math.sqrt(K[n * i + i]);
  }
  return true;
}

/** A pivot below this part of its entry is rounding. */
const ROUNDING = 1e-15;
/** What takes the place of such a pivot: that entry of a solution is then 0, and the others are as good as ever [Wright99]. */
const STIFF = 1e100;

/** As `factorize`, for matrices known to be positive definite but for rounding. */
export function factorizeAnyway(K: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    const entry = K[n * i + i];
    eliminate(K, n, i);
    const pivot = K[n * i + i];
    K[n * i + i] = pivot > ROUNDING * entry ? Math.sqrt(pivot) : STIFF;
  }
}

/** Row i of L, its last entry still squared. */
function eliminate(K: Float64Array, n: number, i: number): void {
  for (let j = 0; j <= i; j++) {
    let sum = K[n * i + j];
    for (let k = 0; k < j; k++) sum -= K[n * i + k] * K[n * j + k];
    K[n * i + j] = i === j ? sum : sum / K[n * j + j];
  }
}

/** L x = b in place of b. */
export function solveLower(L: Float64Array, b: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    let sum = b[i];
    for (let k = 0; k < i; k++) sum -= L[n * i + k] * b[k];
    b[i] = sum / L[n * i + i];
  }
}

/** Lᵀ x = b in place of b. */
export function solveUpper(L: Float64Array, b: Float64Array, n: number): void {
  for (let i = n - 1; i >= 0; i--) {
    const x = b[i] / L[n * i + i];
    b[i] = x;
    for (let k = 0; k < i; k++) b[k] -= L[n * i + k] * x;
  }
}
