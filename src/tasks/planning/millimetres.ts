/** Formats a length as `12.3 mm` with three digits; less than a nanometre is shown as 0. */
export const millimetres = (metres: number): string =>
  `${Number((1000 * (metres < 1e-9 ? 0 : metres)).toPrecision(3))} mm`;
