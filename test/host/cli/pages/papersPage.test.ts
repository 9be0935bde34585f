import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planarIterationRows } from '../../../../bench/narrowphase/growthIterations.ts';
import { deviationOf, oursOf, printed } from '../../../../bench/narrowphase/printed.ts';
import {
  createProvenPairs,
  type ProvenPair,
  provedDistance,
  provenRows,
} from '../../../../bench/narrowphase/provenPairs.ts';
// @ts-expect-error a script without declarations
import { tableOf } from '../../../../scripts/charts.mjs';
// @ts-expect-error a script without declarations
import { drawCurves } from '../../../../scripts/papers/curves.mjs';
import { Random } from '../../../../src/core/math/random.ts';
import { root } from '../run.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const text = read('bench/pairs/pairs.jsonl');
const pairs: ProvenPair[] = text
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
const rows = read('docs/papers.md')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()));
const benchmarks = read('docs/benchmarks.md');
const rowsOf = (title: string) => tableOf(benchmarks, title).rows;

/** Whether a cell has a number that is the value when rounded to its digits. */
function quotes(cell: string, value: number): boolean {
  return (cell.match(/\d+(\.\d+)?/g) ?? []).some((number) => {
    const halfOfLastDigit = 0.5 * 10 ** -(number.split('.')[1]?.length ?? 0);
    return Math.abs(Number(number) - value) <= halfOfLastDigit * (1 + 1e-9);
  });
}

test('docs/papers.md quotes each compared figure of ours and the printed one', () => {
  expect(printed.length).toBeGreaterThan(20);
  const missing = printed.flatMap((value) => {
    const row = rows.find(([, place]) => place === value.place);
    if (row === undefined) return [`no row ${value.place}`];
    const ours = oursOf(value, rowsOf);
    const [first, last] = [value.theirs].flat() as number[];
    const isTheirs = [first, last ?? first].every((theirs) => quotes(row[2].replaceAll(',', ''), theirs));
    return [
      ...(ours !== undefined && quotes(row[3], ours) ? [] : [`ours, ${value.quantity}: ${ours}`]),
      ...(isTheirs ? [] : [`theirs, ${value.quantity}: ${value.theirs}`]),
    ];
  });
  expect(missing).toEqual([]);
});

test('docs/papers.md quotes the iterations of planar sets that the code takes', () => {
  const row = rows.find(([, place]) => place === '§IV-B: planar sets')!;
  for (const computed of planarIterationRows(new Random(14))) {
    expect(quotes(row[3], computed['growth mean'] as number)).toBe(true);
  }
});

test('every point of the curves is a number', () => {
  const curves: string[] = drawCurves(rowsOf);
  for (const svg of curves) expect(svg.match(/<circle/g)!.length).toBeGreaterThan(8);
  expect(curves.join('')).not.toMatch(/NaN|undefined|Infinity/);
});

test('a deviation counts from the nearer end of a range', () => {
  const value = { ...printed[0], theirs: [1.5, 2] as const };
  expect([1.2, 1.5, 1.7, 2, 3].map((ours) => Math.round(deviationOf(value, ours)))).toEqual([-20, 0, 0, 0, 50]);
});

test('the pairs of bench/pairs have their checksum, come from their seed, and each distance is proved', async () => {
  const [sum] = read('bench/pairs/SHA256SUMS').split(' ');
  expect(createHash('sha256').update(text).digest('hex')).toBe(sum);
  const first = await createProvenPairs([8]);
  expect(pairs.slice(0, first.length)).toEqual(first);
  for (const pair of pairs) expect(provedDistance(pair)).toBe(pair.distance);
});

test('a distance is not proved if a weight or a point is changed', () => {
  const pair = pairs.find(({ distance }) => distance > 0)!;
  expect(() => provedDistance({ ...pair, a: [...pair.a, pair.b[0]] })).toThrow('nearer');
  expect(() => provedDistance({ ...pair, proof: { ...pair.proof, weights: ['-1'] } })).toThrow('negative');
  for (const other of pairs.filter(({ proof }) => proof.points.length === 3)) {
    const [first, ...rest] = other.proof.weights;
    const weights = [String(2n * BigInt(first) + 1n), ...rest];
    expect(() => provedDistance({ ...other, proof: { ...other.proof, weights } })).toThrow('nearer');
  }
});

test('every solver of the papers decides the proven pairs, with distances to 1e-12 m', () => {
  for (const row of provenRows(pairs)) {
    expect(row['wrong verdicts']).toBe(0);
    if (row['largest error m'] !== '–') expect(Number(row['largest error m'])).toBeLessThan(1e-12);
  }
});
