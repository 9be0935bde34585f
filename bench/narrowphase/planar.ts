import { createPlanarTransform, type PlanarTransform } from '../../src/core/math/planar.ts';
import type { Random } from '../../src/core/math/random.ts';
import { Gjk2d } from '../../src/core/narrowphase/planar/gjk2d.ts';
import { GrowthDistance2d } from '../../src/core/narrowphase/planar/growthDistance2d.ts';
import { PlanarCache, type PlanarChecker } from '../../src/core/narrowphase/planar/planarSolver.ts';
import { SeparatingAxis2d } from '../../src/core/narrowphase/planar/separatingAxis2d.ts';
import { s2d } from '../../src/core/narrowphase/planar/subdistance.ts';
import { COLLIDING, Separation } from '../../src/core/narrowphase/solver.ts';
import type { PlanarShape } from '../../src/core/shapes/planar/planarShape.ts';
import { createPolygon } from '../../src/core/shapes/planar/polygon.ts';
import type { PlanarPeer } from '../peers/planck.ts';
import { randomPolygon } from './bodies.ts';
import { signedAreas } from './signedAreas.ts';

export interface PlanarRow {
  readonly [column: string]: string | number;
  readonly vertices: number;
  readonly class: string;
}

const PAIRS = 300;
const ROUNDS = 100;

type Points = readonly (readonly [number, number])[];
interface PlanarPair {
  readonly a: Points;
  readonly b: Points;
  readonly T_b_a: PlanarTransform;
}

/** Gaps in metres of shapes about 1 m in size; negative gaps are overlaps. */
const classes = { distant: [0.3, 1], touching: [-1e-9, 1e-9], overlapping: [-0.3, -0.05] } as const;

/**
 * Measures the tables of [Zhang20]: 4 to 24 vertices, distant, touching and overlapping; Boolean and distance; support
 * by exhaustive search or hill climbing; the ordered triangle routine and the plain one; for comparison the routine of
 * openGJK, the separating axis test, planck, and the planar growth distance. Nanoseconds, cold.
 */
export function planarRows(random: Random, planck: PlanarPeer | undefined): PlanarRow[] {
  const rows: PlanarRow[] = [];
  for (const vertices of [4, 8, 12, 16, 20, 24]) {
    for (const [kind, [least, most]] of Object.entries(classes)) {
      const pairs = Array.from({ length: PAIRS }, () => planarPair(random, vertices, random.between(least, most)));
      rows.push({ vertices, class: kind, ...timesOf(pairs, kind, planck) });
    }
  }
  return rows;
}

function planarPair(random: Random, vertices: number, gap: number): PlanarPair {
  const [a, b] = [randomPolygon(random, vertices), randomPolygon(random, vertices)];
  const angle = random.between(-Math.PI, Math.PI);
  const T_b_a = createPlanarTransform(3 * Math.cos(angle), 3 * Math.sin(angle), random.between(-Math.PI, Math.PI));
  const out = new Separation();
  new Gjk2d().distance(
    out,
    createPolygon(a),
    T_b_a,
    createPolygon(b),
    Number.POSITIVE_INFINITY,
    false,
    new PlanarCache(),
  );
  for (let i = 0; i < 2; i++) T_b_a[2 + i] += out.normal[i] * (out.distance.upper - gap);
  return { a, b, T_b_a };
}

function timesOf(pairs: readonly PlanarPair[], kind: string, planck: PlanarPeer | undefined) {
  const sweeps = { ...ownSweeps(pairs), ...(planck ? theirSweeps(pairs, planck) : {}) };
  const names = Object.keys(sweeps);
  const { least, answers } = fastest(Object.values(sweeps), pairs.length);
  const row: Record<string, string | number> = {};
  for (const [s, name] of names.entries()) row[name] = Math.round(least[s]);
  row['SAT / ours, Boolean'] = least[names.indexOf('Boolean, SAT')] / least[0];
  row['signed areas / barycodes, all'] = least[names.indexOf('distance, signed areas')] / least[5];
  if (planck) {
    row['ours / planck, Boolean'] = least[0] / least[names.length - 2];
    row['ours / planck, distance'] = least[4] / least[names.length - 1];
    const differ = Math.abs(answers[0] - answers[names.length - 2]);
    row['verdicts that differ'] = kind === 'touching' ? `${differ} (contact)` : differ;
  }
  return row;
}

