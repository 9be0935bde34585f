import type { DistanceSolverDefinition } from '../solver.ts';
import { ClosedFormIteration } from './closedFormIteration.ts';
import { gjk } from './gjk.ts';
import { IterativeDistance, type IterativeDistanceOptions } from './iterativeDistance.ts';

/**
 * Minimum distance with bounds, normal and witness points, to rounding, by the Gilbert-Johnson-Keerthi algorithm
 * [GilbertJohnsonKeerthi88] with signed volumes [Montanari17]; for spheres, capsules, and either of them and a box in
 * closed form.
 */
export class GjkDistance extends IterativeDistance<ClosedFormIteration> {
  constructor(options: Partial<IterativeDistanceOptions> = {}) {
    super(new ClosedFormIteration(), options);
  }
}

export const gjkDistance: DistanceSolverDefinition = {
  summary: gjk.summary,
  source: gjk.source,
  create: (options) => new GjkDistance(options),
};
