import type { Transform } from '../../math/transform.ts';
import { isPolytope } from '../../shapes/polytope.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import type { GrowthSolverDefinition, PairCache, StoppingOptions } from '../solver.ts';
import { defaults, GrowthDistance } from './growthDistance.ts';

/** Warm starts of the paper by name. */
export const warmStarts = { primal: true, dual: true } as const;
export type WarmStart = keyof typeof warmStarts;

/**
 * Growth distance exactly as printed [Thirugnanam26 Alg. 3]: every support point is that along the normal of the
 * portal, which starts on the inner spheres. Warm, the portal is first raised by the points of the last one (primal
 * [§III-F.3]), or the upper bound is that of the last plane (dual). Proposals along other normals, and Newton steps for
 * curved shapes, which `GrowthDistance` adds, are left out: the baseline for iteration counts, and the solver whose
 * iterations can be traced.
 */
export class PlainGrowthDistance extends GrowthDistance {
  /** Warm start; undefined: primal for two polytopes, otherwise none. */
  warmStart: WarmStart | undefined = undefined;
  private readonly absoluteGap: number;

  constructor({ relativeGap = defaults.relativeGap, absoluteGap = 0, maxIterations }: StoppingOptions = {}) {
    super({ relativeGap });
    this.absoluteGap = absoluteGap;
    this.bounds.maxIterations = maxIterations ?? this.bounds.maxIterations;
  }

  protected override raiseLowerBound(a: ConvexShape, _T_b_a: Transform, b: ConvexShape, cache: PairCache): void {
    const { bounds, warmStart } = this;
    const { portal } = bounds;
    const isCached = cache.simplexShapeA === a && cache.simplexShapeB === b;
    const isPrimal = warmStart === 'primal' || (warmStart === undefined && isPolytope(a) && isPolytope(b));
    bounds.gapOverDistance = this.absoluteGap / this.centerDistance;
    portal.hintA = cache.hintA;
    portal.hintB = cache.hintB;
    const plane = isCached && warmStart === 'dual' ? cache.axis : undefined;
    bounds.initialize(a, b, isCached && isPrimal ? cache.simplexPoints : undefined, plane);
    bounds.iterate(a, b);
  }
}

export const plainGrowthDistance: GrowthSolverDefinition = {
  summary: 'growth distance by ray intersection as printed: without proposals and Newton steps',
  source: 'Thirugnanam26',
  create: (options) => new PlainGrowthDistance(options),
};
