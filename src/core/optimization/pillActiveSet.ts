import { create as createTransform, relative, type Transform, transformPoint } from '../math/transform.ts';
import { addScaled, copy, create, dot, scale, sub, type Vec3 } from '../math/vec3.ts';
import { GjkDistance } from '../narrowphase/gjk/gjkDistance.ts';
import { PairCache, Separation } from '../narrowphase/solver.ts';
import { ConvexShape, type SupportFunction } from '../shapes/shape.ts';
import { type Pill, specOfPill } from './pills.ts';
import type { PosedPill } from './posedPill.ts';
import { factorize, solveLower, solveUpper } from './qpData.ts';

/** Sides this near to the closest point of GJK, relative to the size of the core, are active at first. */
const ACTIVE = 1e-7;
/** Slack of a feasible side and multiplier of a weak one, relative to size and force: less is rounding. */
const ROUNDING = 1e-13;
/** Changes of the active set before the interior point method takes over; one or two are usual. */
const MAX_CHANGES = 6;
/** Square of the sine between free directions below which their system is singular. */
const PARALLEL = 1e-10;
/** Row starts of small full matrices: 0. */
const full = new Int32Array(4);

/** Solution of the program of two pills: core coordinates and multipliers. */
export interface PillSolution {
  /** Core coordinates of the closest points of A, then of B, metres. */
  readonly y: Float64Array;
  /** Multipliers of the constraints. */
  readonly z: Float64Array;
}

/**
 * Solves the program of two pills [Tracy22 algorithms 1–3] by an active-set method from a warm start: the sides at the
 * closest points of the cores, found by GJK, are active. The equality-constrained program is solved exactly in the
 * directions that they leave free; a side with a negative multiplier leaves the active set, a violated side enters it.
 * The result is accepted only if it satisfies the optimality conditions, which suffice because the program is convex.
 */
export class PillActiveSet {
  private readonly gjk = new GjkDistance();
  private readonly out = new Separation();
  private readonly cache = new PairCache();
  private readonly cores = new WeakMap<Pill, ConvexShape>();
  private readonly T_b_a: Transform = createTransform();
  private readonly a = new ActiveSides();
  private readonly b = new ActiveSides();
  private readonly point: Vec3 = create();
  private readonly w: Vec3 = create();
  private readonly directions: readonly Vec3[] = Array.from({ length: 4 }, () => create());
  private readonly K = new Float64Array(16);
  private readonly eta = new Float64Array(4);

  /**
   * Computes `y` and `z` of `out`; returns false, and leaves them undefined, if the cores intersect, if the closest
   * points are not unique, or if the optimality conditions could not be met.
   */
  solve(a: PosedPill, T_world_a: Transform, b: PosedPill, T_world_b: Transform, { y, z }: PillSolution): boolean {
    const { out, cache, T_b_a, point } = this;
    relative(T_b_a, T_world_b, T_world_a);
    cache.clear();
    this.gjk.distance(out, this.coreOf(a.pill), T_b_a, this.coreOf(b.pill), Number.POSITIVE_INFINITY, cache);
    if (out.status !== 'separated' || !out.hasWitnesses) return false;
    transformPoint(point, T_world_b, out.witnessA);
    setCoordinates(y, a, point);
    transformPoint(point, T_world_b, out.witnessB);
    setCoordinates(y, b, point);
    if (!this.a.identify(a, y) || !this.b.identify(b, y)) return false;
    for (let change = 0; change <= MAX_CHANGES; change++) {
      if (!this.minimize(a, b, y)) return false;
      z.fill(0);
      const size = Math.sqrt(dot(this.w, this.w));
      const isChangedA = this.a.update(a, y, z, this.w, 2, size);
      const isChangedB = this.b.update(b, y, z, this.w, -2, size);
      if (!isChangedA && !isChangedB) return true;
      if (this.a.count > a.pill.dimension || this.b.count > b.pill.dimension) return false;
    }
    return false;
  }

