import type { DistanceSolverDefinition } from '../solver.ts';
import { GjkIteration } from './gjkIteration.ts';
import { IterativeDistance } from './iterativeDistance.ts';

/** Minimum distance by the iteration of the papers alone: the baseline of its accelerated variants. */
export const plainGjk: DistanceSolverDefinition = {
  summary: 'Gilbert-Johnson-Keerthi without closed forms and without Newton steps for curved shapes',
  source: 'GilbertJohnsonKeerthi88',
  create: (options) => new IterativeDistance(new GjkIteration(), options),
};
