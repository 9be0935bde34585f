import { create as createTransform, type Transform } from '../../core/math/transform.ts';
import { dot, scale } from '../../core/math/vec3.ts';
import { baselineCheckers, baselineDistanceSolvers, baselineGrowthSolvers } from '../../core/narrowphase/baselines.ts';
import { PlainGrowthDistance, type WarmStart, warmStarts } from '../../core/narrowphase/growth/plainGrowthDistance.ts';
import { checkers } from '../../core/narrowphase/index.ts';
import { SeparatingAxis2d } from '../../core/narrowphase/planar/separatingAxis2d.ts';
import {
  type Checker,
  type CheckerDefinition,
  COLLIDING,
  PairCache,
  type Separation,
} from '../../core/narrowphase/solver.ts';
import { posedSupportWithMargin, supportWithMargin } from '../../core/narrowphase/supportAlong.generated.ts';
import { observeSolver } from '../../core/narrowphase/trace.ts';
import { PillDerivatives } from '../../core/optimization/pillDerivatives.ts';
import { PillProximity } from '../../core/optimization/pillProximity.ts';
import { pillSensitivity } from '../../core/optimization/pillSensitivity.ts';
import { type Pill, pillOf } from '../../core/optimization/pills.ts';
import type { ConvexShape } from '../../core/shapes/shape.ts';
import { InputError } from '../../errors.ts';
import type { PlanarPair, SpatialPair } from '../../formats/streams/shapePair.ts';
import { iterativeDistance, planar, type Solve, type SolverOf, type SolverSettings, spatial } from './querySolver.ts';

/** Name of a baseline of the cited papers among the solvers of `query`. */
export type BaselineSolverName =
  | 'growth-distance-plain'
  | 'internal-expanding'
  | 'portal-refinement'
  | 'gjk-plain'
  | 'gjk-polyak-normalized'
  | 'frank-wolfe'
  | 'frank-wolfe-fixed-step'
  | 'frank-wolfe-polyak'
  | 'frank-wolfe-nesterov'
  | 'vertex-qp'
  | 'pill-qp'
  | 'sat-2d';

/** Relative gap of growth distances: that of the solver with which the baselines are compared. */
const GROWTH_GAP = 1.5e-8;
/** Relative gap that first-order and interior point methods reach. */
const DISTANCE_GAP = 1e-9;

/** Baselines of the cited papers by the name that `query --solver` takes. */
export const baselineQuerySolvers: Readonly<
  Record<BaselineSolverName, SolverOf<3, SpatialPair> | SolverOf<2, PlanarPair>>
> = {
  'growth-distance-plain': {
    summary: baselineGrowthSolvers['growth-distance-plain'].summary,
    dimension: 3,
    computes: ['collide', 'growth'],
    gap: GROWTH_GAP,
    isBaseline: true,
    isTraced: true,
    hasAbsoluteGap: true,
    hasLimit: true,
    guesses: Object.keys(warmStarts),
    create: ({ guess, observe, ...stopping }) => {
      const solver = new PlainGrowthDistance(stopping);
      solver.warmStart = guess as WarmStart | undefined;
      if (observe) observeSolver(solver, observe);
      const checker = checkers['growth-distance'].create();
      return spatial(checker, (out, { a, b }, T_b_a, _wanted, cache) => solver.solve(out, a, T_b_a, b, cache));
    },
  },
  'internal-expanding': {
    summary: baselineGrowthSolvers['internal-expanding'].summary,
    dimension: 3,
    computes: ['collide', 'growth'],
    gap: GROWTH_GAP,
    isBaseline: true,
    isTraced: true,
    hasAbsoluteGap: true,
    hasLimit: true,
    create: ({ observe, ...stopping }) => {
      const solver = baselineGrowthSolvers['internal-expanding'].create(stopping);
      if (observe) observeSolver(solver, observe);
      const checker = baselineCheckers['internal-expanding'].create();
      return spatial(checker, (out, { a, b }, T_b_a, _wanted, cache) => solver.solve(out, a, T_b_a, b, cache));
    },
  },
  'portal-refinement': {
    summary: baselineCheckers['portal-refinement'].summary,
    dimension: 3,
    computes: ['collide'],
    gap: DISTANCE_GAP,
    isBaseline: true,
    isTraced: true,
    create: ({ observe }) => {
      const checker = baselineCheckers['portal-refinement'].create();
      if (observe) observeSolver(checker, observe);
      return spatial(checker, () => undefined);
    },
  },
  'gjk-plain': distanceBaseline('gjk-plain', checkers.gjk),
  'gjk-polyak-normalized': distanceBaseline('gjk-polyak-normalized', checkers.gjk),
  'frank-wolfe': distanceBaseline('frank-wolfe', baselineCheckers['frank-wolfe']),
  'frank-wolfe-fixed-step': distanceBaseline('frank-wolfe-fixed-step', checkers.gjk),
  'frank-wolfe-polyak': distanceBaseline('frank-wolfe-polyak', checkers.gjk),
  'frank-wolfe-nesterov': distanceBaseline('frank-wolfe-nesterov', checkers.gjk),
  'vertex-qp': {
    summary: `${baselineDistanceSolvers['vertex-qp'].summary}; collide by gjk`,
    dimension: 3,
    computes: ['collide', 'distance'],
    gap: DISTANCE_GAP,
    isBaseline: true,
    create: createVertexQp,
  },
  'pill-qp': {
    summary:
      'spheres, capsules and flat hulls with margin as pills: quadratic program over their cores, proximity with ' +
      'gradient; collide by gjk',
    dimension: 3,
    computes: ['collide', 'distance', 'proximity', 'gradient'],
    gap: DISTANCE_GAP,
    isBaseline: true,
    create: createPillQp,
  },
  'sat-2d': {
    summary: 'separating axis test in the plane, a baseline',
    dimension: 2,
    computes: ['collide'],
    gap: DISTANCE_GAP,
    isBaseline: true,
    create: createSeparatingAxis,
  },
};