  private coreOf(pill: Pill): ConvexShape {
    let core = this.cores.get(pill);
    if (core === undefined) {
      core = createCore(pill);
      this.cores.set(pill, core);
    }
    return core;
  }

  /**
   * Minimizes ‖w‖ with the active sides as equations: BᵀB η = −Bᵀw for the free directions B of A and the negated ones
   * of B. Updates y, and w to that of the minimum; returns false if the minimum is not unique.
   */
  private minimize(a: PosedPill, b: PosedPill, y: Float64Array): boolean {
    const { directions, K, eta, w } = this;
    const freeA = this.a.project(a, y, directions, 0);
    if (freeA < 0) return false;
    const freeB = this.b.project(b, y, directions, freeA);
    const free = freeA + freeB;
    if (freeB < 0 || free > 3) return false;
    a.setCore(y);
    b.setCore(y);
    sub(w, a.core, b.core);
    for (let i = freeA; i < free; i++) scale(directions[i], directions[i], -1);
    for (let i = 0; i < free; i++) {
      for (let j = 0; j <= i; j++) K[free * i + j] = dot(directions[i], directions[j]);
      eta[i] = -dot(directions[i], w);
    }
    if (!factorize(K, free, full, PARALLEL)) return false;
    solveLower(K, eta, free, full);
    solveUpper(K, eta, free, full);
    for (let i = 0; i < free; i++) addScaled(w, w, directions[i], eta[i]);
    this.a.advance(a, y, eta, 0, freeA);
    this.b.advance(b, y, eta, freeA, freeB);
    return true;
  }
}

/** The active sides of one pill: none in the interior of its core, one on a side, two at a vertex. */
class ActiveSides {
  count = 0;
  private readonly sides = new Int32Array(4);

  /** Sets the sides that are active at y; returns false if there are more than define a point. */
  identify(body: PosedPill, y: Float64Array): boolean {
    const { d, dimension, boundingRadius } = body.pill;
    this.count = 0;
    for (let i = 0; i < d.length; i++) {
      if (!(body.slack(i, y) < ACTIVE * boundingRadius)) continue;
      if (this.count === dimension) return false;
      this.sides[this.count++] = i;
    }
    return true;
  }

  /**
   * Moves y onto the active sides and writes the free directions of the core, unit vectors in the world, from `at` on;
   * returns their number, negative if the sides are parallel.
   */
  project({ pill, column, axes }: PosedPill, y: Float64Array, directions: readonly Vec3[], at: number): number {
    const { sides, count } = this;
    const { dimension, C, d } = pill;
    const i = sides[0];
    if (count === 0) {
      for (let k = 0; k < dimension; k++) copy(directions[at + k], axes[k]);
      return dimension;
    }
    if (dimension === 1) {
      y[column] = C[i] * d[i];
      return 0;
    }
    const nx = C[2 * i],
      ny = C[2 * i + 1];
    if (count === 1) {
      const slack = d[i] - nx * y[column] - ny * y[column + 1];
      y[column] += slack * nx;
      y[column + 1] += slack * ny;
      scale(directions[at], axes[0], -ny);
      addScaled(directions[at], directions[at], axes[1], nx);
      return 1;
    }
    const j = sides[1];
    const mx = C[2 * j],
      my = C[2 * j + 1];
    const determinant = nx * my - ny * mx;
    if (!(determinant * determinant > PARALLEL)) return -1;
    y[column] = (d[i] * my - d[j] * ny) / determinant;
    y[column + 1] = (nx * d[j] - mx * d[i]) / determinant;
    return 0;
  }

  /** Moves y along the free directions by `eta`, from entry `at` on. */
  advance({ pill, column }: PosedPill, y: Float64Array, eta: Float64Array, at: number, free: number): void {
    if (free === 0) return;
    if (this.count === 0) {
      for (let k = 0; k < free; k++) y[column + k] += eta[at + k];
      return;
    }
    const i = 2 * this.sides[0];
    y[column] -= eta[at] * pill.C[i + 1];
    y[column + 1] += eta[at] * pill.C[i];
  }

