import { Random } from '../../src/core/math/random.ts';
import { ConnectionCount } from '../../src/core/planning/connectionCount.ts';
import { NearestNeighbors } from '../../src/core/planning/nearestNeighbors.ts';
import type { Table } from '../measure.ts';

const SIZES = [100, 1000, 10_000, 100_000];
const DOF = [6, 7, 14, 30];
const QUESTIONS = 200;
const ROUNDS = 15;

/**
 * Nearest neighbors among uniformly distributed points, compared with a linear scan: the nearest point, and the k
 * nearest, with the k of optimal planners.
 */
export function neighborTable(): Table {
  return {
    title: 'nearest neighbours, uniformly scattered: µs a question, least of rounds',
    rows: DOF.flatMap((dof) => SIZES.map((size) => row(dof, size))),
    notes: [
      'k: the number of neighbors that RRT* and similar planners use, e (1 + 1/d) ln n; scan: a loop over all ' +
        'points, coordinates unrolled as in the tree',
    ],
  };
}

function row(dof: number, size: number) {
  const random = new Random(3);
  const draw = (q: Float64Array) => {
    for (let i = 0; i < dof; i++) q[i] = random.between(-3, 3);
    return q;
  };
  const set = new NearestNeighbors({ dof });
  const q = new Float64Array(dof);
  const begun = performance.now();
  for (let i = 0; i < size; i++) set.add(draw(q));
  const addMs = performance.now() - begun;
  const questions = Array.from({ length: QUESTIONS }, () => draw(new Float64Array(dof)));
  const k = new ConnectionCount(dof).of(size);
  for (const question of questions)
    if (set.nearest(question) !== scan(set, question)) throw new Error('the tree and the scan disagree');
  const one = microseconds(() => questions.reduce((sum, question) => sum + set.nearest(question), 0));
  const many = microseconds(() => questions.reduce((sum, question) => sum + set.near(question, k), 0));
  const all = microseconds(() => questions.reduce((sum, question) => sum + scan(set, question), 0));
  return {
    joints: dof,
    points: size,
    'add µs': (1000 * addMs) / size,
    'nearest µs': one,
    'scan µs': all,
    'scan / nearest': all / one,
    k,
    'k nearest µs': many,
    'scan / k nearest': all / many,
  };
}

/** Returns the index of the nearest point, found by a linear scan. */
function scan({ points, count, dof }: NearestNeighbors, q: Float64Array): number {
  const [q0, q1, q2, q3, q4, q5] = q;
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const row = i * dof;
    const d0 = points[row] - q0;
    const d1 = points[row + 1] - q1;
    const d2 = points[row + 2] - q2;
    const d3 = points[row + 3] - q3;
    const d4 = points[row + 4] - q4;
    const d5 = points[row + 5] - q5;
    let square = d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4 + d5 * d5;
    for (let j = 6; j < dof; j++) square += (points[row + j] - q[j]) * (points[row + j] - q[j]);
    if (square >= least) continue;
    least = square;
    best = i;
  }
  return best;
}

let sink = 0;
function microseconds(round: () => number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < ROUNDS; i++) {
    const before = performance.now();
    sink += round();
    least = Math.min(least, performance.now() - before);
  }
  if (Number.isNaN(sink)) throw new Error('no answer');
  return (1000 * least) / QUESTIONS;
}
