/** `12.3 mm`, three digits; less than a nanometre is none. */
export const millimetres = (metres: number): string =>
  `${Number((1000 * (metres < 1e-9 ? 0 : metres)).toPrecision(3))} mm`;
