import { transformPlanarPoint } from '../../core/math/planar.ts';
import { transformPoint } from '../../core/math/transform.ts';
import { clearSeparation } from '../../core/narrowphase/outcome.ts';
import type { Bounds, SeparationStatus } from '../../core/narrowphase/solver.ts';
import type { TraceObserver, TraceStep } from '../../core/narrowphase/trace.ts';
import { InputError, requireOneOf } from '../../errors.ts';
import type { PlanarPair, ShapePair, SpatialPair } from '../../formats/streams/shapePair.ts';
import { gradientInWorld, type QueryGradient, vectorInWorld } from './queryGradient.ts';
import { type Quantity, QueryCache, QueryResult, type QuerySolver, type Solve } from './querySolver.ts';
import { type QuerySolverName, querySolvers } from './querySolvers.ts';

/** Options of `createPairQuery`. */
export interface QueryOptions {
  /** Key of `querySolvers`; undefined: the first of the pair's dimension that computes `what`. */
  readonly solver: QuerySolverName | undefined;
  /** Quantity to compute; undefined: all quantities of the solver except gradients. */
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
   * Lower bound proved so far, this support plane included: of the signed distance, or of the growth distance; null:
   * none.
   */
  readonly lower: number | null;
  /** Upper bound before the support point is used, likewise. */
  readonly upper: number | null;
  /** Unit search direction, from A to B: the support point is the farthest of A ⊖ B along it. */
  readonly direction: readonly number[];
  /** Support point of A ⊖ B, of the cores; for growth distances of the shapes, relative to their centers. */
  readonly point: readonly number[];
  /** Points of A ⊖ B that span the simplex, the portal or the segment before the support point is added. */
  readonly simplex: readonly (readonly number[])[];
}

/**
 * Result of a pair query in the world frame, metres; fields that were not computed are absent. Vectors of planar pairs
 * have two numbers.
 */
export interface PairResult {
  /** Status of the pair. */
  readonly status: SeparationStatus;
  /** Bounds on the minimum distance, metres; 0 in collision. */
  readonly distance?: QuantityBounds;
  /** Bounds on the growth distance. */
  readonly growth?: QuantityBounds;
  /** Penetration depth, metres; 0 if separated. */
  readonly depth?: number;
  /** Unit vector from A to B that proves the lower bound of the solver: on distance, growth distance or depth. */
  readonly normal?: readonly number[];
  /** Witness point on A in the world. */
  readonly witnessA?: readonly number[];
  /** Witness point on B in the world. */
  readonly witnessB?: readonly number[];
  /** Gradient of the growth distance. */
  readonly gradient?: QueryGradient;
  /** Number of iterations of the solver. */
  readonly iterations: number;
  /** Why a requested quantity, or a part of it, is absent. */
  readonly warnings?: readonly string[];
}

/** Bounds of a quantity; a missing upper bound is unknown. */
export interface QuantityBounds {
  /** Lower bound. */
  readonly lower: number;
  /** Upper bound; undefined if none is known. */
  readonly upper?: number;
}

/**
 * Creates a function that computes the separation of pairs. Throws `InputError` if no solver supports the options; the
 * function throws it if the solver does not support a pair.
 */
export function createPairQuery(options: QueryOptions): (pair: ShapePair) => PairResult {
  const { solver, what, warm, observe } = options;
  if (solver !== undefined) requireQuantity(solver, what);
  refuseUnsupported(options);
  if (observe !== undefined) requireTraced(solver, what);
  const tracks = new Map<string, QueryCache>();
  const engines = new Map<2 | 3, Engine>();
  const out = new QueryResult();
  const cold = new QueryCache();
  let traced: ShapePair;
  return (pair) => {
    const report = observe && ((step: TraceStep) => observe(stepInWorld(traced, step)));
    const engine = engines.get(pair.dimension) ?? createEngine(pair.dimension, options, report);
    traced = pair;
    engines.set(pair.dimension, engine);
    clearSeparation(out);
    out.sensitivity = undefined;
    cold.clear();
    engine.solve(out, pair, warm ? cacheOf(tracks, pair) : cold);
    return resultOf(out, pair, engine);
  };
}

