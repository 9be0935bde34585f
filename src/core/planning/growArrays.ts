/** Returns a copy of twice the length; arrays that grow by doubling take amortized constant time per entry. */
export function doubled<Row extends Float64Array | Int32Array>(row: Row): Row {
  const longer = (
    row instanceof Float64Array ? new Float64Array(2 * row.length) : new Int32Array(2 * row.length)
  ) as Row;
  longer.set(row);
  return longer;
}
