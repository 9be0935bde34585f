import type { CheckerDefinition } from '../solver.ts';
import { GjkIteration } from './gjkIteration.ts';
import { IterativeChecker } from './iterativeChecker.ts';

/**
 * Boolean check by the Gilbert-Johnson-Keerthi algorithm [GilbertJohnsonKeerthi88] on the cores: searches the point of
 * A ⊖ B of minimum norm and stops as soon as a support plane proves the required distance, or a point of A ⊖ B lies
 * within it. Starts from the separating axis of the last query; if that still separates the pair, one support call
 * suffices.
 */
export class Gjk extends IterativeChecker {
  constructor() {
    super(new GjkIteration());
  }
}

export const gjk: CheckerDefinition = {
  summary: 'Gilbert-Johnson-Keerthi, with early termination on a separating plane or a common point',
  source: 'GilbertJohnsonKeerthi88',
  create: () => new Gjk(),
};
