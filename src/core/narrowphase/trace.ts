import { create } from '../math/vec3.ts';
import { Epa } from './depth/epa.ts';
import { DistanceIteration } from './gjk/distanceIteration.ts';
import { FrankWolfeIteration } from './gjk/frankWolfe.ts';
import { IterativeDistance } from './gjk/gjkDistance.ts';
import { GjkIteration } from './gjk/gjkIteration.ts';
import { PortalRefinement } from './gjk/portalRefinement.ts';
import { InternalExpanding } from './growth/internalExpanding.ts';
import { PlainGrowthDistance } from './growth/plainGrowthDistance.ts';
import type { Gjk2d } from './planar/gjk2d.ts';
import type { GrowthDistance2d } from './planar/growthDistance2d.ts';

/**
 * One iteration of a solver: the support point that it evaluates, and what it knows before it uses that point. Vectors
 * in the frame of B, two or three numbers.
 */
export interface TraceStep {
  /** Number of the support point, from 1. */
  readonly iteration: number;
  /**
   * Bounds proved so far, from this support plane too, but not from its point: of the signed distance, metres, where a
   * negative lower bound proves nothing; of the growth distance; or of the depth. Infinite if there is none.
   */
  readonly lower: number;
  readonly upper: number;
  /** Direction from A to B, of any length; the support point is that of A ⊖ B farthest along it. */
  readonly direction: Float64Array;
  /**
   * Support point of the cores' A ⊖ B; of growth distances: of the shapes, (A − cA) ⊖ (B − cB); of portal refinement:
   * of the shapes.
   */
  readonly point: Float64Array;
  /** Points of A ⊖ B whose convex hull is the inner approximation. */
  readonly simplex: readonly Float64Array[];
}

/** Receives each step while a solver runs. */
export type TraceObserver = (step: TraceStep) => void;

/**
 * Reports each support point of a solver: replaces the support function of this one instance, so that solvers without
 * an observer run the same code as ever. Returns false if the solver has no iteration that can be traced.
 */
export function observeSolver(solver: unknown, observe: TraceObserver): boolean {
  if (solver instanceof PlainGrowthDistance) observeGrowth(solver, observe);
  else if (solver instanceof InternalExpanding) observeExpanding(solver, observe);
  else if (solver instanceof Epa) observeDepth(solver, observe);
  else if (solver instanceof PortalRefinement) observePortal(solver, observe);
  else if (solver instanceof IterativeDistance) return observeDistance(solver, observe);
  else return false;
  return true;
}

/** Traces plain or accelerated GJK, or Frank-Wolfe; GJK with closed forms and Newton steps has no such iteration. */
function observeDistance({ difference, iteration }: IterativeDistance, observe: TraceObserver): boolean {
  const gjk = iteration instanceof GjkIteration && !(iteration instanceof DistanceIteration) ? iteration : undefined;
  if (gjk === undefined && !(iteration instanceof FrankWolfeIteration)) return false;
  const support = difference.support.bind(difference);
  difference.support = (n) => {
    support(n);
    const { w, gap, margins } = difference;
    const lower = Math.max(iteration.lower, gap / Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]));
    const simplex = gjk ? pointsOf(gjk.simplex.w, gjk.simplex.count, 3) : [iteration.nearest.slice()];
    observe({
      iteration: iteration.iterations,
      lower: lower - margins,
      upper: iteration.upper - margins,
      direction: n.slice(),
      point: w.slice(),
      simplex: iteration.upper < Number.POSITIVE_INFINITY ? simplex : [],
    });
  };
  return true;
}

/** Traces the growth distance of the paper: the portal, and the bounds of the ray's exit as growth distances. */
function observeGrowth(solver: PlainGrowthDistance, observe: TraceObserver): void {
  const { bounds } = solver;
  const { portal } = bounds;
  const support = portal.support.bind(portal);
  const inFrameOfB = (p: Float64Array, offset: number) => {
    const { axesB } = portal;
    const out = create();
    for (let i = 0; i < 3; i++) {
      out[i] = p[offset] * axesB[i] + p[offset + 1] * axesB[3 + i] + p[offset + 2] * axesB[6 + i];
    }
    return out;
  };
  portal.support = (a, b, normal) => {
    support(a, b, normal);
    const { vertices, first, second, third, freeSlot, supportValue } = portal;
    observe({
      iteration: bounds.iterations,
      lower: solver.centerDistance / Math.min(bounds.upper, supportValue / normal[2]),
      upper: solver.centerDistance / bounds.lower,
      direction: inFrameOfB(normal, 0),
      point: inFrameOfB(vertices, freeSlot),
      simplex: [first, second, third].map((offset) => inFrameOfB(vertices, offset)),
    });
  };
}

/** Traces internal expanding: the simplex about 0, and the bounds of the ray's exit as growth distances. */
function observeExpanding(solver: InternalExpanding, observe: TraceObserver): void {
  const { simplex, w } = solver;
  const support = solver.support.bind(solver);
  solver.support = (n) => {
    const supportValue = support(n);
    const { iterations, centerDistance, lower, upper } = solver;
    observe({
      iteration: iterations,
      lower: centerDistance / upper,
      upper: centerDistance / lower,
      direction: n.slice(),
      point: w.slice(),
      simplex: pointsOf(simplex.w, 4, 3),
    });
    return supportValue;
  };
}

