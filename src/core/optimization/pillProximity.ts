import type { Transform } from '../math/transform.ts';
import { addScaled, create, dot, norm, scale, sub, type Vec3 } from '../math/vec3.ts';
import { PillActiveSet } from './pillActiveSet.ts';
import type { Pill } from './pills.ts';
import { PosedPill } from './posedPill.ts';
import { QpSolver, type QpStatus } from './quadraticProgram.ts';

/**
 * Relative position of the cores of two pills: `regular`, a unique pair of closest points, with derivatives; `weak`, a
 * unique pair, but a constraint of a core is weakly active, so that the points have a kink there (the proximity has
 * none); `many`, parallel capsules and polygons with several closest pairs: neither is differentiable by attitude;
 * `crossing`, the cores intersect: the proximity is minimal, its gradient 0, and the separating direction is unknown;
 * `undecided`, the solver did not converge: value and distance are NaN.
 */
export type CoreContact = 'regular' | 'weak' | 'many' | 'crossing' | 'undecided';

/** Cores closer than this, relative to their size, intersect. */
const INTERSECTION = 1e-9;
/** Square of the sine below which directions count as parallel. */
const PARALLEL = 1e-10;

/**
 * How the program of a pair with a polygon is solved: `active-set`, from the active constraints that the closest points
 * of GJK name, or by the interior point method if these do not satisfy the optimality conditions; `interior-point`,
 * always by the interior point method, as in the paper.
 */
export type PillMethod = 'active-set' | 'interior-point';

/**
 * Proximity of two pills, the squared distance of their cores minus the squared sum of their radii [Tracy22 eq. 18],
 * and their closest points, by the quadratic program in the coordinates of the cores [Tracy22 algorithms 1–3]: the
 * active-set method for two capsules; if a polygon is involved, that of `method`. Vectors are in the world
 * frame. Buffers for polygons grow on demand.
 */
export class PillProximity {
  /** ‖pA − pB‖² − (rA + rB)², m²; negative if the pills overlap. */
  value = 0;
  /** ‖pA − pB‖ − (rA + rB), metres: the signed distance unless the cores intersect. */
  distance = 0;
  /** Relative position of the cores. */
  contact: CoreContact = 'regular';
  /** Status of the quadratic program; `optimal` for active-set methods, which are exact. */
  status: QpStatus = 'optimal';
  /** Pill A in the world, with its closest core point. */
  readonly a = new PosedPill();
  /** Pill B in the world, with its closest core point. */
  readonly b = new PosedPill();
  /** pA − pB of the closest points of the cores, metres; below 1e-9 of the size if the cores intersect. */
  readonly w: Vec3 = create();
  /** Unit vector from A to B; 0 if the cores intersect. */
  readonly normal: Vec3 = create();
  /** Point of pill A nearest to pill B, or deepest in it: core ± radius · normal [Tracy22 eqs. 19–20]. */
  readonly pointA: Vec3 = create();
  /** Point of pill B nearest to pill A, or deepest in it. */
  readonly pointB: Vec3 = create();
  /** Iterations of the interior point method; 0 if it was not needed. */
  iterations = 0;
  /** Largest KKT residual, relative; 0 for active-set methods, whose conditions hold up to rounding. */
  residual = 0;
  /**
   * Quadratic cost of the program of the last pair: P = 2 EᵀE, c = 2 Eᵀe, in blocks of y_A, y_B [Tracy22 eqs. 23–24,
   * 28–29, 32–33].
   */
  readonly P = new Float64Array(16);
  /** Linear cost of the program. */
  readonly c = new Float64Array(4);
  /** Constraint rows of the program, G y <= h. */
  G = new Float64Array(0);
  /** Constraint bounds of the program. */
  h = new Float64Array(0);
  /** Number of variables of the program. */
  variables = 0;
  /** Number of constraints of the program. */
  constraints = 0;
  /** Solution: core coordinates of the closest points of A, then of B, metres. */
  readonly y = new Float64Array(4);
  /** Multipliers of the constraints. */
  z = new Float64Array(4);
  private solver = new QpSolver(4, 0);
  private readonly pair = createBoundedPair();
  private readonly activeSet = new PillActiveSet();
  private readonly e: Vec3 = create();

  constructor(private readonly method: PillMethod = 'active-set') {}

