import type { DistanceSolverDefinition } from '../solver.ts';
import { gjk } from './gjk.ts';
import { SimplexWalk } from './gjkIteration.ts';
import { WalkDistance, type WalkOptions } from './iterativeDistance.ts';

/**
 * Least distance by the method of Gilbert, Johnson and Keerthi [GilbertJohnsonKeerthi88] with signed volumes [Montanari17]: bounds,
 * normal and witness points, to the last digits.
 */
export class GjkDistance extends WalkDistance<SimplexWalk> {
  constructor(options: Partial<WalkOptions> = {}) {
    super(new SimplexWalk(), options);
  }
}

export const gjkDistance: DistanceSolverDefinition = {
  summary: gjk.summary,
  source: gjk.source,
  create: (options) => new GjkDistance(options),
};
