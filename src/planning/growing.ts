/** A row of numbers twice as long that begins with the one given: rows that grow by doubling cost a constant time an entry. */
export function doubled<Row extends Float64Array | Int32Array>(row: Row): Row {
  const longer = (
    row instanceof Float64Array ? new Float64Array(2 * row.length) : new Int32Array(2 * row.length)
  ) as Row;
  longer.set(row);
  return longer;
}
