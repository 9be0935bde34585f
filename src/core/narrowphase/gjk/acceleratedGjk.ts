import type { CheckerDefinition, DistanceSolverDefinition } from '../solver.ts';
import { IterativeChecker } from './gjk.ts';
import { IterativeDistance } from './gjkDistance.ts';
import {
  GjkIteration,
  Momentum,
  type MomentumUpdate,
  nesterov,
  normalizedNesterov,
  normalizedPolyak,
  polyak,
  printedNesterov,
  printedNormalizedNesterov,
  printedPolyak,
} from './gjkIteration.ts';

/** The two solvers of one momentum. */
interface AcceleratedGjk {
  readonly checker: CheckerDefinition;
  readonly distance: DistanceSolverDefinition;
}

function accelerate(source: string, summary: string, forHulls: MomentumUpdate, forOthers = forHulls): AcceleratedGjk {
  const createIteration = () => new GjkIteration(new Momentum(forHulls, forOthers));
  return {
    checker: { summary, source, create: () => new IterativeChecker(createIteration()) },
    distance: { summary, source, create: (options) => new IterativeDistance(createIteration(), options) },
  };
}

export const gjkPolyak = accelerate(
  'Montaut24',
  'GJK with Polyak momentum; weights 1 / (k + 1) as in the released program',
  polyak,
);

export const gjkPolyakPrinted = accelerate(
  'Montaut24',
  'GJK with Polyak momentum; weights (k + 1) / (k + 3) as printed in the paper',
  printedPolyak,
);

export const gjkNesterov = accelerate(
  'Montaut24',
  'GJK with Nesterov momentum, normalized for two hulls; weights and step (1 − δ) y as in the released program',
  normalizedNesterov,
  nesterov,
);

export const gjkNesterovPrinted = accelerate(
  'Montaut24',
  'GJK with normalized Nesterov momentum; weights (k + 1) / (k + 3) as printed in the paper',
  printedNormalizedNesterov,
);

export const gjkNesterovUnnormalized = accelerate(
  'Montaut22',
  'GJK with Nesterov momentum without normalization, for curved shapes; step 2 (1 − δ) y as printed in the paper',
  printedNesterov,
);

/** A baseline: the paper normalizes Nesterov's momentum only. */
export const gjkPolyakNormalized = accelerate(
  'Montaut24',
  'GJK with normalized Polyak momentum; weights 1 / (k + 1) as in the released program',
  normalizedPolyak,
);
