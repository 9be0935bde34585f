import { gjkPolyakNormalized } from './gjk/acceleratedGjk.ts';
import {
  frankWolfe,
  frankWolfeDistance,
  frankWolfeFixedStep,
  frankWolfeNesterov,
  frankWolfePolyak,
} from './gjk/frankWolfe.ts';
import { IterativeDistance } from './gjk/gjkDistance.ts';
import { GjkIteration } from './gjk/gjkIteration.ts';
import { portalRefinement } from './gjk/portalRefinement.ts';
import { internalExpanding, internalExpandingGrowth } from './growth/internalExpanding.ts';
import { plainGrowthDistance } from './growth/plainGrowthDistance.ts';
import { vertexQp } from './qp/vertexQp.ts';
import type { CheckerDefinition, DistanceSolverDefinition, GrowthSolverDefinition } from './solver.ts';

/** Minimum distance by the iteration of the papers alone: the baseline of its accelerated variants. */
const plainGjk: DistanceSolverDefinition = {
  summary: 'Gilbert-Johnson-Keerthi without closed forms and without Newton steps for curved shapes',
  source: 'GilbertJohnsonKeerthi88',
  create: (options) => new IterativeDistance(new GjkIteration(), options),
};

/** Baselines of the cited papers, for comparison: correct, but slower or less robust than the solvers above. */
export const baselineCheckers: Readonly<Record<string, CheckerDefinition>> = {
  'frank-wolfe': frankWolfe,
  'portal-refinement': portalRefinement,
  'internal-expanding': internalExpanding,
};
/** Baselines of minimum distances, likewise. */
export const baselineDistanceSolvers: Readonly<Record<string, DistanceSolverDefinition>> = {
  'gjk-plain': plainGjk,
  'gjk-polyak-normalized': gjkPolyakNormalized.distance,
  'frank-wolfe': frankWolfeDistance,
  'frank-wolfe-fixed-step': frankWolfeFixedStep,
  'frank-wolfe-polyak': frankWolfePolyak,
  'frank-wolfe-nesterov': frankWolfeNesterov,
  'vertex-qp': vertexQp,
};
/** Baselines of growth distances, likewise. */
export const baselineGrowthSolvers: Readonly<Record<string, GrowthSolverDefinition>> = {
  'growth-distance-plain': plainGrowthDistance,
  'internal-expanding': internalExpandingGrowth,
};
