/** Columns as wide as they need to be, two blanks between them, indented by two. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, i) => Math.max(cell.length, ...rows.map((row) => row[i].length)));
  return [head, ...rows]
    .map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i])).join('  ')}`.trimEnd())
    .join('\n');
}
