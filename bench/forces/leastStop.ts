import { accelerationAt, jerkAt, velocityAt } from '../../src/core/trajectory/polynomial.ts';
import type { MotionLimits } from '../../src/core/trajectory/trajectory.ts';
import type { TrajectoryCurve } from '../../src/core/trajectory/trajectoryCurve.ts';

const STEPS = 50;
const RATES = 96;
const PACES = 80;
/** Greatest rate of the pace, in relation to the mean rate of the known stop. */
const STEEPEST = 4;
const SAMPLES = 6;

/** A state of a stop: time of the curve, pace, and its rate. */
interface State {
  readonly s: number;
  readonly p: number;
  readonly u: number;
}

/**
 * Least duration of a stop along a curve from a time on, within limits of acceleration and jerk at samples: dynamic
 * programming over pace and rate, in steps in which the third derivative is constant; of the states of one cell, the
 * one that has moved least is kept. An upper bound on the optimum: finer steps may be shorter.
 * @param bound duration of a stop, which determines the grid
 */
export function leastStop(curve: TrajectoryCurve, limits: MotionLimits, start: number, bound: number): number {
  const dt = bound / STEPS;
  const level = STEEPEST / bound / (RATES - 1);
  let states = new Map<number, State>([[0, { s: start, p: 1, u: 0 }]]);
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < STEPS && n * dt < least; n++) {
    const next = new Map<number, State>();
    for (const state of states.values()) {
      least = Math.min(least, n * dt + ending(curve, limits, state));
      const [low, high] = changes(curve, limits, state);
      const from = Math.min(RATES - 1, Math.floor(-(state.u + low * dt) / level));
      for (let i = Math.max(0, Math.ceil(-(state.u + high * dt) / level)); i <= from; i++) {
        const end = after(state, (-i * level - state.u) / dt, dt);
        if (!(end.p > 0 && end.s < curve.end && isKept(curve, limits, end, (end.u - state.u) / dt))) continue;
        const cell = i * PACES + Math.floor(end.p * (PACES - 1));
        const known = next.get(cell);
        if (!known || end.s < known.s) next.set(cell, end);
      }
    }
    states = next;
  }
  return least;
}

const after = ({ s, p, u }: State, w: number, t: number): State => ({
  s: s + t * (p + t * (u / 2 + (t * w) / 6)),
  p: p + t * (u + (t * w) / 2),
  u: u + t * w,
});

/** Duration of the stop in which pace and rate fall to 0 together; Infinity if it is not within the limits. */
function ending(curve: TrajectoryCurve, limits: MotionLimits, state: State): number {
  const { p, u } = state;
  if (!(u < 0)) return Number.POSITIVE_INFINITY;
  const [w, duration] = [(u * u) / (2 * p), (-2 * p) / u];
  for (let i = 0; i < SAMPLES; i++) {
    const at = after(state, w, (i / SAMPLES) * duration);
    if (!(at.s < curve.end && isKept(curve, limits, at, w))) return Number.POSITIVE_INFINITY;
  }
  return duration;
}

/** Returns the range of the third derivative in a state. */
function changes(curve: TrajectoryCurve, { jerk }: MotionLimits, state: State): [number, number] {
  let [low, high] = [-1e9, 1e9];
  for (let j = 0; j < curve.dof; j++) {
    const { v, third } = derivatives(curve, j, state);
    if (v === 0) continue;
    const most = Math.max(jerk[j], Math.abs(third));
    const ends = [(-most - third) / v, (most - third) / v];
    [low, high] = [Math.max(low, Math.min(...ends)), Math.min(high, Math.max(...ends))];
  }
  return [low, high];
}

function isKept(curve: TrajectoryCurve, { acceleration, jerk }: MotionLimits, state: State, w: number): boolean {
  for (let j = 0; j < curve.dof; j++) {
    const { v, second, third } = derivatives(curve, j, state);
    if (!(Math.abs(second) <= acceleration[j] * 1.000001 && Math.abs(third + v * w) <= jerk[j] * 1.000001))
      return false;
  }
  return true;
}

/** Returns q', and of q(s(t)) the second derivative and the third without the term q' s'''. */
function derivatives(curve: TrajectoryCurve, j: number, { s, p, u }: State) {
  const { polynomials: c } = curve;
  const piece = curve.pieceAt(s);
  const at = curve.polynomialIndex(piece, j);
  const time = s - curve.times[piece];
  const [v, a] = [velocityAt(c, at, time), accelerationAt(c, at, time)];
  return { v, second: a * p * p + v * u, third: p * (jerkAt(c, at, time) * p * p + 3 * a * u) };
}
