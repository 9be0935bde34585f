import { Epa } from './depth/epa.ts';
import { frankWolfe, frankWolfeDistance } from './gjk/frankWolfe.ts';
import { gjk } from './gjk/gjk.ts';
import { GjkDistance, gjkDistance } from './gjk/gjkDistance.ts';
import { gjkNesterov, gjkNesterovDistance } from './gjk/gjkNesterov.ts';
import { gjkNesterovUnnormalized, gjkNesterovUnnormalizedDistance } from './gjk/gjkNesterovUnnormalized.ts';
import { gjkPolyak, gjkPolyakDistance } from './gjk/gjkPolyak.ts';
import { portalRefinement } from './gjk/portalRefinement.ts';
import { GrowthDistance, defaults as growthDefaults } from './growth/growthDistance.ts';
import { growthDistanceCheck } from './growth/growthDistanceCheck.ts';
import { internalExpanding, internalExpandingGrowth } from './growth/internalExpanding.ts';
import { vertexQp } from './qp/vertexQp.ts';
import type {
  CheckerDefinition,
  DepthSolver,
  DistanceSolver,
  DistanceSolverDefinition,
  GrowthSolverDefinition,
} from './solver.ts';

/** What `--checker` offers: solvers of the Boolean question. */
export const checkers: Readonly<Record<string, CheckerDefinition>> = {
  'growth-distance': growthDistanceCheck,
  gjk,
  'gjk-polyak': gjkPolyak,
  'gjk-nesterov': gjkNesterov,
  'gjk-nesterov-unnormalized': gjkNesterovUnnormalized,
};

/** Solvers of least distances by name. */
export const distanceSolvers: Readonly<Record<string, DistanceSolverDefinition>> = {
  gjk: gjkDistance,
  'gjk-polyak': gjkPolyakDistance,
  'gjk-nesterov': gjkNesterovDistance,
  'gjk-nesterov-unnormalized': gjkNesterovUnnormalizedDistance,
};

/** Solvers of growth distances by name. */
export const growthSolvers: Readonly<Record<string, GrowthSolverDefinition>> = {
  'growth-distance': {
    summary: 'growth distance by ray intersection',
    source: 'Thirugnanam26',
    create: (options) => new GrowthDistance({ ...growthDefaults, ...options }),
  },
};

/** What papers measure against, for benches: honest, but not for everyday use. */
export const baselineCheckers: Readonly<Record<string, CheckerDefinition>> = {
  'frank-wolfe': frankWolfe,
  'portal-refinement': portalRefinement,
  'internal-expanding': internalExpanding,
};
export const baselineDistanceSolvers: Readonly<Record<string, DistanceSolverDefinition>> = {
  'frank-wolfe': frankWolfeDistance,
  'vertex-qp': vertexQp,
};
export const baselineGrowthSolvers: Readonly<Record<string, GrowthSolverDefinition>> = {
  'internal-expanding': internalExpandingGrowth,
};

/** The solver of least distances for everyday use. */
export function createDistanceSolver(): DistanceSolver {
  return new GjkDistance();
}

/** The solver of penetration depths for everyday use. */
export function createDepthSolver(): DepthSolver {
  return new Epa();
}
