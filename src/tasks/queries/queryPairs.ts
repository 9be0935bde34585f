import { transformPlanarPoint } from '../../core/math/planar.ts';
import { transformPoint } from '../../core/math/transform.ts';
import { clearSeparation } from '../../core/narrowphase/outcome.ts';
import type { Bounds, SeparationStatus } from '../../core/narrowphase/solver.ts';
import type { TraceObserver, TraceStep } from '../../core/narrowphase/trace.ts';
import type { PlanarPair, ShapePair, SpatialPair } from '../../formats/streams/shapePair.ts';
import { contactsOf, type QueryContact } from './queryContacts.ts';
import { gradientInWorld, type QueryGradient, vectorInWorld } from './queryGradient.ts';
import { type QueryOptions, ROUNDING, requireOptions, solverFor, type TracedStep } from './queryOptions.ts';
import { onRequest, type Quantity, QueryCache, QueryResult, type Solve } from './querySolver.ts';

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
  /** Proximity of pills: squared distance of their cores less the squared sum of their radii, m². */
  readonly proximity?: number;
  /** Unit vector from A to B that proves the lower bound of the solver: on distance, growth distance or depth. */
  readonly normal?: readonly number[];
  /** Witness point on A in the world. */
  readonly witnessA?: readonly number[];
  /** Witness point on B in the world. */
  readonly witnessB?: readonly number[];
  /** Gradient of the growth distance, or of the proximity of pills. */
  readonly gradient?: QueryGradient;
  /** Contact patch along the normal: vertices of the common part of the features that face each other. */
  readonly contacts?: readonly QueryContact[];
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
  const solve = createPairSolver(options);
  return (pair) => resultOf(solve(pair), pair);
}

/** Result of a pair in the frame of B, and the quantities that were computed; valid until the next call. */
export interface Solved {
  readonly out: QueryResult;
  readonly engine: Engine;
}

/** As `createPairQuery`, without converting the result to plain data in the world frame. */
export function createPairSolver(options: QueryOptions): (pair: ShapePair) => Solved {
  const { warm, observe } = options;
  requireOptions(options);
  const tracks = new Map<string, QueryCache>();
  const engines = new Map<2 | 3, Solved>();
  const out = new QueryResult();
  const cold = new QueryCache();
  let traced: ShapePair;
  return (pair) => {
    const report = observe && ((step: TraceStep) => observe(stepInWorld(traced, step)));
    const solved = engines.get(pair.dimension) ?? { out, engine: createEngine(pair.dimension, options, report) };
    traced = pair;
    engines.set(pair.dimension, solved);
    clearSeparation(out);
    out.sensitivity = undefined;
    out.proximity = undefined;
    cold.clear();
    solved.engine.solve(out, pair, warm ? cacheOf(tracks, pair) : cold);
    return solved;
  };
}

/** Returns the result of a pair as `query` writes it, with the warnings about the pair. */
export function writtenResult(queryPair: (pair: ShapePair) => PairResult, pair: ShapePair): PairResult {
  const { warnings: missing = [], ...result } = queryPair(pair);
  const warnings = [...(pair.warnings ?? []), ...missing];
  return { ...result, ...(warnings.length > 0 && { warnings }) };
}

