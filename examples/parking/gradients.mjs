// Numbers that know their gradient: a row [value, derivatives …], carried on by sums, products and the chain rule.

/** The entries of x as such numbers, each with itself as its own variable. */
export const variables = (x) =>
  Array.from(x, (value, i) => Float64Array.from([value, ...x], (_, j) => unit(value, i, j)));
const unit = (value, i, j) => (j === 0 ? value : j === i + 1 ? 1 : 0);

/** A number that does not depend on the `count` variables. */
export const constant = (value, count) => Float64Array.of(value, ...new Float64Array(count));

/** a + factor · b */
export const plus = (a, b, factor = 1) => a.map((entry, i) => entry + factor * b[i]);

/** factor · a + shift */
export const affine = (a, factor, shift = 0) => a.map((entry, i) => factor * entry + (i === 0 ? shift : 0));

/** a · b */
export const times = (a, b) => a.map((entry, i) => (i === 0 ? a[0] * b[0] : a[0] * b[i] + b[0] * entry));

/** f(a), from f and f′ at its value. */
export const through = (a, value, slope) => a.map((entry, i) => (i === 0 ? value : slope * entry));