/** Our queries of all pairs, each without warm start. */
function ownSweeps(pairs: readonly PlanarPair[]): Record<string, () => number> {
  const ordered = new Gjk2d();
  const plain = new Gjk2d({ triangle: s2d });
  const signed = new Gjk2d({ triangle: signedAreas });
  const growth = new GrowthDistance2d();
  const out = new Separation();
  const cache = new PlanarCache();
  const all = pairs.map((pair) => shapesOf(pair, false));
  const climbed = pairs.map((pair) => shapesOf(pair, true));
  const boolean = (solver: PlanarChecker, list: typeof all) => () => {
    let hits = 0;
    for (let i = 0; i < list.length; i++) {
      const { a, b, T } = list[i];
      cache.hasAxis = false;
      if (solver.check(a, T, b, 0, cache) === COLLIDING) hits++;
    }
    return hits;
  };
  const distance = (solver: Gjk2d, list: typeof all) => () => {
    let sum = 0;
    for (let i = 0; i < list.length; i++) {
      const { a, b, T } = list[i];
      cache.hasAxis = false;
      solver.distance(out, a, T, b, Number.POSITIVE_INFINITY, false, cache);
      sum += out.distance.upper;
    }
    return sum;
  };
  return {
    'Boolean, climbing': boolean(ordered, climbed),
    'Boolean, all': boolean(ordered, all),
    'Boolean, all, plain S2D': boolean(plain, all),
    'Boolean, growth': boolean(growth, climbed),
    'distance, climbing': distance(ordered, climbed),
    'distance, all': distance(ordered, all),
    'growth, climbing': () => {
      let sum = 0;
      for (let i = 0; i < climbed.length; i++) {
        const { a, b, T } = climbed[i];
        cache.hasAxis = false;
        growth.growth(out, a, T, b, cache);
        sum += out.growth.lower;
      }
      return sum;
    },
    'Boolean, SAT': boolean(new SeparatingAxis2d(), all),
    'distance, signed areas': distance(signed, all),
  };
}

/** The same queries of a peer. */
function theirSweeps(pairs: readonly PlanarPair[], planck: PlanarPeer): Record<string, () => number> {
  const theirs = pairs.map(({ a, b, T_b_a }) => ({
    a: planck.shape(a),
    b: planck.shape(b),
    T_a: planck.pose(T_b_a),
    T_b: planck.pose(createPlanarTransform()),
  }));
  return {
    [`Boolean, ${planck.name}`]: () => {
      let hits = 0;
      for (let i = 0; i < theirs.length; i++) {
        const { a, b, T_a, T_b } = theirs[i];
        if (planck.collides(a, T_a, b, T_b)) hits++;
      }
      return hits;
    },
    [`distance, ${planck.name}`]: () => {
      let sum = 0;
      for (let i = 0; i < theirs.length; i++) {
        const { a, b, T_a, T_b } = theirs[i];
        sum += planck.distance(a, T_a, b, T_b);
      }
      return sum;
    },
  };
}

/** Returns the minimum time per pair of each sweep in ns, and its result. */
function fastest(sweeps: readonly (() => number)[], count: number) {
  const least = sweeps.map(() => Number.POSITIVE_INFINITY);
  const answers = sweeps.map(() => 0);
  for (let round = 0; round < ROUNDS; round++) {
    for (let k = 0; k < sweeps.length; k++) {
      // Alternates the order, because a sweep runs faster after one over the same shapes.
      const s = round % 2 === 0 ? k : sweeps.length - 1 - k;
      const before = performance.now();
      answers[s] = sweeps[s]();
      if (round > 2) least[s] = Math.min(least[s], ((performance.now() - before) * 1e6) / count);
    }
  }
  return { least, answers };
}

/** Returns both shapes with the required support search, independent of the number of vertices. */
function shapesOf(
  { a, b, T_b_a }: PlanarPair,
  usesHillClimbing: boolean,
): { a: PlanarShape; b: PlanarShape; T: PlanarTransform } {
  const made = [a, b].map((points) => Object.assign(createPolygon(points), { usesHillClimbing }));
  return { a: made[0], b: made[1], T: T_b_a };
}