/** Returns the result of a pair as `query` writes it, with the warnings about the pair. */
export function writtenResult(queryPair: (pair: ShapePair) => PairResult, pair: ShapePair): PairResult {
  const { warnings: missing = [], ...result } = queryPair(pair);
  const warnings = [...(pair.warnings ?? []), ...missing];
  return { ...result, ...(warnings.length > 0 && { warnings }) };
}

/** Differences of the bounds of a quantity that a result without warnings may leave: the greater one. */
export interface StoppingGaps {
  /** Relative to the upper bound. */
  readonly relative: number;
  /** Metres or growth distance, with what rounding may leave. */
  readonly absolute: number;
}

/** A solver with the quantities that it computes. */
interface Engine {
  readonly wanted: readonly Quantity[];
  /** Relative and absolute gap between the bounds at which the solver may stop. */
  readonly gap: number;
  readonly absoluteGap: number;
  readonly solve: (out: QueryResult, pair: ShapePair, cache: QueryCache) => void;
}

/** Throws `InputError` unless the solver computes the quantity. */
function requireQuantity(name: QuerySolverName, what: Quantity | undefined): void {
  const { computes: knows } = requireOneOf<QuerySolver>(querySolvers, 'solver', name);
  if (what === undefined || knows.includes(what)) return;
  const others = Object.entries(querySolvers).flatMap(([other, { computes }]) =>
    computes.includes(what) ? [other] : [],
  );
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
    const names = Object.entries<QuerySolver>(querySolvers).flatMap(([name, one]) => (accepts(one) ? [name] : []));
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
  const isTraced = ([, solver]: [string, QuerySolver]) => solver.isTraced === true;
  const names = Object.entries<QuerySolver>(querySolvers)
    .filter(isTraced)
    .map(([traced]) => traced);
  const rest = `Name a solver with a trace: ${names.join(', ')}.`;
  if (name === undefined || !names.includes(name)) {
    throw new InputError(name === undefined ? 'a trace needs a solver' : `${name} has no trace`, rest);
  }
  if (what === 'collide' || what === 'gradient') {
    throw new InputError(`there is no trace of ${what}`, 'Trace the distance or the growth distance.');
  }
}

/** Converts a step from the frame of B to the world frame, as plain data. */
function stepInWorld(pair: ShapePair, { iteration, lower, upper, direction, point, simplex }: TraceStep): TracedStep {
  const length = Math.sqrt(direction.reduce((sum, x) => sum + x * x, 0));
  const unit = direction.map((x) => x / length);
  return {
    iteration,
    lower: Number.isFinite(lower) ? lower : null,
    upper: Number.isFinite(upper) ? upper : null,
    direction: vectorInWorld(pair, unit),
    point: vectorInWorld(pair, point),
    simplex: simplex.map((p) => vectorInWorld(pair, p)),
  };
}

function createEngine(
  dimension: 2 | 3,
  { solver: name, what, gap, absoluteGap, maxIterations, guess }: QueryOptions,
  observe: TraceObserver | undefined,
): Engine {
  const solver = name === undefined ? firstOf(dimension, what) : querySolvers[name];
  if (solver.dimension !== dimension) {
    throw new InputError(`${name} is for ${solver.dimension}D pairs, this one is ${dimension}D`, solversFor(dimension));
  }
  const wanted = what === undefined ? solver.computes.filter((quantity) => quantity !== 'gradient') : [what];
  // Safe cast: the dimension of solver and pair was checked above.
  const relativeGap = gap ?? solver.gap;
  const solve = solver.create({
    relativeGap,
    ...(absoluteGap !== undefined && { absoluteGap }),
    ...(maxIterations !== undefined && { maxIterations }),
    ...(guess !== undefined && { guess }),
    ...(observe && { observe }),
  }) as Solve<SpatialPair | PlanarPair>;
  return {
    wanted,
    gap: relativeGap,
    absoluteGap: absoluteGap ?? 0,
    solve: (out, pair, cache) => solve(out, pair, wanted, cache),
  };
}

/** Returns the gaps at which the solver of pairs in space may stop: relative, and in metres or growth distance. */
export function stoppingGaps({ solver, what, gap, absoluteGap = 0 }: QueryOptions): StoppingGaps {
  const { gap: own } = solver === undefined ? firstOf(3, what) : querySolvers[solver];
  return { relative: gap ?? own, absolute: absoluteGap + ROUNDING };
}

