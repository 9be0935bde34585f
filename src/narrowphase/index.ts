import { Epa } from './epa.ts';
import { gjk } from './gjk.ts';
import { GjkDistance } from './gjkDistance.ts';
import { growthDistanceCheck } from './growthDistanceCheck.ts';
import type { CheckerDefinition, DepthSolver, DistanceSolver } from './solver.ts';

/** What `--checker` offers: solvers of the Boolean question. */
export const checkers: Readonly<Record<string, CheckerDefinition>> = {
  'growth-distance': growthDistanceCheck,
  gjk,
};

/** The solver of least distances for everyday use. */
export function createDistanceSolver(): DistanceSolver {
  return new GjkDistance();
}

/** The solver of penetration depths for everyday use. */
export function createDepthSolver(): DepthSolver {
  return new Epa();
}
