/**
 * Sine, cosine and their inverses from `+ − × ÷ √` alone. ECMAScript leaves the last digits of `Math.sin` to the
 * engine; these functions return the same bytes everywhere, which "same seed, same path" requires. Minimax polynomials
 * on [−π/4, π/4] after a three-part Cody–Waite reduction [Cody80], coefficients as published with fdlibm [fdlibm];
 * errors stay below 1 ulp for |x| < 2²⁰.
 */

export const PI = Math.PI;
export const TWO_PI = 2 * Math.PI;
const HALF_PI = Math.PI / 2;
/** π/2 − HALF_PI. */
const HALF_PI_TAIL = 6.123233995736766e-17;

/** π/2 in three parts of 33 bits each, the last one rounded: k × part is exact for k < 2²⁰. */
const HALF_PI_1 = 1.57079632673412561417;
const HALF_PI_2 = 6.0771005063039659766e-11;
const HALF_PI_3 = 2.02226624879595063154e-21;
/** Largest argument for the three-part reduction; larger ones are first reduced modulo the double nearest to 2π. */
const LARGEST_REDUCED = 1e6;

/** out[0] = sin x, out[1] = cos x; NaN if x is not finite. */
export function sinCos(out: Float64Array, x: number): void {
  const angle = x < LARGEST_REDUCED && x > -LARGEST_REDUCED ? x : x % TWO_PI;
  const k = Math.floor(angle * (1 / HALF_PI) + 0.5);
  // Cody–Waite: the rounding error of each subtraction is added to the next part.
  const high = angle - k * HALF_PI_1;
  const low = k * HALF_PI_2;
  const r = high - low - (k * HALF_PI_3 - (high - (high - low) - low));
  const z = r * r;
  const s =
    r +
    r *
      z *
      (-1.66666666666666324348e-1 +
        z *
          (8.33333333332248946124e-3 +
            z *
              (-1.98412698298579493134e-4 +
                z * (2.75573137070700676789e-6 + z * (-2.50507602534068634195e-8 + z * 1.58969099521155010221e-10)))));
  const half = 0.5 * z;
  const w = 1 - half;
  const c =
    w +
    (1 -
      w -
      half +
      z *
        z *
        (4.16666666666666019037e-2 +
          z *
            (-1.38888888888741095749e-3 +
              z *
                (2.48015872894767294178e-5 +
                  z *
                    (-2.75573143513906633035e-7 + z * (2.0875723212981748279e-9 - z * 1.13596475577881948265e-11))))));
  // By quadrants (s, c), (c, −s), (−s, −c), (−c, s): without a branch, which could not be predicted.
  const quadrant = k & 3;
  const at = quadrant & 1;
  out[at] = (1 - ((quadrant + 1) & 2)) * s;
  out[1 - at] = (1 - (quadrant & 2)) * c;
}

const pair = new Float64Array(2);

export function sin(x: number): number {
  sinCos(pair, x);
  return pair[0];
}

export function cos(x: number): number {
  sinCos(pair, x);
  return pair[1];
}

/** Angle of the point (x, y) from the x axis, in (−π, π]; 0 for the origin. */
export function atan2(y: number, x: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (y === 0) return x < 0 || Object.is(x, -0) ? (Object.is(y, -0) ? -PI : PI) : y;
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const both = ax === Number.POSITIVE_INFINITY && ay === Number.POSITIVE_INFINITY;
  const steep = ay > ax;
  const angle = both ? HALF_PI / 2 : atanUnit(steep ? ax / ay : ay / ax);
  // π/2 and π in two parts each: the tail belongs to the small number, where its bits still count.
  const upper = steep
    ? x < 0
      ? HALF_PI + (angle + HALF_PI_TAIL)
      : HALF_PI - (angle - HALF_PI_TAIL)
    : x < 0
      ? PI - (angle - 2 * HALF_PI_TAIL)
      : angle;
  return y < 0 ? -upper : upper;
}

/** atan t for 0 <= t <= 1: one step of argument reduction about 1/2 or 1, then fdlibm's odd polynomial. */
function atanUnit(t: number): number {
  if (t < 0.4375) return t - t * atanTail(t);
  if (t < 0.6875) {
    const u = (2 * t - 1) / (2 + t);
    return 4.63647609000806093515e-1 - (u * atanTail(u) - 2.26987774529616870924e-17 - u);
  }
  const u = (t - 1) / (t + 1);
  return 7.85398163397448278999e-1 - (u * atanTail(u) - 3.06161699786838301793e-17 - u);
}

function atanTail(t: number): number {
  const z = t * t;
  const w = z * z;
  const even =
    z *
    (3.33333333333329318027e-1 +
      w *
        (1.42857142725034663711e-1 +
          w *
            (9.09088713343650656196e-2 +
              w * (6.66107313738753120669e-2 + w * (4.97687799461593236017e-2 + w * 1.62858201153657823623e-2)))));
  const odd =
    w *
    (-1.99999999998764832476e-1 +
      w *
        (-1.1111110405462355788e-1 +
          w * (-7.69187620504482999495e-2 + w * (-5.83357013379057348645e-2 - w * 3.6531572744216915527e-2))));
  return even + odd;
}

/** Arc cosine in [0, π]; arguments beyond ±1 by rounding count as ±1. */
export function acos(x: number): number {
  const c = Math.min(1, Math.max(-1, x));
  return atan2(Math.sqrt((1 - c) * (1 + c)), c);
}

/** Arc sine in [−π/2, π/2]; arguments beyond ±1 by rounding count as ±1. */
export function asin(x: number): number {
  const s = Math.min(1, Math.max(-1, x));
  return atan2(s, Math.sqrt((1 - s) * (1 + s)));
}

/** The angle equal to x modulo 2π that lies in [−π, π). */
export function wrapAngle(x: number): number {
  return x - TWO_PI * Math.floor((x + PI) / TWO_PI);
}

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