  /** Computes proximity, distance and closest points of two pills at these poses. */
  solve(a: Pill, T_world_a: Transform, b: Pill, T_world_b: Transform): void {
    this.a.setPose(a, T_world_a, 0, 0);
    this.b.setPose(b, T_world_b, a.dimension, a.d.length);
    this.assemble(a, b);
    this.iterations = 0;
    this.residual = 0;
    this.status = 'optimal';
    if (a.dimension < 2 && b.dimension < 2) this.solveCapsules(a, b);
    else if (this.method === 'interior-point' || !this.activeSet.solve(this.a, T_world_a, this.b, T_world_b, this)) {
      this.solveGeneral();
    }
    this.a.setCore(this.y);
    this.b.setCore(this.y);
    this.computeResult(a, b);
  }

  /** Assembles the program: y of A comes first; the axes of B are negated: the offset of the cores is e + E y. */
  private assemble(a: Pill, b: Pill): void {
    const { P, c, e } = this;
    const n = a.dimension + b.dimension;
    this.variables = n;
    this.constraints = a.d.length + b.d.length;
    this.reserve(this.constraints);
    sub(e, this.a.origin, this.b.origin);
    for (let i = 0; i < n; i++) {
      const sign = this.signOf(i);
      c[i] = 2 * sign * dot(this.axisOf(i), e);
      for (let j = 0; j < n; j++) P[n * i + j] = 2 * sign * this.signOf(j) * dot(this.axisOf(i), this.axisOf(j));
    }
    this.G.fill(0);
    this.fillRows(this.a);
    this.fillRows(this.b);
  }

  private axisOf(i: number): Vec3 {
    return i < this.b.column ? this.a.axes[i] : this.b.axes[i - this.b.column];
  }

  private signOf(i: number): number {
    return i < this.b.column ? 1 : -1;
  }

  private fillRows({ pill: { C, d, dimension }, row, column }: PosedPill): void {
    const { G, h, variables: n } = this;
    for (let i = 0; i < d.length; i++) {
      h[row + i] = d[i];
      for (let k = 0; k < dimension; k++) G[n * (row + i) + column + k] = C[dimension * i + k];
    }
  }

  private reserve(constraints: number): void {
    if (this.h.length >= constraints) return;
    this.G = new Float64Array(4 * constraints);
    this.h = new Float64Array(constraints);
    this.z = new Float64Array(constraints);
    this.solver = new QpSolver(4, constraints);
  }

  /**
   * Solves for points and segments: with θ = y/length a box-constrained program of two variables, or fewer if a core is
   * a point [Tracy22 eqs. 23–24].
   */
  private solveCapsules(a: Pill, b: Pill): void {
    const { P, c, y, z, pair } = this;
    const n = a.dimension + b.dimension;
    if (n === 0) return;
    const first = a.dimension === 1 ? a.d[0] : b.d[0];
    const second = n === 2 ? b.d[0] : 0;
    solveBoundedPair(
      pair,
      P[0] * first * first,
      P[1] * first * second,
      P[3] * second * second,
      c[0] * first,
      c[1] * second,
    );
    for (let i = 0; i < n; i++) {
      const length = i === 0 ? first : second;
      y[i] = length * pair.x[i];
      z[2 * i] = pair.z[i] / length;
      z[2 * i + 1] = pair.z[i + 2] / length;
    }
  }

  private solveGeneral(): void {
    const { solver, P, c, G, h, y, z, variables: n, constraints: m } = this;
    this.status = solver.solve(P, c, G, h, n, m);
    for (let i = 0; i < n; i++) y[i] = solver.x[i];
    for (let i = 0; i < m; i++) z[i] = solver.z[i];
    this.iterations = solver.iterations;
    this.residual = solver.residual;
  }

  private computeResult(a: Pill, b: Pill): void {
    const { w, normal, pointA, pointB } = this;
    const radii = a.radius + b.radius;
    sub(w, this.a.core, this.b.core);
    const gap = norm(w);
    const intersects = gap <= INTERSECTION * (a.boundingRadius + b.boundingRadius);
    this.value = dot(w, w) - radii * radii;
    this.distance = gap - radii;
    scale(normal, w, intersects || gap === 0 ? 0 : -1 / gap);
    addScaled(pointA, this.a.core, normal, a.radius);
    addScaled(pointB, this.b.core, normal, -b.radius);
    const isStrict = this.a.isStrict(this.y, this.z, gap) && this.b.isStrict(this.y, this.z, gap);
    this.a.setFreeDirections(this.y, this.z, gap);
    this.b.setFreeDirections(this.y, this.z, gap);
    if (this.status !== 'optimal' && this.status !== 'degenerate') this.setUndecided();
    else if (intersects) this.contact = 'crossing';
    else if (!this.isStrictlyConvex()) this.contact = 'many';
    else this.contact = isStrict ? 'regular' : 'weak';
  }

