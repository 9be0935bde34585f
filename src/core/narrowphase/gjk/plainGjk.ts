import type { DistanceSolverDefinition } from '../solver.ts';
import { IterativeDistance } from './gjkDistance.ts';
import { GjkIteration } from './gjkIteration.ts';

/** Minimum distance by the iteration of the papers alone: the baseline of its accelerated variants. */
export const plainGjk: DistanceSolverDefinition = {
  summary: 'Gilbert-Johnson-Keerthi without closed forms and without Newton steps for curved shapes',
  source: 'GilbertJohnsonKeerthi88',
  create: (options) => new IterativeDistance(new GjkIteration(), options),
};
