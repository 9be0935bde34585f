import { expect, test } from 'vitest';
import type { DiagramCell } from '../../../../src/core/certificate/coordination/coordinationRecord.ts';
import { uncoveredCell } from '../../../../src/core/certificate/coordination/diagramProof.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { cases } from '../../../cases.ts';
import { type Body, bodiesAt, dot, support, type Triple } from '../../../tasks/coordination/meetingOracle.ts';
import { turned } from '../../constraints/constraintOracle.ts';
import { freeSquares, randomRectangles } from '../../planning/coordination/randomDiagrams.ts';
import { cellProverOf, randomMeeting } from './meetings.ts';

const opposite = (d: Triple): Triple => [-d[0], -d[1], -d[2]];

/** Gap of two bodies along a direction in the world, from A to B. */
const gapAlong = (a: Body, b: Body, d: Triple) => dot(support(b, opposite(d)), d) - dot(support(a, d), d);

/** The direction of the greatest gap of a few random ones. */
function separatingDirection(random: Random, a: Body, b: Body): Triple {
  let best: Triple = [1, 0, 0];
  for (let k = 0; k < 40; k++) {
    const between = [0, 1, 2].map((i) => b.pose.p[i] - a.pose.p[i] + random.between(-0.2, 0.2)) as unknown as Triple;
    const length = Math.hypot(...between);
    const d = between.map((x) => x / length) as unknown as Triple;
    if (gapAlong(a, b, d) > gapAlong(a, b, best)) best = d;
  }
  return best;
}

test('a plane that the checker proves in a cell separates the parts at all of its points', () => {
  const random = new Random(11);
  const seen = { proved: 0, near: 0, failed: 0 };
  for (let meeting = 0; meeting < cases(40); meeting++) {
    const robots = randomMeeting(random, 4);
    const { prover, parts } = cellProverOf(robots);
    const ends = robots.map(({ trajectory }) => trajectory.points.at(-1)!.time_from_start!);
    for (let k = 0; k < 4; k++) {
      // Either robot may have part A of the pair.
      const [i, j] = random.next() < 0.5 ? [0, 1] : [1, 0];
      const middle = ends.map((end) => random.between(0, end));
      const [ofA, ofB] = [bodiesAt(robots[i], middle[i]), bodiesAt(robots[j], middle[j])];
      if (ofA.length === 0 || ofB.length === 0) continue;
      const [indexA, indexB] = [random.below(ofA.length), random.below(ofB.length)];
      const [a, b] = [ofA[indexA], ofB[indexB]];
      const partOf = (body: Body, robot: number) =>
        parts.find(({ object, part }) => object === (robot === 0 ? '' : 'other/') + body.link && part === body.part)!;
      const d = separatingDirection(random, a, b);
      const [w, x, y, z] = b.frame.r;
      const n = turned([w, -x, -y, -z], d); // in the frame of the link of B at the middle
      prover.setPair(partOf(a, i), partOf(b, j));
      const cellOf = (size: number) =>
        ends.map((end, r) => [Math.max(0, middle[r] - size), Math.min(end, middle[r] + size * (1 + r))] as const);
      let [size, failing] = [0, 1];
      for (let step = 0; step < 12; step++) {
        const next = 0.5 * (size + failing);
        const [one, other] = cellOf(next);
        if (prover.provesCell(one, other, Float64Array.from(n))) size = next;
        else {
          failing = next;
          seen.failed++;
        }
      }
      if (size === 0) continue;
      seen.proved++;
      const cell = cellOf(size);
      let least = Number.POSITIVE_INFINITY;
      for (let sample = 0; sample < 40; sample++) {
        const times = cell.map(([from, to]) => {
          const kind = random.below(4);
          return kind === 0 ? from : kind === 1 ? to : random.between(from, to);
        });
        const bodyA = bodiesAt(robots[i], times[i])[indexA];
        const bodyB = bodiesAt(robots[j], times[j])[indexB];
        const gap = gapAlong(bodyA, bodyB, turned(bodyB.frame.r, n));
        least = Math.min(least, gap);
        expect(gap, `meeting ${meeting}.${k}: at ${times.join(', ')}`).toBeGreaterThan(0);
      }
      if (least < 1e-3) seen.near++;
    }
  }
  expect(seen.proved).toBeGreaterThan(cases(60));
  expect(seen.near).toBeGreaterThan(cases(10));
  expect(seen.failed).toBeGreaterThan(cases(100));
});

test('a cell is covered exactly if each of its squares is', () => {
  const random = new Random(5);
  const seen = { covered: 0, open: 0 };
  const size = 16;
  for (let k = 0; k < 400; k++) {
    const planes = randomRectangles(random, size, 0.97);
    const more = randomRectangles(random, size, 0.3);
    const free = randomRectangles(random, size, random.next() < 0.5 ? 0.05 : 0.5);
    const all = [...planes, ...more].sort(() => random.next() - 0.5);
    const covered = freeSquares(all, size);
    const wanted = freeSquares(free, size);
    const isCovered = wanted.every((column, x) => column.every((is, y) => !is || covered[x][y]));
    expect(uncoveredCell(free, all) === undefined, `diagram ${k}`).toBe(isCovered);
    seen[isCovered ? 'covered' : 'open']++;
  }
  expect(seen.covered).toBeGreaterThan(50);
  expect(seen.open).toBeGreaterThan(50);
});

test.each<[string, DiagramCell[], DiagramCell[], boolean]>([
  ['a trajectory without duration', [[0, 0, 0, 2]], [[0, 0, 0, 2]], true],
  [
    'one whose planes leave a hole',
    [[0, 0, 0, 2]],
    [
      [0, 0, 0, 1],
      [0, 0, 1.5, 2],
    ],
    false,
  ],
  [
    'planes side by side',
    [[0, 2, 0, 2]],
    [
      [0, 1, 0, 2],
      [1, 2, 0, 2],
    ],
    true,
  ],
  [
    'planes an ulp apart',
    [[0, 2, 0, 2]],
    [
      [0, 1, 0, 2],
      [1 + Number.EPSILON, 2, 0, 2],
    ],
    false,
  ],
  ['no planes', [[0, 2, 0, 2]], [], false],
])('coverage of cells of %s', (_, free, planes, isCovered) => {
  expect(uncoveredCell(free, planes) === undefined).toBe(isCovered);
});
