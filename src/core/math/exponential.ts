/** ln 2, split so that k · LN2_HIGH is exact for |k| < 2¹¹. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
const SQRT_HALF = Math.SQRT1_2;

/** Computes eˣ from sums and products only, so that the result is the same on every machine; error below 2 ulp. */
export function exp(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x > 709.782712893384) return Infinity;
  if (x < -745.1332191019411) return 0;
  const k = Math.floor(x / (LN2_HIGH + LN2_LOW) + 0.5);
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  // eʳ = 1 + r + r²/2! + …; |r| ≤ 0.35: the term r¹⁵/15! is below 2⁻⁵³
  let tail = 1 / 14;
  for (let n = 13; n >= 2; n--) tail = (1 + r * tail) / n;
  const value = 1 + (high - (low - r * r * tail));
  return scale(value, k);
}

/** Computes the natural logarithm from sums and products only; error below 2 ulp. NaN for negative numbers. */
export function log(x: number): number {
  if (Number.isNaN(x) || x < 0) return Number.NaN;
  if (x === 0) return -Infinity;
  if (x === Infinity) return x;
  const { mantissa, exponent } = split(x);
  // ln m = 2 artanh s, s = (m − 1) / (m + 1), |s| ≤ 0.172: s²³/23 is below 2⁻⁵³ of the first term
  const f = mantissa - 1;
  const s = f / (2 + f);
  const z = s * s;
  let series = 1 / 23;
  for (let n = 21; n >= 3; n -= 2) series = series * z + 1 / n;
  // ln(1 + f) = f − s (f − 2 z Σ): the first term is exact
  const value = f - s * (f - 2 * z * series);
  return exponent * LN2_HIGH + (value + exponent * LN2_LOW);
}

/**
 * Computes xʸ: by products if y is an integer up to 1024, so that small powers of exact numbers are exact, by the
 * square root for ½, otherwise as e to the power y ln x. NaN for a negative x with a fractional y.
 */
export function pow(x: number, y: number): number {
  if (y === 0 || x === 1) return 1;
  if (y === 0.5) return Math.sqrt(x);
  if (Number.isInteger(y) && Math.abs(y) <= 1024) {
    const value = integerPower(x, Math.abs(y));
    return y > 0 ? value : 1 / value;
  }
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (x < 0 && Number.isFinite(y) && !Number.isInteger(y)) return Number.NaN;
  const size = exp(y * log(Math.abs(x)));
  return x < 0 && Math.abs(y) % 2 === 1 ? -size : size;
}

function integerPower(x: number, n: number): number {
  let result = 1;
  let square = x;
  for (let rest = n; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result *= square;
    square *= square;
  }
  return result;
}

/** Returns x = mantissa · 2^exponent with a mantissa from √½ to √2. */
function split(x: number): { readonly mantissa: number; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  const subnormal = x < 2.2250738585072014e-308;
  view.setFloat64(0, subnormal ? x * 2 ** 54 : x);
  const high = view.getUint32(0);
  let exponent = ((high >>> 20) & 0x7ff) - 1022 - (subnormal ? 54 : 0);
  view.setUint32(0, ((high & 0xfffff) | 0x3fe00000) >>> 0);
  let mantissa = view.getFloat64(0); // from ½ to 1
  if (mantissa < SQRT_HALF) {
    mantissa *= 2;
    exponent--;
  }
  return { mantissa, exponent };
}

/** Computes x · 2ᵏ; in two steps, because 2ᵏ alone may overflow or underflow. */
function scale(x: number, k: number): number {
  const half = Math.trunc(k / 2);
  return x * 2 ** half * 2 ** (k - half);
}
