import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { condensed } from '../../../../bench/condense.ts';
import { root } from '../run.ts';

const page = ['benchmarks.md', 'referee.md'].map((name) => readFileSync(join(root, 'docs', name), 'utf8')).join('\n');
/** The tables that a bench writes between its marks, by the bench. */
const tables = new Map(
  [...page.matchAll(/<!-- bench (\S+) -->([\s\S]*?)<!-- end -->/g)].map(([, name, text]) => [name, text]),
);
/** Rows `what | target | measured | command` of the targets. */
const targets = page
  .slice(page.indexOf('### Targets'), page.indexOf('## Narrow phase'))
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter((cells) => /^`.+`$/.test(cells.at(-2) ?? ''));

/** Whether a table has a number that is `quoted` when rounded to its digits. */
function isInTable(quoted: string, table: string): boolean {
  const halfOfLastDigit = 0.5 * 10 ** -(quoted.split('.')[1]?.length ?? 0);
  const numbers = [...table.matchAll(/(?<![\w.])\d+(\.\d+)?(?![\w.])/g)].map(([number]) => Number(number));
  return numbers.some((number) => Math.abs(number - Number(quoted)) <= halfOfLastDigit * (1 + 1e-9));
}

test('each measured figure among the targets is in the table of its bench', () => {
  expect(targets.length).toBeGreaterThan(10);
  const missing = targets.flatMap(([, what, , measured, command]) =>
    (measured.replaceAll(',0', '0').match(/\d+(\.\d+)?/g) ?? [])
      .filter((number) => !isInTable(number, tables.get(command.slice(1, -1)) ?? ''))
      .map((number) => `${what}: ${number}`),
  );
  expect(missing).toEqual([]);
});

test('a condensed table has the median of each group, and the greatest value of a column of faults', () => {
  const rows = [1, 5, 2].map((time, i) => ({ solver: 'gjk', bodies: `set ${i}`, time, wrong: i === 1 ? 3 : 0 }));
  expect(condensed(['solver'], ['wrong'])(rows)).toEqual([{ solver: 'gjk', time: 2, wrong: 3 }]);
  expect(condensed([])(rows).map(({ time }) => time)).toEqual([1, 2, 5]);
});