function createSeparatingAxis(): Solve<PlanarPair> {
  const solve = planar(new SeparatingAxis2d(), () => undefined);
  return (out, pair, wanted, cache) => {
    if (pair.a.round || pair.b.round) {
      throw new InputError('sat-2d tests the normals of edges, and an ellipse has none', 'Use gjk-2d.');
    }
    solve(out, pair, wanted, cache);
  };
}

/** Returns a baseline of minimum distances as a solver of `query`, with a checker. */
function distanceBaseline(name: string, checker: CheckerDefinition): SolverOf<3, SpatialPair> {
  const { summary, create } = baselineDistanceSolvers[name];
  return {
    summary,
    dimension: 3,
    computes: ['collide', 'distance'],
    gap: DISTANCE_GAP,
    isBaseline: true,
    ...iterativeDistance(create, checker),
  };
}

/** Cores with a finite number of vertices. */
const polytopes = ['sphere', 'capsule', 'box', 'convex'];

function createVertexQp({ relativeGap }: SolverSettings): Solve<SpatialPair> {
  const solver = baselineDistanceSolvers['vertex-qp'].create({ relativeGap });
  const checker = checkers.gjk.create();
  return spatial(checker, (out, { a, b }, T_b_a, _wanted, cache) => {
    for (const [name, { type }] of Object.entries({ a, b })) {
      if (!polytopes.includes(type)) throw refusal('vertex-qp', name, type, polytopes.join(', '));
    }
    solver.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, cache);
    if (out.status !== 'separated') decideContact(out, checker, a, T_b_a, b);
  });
}

function createPillQp(): Solve<SpatialPair> {
  const proximity = new PillProximity('interior-point');
  const derivatives = new PillDerivatives();
  const identity = createTransform();
  const pills = new WeakMap<ConvexShape, Pill>();
  const requirePill = (name: string, shape: ConvexShape): Pill => {
    const pill = pills.get(shape) ?? pillOf(shape);
    if (pill === undefined) throw refusal('pill-qp', name, shape.type, 'sphere, capsule, flat convex');
    pills.set(shape, pill);
    return pill;
  };
  const checker = checkers.gjk.create();
  return spatial(checker, (out, { a, b }, T_b_a, wanted) => {
    proximity.solve(requirePill('a', a), T_b_a, requirePill('b', b), identity);
    out.iterations = proximity.iterations;
    out.proximity = proximity.value;
    if (wanted.includes('gradient') && proximity.contact !== 'undecided') {
      derivatives.solve(proximity);
      out.sensitivity = pillSensitivity(out.gradient, derivatives, a, T_b_a, b);
    }
    writePillDistance(out, proximity, a, T_b_a, b);
    if (out.status !== 'separated') decideContact(out, checker, a, T_b_a, b);
  });
}

/**
 * Writes a distance with its proof: the separating plane is a lower bound, the distance of the witness points an upper
 * bound.
 */
function writePillDistance(
  out: Separation,
  { contact, distance, normal, pointA, pointB }: PillProximity,
  a: ConvexShape,
  T_b_a: Transform,
  b: ConvexShape,
): void {
  if (contact === 'crossing' || contact === 'undecided' || !(distance > 0)) return;
  const lower = gapAlong(normal, a, T_b_a, b);
  if (!(lower > 0)) return;
  out.status = 'separated';
  out.distance.lower = Math.min(lower, distance);
  out.distance.upper = distance;
  out.hasNormal = true;
  out.normal.set(normal);
  out.hasWitnesses = true;
  out.witnessA.set(pointA);
  out.witnessB.set(pointB);
}

/** Returns the gap between the shapes along a unit vector from A to B, less its rounding error. */
function gapAlong(normal: Float64Array, a: ConvexShape, T_b_a: Transform, b: ConvexShape): number {
  const point = new Float64Array(3);
  const opposite = new Float64Array(3);
  posedSupportWithMargin(point, a, T_b_a, normal, -1);
  const end = dot(normal, point);
  scale(opposite, normal, -1);
  supportWithMargin(point, b, opposite, -1);
  const start = dot(normal, point);
  const extent = a.extent + b.extent + Math.abs(T_b_a[3]) + Math.abs(T_b_a[7]) + Math.abs(T_b_a[11]);
  return start - end - 16 * Number.EPSILON * extent;
}

/** Completes the result of a method that only separates cores: overlaps are decided by a checker. */
function decideContact(out: Separation, checker: Checker, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
  const verdict = checker.check(a, T_b_a, b, 0, new PairCache());
  if (verdict !== COLLIDING) return;
  out.status = 'colliding';
  out.distance.lower = 0;
  out.distance.upper = 0;
  out.hasNormal = false;
  out.hasWitnesses = false;
}

function refusal(solver: string, name: string, type: string, known: string): InputError {
  return new InputError(`${name} is a ${type}, which ${solver} does not support`, `It supports: ${known}.`);
}