function firstOf(dimension: 2 | 3, what: Quantity | undefined): QuerySolver {
  const found = Object.values(querySolvers).find(
    (solver) => solver.dimension === dimension && (what === undefined || solver.computes.includes(what)),
  );
  if (found !== undefined) return found;
  throw new InputError(`no solver of ${dimension}D pairs computes ${what}`, solversFor(dimension));
}

function solversFor(dimension: 2 | 3): string {
  const solvers = Object.entries(querySolvers).filter(([, solver]) => solver.dimension === dimension);
  return (
    `For ${dimension}D pairs: ` +
    `${solvers.map(([name, { computes }]) => `${name} (${computes.join(', ')})`).join('; ')}.`
  );
}

function cacheOf(tracks: Map<string, QueryCache>, { track }: ShapePair): QueryCache {
  if (track === undefined) return new QueryCache();
  const cache = tracks.get(track) ?? new QueryCache();
  tracks.set(track, cache);
  return cache;
}

/** Converts a result from the frame of B to the world frame, as plain data. */
function resultOf(out: QueryResult, pair: ShapePair, engine: Engine): PairResult {
  const { wanted } = engine;
  const isWanted = (quantity: Quantity) => wanted.includes(quantity);
  const derivatives = out.sensitivity && gradientInWorld(pair, out);
  const warnings = [...(derivatives?.warnings ?? []), ...warningsOf(out, pair, wanted), ...openBounds(out, engine)];
  return {
    status: out.status,
    ...(isWanted('distance') && isKnown(out.distance) && { distance: interval(out.distance) }),
    ...(isWanted('growth') && isKnown(out.growth) && { growth: interval(out.growth) }),
    ...(isWanted('depth') && out.depth.upper < Number.POSITIVE_INFINITY && { depth: out.depth.upper }),
    ...(out.hasNormal && { normal: vectorInWorld(pair, out.normal) }),
    ...(out.hasWitnesses && {
      witnessA: pointInWorld(pair, out.witnessA),
      witnessB: pointInWorld(pair, out.witnessB),
    }),
    ...(derivatives && { gradient: derivatives.gradient }),
    iterations: out.iterations,
    ...(warnings.length > 0 && { warnings }),
  };
}

const notDefined =
  'the growth distance is not defined if neither shape has an interior, if a center is outside its shape, or for two ' +
  'half-spaces';

/** Returns why the requested quantity is absent, or why velocities of the pair are not used. */
function warningsOf(out: QueryResult, pair: ShapePair, wanted: readonly Quantity[]): readonly string[] {
  if (wanted.includes('gradient')) return out.sensitivity === undefined ? [`no gradient: ${notDefined}`] : [];
  const warnings: string[] = [];
  if (pair.velocities) warnings.push('"velocity" is not used: only the gradient has a directional derivative');
  const isOnly = wanted.length === 1 && wanted[0] === 'growth';
  if (isOnly && !isKnown(out.growth)) warnings.push(`no growth: ${notDefined}`);
  return warnings;
}

/** Rounding may leave such a gap between the bounds, metres or growth distance. */
const ROUNDING = 1e-12;

/** Returns a warning with the bounds of each quantity of which the solver reached its limit before they met. */
function openBounds(out: QueryResult, { wanted, gap, absoluteGap }: Engine): readonly string[] {
  if (out.status === 'touching') return [];
  return (['distance', 'growth', 'depth'] as const).flatMap((quantity) => {
    const { lower, upper } = out[quantity];
    const isOpen = upper - lower > Math.max(gap * upper, absoluteGap) + ROUNDING && upper < Number.POSITIVE_INFINITY;
    if (!wanted.includes(quantity) || !isOpen) return [];
    return [`${quantity} did not converge: it is between ${lower} and ${upper}`];
  });
}

const isKnown = ({ lower, upper }: Bounds) => lower > 0 || upper < Number.POSITIVE_INFINITY;
const interval = ({ lower, upper }: Bounds): QuantityBounds =>
  upper < Number.POSITIVE_INFINITY ? { lower, upper } : { lower };

function pointInWorld(pair: ShapePair, p: Float64Array): number[] {
  const transformed = new Float64Array(pair.dimension);
  if (pair.dimension === 2) transformPlanarPoint(transformed, pair.T_world_b, p);
  else transformPoint(transformed, pair.T_world_b, p);
  return Array.from(transformed);
}