  private setUndecided(): void {
    this.contact = 'undecided';
    this.value = Number.NaN;
    this.distance = Number.NaN;
  }

  /**
   * Returns true if the distance has positive curvature along all free motions of the two points: the free directions
   * of A and B are linearly independent.
   */
  private isStrictlyConvex(): boolean {
    const { a, b } = this;
    if (a.freeCount + b.freeCount > 3) return false;
    if (a.freeCount === 0 || b.freeCount === 0) return true;
    if (a.freeCount === 1 && b.freeCount === 1) return sineSquared(a.directions[0], b.directions[0]) > PARALLEL;
    const plane = a.freeCount === 2 ? a : b; // the other one is free along a line, which must not be in the plane
    const line = a.freeCount === 2 ? b : a;
    const [u, v] = plane.axes;
    const d = line.directions[0];
    const out = dot(d, d) - dot(d, u) * dot(d, u) - dot(d, v) * dot(d, v);
    return out > PARALLEL * dot(d, d);
  }
}

function sineSquared(p: Vec3, q: Vec3): number {
  const x = p[1] * q[2] - p[2] * q[1];
  const y = p[2] * q[0] - p[0] * q[2];
  const z = p[0] * q[1] - p[1] * q[0];
  return (x * x + y * y + z * z) / (dot(p, p) * dot(q, q));
}

/**
 * Relative to p₀p₂, a smaller determinant is rounding: the cost is flat along a line, which meets the boundary of the
 * box.
 */
const FLAT = 1e-14;

/** Solution of a program of two bounded variables. */
interface BoundedPair {
  /** Minimizer. */
  readonly x: Float64Array;
  /** Multipliers of x₀ <= 1, x₁ <= 1, −x₀ <= 0, −x₁ <= 0. */
  readonly z: Float64Array;
}

export const createBoundedPair = (): BoundedPair => ({ x: new Float64Array(2), z: new Float64Array(4) });

/**
 * Minimises ½ (p₀ x₀² + 2 p₁ x₀x₁ + p₂ x₁²) + c₀ x₀ + c₁ x₁ with 0 <= x₀, x₁ <= 1, P positive semidefinite: the
 * active-set method for two bounded variables [Tracy22 App. A, algorithms 4 and 5]. The minimum is in the interior, on
 * a side or at a vertex of the box: of nine candidates the feasible one of least cost. The candidate of a side, clamped
 * to the box, covers its vertices, so that five candidates are evaluated. If the cost is flat along a line, one of its
 * minimizers is found. Does not allocate.
 */
export function solveBoundedPair(out: BoundedPair, p0: number, p1: number, p2: number, c0: number, c1: number): void {
  const { x, z } = out;
  let best = Number.POSITIVE_INFINITY;
  const determinant = p0 * p2 - p1 * p1;
  if (determinant > FLAT * p0 * p2) {
    const interior0 = (p1 * c1 - p2 * c0) / determinant;
    const interior1 = (p1 * c0 - p0 * c1) / determinant;
    if (interior0 >= 0 && interior0 <= 1 && interior1 >= 0 && interior1 <= 1) {
      x[0] = interior0;
      x[1] = interior1;
      best = (c0 * interior0 + c1 * interior1) / 2; // ½ xᵀP x = −½ cᵀx there
    }
  }
  for (let side = 0; side < 4; side++) {
    const bound = side & 1;
    const free = side < 2 ? minimizer(p2, c1 + p1 * bound) : minimizer(p0, c0 + p1 * bound);
    const x0 = side < 2 ? bound : free;
    const x1 = side < 2 ? free : bound;
    const cost = x0 * (p0 * x0 + 2 * p1 * x1) * 0.5 + 0.5 * p2 * x1 * x1 + c0 * x0 + c1 * x1;
    if (!(cost < best)) continue;
    best = cost;
    x[0] = x0;
    x[1] = x1;
  }
  // The multipliers of the active bounds balance the gradient.
  const g0 = p0 * x[0] + p1 * x[1] + c0;
  const g1 = p1 * x[0] + p2 * x[1] + c1;
  z[0] = x[0] === 1 ? Math.max(0, -g0) : 0;
  z[1] = x[1] === 1 ? Math.max(0, -g1) : 0;
  z[2] = x[0] === 0 ? Math.max(0, g0) : 0;
  z[3] = x[1] === 0 ? Math.max(0, g1) : 0;
}

/** Minimises ½ p x² + c x with 0 <= x <= 1. */
function minimizer(p: number, c: number): number {
  if (p > 0) return Math.min(1, Math.max(0, -c / p));
  return c < 0 ? 1 : 0;
}