/** Traces the expansions of the polytope; separated pairs, and overlaps of margins alone, have none. */
function observeDepth(solver: Epa, observe: TraceObserver): void {
  const { difference } = solver.gjk;
  const expand = solver.expand.bind(solver);
  const expandFace = solver.expandFace.bind(solver);
  let iteration = 0;
  solver.expand = () => {
    iteration = 0;
    return expand();
  };
  solver.expandFace = (f) => {
    const { polytope, lower } = solver;
    const simplex = pointsOf(polytope.w, polytope.vertexCount, 3);
    const isExpanded = expandFace(f);
    observe({
      iteration: ++iteration,
      lower: lower + difference.margins,
      upper: solver.upper + difference.margins,
      direction: polytope.normals.slice(3 * f, 3 * f + 3),
      point: difference.w.slice(),
      simplex,
    });
    return isExpanded;
  };
}

/** Traces portal refinement: the interior point, the vertices of the portal known so far, and the best plane. */
function observePortal(solver: PortalRefinement, observe: TraceObserver): void {
  const { difference, n } = solver;
  const support = solver.support.bind(solver);
  let lower = Number.NEGATIVE_INFINITY;
  solver.support = (out, cache) => {
    const { v0, v1, v2, v3, rounding } = solver;
    const known = out === v1 ? [v0] : out === v2 ? [v0, v1] : out === v3 ? [v0, v1, v2] : [v0, v1, v2, v3];
    const simplex = known.map((v) => v.slice());
    const direction = n.slice();
    const isSeparated = support(out, cache);
    if (simplex.length === 1) lower = Number.NEGATIVE_INFINITY;
    lower = Math.max(lower, difference.gap / Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) - rounding);
    const { iterations: iteration } = solver;
    observe({ iteration, lower, upper: Number.POSITIVE_INFINITY, direction, point: out.slice(), simplex });
    return isSeparated;
  };
}

/** As `observeSolver` for the planar solvers. */
export function observePlanarSolver(solver: Gjk2d | GrowthDistance2d, observe: TraceObserver): void {
  if ('ascent' in solver) observePlanarGrowth(solver, observe);
  else observePlanarDistance(solver, observe);
}

function observePlanarDistance({ difference, simplex }: Gjk2d, observe: TraceObserver): void {
  const bind = difference.bind.bind(difference);
  const support = difference.support.bind(difference);
  let iteration = 0;
  let lower = Number.NEGATIVE_INFINITY;
  let margins = 0;
  difference.bind = (a, T_b_a, b) => {
    bind(a, T_b_a, b);
    margins = a.margin + b.margin;
    iteration = 0;
    lower = Number.NEGATIVE_INFINITY;
  };
  difference.support = () => {
    support();
    const { direction: d, wx, wy } = difference;
    lower = Math.max(lower, -(d[0] * wx + d[1] * wy) / Math.sqrt(d[0] * d[0] + d[1] * d[1]));
    observe({
      iteration: ++iteration,
      lower: lower - margins,
      upper: simplex.count === 0 ? Number.POSITIVE_INFINITY : simplex.distance - margins,
      direction: d.slice(),
      point: Float64Array.of(wx, wy),
      simplex: pointsOf(simplex.points, simplex.count, 2),
    });
  };
}

/** Follows the segment by the rule of `SegmentAscent.ascend`, which keeps it in local variables. */
function observePlanarGrowth({ ascent }: GrowthDistance2d, observe: TraceObserver): void {
  const { difference, segment } = ascent;
  const support = difference.support.bind(difference);
  const ascend = ascent.ascend.bind(ascent);
  let [left, right] = [segment.left, segment.right];
  let outer = Number.POSITIVE_INFINITY;
  let iteration = 0;
  let isAscending = false;
  ascent.ascend = () => {
    [left, right] = [segment.left.slice(0, 2), segment.right.slice(0, 2)];
    outer = ascent.outerLength;
    iteration = 0;
    isAscending = true;
    const verdict = ascend();
    isAscending = false;
    return verdict;
  };
  difference.support = () => {
    support();
    if (!isAscending) return;
    const { margin, centerDistance, ux, uy } = ascent;
    const d = difference.direction.slice();
    const shift = margin / Math.sqrt(d[0] * d[0] + d[1] * d[1]);
    const point = Float64Array.of(difference.wx + shift * d[0], difference.wy + shift * d[1]);
    outer = Math.min(outer, (d[0] * point[0] + d[1] * point[1]) / (d[0] * ux + d[1] * uy));
    const toLeft = ux * left[1] - uy * left[0];
    const toRight = uy * right[0] - ux * right[1];
    const share = toRight / (toLeft + toRight);
    const inner = share * (ux * left[0] + uy * left[1]) + (1 - share) * (ux * right[0] + uy * right[1]);
    observe({
      iteration: ++iteration,
      lower: centerDistance / outer,
      upper: centerDistance / inner,
      direction: d,
      point,
      simplex: [left, right],
    });
    if (ux * point[1] - uy * point[0] >= 0) left = point;
    else right = point;
  };
}

/** Returns the first points of a list of coordinates. */
function pointsOf(list: Float64Array, count: number, dimension: number): Float64Array[] {
  return Array.from({ length: count }, (_, k) => list.slice(dimension * k, dimension * (k + 1)));
}
