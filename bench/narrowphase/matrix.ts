import type { Random } from '../../src/core/math/random.ts';
import { PairCache, SEPARATED, UNDECIDED } from '../../src/core/narrowphase/solver.ts';
import { quantile } from '../measure.ts';
import type { BodySet } from './bodies.ts';
import { type BenchPair, classedPairs, type DistanceClass, distanceClasses, POSES } from './pairs.ts';
import { type Asker, type BenchSolver, benchSolvers, forget, type Question } from './solvers.ts';

type Row = Record<string, string | number>;

/** Approximate time limit per cell: slowly converging baselines get fewer rounds. */
const CELL_MS = 25;
const ROUNDS = 6;

/** Measures the main table: for each query, solvers × sets of shapes × distance classes, cold and warm. */
export function matrixRows(random: Random, sets: readonly BodySet[], count: number): Map<Question, Row[]> {
  const rows = new Map<Question, Row[]>();
  for (const { name, bodies } of sets) {
    for (const kind of Object.keys(distanceClasses) as DistanceClass[]) {
      const pairs = classedPairs(random, bodies, count, kind);
      for (const solver of benchSolvers) {
        if (solver.question === 'depth' && kind === 'distant') continue;
        const row = { bodies: name, class: kind, solver: solver.name, ...measure(solver, pairs, kind) };
        rows.set(solver.question, [...(rows.get(solver.question) ?? []), row]);
      }
    }
  }
  return rows;
}

function measure(solver: BenchSolver, pairs: readonly BenchPair[], kind: DistanceClass): Row {
  const asker = solver.create();
  const cold = measureStart(asker, pairs, true);
  const warm = measureStart(asker, pairs, false);
  const row: Row = {
    'cold ns': Math.round(quantile(cold.times, 0.5)),
    'cold p95': Math.round(quantile(cold.times, 0.95)),
    'it.': cold.iterations,
    'warm ns': Math.round(quantile(warm.times, 0.5)),
    'warm p95': Math.round(quantile(warm.times, 0.95)),
    'warm it.': warm.iterations,
    undecided: cold.undecided,
  };
  if (kind !== 'touching') {
    row['wrong'] = kind === 'overlapping' ? cold.separated : cold.queries - cold.separated - cold.undecided;
  }
  return row;
}

/** Measures the minimum time of a query per pair over the rounds, each a pass through its poses. */
function measureStart(asker: Asker, pairs: readonly BenchPair[], isCold: boolean) {
  const times: number[] = [];
  let queries = 0;
  let undecided = 0;
  let separated = 0;
  let iterations = 0;
  const budget = CELL_MS / pairs.length;
  for (const { a, b, poses } of pairs) {
    const cache = new PairCache();
    asker.iterations = 0;
    for (const T of poses) {
      forget(cache);
      const verdict = asker.ask(a.shape, T, b.shape, cache);
      queries++;
      if (verdict === UNDECIDED) undecided++;
      if (verdict === SEPARATED) separated++;
    }
    if (isCold) iterations += asker.iterations;
    let minTime = Number.POSITIVE_INFINITY;
    const start = performance.now();
    for (let round = 0; round < ROUNDS; round++) {
      const before = performance.now();
      for (let i = 0; i < POSES; i++) {
        if (isCold) forget(cache);
        asker.ask(a.shape, poses[i], b.shape, cache);
      }
      for (let i = POSES - 1; i >= 0; i--) {
        if (isCold) forget(cache);
        asker.ask(a.shape, poses[i], b.shape, cache);
      }
      const after = performance.now();
      minTime = Math.min(minTime, after - before);
      if (after - start > budget) break;
    }
    if (!isCold) {
      asker.iterations = 0;
      for (const T of poses) asker.ask(a.shape, T, b.shape, cache);
      iterations += asker.iterations;
    }
    times.push((minTime * 1e6) / (2 * POSES));
  }
  return { times, queries, undecided, separated, iterations: iterations / (POSES * pairs.length) };
}
