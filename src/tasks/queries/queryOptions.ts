import { InputError, requireOneOf } from '../../errors.ts';
import type { Quantity, QuerySolver } from './querySolver.ts';
import { type QuerySolverName, querySolvers, solversWith } from './querySolvers.ts';

/** Options of `createPairQuery`. */
export interface QueryOptions {
  /** Key of `querySolvers`; undefined: the first of the pair's dimension that computes `what`. */
  readonly solver: QuerySolverName | undefined;
  /** Quantity to compute; undefined: all quantities of the solver except contacts and gradients. */
  readonly what: Quantity | undefined;
  /** Relative gap between lower and upper bound at which the solver may stop; undefined: the solver's default. */
  readonly gap: number | undefined;
  /** Absolute gap between the bounds at which the solver may stop, metres or growth distance; absent: none. */
  readonly absoluteGap?: number | undefined;
  /** Maximum number of iterations; absent: the solver's own limit. If it is reached, warnings state the bounds. */
  readonly maxIterations?: number | undefined;
  /** Initial guess of the solver, one of its `guesses`; absent: the solver's default. */
  readonly guess?: string | undefined;
  /** Warm start: uses the result of the previous pair of the same track. */
  readonly warm: boolean;
  /** Receives the steps of the iterations of each pair, of a solver with `isTraced`; absent: none are recorded. */
  readonly observe?: (step: TracedStep) => void;
}

/** One iteration of a traced solver, in the world frame; metres. */
export interface TracedStep {
  /** Number of the support point, from 1. */
  readonly iteration: number;
  /**
   * Lower bound proved so far, this support plane included: of the signed distance, of the growth distance, or of the
   * depth; null: none.
   */
  readonly lower: number | null;
  /** Upper bound before the support point is used, likewise; of depths, this support plane included. */
  readonly upper: number | null;
  /** Unit search direction, from A to B: the support point is the farthest of A ⊖ B along it. */
  readonly direction: readonly number[];
  /**
   * Support point of A ⊖ B, of the cores; for growth distances of the shapes, relative to their centers; for portal
   * refinement of the shapes.
   */
  readonly point: readonly number[];
  /**
   * Points of A ⊖ B that span the simplex, the polytope, the portal (after the interior point) or the segment before
   * the support point is added.
   */
  readonly simplex: readonly (readonly number[])[];
}

/** Differences of the bounds of a quantity that a result without warnings may leave: the greater one. */
export interface StoppingGaps {
  /** Relative to the upper bound. */
  readonly relative: number;
  /** Metres or growth distance, with what rounding may leave. */
  readonly absolute: number;
}

/** Rounding may leave such a gap between the bounds, metres or growth distance. */
export const ROUNDING = 1e-12;

/** Throws `InputError` if the solver does not support the options. */
export function requireOptions(options: QueryOptions): void {
  const { solver, what, observe } = options;
  if (solver !== undefined) requireQuantity(solver, what);
  refuseUnsupported(options);
  if (observe !== undefined) requireTraced(solver, what);
}

/** Returns the gaps at which the solver of pairs in space may stop: relative, and in metres or growth distance. */
export function stoppingGaps({ solver, what, gap, absoluteGap = 0 }: QueryOptions): StoppingGaps {
  const { gap: own } = solver === undefined ? firstOf(3, what) : querySolvers[solver];
  return { relative: gap ?? own, absolute: absoluteGap + ROUNDING };
}

/** Throws `InputError` unless the solver computes the quantity. */
function requireQuantity(name: QuerySolverName, what: Quantity | undefined): void {
  const { computes: knows } = requireOneOf<QuerySolver>(querySolvers, 'solver', name);
  if (what === undefined || knows.includes(what)) return;
  const others = solversWith(({ computes }) => computes.includes(what));
  throw new InputError(
    `${name} does not compute ${what}`,
    `It computes ${knows.join(', ')}. For ${what}: ${others.length > 0 ? others.join(', ') : 'no solver yet'}.`,
  );
}

/** Throws `InputError` if the solver does not accept an option. */
function refuseUnsupported({ solver, what, absoluteGap, maxIterations, guess, warm }: QueryOptions): void {
  const given = [
    ['an absolute gap', absoluteGap, ({ hasAbsoluteGap = false }: QuerySolver) => hasAbsoluteGap],
    ['a limit of iterations', maxIterations, ({ hasLimit = false }: QuerySolver) => hasLimit],
    [`the initial guess "${guess}"`, guess, ({ guesses = [] }: QuerySolver) => guesses.includes(guess!)],
  ] as const;
  for (const [option, value, accepts] of given) {
    if (value === undefined) continue;
    const names = solversWith(accepts);
    if (solver === undefined || !names.includes(solver))
      throw new InputError(`${solver ?? 'no solver'}: ${option} is not supported`, `Use one of ${names.join(', ')}.`);
    if (what === 'collide')
      throw new InputError(`${option} does not apply to collide`, 'A Boolean check stops at the first proof.');
  }
  const isWarmGuess = guess !== undefined && guess !== 'none' && guess !== 'box-centers';
  if (isWarmGuess && !warm) throw new InputError(`the initial guess "${guess}" needs a warm start`);
}

/** Throws `InputError` unless the iterations of the solver can be traced. */
function requireTraced(name: QuerySolverName | undefined, what: Quantity | undefined): void {
  const names = solversWith(({ isTraced }) => isTraced);
  const rest = `Name a solver with a trace: ${names.join(', ')}.`;
  if (name === undefined || !names.includes(name)) {
    throw new InputError(name === undefined ? 'a trace needs a solver' : `${name} has no trace`, rest);
  }
  if (what === 'gradient' || (what === 'collide' && querySolvers[name].computes.length > 1)) {
    throw new InputError(`there is no trace of ${what}`, 'Trace the distance, the growth distance or the depth.');
  }
}

/**
 * Returns the solver of pairs of a dimension. Throws `InputError` if the solver is for pairs of the other one, or if
 * none computes the quantity.
 */
export function solverFor(dimension: 2 | 3, { solver: name, what }: QueryOptions): QuerySolver {
  const solver = name === undefined ? firstOf(dimension, what) : querySolvers[name];
  if (solver.dimension === dimension) return solver;
  throw new InputError(`${name} is for ${solver.dimension}D pairs, this one is ${dimension}D`, solversFor(dimension));
}

function firstOf(dimension: 2 | 3, what: Quantity | undefined): QuerySolver {
  const found = Object.values(querySolvers).find(
    (solver) => solver.dimension === dimension && (what === undefined || solver.computes.includes(what)),
  );
  if (found !== undefined) return found;
  throw new InputError(`no solver of ${dimension}D pairs computes ${what}`, solversFor(dimension));
}

function solversFor(dimension: 2 | 3): string {
  const names = solversWith((solver) => solver.dimension === dimension);
  const listed = names.map((name) => `${name} (${querySolvers[name].computes.join(', ')})`);
  return `For ${dimension}D pairs: ${listed.join('; ')}.`;
}
