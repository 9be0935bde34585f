import type { CheckerDefinition, DistanceSolverDefinition } from '../solver.ts';
import { GjkIteration } from './gjkIteration.ts';
import { IterativeChecker } from './iterativeChecker.ts';
import { IterativeDistance } from './iterativeDistance.ts';
import { Momentum, type MomentumUpdate, nesterov, normalizedNesterov, polyak } from './momentum.ts';

/** The two solvers of one momentum. */
interface AcceleratedGjk {
  readonly checker: CheckerDefinition;
  readonly distance: DistanceSolverDefinition;
}

function accelerate(update: MomentumUpdate, source: string, summary: string): AcceleratedGjk {
  const createIteration = () => new GjkIteration(new Momentum(update));
  return {
    checker: { summary, source, create: () => new IterativeChecker(createIteration()) },
    distance: { summary, source, create: (options) => new IterativeDistance(createIteration(), options) },
  };
}

export const gjkPolyak = accelerate(
  polyak,
  'Montaut24',
  'GJK with Polyak momentum, until an iteration makes no progress',
);

export const gjkNesterov = accelerate(
  normalizedNesterov,
  'Montaut24',
  'GJK with Nesterov momentum and normalized directions',
);

export const gjkNesterovUnnormalized = accelerate(
  nesterov,
  'Montaut22',
  'GJK with Nesterov momentum without normalization',
);
