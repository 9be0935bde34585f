import { accelerationAt, jerkAt, type Polynomials, positionAt, velocityAt } from './polynomial.ts';

/** Derivatives of a joint's position, by how often it is differentiated. */
export const POSITION = 0;
export const VELOCITY = 1;
export const ACCELERATION = 2;
export const JERK = 3;

/** Halvings after which a zero is found to the last digit, save zeros next to 0 that are smaller than any time matters. */
const MOST_HALVINGS = 200;

export function derivativeAt(c: Polynomials, at: number, order: number, u: number): number {
  if (order === POSITION) return positionAt(c, at, u);
  if (order === VELOCITY) return velocityAt(c, at, u);
  if (order === ACCELERATION) return accelerationAt(c, at, u);
  if (order === JERK) return jerkAt(c, at, u);
  return 24 * c[at + 4] + 120 * u * c[at + 5];
}

/**
 * All u in [u0, u1] at which a derivative can have its extremes there: both ends and the zeros of the next derivative. In closed form for
 * lines and cubics. Further places may be among them, which do no harm; a double zero that rounding hides lies next to one of these.
 */
export function extremePlaces(c: Polynomials, at: number, order: number, u0: number, u1: number): number[] {
  const isQuintic = c[at + 4] !== 0 || c[at + 5] !== 0;
  const inner = isQuintic ? zeroPlaces(c, at, order + 1, u0, u1) : cubicPlaces(c, at, order);
  return [u0, u1, ...inner.filter((u) => u > u0 && u < u1)];
}

/** Greatest |derivative| for u0 <= u <= u1. */
export function greatestMagnitude(c: Polynomials, at: number, order: number, u0: number, u1: number): number {
  let most = 0;
  for (const u of extremePlaces(c, at, order, u0, u1)) most = Math.max(most, Math.abs(derivativeAt(c, at, order, u)));
  return most;
}

/** Zeros of the velocity of a cubic, from the root that does not cancel; the zero of its acceleration. */
function cubicPlaces(c: Polynomials, at: number, order: number): number[] {
  if (order === VELOCITY && c[at + 3] !== 0) return [-c[at + 2] / (3 * c[at + 3])];
  if (order !== POSITION) return [];
  const a = 3 * c[at + 3];
  const b = 2 * c[at + 2];
  const d = c[at + 1];
  const root = Math.sqrt(b * b - 4 * a * d); // NaN if the velocity has no zero
  const sum = -(b < 0 ? b - root : b + root) / 2;
  return [...(a === 0 ? [] : [sum / a]), ...(sum === 0 ? [] : [d / sum])];
}

/**
 * Places between which the derivative of this order keeps its sign, in increasing order. Between two such places of the next derivative it is
 * monotone, so it has at most one zero there, which halving finds. The places of the next derivative are among them.
 */
function zeroPlaces(c: Polynomials, at: number, order: number, u0: number, u1: number): number[] {
  if (order > JERK + 1) return [];
  const cuts = [u0, ...zeroPlaces(c, at, order + 1, u0, u1), u1];
  const places: number[] = [];
  for (let i = 1; i < cuts.length; i++) {
    const [from, to] = [cuts[i - 1], cuts[i]];
    const isNegative = derivativeAt(c, at, order, from) < 0;
    if (isNegative !== derivativeAt(c, at, order, to) < 0) places.push(zeroBetween(c, at, order, from, to, isNegative));
    if (i < cuts.length - 1) places.push(to);
  }
  return places;
}

function zeroBetween(c: Polynomials, at: number, order: number, u0: number, u1: number, isNegative: boolean): number {
  let from = u0;
  let to = u1;
  for (let i = 0; i < MOST_HALVINGS; i++) {
    const middle = from + 0.5 * (to - from);
    if (!(middle > from && middle < to)) break;
    if (derivativeAt(c, at, order, middle) < 0 === isNegative) from = middle;
    else to = middle;
  }
  return to;
}
