import { GjkIteration } from './gjkIteration.ts';
import type { CheckerDefinition } from '../solver.ts';
import { IterativeChecker } from './iterativeChecker.ts';

/**
 * The Boolean question by the method of Gilbert, Johnson and Keerthi [GilbertJohnsonKeerthi88] on the cores of the bodies: it walks
 * towards the point of A ⊖ B nearest to the origin and leaves as soon as a support plane clears what is asked for, or a point lies
 * within it. The axis of the last separated answer is tried first; where it still parts the two, one look is all it takes.
 */
export class Gjk extends IterativeChecker {
  constructor() {
    super(new GjkIteration());
  }
}

export const gjk: CheckerDefinition = {
  summary: 'Gilbert-Johnson-Keerthi, left as soon as a plane parts the bodies or a common point is found',
  source: 'GilbertJohnsonKeerthi88',
  create: () => new Gjk(),
};