/** A solver with the quantities that it computes. */
export interface Engine {
  readonly wanted: readonly Quantity[];
  /** Relative and absolute gap between the bounds at which the solver may stop. */
  readonly gap: number;
  readonly absoluteGap: number;
  readonly solve: (out: QueryResult, pair: ShapePair, cache: QueryCache) => void;
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

function createEngine(dimension: 2 | 3, options: QueryOptions, observe: TraceObserver | undefined): Engine {
  const { what, gap, absoluteGap, maxIterations, guess } = options;
  const solver = solverFor(dimension, options);
  const wanted = what === undefined ? solver.computes.filter((quantity) => !onRequest.includes(quantity)) : [what];
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

function cacheOf(tracks: Map<string, QueryCache>, { track }: ShapePair): QueryCache {
  if (track === undefined) return new QueryCache();
  const cache = tracks.get(track) ?? new QueryCache();
  tracks.set(track, cache);
  return cache;
}

/** Converts a result from the frame of B to the world frame, as plain data. */
function resultOf({ out, engine }: Solved, pair: ShapePair): PairResult {
  const { wanted } = engine;
  const isWanted = (quantity: Quantity) => wanted.includes(quantity);
  const contacts = isWanted('contacts') && pair.dimension === 3 ? contactsOf(out, pair) : undefined;
  const derivatives = out.sensitivity && gradientInWorld(pair, out);
  const warnings = [...(derivatives?.warnings ?? []), ...warningsOf(out, pair, wanted), ...openWarnings(out, engine)];
  return {
    status: out.status,
    ...(isWanted('distance') && isKnown(out.distance) && { distance: interval(out.distance) }),
    ...(isWanted('growth') && isKnown(out.growth) && { growth: interval(out.growth) }),
    ...(isWanted('depth') && out.depth.upper < Number.POSITIVE_INFINITY && { depth: out.depth.upper }),
    ...(isWanted('proximity') && isKnownNumber(out.proximity) && { proximity: out.proximity }),
    ...(out.hasNormal && { normal: vectorInWorld(pair, out.normal) }),
    ...(out.hasWitnesses && {
      witnessA: pointInWorld(pair, out.witnessA),
      witnessB: pointInWorld(pair, out.witnessB),
    }),
    ...(derivatives && { gradient: derivatives.gradient }),
    ...(contacts && { contacts }),
    iterations: out.iterations,
    ...(warnings.length > 0 && { warnings }),
  };
}

const isKnownNumber = (value: number | undefined): value is number => value !== undefined && !Number.isNaN(value);

const notDefined =
  'the growth distance is not defined if neither shape has an interior, if a center is outside its shape, or for two ' +
  'half-spaces';

/** Returns why the requested quantity is absent, or why velocities of the pair are not used. */
function warningsOf(out: QueryResult, pair: ShapePair, wanted: readonly Quantity[]): readonly string[] {
  const reason = out.proximity === undefined ? notDefined : 'the quadratic program did not converge';
  if (wanted.includes('gradient')) return out.sensitivity === undefined ? [`no gradient: ${reason}`] : [];
  const warnings: string[] = [];
  if (pair.velocities) warnings.push('"velocity" is not used: only the gradient has a directional derivative');
  if (wanted.includes('proximity') && !isKnownNumber(out.proximity)) warnings.push(`no proximity: ${reason}`);
  const isOnly = wanted.length === 1 && wanted[0] === 'growth';
  if (isOnly && !isKnown(out.growth)) warnings.push(`no growth: ${notDefined}`);
  return warnings;
}

/** Returns a warning with the bounds of each quantity of which the solver reached its limit before they met. */
function openWarnings(out: QueryResult, engine: Engine): readonly string[] {
  return (['distance', 'growth', 'depth'] as const).flatMap((quantity) => {
    if (!isOpen(quantity, out, engine)) return [];
    return [`${quantity} did not converge: it is between ${out[quantity].lower} and ${out[quantity].upper}`];
  });
}

/** Returns true if the solver reached its limit before the bounds of a wanted quantity met. */
export function isOpen(quantity: 'distance' | 'growth' | 'depth', out: QueryResult, engine: Engine): boolean {
  const { wanted, gap, absoluteGap } = engine;
  if (out.status === 'touching' || !wanted.includes(quantity)) return false;
  const { lower, upper } = out[quantity];
  return upper - lower > Math.max(gap * upper, absoluteGap) + ROUNDING && upper < Number.POSITIVE_INFINITY;
}

export const isKnown = ({ lower, upper }: Bounds) => lower > 0 || upper < Number.POSITIVE_INFINITY;
const interval = ({ lower, upper }: Bounds): QuantityBounds =>
  upper < Number.POSITIVE_INFINITY ? { lower, upper } : { lower };

function pointInWorld(pair: ShapePair, p: Float64Array): number[] {
  const transformed = new Float64Array(pair.dimension);
  if (pair.dimension === 2) transformPlanarPoint(transformed, pair.T_world_b, p);
  else transformPoint(transformed, pair.T_world_b, p);
  return Array.from(transformed);
}
