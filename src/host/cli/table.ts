import { printable } from './printable.ts';

/** Formats a table: columns as wide as their widest cell, separated by two spaces and indented by two. */
export function table(head: readonly string[], given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map(printable));
  const widths = head.map((cell, i) => Math.max(cell.length, ...rows.map((row) => row[i].length)));
  return [head, ...rows]
    .map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i])).join('  ')}`.trimEnd())
    .join('\n');
}
