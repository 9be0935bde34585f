import type { DistanceSolverDefinition } from '../solver.ts';
import { DistanceIteration } from './distanceIteration.ts';
import { gjk } from './gjk.ts';
import { fromAxes } from './initialGuess.ts';
import { IterativeDistance, type IterativeDistanceOptions } from './iterativeDistance.ts';

/**
 * Minimum distance with bounds, normal and witness points, to rounding, by the Gilbert-Johnson-Keerthi algorithm
 * [GilbertJohnsonKeerthi88] with signed volumes [Montanari17]; for spheres, capsules, and either of them and a box in
 * closed form; with Newton steps for curved shapes. `gjk-plain` is the algorithm of the papers alone.
 */
export class GjkDistance extends IterativeDistance<DistanceIteration> {
  constructor(options: Partial<IterativeDistanceOptions> = {}) {
    super(new DistanceIteration(), { guess: fromAxes, ...options });
  }
}

export const gjkDistance: DistanceSolverDefinition = {
  summary: gjk.summary,
  source: gjk.source,
  create: (options) => new GjkDistance(options),
};
