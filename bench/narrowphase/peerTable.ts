import type { Random } from '../../src/core/math/random.ts';
import { checkers, distanceSolvers } from '../../src/core/narrowphase/index.ts';
import { COLLIDING, PairCache, Separation } from '../../src/core/narrowphase/solver.ts';
import { buildPeer, type CppPeer, writeForPeer } from '../peers/cpp.ts';
import { joltPeer } from '../peers/jolt.ts';
import type { Peer, PeerQuery } from '../peers/peer.ts';
import { rapierPeer } from '../peers/rapier.ts';
import { pairWords } from '../peers/words.ts';
import { type BodySet, commonPrimitives, cubes, ellipsoids, hullSizes, randomHulls } from './bodies.ts';
import { type BenchPair, classedPairs, type DistanceClass, distanceClasses, mixedPairs } from './pairs.ts';
import { forget } from './solvers.ts';

export interface PeerRow {
  readonly [column: string]: string | number;
  readonly bodies: string;
  readonly class: string;
}

export interface Peers {
  readonly inProcess: readonly Peer[];
  readonly fcl: CppPeer | undefined;
}

/** Returns the peers that are installed. */
export async function loadPeers(): Promise<Peers> {
  const loaded = [await rapierPeer(), await joltPeer()];
  return {
    inProcess: loaded.filter((peer) => peer !== undefined),
    fcl: buildPeer('fclPairs', ['fcl', 'ccd']),
  };
}

/** Returns sets of shapes that at least one peer supports; hulls of 60 vertices are typical of robots. */
export async function peerSets(random: Random): Promise<BodySet[]> {
  const sets: BodySet[] = [];
  for (const vertexCount of [60, ...hullSizes]) {
    sets.push({
      name: `hulls of ${vertexCount}`,
      bodies: await randomHulls(random, vertexCount, vertexCount > 500 ? 6 : 20),
    });
  }
  return [
    ...sets.sort((a, b) => Number(a.name.slice(9)) - Number(b.name.slice(9))),
    { name: 'capsules, cylinders, cones 100:1', bodies: commonPrimitives(random, 30) },
    { name: 'ellipsoids', bodies: ellipsoids(random, 30) },
    { name: 'cubes', bodies: cubes(random, 30) },
  ];
}

const PAIRS = 40;
const MIXED_PAIRS = 320;

/** Returns pairs of a class, or `mixed`: centers 0.3 to 1.1 m apart, random orientations, as in planning. */
export function pairsOf(random: Random, { bodies }: BodySet, kind: DistanceClass | 'mixed'): BenchPair[] {
  return kind === 'mixed'
    ? mixedPairs(random, bodies, MIXED_PAIRS, 0.3, 1.1)
    : classedPairs(random, bodies, PAIRS, kind);
}

export const peerClasses = ['mixed', ...Object.keys(distanceClasses)] as readonly (DistanceClass | 'mixed')[];

interface Timed {
  readonly least: number;
  readonly median: number;
  readonly answers: readonly number[];
}

