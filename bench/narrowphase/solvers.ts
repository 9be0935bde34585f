import type { Transform } from '../../src/core/math/transform.ts';
import { baselineCheckers, baselineDistanceSolvers } from '../../src/core/narrowphase/baselines.ts';
import { Epa } from '../../src/core/narrowphase/depth/epa.ts';
import { GrowthDistance } from '../../src/core/narrowphase/growth/growthDistance.ts';
import { checkers, type DistanceSolverName, distanceSolvers } from '../../src/core/narrowphase/index.ts';
import {
  type Checker,
  COLLIDING,
  type DistanceSolver,
  type DistanceSolverDefinition,
  type PairCache,
  SEPARATED,
  Separation,
  UNDECIDED,
  type Verdict,
} from '../../src/core/narrowphase/solver.ts';
import type { ConvexShape } from '../../src/core/shapes/shape.ts';

export type Question = 'Boolean' | 'distance' | 'growth' | 'depth';

/** Common interface of solvers for any query. */
export interface Asker {
  ask(a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache: PairCache): Verdict;
  /** Iterations since construction. */
  iterations: number;
}

export interface BenchSolver {
  readonly question: Question;
  readonly name: string;
  readonly create: () => Asker;
}

/** Relative gap of distance solvers, as in the papers: 1e-8. Growth distance and depth use their defaults. */
const DISTANCE_GAP = 1e-8;

/** The solvers of the papers' tables: GJK without closed forms and Newton steps, and its accelerated variants. */
export const paperDistanceSolvers: Readonly<Record<DistanceSolverName, DistanceSolverDefinition>> = {
  ...distanceSolvers,
  gjk: baselineDistanceSolvers['gjk-plain'],
};

/** All solvers, baselines of the papers last. */
export const benchSolvers: readonly BenchSolver[] = [
  ...Object.entries({ ...checkers, ...baselineCheckers }).map(
    ([name, { create }]): BenchSolver => ({ question: 'Boolean', name, create: () => new Checking(create()) }),
  ),
  ...Object.entries({ ...distanceSolvers, ...baselineDistanceSolvers }).map(
    ([name, { create }]): BenchSolver => ({
      question: 'distance',
      name,
      create: () => new Measuring(create({ relativeGap: DISTANCE_GAP })),
    }),
  ),
  { question: 'growth', name: 'growth-distance', create: () => new Growing() },
  { question: 'depth', name: 'epa', create: () => new Deepening() },
];

class Checking implements Asker {
  iterations = 0;
  constructor(private readonly checker: Checker) {}

  ask(a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache: PairCache): Verdict {
    this.checker.iterations = 0;
    const verdict = this.checker.check(a, T_b_a, b, 0, cache);
    this.iterations += this.checker.iterations;
    return verdict;
  }
}

class Measuring implements Asker {
  iterations = 0;
  private readonly out = new Separation();
  constructor(private readonly solver: DistanceSolver) {}

  ask(a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache: PairCache): Verdict {
    const { out } = this;
    this.solver.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, cache);
    this.iterations += out.iterations;
    return verdictOf(out);
  }
}

class Growing implements Asker {
  iterations = 0;
  private readonly out = new Separation();
  private readonly solver = new GrowthDistance();

  ask(a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache: PairCache): Verdict {
    const { out } = this;
    this.solver.solve(out, a, T_b_a, b, cache);
    this.iterations += out.iterations;
    return verdictOf(out);
  }
}

class Deepening implements Asker {
  iterations = 0;
  private readonly out = new Separation();
  private readonly solver = new Epa();

  ask(a: ConvexShape, T_b_a: Transform, b: ConvexShape): Verdict {
    const { out } = this;
    this.solver.depth(out, a, T_b_a, b);
    this.iterations += out.iterations;
    return verdictOf(out);
  }
}

function verdictOf({ status }: Separation): Verdict {
  return status === 'separated' ? SEPARATED : status === 'undecided' ? UNDECIDED : COLLIDING;
}

/** Clears the data of a warm start. */
export function forget(cache: PairCache): void {
  cache.hasAxis = false;
  cache.planeShapeB = undefined;
  cache.hasWitnesses = false;
  cache.simplexShapeA = undefined;
  cache.simplexShapeB = undefined;
  cache.hintA = -1;
  cache.hintB = -1;
}
