/**
 * GJK as Frank-Wolfe with momentum, written once more from [Montaut24 alg. 4, 6, 7] with plain arrays: the weights of
 * the released program, or those that are printed. Shares no code with the solvers.
 */
type Point = readonly number[];
/** Support points of A ⊖ B of smallest value along d: several if vertices are tied. */
export type Support = (d: Point) => Point[];
export type Rule =
  | 'plain'
  | 'polyak'
  | 'polyak-normalized'
  | 'polyak-printed'
  | 'nesterov'
  | 'nesterov-normalized'
  | 'nesterov-printed';

const dot = (p: Point, q: Point) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
const sum = (s: number, p: Point, t: number, q: Point) => [0, 1, 2].map((k) => s * p[k] + t * q[k]);
const unit = (p: Point) => sum(1 / Math.sqrt(dot(p, p)), p, 0, p);

/** Next direction dₖ from dₖ₋₁, the iterate x and the last support point s. */
const directions: Readonly<Record<Rule, (d: Point, k: number, x: Point, s: Point) => Point>> = {
  plain: (_d, _k, x) => x,
  polyak: (d, k, x) => sum(1 / (k + 1), d, k / (k + 1), x),
  'polyak-normalized': (d, k, x) => sum(1 / (k + 1), unit(d), k / (k + 1), unit(x)),
  'polyak-printed': (d, k, x) => sum((k + 1) / (k + 3), d, 4 / (k + 3), x),
  nesterov: (d, k, x, s) => sum((k + 1) / (k + 3), d, 2 / (k + 3), sum((k + 1) / (k + 3), x, 2 / (k + 3), s)),
  'nesterov-normalized': (d, k, x, s) => {
    const y = sum((k + 2) / (k + 3), x, 1 / (k + 3), s);
    return sum((k + 2) / (k + 3), unit(d), 1 / (k + 3), unit(y));
  },
  'nesterov-printed': (d, k, x, s) => sum((k + 1) / (k + 3), d, 4 / (k + 3), sum((k + 1) / (k + 3), x, 2 / (k + 3), s)),
};

/** A state of the iteration: its rule, direction, iterate, last support point, simplex and number of updates. */
interface State {
  readonly next: (typeof directions)[Rule];
  readonly d: Point;
  readonly k: number;
  readonly x: Point;
  readonly s: Point;
  readonly simplex: readonly Point[];
}

/**
 * Returns the numbers of updates of the simplex until 2⟨x, x − s⟩ ≤ gap (m²), or until it contains the origin: one
 * number, unless support points are tied. Momentum is dropped for good when the gap is met first, and that support
 * point is not added.
 */
export function countUpdates(rule: Rule, support: Support, x0: Point, gap: number): Set<number> {
  const counts = new Set<number>();
  const open: State[] = [{ next: directions[rule], d: x0, k: 0, x: x0, s: x0, simplex: [] }];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const { next, k, x } = state;
    const d = next(state.d, k, x, state.s);
    for (const s of support(d)) {
      if (2 * dot(x, sum(1, x, -1, s)) <= gap) {
        if (next === directions.plain) counts.add(k);
        else open.push({ ...state, next: directions.plain, d, s });
        continue;
      }
      const [nearer, simplex] = nearest([...state.simplex, s]);
      if (simplex.length === 4 || Math.sqrt(dot(nearer, nearer)) < 1e-12) counts.add(k + 1);
      else open.push({ next, d, k: k + 1, x: nearer, s, simplex });
    }
  }
  return counts;
}

/** The point of the convex hull of up to four points nearest to the origin, and the points that span it. */
function nearest(points: readonly Point[]): [Point, Point[]] {
  let best: [Point, Point[]] | undefined;
  for (let mask = 1; mask < 1 << points.length; mask++) {
    const chosen = points.filter((_, k) => (mask >> k) & 1);
    const x = projection(chosen);
    if (x === undefined) continue;
    const isNearer = best === undefined || dot(x, x) < dot(best[0], best[0]) * (1 - 1e-13);
    if (isNearer) best = [x, chosen];
  }
  return best!;
}

/** Projection of the origin on the affine hull; undefined if it is outside the convex hull. */
function projection(points: readonly Point[]): Point | undefined {
  const [p, ...others] = points;
  const edges = others.map((q) => sum(1, q, -1, p));
  // Normal equations of ‖p + Σ tᵢ eᵢ‖ → min, by Gauss-Jordan elimination with pivots.
  const rows = edges.map((e) => [...edges.map((f) => dot(e, f)), -dot(e, p)]);
  for (let i = 0; i < rows.length; i++) {
    const pivot = rows.slice(i).reduce((top, row, k) => (Math.abs(row[i]) > Math.abs(rows[top][i]) ? i + k : top), i);
    [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
    if (!(Math.abs(rows[i][i]) > 1e-18)) return undefined;
    for (let k = 0; k < rows.length; k++) {
      if (k === i) continue;
      const factor = rows[k][i] / rows[i][i];
      rows[k] = rows[k].map((value, j) => value - factor * rows[i][j]);
    }
  }
  const t = rows.map((row, i) => row[edges.length] / row[i]);
  if (Math.min(...t, 1 - t.reduce((a, b) => a + b, 0)) < 0) return undefined;
  return edges.reduce<Point>((x, e, i) => sum(1, x, t[i], e), p);
}
