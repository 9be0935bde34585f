import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOMParser, type Element } from '@xmldom/xmldom';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../cli/run.ts';

const page = readFileSync(join(root, 'docs/experiments.md'), 'utf8');

/** Medians at the end of the search, by planner, of the rows of a suite. */
function endsOf(suite: string): Map<string, number> {
  const rows = page.split('\n').filter((line) => line.startsWith('| '));
  const first = rows.findIndex((line) => line.startsWith(`| ${suite}:`));
  const own = rows.slice(first, first + 4).map((row) => row.split('|').map((cell) => cell.trim()));
  return new Map(own.map((cells) => [cells[2], Number.parseFloat(cells[7])]));
}

/** Points of the path of a mark. */
const pointsOf = (mark: Element) =>
  [
    ...mark
      .getElementsByTagName('path')[0]
      .getAttribute('d')!
      .matchAll(/[ML]([-\d.]+),([-\d.]+)/g),
  ].map(([, x, y]) => [Number(x), Number(y)] as const);

test.each(['tables', 'passages', 'robots'])(
  'the picture of the suite %s has a decreasing curve for each planner of its experiment, and the ends of its table',
  (suite) => {
    const file = parse(readFileSync(join(root, `examples/experiments/anytime-${suite}.yaml`), 'utf8'));
    const planners: string[] = file.planners.map((one: string | { planner: string; iterations: number }) =>
      typeof one === 'string' ? one : `${one.planner} ${one.iterations} iterations`,
    );
    expect({ planners: planners.length, seeds: file.seeds }).toEqual({ planners: 4, seeds: 30 });

    const svg = readFileSync(join(root, `docs/pictures/anytime-${suite}.svg`), 'utf8');
    const picture = new DOMParser().parseFromString(svg, 'text/xml');
    const texts = [...picture.getElementsByTagName('text')].map((text) => text.textContent);
    expect(texts).toContain('iterations');
    expect(texts.slice(-5)).toEqual(['length / shortest known', ...planners]);
    const marks = [...picture.getElementsByTagName('g')];
    const ofKind = (kind: string) =>
      marks.filter((mark) => mark.getAttribute('class')?.startsWith(`mark-${kind} role-mark`));
    const [lines, bands] = [ofKind('line'), ofKind('area')];
    expect([lines.length, bands.length]).toEqual([4, 4]);
    expect(new Set(lines.map((line) => line.getElementsByTagName('path')[0].getAttribute('stroke'))).size).toBe(4);

    const curves = lines.map(pointsOf);
    const rising = curves.filter((curve) =>
      curve.some(([x, y], i) => i > 0 && (x < curve[i - 1][0] || y < curve[i - 1][1])),
    );
    expect(rising).toEqual([]); // y is downwards: a shorter path is lower
    const ends = endsOf(suite);
    const byTable = planners.map((label) => ends.get(label.split(' ')[0])!);
    const byPicture = curves.map((curve) => curve.at(-1)![1]);
    const orderOf = (values: readonly number[]) => values.map((_, i) => i).sort((a, b) => values[a] - values[b]);
    expect(orderOf(byPicture.map((y) => -y))).toEqual(orderOf(byTable));
  },
);