/** Measures one set and class: all solvers in turn, round by round; the C++ program runs between the rounds. */
export function peerRow(
  question: 'Boolean' | 'distance',
  set: string,
  kind: string,
  pairs: readonly BenchPair[],
  peers: Peers,
): PeerRow {
  const names = ['ours', ...peers.inProcess.map((peer) => peer.name)];
  const sweeps: (Sweep | undefined)[] = [
    ourSweep(question, pairs),
    ...peers.inProcess.map((peer) => peerSweep(question, peer, pairs)),
  ];
  const times: number[][] = sweeps.map(() => []);
  const words = pairWords(pairs);
  const file = words && peers.fcl && writeForPeer('pairs.txt', words);
  const fcl: Record<string, Timed>[] = [];
  for (let block = 0; block < 2; block++) {
    for (let round = 0; round < 10; round++) {
      for (const [i, sweep] of sweeps.entries()) {
        if (sweep === undefined) continue;
        const before = performance.now();
        sweep.run();
        if (round > 1 || block > 0) times[i].push(((performance.now() - before) * 1e6) / sweep.answers.length);
      }
    }
    if (file && peers.fcl) fcl.push(peers.fcl.run(file, question, 3));
  }
  const least = (i: number) => Math.min(...times[i]);
  const row: Record<string, string | number> = { bodies: set, class: kind, 'ours ns': Math.round(least(0)) };
  for (const [i, sweep] of sweeps.entries()) {
    if (i === 0 || sweep === undefined) continue;
    row[`${names[i]} ns`] = Math.round(least(i));
    row[`ours is faster by (${names[i]})`] = ratio(least(i) / least(0));
    row[`agree % (${names[i]})`] = agreement(question, sweeps[0]!.answers, sweep.answers);
  }
  for (const solver of fcl.length > 0 ? Object.keys(fcl[0]) : []) {
    const ns = Math.min(...fcl.map((run) => run[solver].least));
    row[`FCL ${solver} ns`] = Math.round(ns);
    if (solver !== 'libccd') continue;
    row['ours / FCL'] = ratio(least(0) / ns);
    row['agree % (FCL)'] = agreement(question, sweeps[0]!.answers, fcl[0][solver].answers);
  }
  return row as unknown as PeerRow;
}

const ratio = (x: number) => Number(x.toPrecision(3));

interface Sweep {
  readonly answers: Float64Array;
  run(): void;
}

/** Cold start: no cache between queries. */
function ourSweep(question: 'Boolean' | 'distance', pairs: readonly BenchPair[]): Sweep {
  const asked = pairs.flatMap(({ a, b, poses }) => poses.map((T) => ({ a: a.shape, b: b.shape, T })));
  const answers = new Float64Array(asked.length);
  const cache = new PairCache();
  const out = new Separation();
  const checker = checkers['growth-distance'].create();
  const solver = distanceSolvers['gjk'].create({ relativeGap: 1e-8 });
  const run =
    question === 'Boolean'
      ? () => {
          for (let i = 0; i < asked.length; i++) {
            const { a, b, T } = asked[i];
            forget(cache);
            answers[i] = checker.check(a, T, b, 0, cache) === COLLIDING ? 1 : 0;
          }
        }
      : () => {
          for (let i = 0; i < asked.length; i++) {
            const { a, b, T } = asked[i];
            forget(cache);
            solver.distance(out, a, T, b, Number.POSITIVE_INFINITY, cache);
            answers[i] = out.distance.upper;
          }
        };
  return { answers, run };
}

function peerSweep(question: 'Boolean' | 'distance', peer: Peer, pairs: readonly BenchPair[]): Sweep | undefined {
  const queries: PeerQuery[] = [];
  for (const { a, b, poses } of pairs) {
    for (const T of poses) {
      const query = peer.prepare(a, T, b);
      if (query === undefined || (question === 'distance' && query.distance === undefined)) return undefined;
      queries.push(query);
    }
  }
  const answers = new Float64Array(queries.length);
  const run =
    question === 'Boolean'
      ? () => {
          for (let i = 0; i < queries.length; i++) answers[i] = queries[i].collides() ? 1 : 0;
        }
      : () => {
          for (let i = 0; i < queries.length; i++) answers[i] = queries[i].distance!();
        };
  return { answers, run };
}

/** Tolerance of distances in metres: the peers stop at 1e-6, and two of them compute in single precision. */
const AGREED = 1e-4;

/** Returns the percentage of equal verdicts, or of distances that agree. */
function agreement(question: 'Boolean' | 'distance', ours: ArrayLike<number>, theirs: ArrayLike<number>): number {
  let equal = 0;
  for (let i = 0; i < ours.length; i++) {
    if (question === 'Boolean' ? ours[i] === theirs[i] : Math.abs(ours[i] - Math.max(0, theirs[i])) <= AGREED) equal++;
  }
  return Number(((100 * equal) / ours.length).toFixed(1));
}
