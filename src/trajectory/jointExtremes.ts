import { accelerationAt } from './polynomial.ts';
import { ACCELERATION, derivativeAt, extremePlaces, JERK, POSITION, VELOCITY } from './polynomialExtremes.ts';
import type { TrajectoryCurve } from './trajectoryCurve.ts';

/** A value that is greatest, or least, and when. Signed; time in seconds, or waypoints for a path. */
export interface Extreme {
  readonly value: number;
  readonly time: number;
}

export interface JointExtremes {
  readonly least: Extreme;
  readonly greatest: Extreme;
  /** Of greatest magnitude. */
  readonly velocity: Extreme;
  readonly acceleration: Extreme;
}

/** Relative: a jump of the acceleration by less than this share of its limit is rounding. */
const JUMP_SLACK = 1e-6;
/** Roundings, of half a unit in the last place of the terms each, that a value of a quintic may be off by: counted in docs/proof.md as 30. */
const ROUNDING = 64 * (Number.EPSILON / 2);
/** Of a quintic whose positions have terms of the sum P, the terms of derivative n add up to no more than WEIGHTS[n] P / Tⁿ. */
const WEIGHTS = [1, 5, 20, 60];

/** Least and greatest position, and the velocity and acceleration of greatest magnitude, of one joint: quintics rounded outwards. */
export function extremesOf(curve: TrajectoryCurve, j: number): JointExtremes {
  const start = { value: curve.polynomials[curve.place(0, j)], time: curve.start };
  const rest = { value: 0, time: curve.start };
  let [least, greatest, velocity, acceleration]: Extreme[] = [start, start, rest, rest];
  for (let k = 0; k < curve.pieces; k++) {
    const error = roundingOf(curve, k, j, POSITION);
    for (const x of extremesWithin(curve, k, j, POSITION)) {
      if (!(x.value - error >= least.value) && !Number.isNaN(least.value))
        least = { value: x.value - error, time: x.time };
      if (!(x.value + error <= greatest.value) && !Number.isNaN(greatest.value))
        greatest = { value: x.value + error, time: x.time };
    }
    for (const v of extremesWithin(curve, k, j, VELOCITY))
      velocity = greaterOf(velocity, outwards(v, curve, k, j, VELOCITY));
    for (const a of extremesWithin(curve, k, j, ACCELERATION))
      acceleration = greaterOf(acceleration, outwards(a, curve, k, j, ACCELERATION));
  }
  return { least, greatest, velocity, acceleration };
}

/** The jerk of greatest magnitude; infinite if the acceleration jumps between two pieces. Jumps from and to rest at the ends do not count. */
export function greatestJerk(curve: TrajectoryCurve, j: number, accelerationLimit: number): Extreme {
  let jerk: Extreme = { value: 0, time: curve.start };
  const c = curve.polynomials;
  for (let k = 0; k < curve.pieces; k++) {
    for (const x of extremesWithin(curve, k, j, JERK)) jerk = greaterOf(jerk, outwards(x, curve, k, j, JERK));
    if (k === 0) continue;
    const before = accelerationAt(c, curve.place(k - 1, j), curve.times[k] - curve.times[k - 1]);
    const after = accelerationAt(c, curve.place(k, j), 0);
    const bounded = accelerationLimit < Number.POSITIVE_INFINITY;
    const scale = bounded ? accelerationLimit : Math.max(1, Math.abs(before), Math.abs(after));
    if (Math.abs(after - before) > JUMP_SLACK * scale) {
      const value = after < before ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
      jerk = greaterOf(jerk, { value, time: curve.times[k] });
    }
  }
  return jerk;
}

/** The one of greater magnitude; not-a-number is kept. */
export function greaterOf(one: Extreme, other: Extreme): Extreme {
  return Math.abs(other.value) <= Math.abs(one.value) || Number.isNaN(one.value) ? one : other;
}

function extremesWithin(curve: TrajectoryCurve, k: number, j: number, order: number): Extreme[] {
  const at = curve.place(k, j);
  const T = curve.times[k + 1] - curve.times[k];
  const c = curve.polynomials;
  return extremePlaces(c, at, order, 0, T).map((u) => ({
    value: derivativeAt(c, at, order, u),
    time: curve.times[k] + u,
  }));
}

function outwards(extreme: Extreme, curve: TrajectoryCurve, k: number, j: number, order: number): Extreme {
  const error = roundingOf(curve, k, j, order);
  if (error === 0) return extreme;
  return { value: extreme.value < 0 ? extreme.value - error : extreme.value + error, time: extreme.time };
}

/** What rounding may cost a derivative on a quintic; cubics of few terms are judged as they are, with the slack of the limits alone. */
function roundingOf(curve: TrajectoryCurve, k: number, j: number, order: number): number {
  if (curve.kinds[k] !== 'quintic') return 0;
  const T = curve.times[k + 1] - curve.times[k];
  const terms =
    curve.terms[k * curve.dof + j] - (order === POSITION ? 0 : Math.abs(curve.polynomials[curve.place(k, j)]));
  let error = ROUNDING * WEIGHTS[order] * terms;
  for (let i = 0; i < order; i++) error /= T;
  return error;
}
