import type { Transform } from '../../math/transform.ts';
import { isPolytope } from '../../shapes/polytope.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import type { GrowthSolverDefinition, PairCache } from '../solver.ts';
import { defaults, GrowthDistance } from './growthDistance.ts';

/**
 * Growth distance exactly as printed [Thirugnanam26 Alg. 3]: every support point is that along the normal of the
 * portal, which starts on the inner spheres, or, warm, from the points of the last portal [§III-F.3]. Proposals along
 * other normals, and Newton steps for curved shapes, which `GrowthDistance` adds, are left out: the baseline for
 * iteration counts, and the solver whose iterations can be traced.
 */
export class PlainGrowthDistance extends GrowthDistance {
  protected override raiseLowerBound(a: ConvexShape, _T_b_a: Transform, b: ConvexShape, cache: PairCache): void {
    const { bounds } = this;
    const { portal } = bounds;
    const isCached = cache.simplexShapeA === a && cache.simplexShapeB === b && isPolytope(a) && isPolytope(b);
    portal.hintA = cache.hintA;
    portal.hintB = cache.hintB;
    bounds.initialize(a, b, isCached ? cache.simplexPoints : undefined, undefined);
    bounds.iterate(a, b);
  }
}

export const plainGrowthDistance: GrowthSolverDefinition = {
  summary: 'growth distance by ray intersection as printed: without proposals and Newton steps',
  source: 'Thirugnanam26',
  create: (options) => new PlainGrowthDistance({ ...defaults, ...options }),
};