  /**
   * Writes the multipliers of the active sides, which balance the gradient `factor` · w of the cost; then takes out the
   * side with the most negative one, or adds the most violated side. Returns true if the active set has changed.
   */
  update(body: PosedPill, y: Float64Array, z: Float64Array, w: Vec3, factor: number, size: number): boolean {
    const { sides, count } = this;
    const { pill, row, axes } = body;
    const { dimension, C, d, boundingRadius } = pill;
    const i = sides[0];
    const j = sides[1];
    if (count > 0) {
      const gx = factor * dot(axes[0], w);
      if (dimension === 1) z[row + i] = -C[i] * gx;
      else {
        const gy = factor * dot(axes[1], w);
        const nx = C[2 * i],
          ny = C[2 * i + 1];
        if (count === 1) z[row + i] = -(nx * gx + ny * gy);
        else {
          const mx = C[2 * j],
            my = C[2 * j + 1];
          const determinant = nx * my - ny * mx;
          z[row + i] = (mx * gy - my * gx) / determinant;
          z[row + j] = (ny * gx - nx * gy) / determinant;
        }
      }
      const leaving = count === 2 && z[row + j] < z[row + i] ? 1 : 0;
      if (z[row + sides[leaving]] < -ROUNDING * size) {
        if (leaving === 0) sides[0] = j;
        this.count--;
        return true;
      }
      z[row + i] = Math.max(0, z[row + i]);
      if (count === 2) z[row + j] = Math.max(0, z[row + j]);
    }
    let entering = -1;
    let least = -ROUNDING * boundingRadius;
    for (let k = 0; k < d.length; k++) {
      if ((count > 0 && k === i) || (count > 1 && k === j)) continue;
      const slack = body.slack(k, y);
      if (!(slack < least)) continue;
      least = slack;
      entering = k;
    }
    if (entering < 0) return false;
    sides[this.count++] = entering;
    return true;
  }
}

/** Creates the core of a pill, in its frame, without the search structure of hulls: that costs more than a solution. */
function createCore(pill: Pill): ConvexShape {
  const points = specOfPill(pill)['points'] as number[][];
  const sum = (k: number) => points.reduce((total, point) => total + point[k], 0) / points.length;
  const center = [sum(0), sum(1), sum(2)];
  const bounds = new Float64Array(6);
  for (let k = 0; k < 3; k++) {
    bounds[k] = Math.min(...points.map((point) => point[k]));
    bounds[3 + k] = Math.max(...points.map((point) => point[k]));
  }
  const radii = points.map((p) => Math.sqrt(p.reduce((total, x, k) => total + (x - center[k]) * (x - center[k]), 0)));
  const parts = { type: 'pill-core', size: points.flat(), support: supportCore, coreInnerRadius: 0, center };
  return new ConvexShape(parts, Math.max(...radii), bounds);
}

/** Writes the vertex that is farthest along d. */
const supportCore: SupportFunction = (out, { size }, d, hint) => {
  const x = d[0],
    y = d[1],
    z = d[2];
  let best = 0;
  let greatest = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < size.length; k += 3) {
    const along = size[k] * x + size[k + 1] * y + size[k + 2] * z;
    if (!(along > greatest)) continue;
    greatest = along;
    best = k;
  }
  out[0] = size[best];
  out[1] = size[best + 1];
  out[2] = size[best + 2];
  return hint;
};

/** Writes the core coordinates of a world point of a core. */
function setCoordinates(y: Float64Array, { pill, column, origin, axes }: PosedPill, point: Vec3): void {
  for (let k = 0; k < pill.dimension; k++) {
    y[column + k] = dot(axes[k], point) - dot(axes[k], origin);
  }
}
