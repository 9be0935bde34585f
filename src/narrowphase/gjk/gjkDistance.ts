import type { DistanceSolverDefinition } from '../solver.ts';
import { gjk } from './gjk.ts';
import { GjkIteration } from './gjkIteration.ts';
import { IterativeDistance, type IterativeDistanceOptions } from './iterativeDistance.ts';

/**
 * Minimum distance with bounds, normal and witness points, to rounding, by the Gilbert-Johnson-Keerthi algorithm
 * [GilbertJohnsonKeerthi88] with signed volumes [Montanari17].
 */
export class GjkDistance extends IterativeDistance<GjkIteration> {
  constructor(options: Partial<IterativeDistanceOptions> = {}) {
    super(new GjkIteration(), options);
  }
}

export const gjkDistance: DistanceSolverDefinition = {
  summary: gjk.summary,
  source: gjk.source,
  create: (options) => new GjkDistance(options),
};
