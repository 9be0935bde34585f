type Row = Readonly<Record<string, string | number>>;

/**
 * A long table as the page shows it: one row for each value of the columns `by`, with the medians of its rows, or the
 * greatest values of the columns `most`; if `by` is empty, the least, median and greatest of all rows. The command
 * prints every row.
 */
export const condensed =
  (by: readonly string[], most: readonly string[] = []) =>
  (rows: readonly Row[]): Row[] => {
    const columns = [...new Set(rows.flatMap(Object.keys))].filter(
      (column) => !by.includes(column) && rows.some((row) => typeof row[column] === 'number'),
    );
    const numbersAt = (part: readonly Row[], share: number) =>
      Object.fromEntries(
        columns.flatMap((column) => {
          const values = part.map((row) => row[column]).filter((value) => typeof value === 'number');
          const rank = Math.floor((most.includes(column) ? 1 : share) * (values.length - 1));
          return values.length === 0 ? [] : [[column, values.sort((a, b) => a - b)[rank]]];
        }),
      );
    if (by.length === 0) {
      return Object.entries({ least: 0, median: 0.5, greatest: 1 }).map(([name, share]) => ({
        'of all rows': name,
        ...numbersAt(rows, share),
      }));
    }
    const keyOf = (row: Row) => by.map((name) => row[name]).join('\n');
    const parts = new Map(rows.map((row) => [keyOf(row), [] as Row[]]));
    for (const row of rows) parts.get(keyOf(row))?.push(row);
    return [...parts.values()].map((part) => ({
      ...Object.fromEntries(by.map((name) => [name, part[0][name]])),
      ...numbersAt(part, 0.5),
    }));
  };

/** The rows with these columns only. */
export const withColumns =
  (names: readonly string[]) =>
  (rows: readonly Row[]): Row[] =>
    rows.map((row) => Object.fromEntries(names.filter((name) => name in row).map((name) => [name, row[name]])));
