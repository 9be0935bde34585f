import { Epa } from './depth/epa.ts';
import {
  gjkNesterov,
  gjkNesterovPrinted,
  gjkNesterovUnnormalized,
  gjkPolyak,
  gjkPolyakPrinted,
} from './gjk/acceleratedGjk.ts';
import { gjk } from './gjk/gjk.ts';
import { GjkDistance, gjkDistance } from './gjk/gjkDistance.ts';
import { GrowthDistance, defaults as growthDefaults } from './growth/growthDistance.ts';
import { growthDistanceCheck } from './growth/growthDistanceCheck.generated.ts';
import type {
  CheckerDefinition,
  DepthSolver,
  DistanceSolver,
  DistanceSolverDefinition,
  GrowthSolverDefinition,
} from './solver.ts';

/** Boolean checkers by name: the values of `--checker`. */
export const checkers = {
  'growth-distance': growthDistanceCheck,
  gjk,
  'gjk-polyak': gjkPolyak.checker,
  'gjk-polyak-printed': gjkPolyakPrinted.checker,
  'gjk-nesterov': gjkNesterov.checker,
  'gjk-nesterov-printed': gjkNesterovPrinted.checker,
  'gjk-nesterov-unnormalized': gjkNesterovUnnormalized.checker,
} as const satisfies Readonly<Record<string, CheckerDefinition>>;

/** Name of a narrow-phase checker: a key of `checkers`. */
export type CheckerName = keyof typeof checkers;

/** Solvers of minimum distances by name. */
export const distanceSolvers = {
  gjk: gjkDistance,
  'gjk-polyak': gjkPolyak.distance,
  'gjk-polyak-printed': gjkPolyakPrinted.distance,
  'gjk-nesterov': gjkNesterov.distance,
  'gjk-nesterov-printed': gjkNesterovPrinted.distance,
  'gjk-nesterov-unnormalized': gjkNesterovUnnormalized.distance,
} as const satisfies Readonly<Record<string, DistanceSolverDefinition>>;

/** Name of a solver of minimum distances: a key of `distanceSolvers`. */
export type DistanceSolverName = keyof typeof distanceSolvers;

/** Solvers of growth distances by name. */
export const growthSolvers: Readonly<Record<string, GrowthSolverDefinition>> = {
  'growth-distance': {
    summary: 'growth distance by ray intersection',
    source: 'Thirugnanam26',
    create: (options) => new GrowthDistance({ ...growthDefaults, ...options }),
  },
};

/** Creates the default solver of minimum distances. */
export function createDistanceSolver(): DistanceSolver {
  return new GjkDistance();
}

/** Creates the default solver of penetration depths. */
export function createDepthSolver(): DepthSolver {
  return new Epa();
}
