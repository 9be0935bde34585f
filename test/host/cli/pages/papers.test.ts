import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const benchmarks = readFileSync('docs/benchmarks.md', 'utf8');

/** The tables that a bench has written into docs/benchmarks.md, or the empty string. */
function tablesOf(section: string): string {
  const start = benchmarks.indexOf(`<!-- bench ${section} -->`);
  return start < 0 ? '' : benchmarks.slice(start, benchmarks.indexOf('<!-- end -->', start));
}

const numbersIn = (text: string) => text.match(/\d+(?:\.\d+)?(?:e-?\d+)?/g) ?? [];

/** Whether a number of the tables has this value at the precision of the text. */
function isQuoted(figure: string, tables: readonly string[]): boolean {
  if (figure.includes('e')) return tables.includes(figure);
  const digits = figure.split('.')[1]?.length ?? 0;
  return tables.some((value) => Number(value).toFixed(digits) === figure);
}

test('each figure that papers.md states for a bench is in the tables of that bench', () => {
  const rows = readFileSync('docs/papers.md', 'utf8').split('\n');
  let figures = 0;
  for (const row of rows) {
    const [what, , ours, , command] = row.split(' | ');
    const sections: readonly string[] = command?.match(/narrowphase:(iterations|papers|expanding|growth-peer)/g) ?? [];
    if (sections.length === 0 || sections.includes('narrowphase:growth-peer')) continue;
    const tables = numbersIn(sections.map(tablesOf).join('\n'));
    // Lengths name a row; a ratio in parentheses, and the load, are no figures of a table.
    const stated = ours.replace(
      /\([\d.]+ times\)|load \d+|\d+ m?c?m\b(?! on)|[\d.]+ to [\d.]+ support points per digit/g,
      '',
    );
    for (const figure of numbersIn(stated)) {
      expect(isQuoted(figure, tables), `${what}: ${figure}`).toBe(true);
      figures++;
    }
  }
  expect(figures).toBeGreaterThan(80);
});
