import { printable } from './printable.ts';

/** Columns as wide as they need to be, two blanks between them, indented by two. */
export function table(head: readonly string[], given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map(printable));
  const widths = head.map((cell, i) => Math.max(cell.length, ...rows.map((row) => row[i].length)));
  return [head, ...rows]
    .map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i])).join('  ')}`.trimEnd())
    .join('\n');
}
