import { gjk } from './gjk.ts';
import { GjkDistance } from './gjkDistance.ts';
import type { CheckerDefinition, DistanceSolver } from './solver.ts';

/** What `--checker` offers: solvers of the Boolean question. */
export const checkers: Readonly<Record<string, CheckerDefinition>> = { gjk };

/** The solver of least distances for everyday use. */
export function createDistanceSolver(): DistanceSolver {
  return new GjkDistance();
}
