import { InputError, requireOneOf } from '../../errors.ts';
import type { Pair, PlanarPair, SpatialPair } from '../../formats/streams/pairs.ts';
import { rotatePlanar, transformPlanarPoint } from '../../math/planar.ts';
import { rotate, transformPoint } from '../../math/transform.ts';
import type { GrowthGradient } from '../../narrowphase/growth/growthGradient.ts';
import { clearOutcome } from '../../narrowphase/outcome.ts';
import type { Bounds, SeparationStatus } from '../../narrowphase/solver.ts';
import { Findings, type Quantity, QueryCache, type QuerySolver, querySolvers, type Solve } from './querySolvers.ts';

export interface QueryOptions {
  /** A name of `querySolvers`; undefined: the first of its dimension that knows what is asked. */
  readonly solver: string | undefined;
  /** Undefined: everything that the solver knows but gradients. */
  readonly what: Quantity | undefined;
  /** Relative gap between the bounds of the solver's own quantity, at which it may stop; undefined: the solver's own. */
  readonly gap: number | undefined;
  /** Keeps what was learned of a pair for the next one of the same track. */
  readonly warm: boolean;
}

/** The answer about one pair in the world frame, metres; what was not computed is left out. Vectors have two numbers for planar pairs. */
export interface PairAnswer {
  readonly status: SeparationStatus;
  readonly distance?: Interval;
  readonly growth?: Interval;
  readonly depth?: number;
  /** Unit vector from A to B that proves the lower bound of the solver's own quantity. */
  readonly normal?: readonly number[];
  readonly witnessA?: readonly number[];
  readonly witnessB?: readonly number[];
  readonly gradient?: Gradient;
  readonly iterations: number;
}

/** Of the growth distance: per body by the world-frame velocity of its growth centre, then by its angular velocity. */
export interface Gradient {
  readonly a: readonly number[];
  readonly b: readonly number[];
  /** Whether the growth distance has a derivative here. */
  readonly differentiable: boolean;
}

/** Where a bound is missing, nothing is known on that side. */
export interface Interval {
  readonly lower: number;
  readonly upper?: number;
}

/** A function that answers pair after pair. Throws InputError for options, and later for pairs, that no solver is there for. */
export function createPairQuery(options: QueryOptions): (pair: Pair) => PairAnswer {
  const { solver, what, gap, warm } = options;
  if (solver !== undefined) requireKnowledge(solver, what);
  const tracks = new Map<string, QueryCache>();
  const engines = new Map<2 | 3, Engine>();
  const out = new Findings();
  return (pair) => {
    const engine = engines.get(pair.dimension) ?? createEngine(pair.dimension, solver, what, gap);
    engines.set(pair.dimension, engine);
    clearOutcome(out);
    out.hasGradient = false;
    engine.solve(out, pair, warm ? cacheOf(tracks, pair) : new QueryCache());
    return describe(out, pair, engine.asked);
  };
}

interface Engine {
  readonly asked: readonly Quantity[];
  readonly solve: (out: Findings, pair: Pair, cache: QueryCache) => void;
}

function requireKnowledge(name: string, what: Quantity | undefined): void {
  const { knows } = requireOneOf(querySolvers, 'solver', name);
  if (what === undefined || knows.includes(what)) return;
  const others = Object.keys(querySolvers).filter((other) => querySolvers[other].knows.includes(what));
  throw new InputError(
    `${name} does not know ${what}`,
    `It knows ${knows.join(', ')}. For ${what}: ${others.length > 0 ? others.join(', ') : 'no solver yet'}.`,
  );
}

function createEngine(
  dimension: 2 | 3,
  name: string | undefined,
  what: Quantity | undefined,
  gap: number | undefined,
): Engine {
  const solver = name === undefined ? firstOf(dimension, what) : querySolvers[name];
  if (solver.dimension !== dimension) {
    throw new InputError(
      `${name} answers ${solver.dimension}D pairs, this one is ${dimension}D`,
      solversFor(dimension),
    );
  }
  const asked = what === undefined ? solver.knows.filter((quantity) => quantity !== 'gradient') : [what];
  // Each solver meets pairs of its own dimension only: that is what was just made sure of.
  const solve = solver.create(gap ?? solver.gap) as Solve<SpatialPair | PlanarPair>;
  return { asked, solve: (out, pair, cache) => solve(out, pair, asked, cache) };
}

function firstOf(dimension: 2 | 3, what: Quantity | undefined): QuerySolver {
  const found = Object.values(querySolvers).find(
    (solver) => solver.dimension === dimension && (what === undefined || solver.knows.includes(what)),
  );
  if (found !== undefined) return found;
  throw new InputError(`no solver of ${dimension}D pairs knows ${what}`, solversFor(dimension));
}

function solversFor(dimension: 2 | 3): string {
  const names = Object.keys(querySolvers).filter((name) => querySolvers[name].dimension === dimension);
  return `For ${dimension}D pairs: ${names.map((name) => `${name} (${querySolvers[name].knows.join(', ')})`).join('; ')}.`;
}

function cacheOf(tracks: Map<string, QueryCache>, { track }: Pair): QueryCache {
  if (track === undefined) return new QueryCache();
  const cache = tracks.get(track) ?? new QueryCache();
  tracks.set(track, cache);
  return cache;
}

/** The answer as plain data. Solvers speak the frame of B; here it becomes the world's. */
function describe(out: Findings, pair: Pair, asked: readonly Quantity[]): PairAnswer {
  const isAsked = (quantity: Quantity) => asked.includes(quantity);
  return {
    status: out.status,
    ...(isAsked('distance') && isKnown(out.distance) && { distance: interval(out.distance) }),
    ...(isAsked('growth') && isKnown(out.growth) && { growth: interval(out.growth) }),
    ...(isAsked('depth') && out.depth.upper < Number.POSITIVE_INFINITY && { depth: out.depth.upper }),
    ...(out.hasNormal && { normal: directionInWorld(pair, out.normal) }),
    ...(out.hasWitnesses && {
      witnessA: pointInWorld(pair, out.witnessA),
      witnessB: pointInWorld(pair, out.witnessB),
    }),
    ...(out.hasGradient && { gradient: gradientInWorld(pair, out.gradient) }),
    iterations: out.iterations,
  };
}

const isKnown = ({ lower, upper }: Bounds) => lower > 0 || upper < Number.POSITIVE_INFINITY;
const interval = ({ lower, upper }: Bounds): Interval =>
  upper < Number.POSITIVE_INFINITY ? { lower, upper } : { lower };

function directionInWorld(pair: Pair, d: Float64Array): number[] {
  const turned = new Float64Array(pair.dimension);
  if (pair.dimension === 2) rotatePlanar(turned, pair.T_world_b, d);
  else rotate(turned, pair.T_world_b, d);
  return Array.from(turned);
}

function pointInWorld(pair: Pair, p: Float64Array): number[] {
  const moved = new Float64Array(pair.dimension);
  if (pair.dimension === 2) transformPlanarPoint(moved, pair.T_world_b, p);
  else transformPoint(moved, pair.T_world_b, p);
  return Array.from(moved);
}

function gradientInWorld(pair: Pair, { a, b, differentiable }: GrowthGradient): Gradient {
  const turned = (six: Float64Array) => [
    ...directionInWorld(pair, six.subarray(0, 3)),
    ...directionInWorld(pair, six.subarray(3, 6)),
  ];
  return { a: turned(a), b: turned(b), differentiable };
}
