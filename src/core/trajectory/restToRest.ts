import type { MotionLimits } from './trajectory.ts';

/** Limits on the derivatives |s'|, |s''|, |s'''| of the fraction s of a straight segment; Infinity: unlimited. */
export interface RateLimits {
  readonly velocity: number;
  readonly acceleration: number;
  readonly jerk: number;
}

/**
 * Durations (seconds) of the phases of a motion from rest to rest: acceleration is ramp, hold, ramp; then cruise;
 * deceleration is symmetric.
 */
export interface Phases {
  /** Constant jerk; 0 if the acceleration may jump. */
  readonly ramp: number;
  /** Constant acceleration. */
  readonly hold: number;
  /** Constant velocity. */
  readonly cruise: number;
}

/**
 * Computes the fastest motion of s from 0 to 1, from rest to rest. The duration of each phase is the minimum over the
 * limits and the total length:
 *
 *     s'          ________________
 *               ╱                  ╲           ramp: s''' = ±j     hold: s'' = ±a, a = j·ramp
 *             ╱                      ╲         cruise: s' = v, v = a·(ramp + hold)
 *     ______╱                          ╲______   length:  1 = v·(2 ramp + hold + cruise)
 *     ramp hold ramp   cruise   ramp hold ramp
 */
export function fastestPhases({ velocity, acceleration, jerk }: RateLimits): Phases {
  // j·ramp ≤ A,  j·ramp² ≤ V,  2j·ramp³ ≤ 1
  const ramp =
    jerk === Number.POSITIVE_INFINITY
      ? 0
      : Math.min(acceleration / jerk, Math.sqrt(velocity / jerk), cubeRoot(0.5 / jerk));
  const a = ramp > 0 ? jerk * ramp : acceleration;
  // a·(ramp + hold) ≤ V,  a·(ramp + hold)·(2 ramp + hold) ≤ 1
  const bounded = a < Number.POSITIVE_INFINITY;
  const longest = bounded ? Math.min(velocity / a - ramp, (Math.sqrt(ramp * ramp + 4 / a) - 3 * ramp) / 2) : 0;
  const hold = Math.max(0, longest);
  const v = bounded ? a * (ramp + hold) : velocity;
  return { ramp, hold, cruise: Math.max(0, 1 / v - (2 * ramp + hold)) };
}

/** State at a boundary between phases: time in seconds from the start, the fraction s, and its derivatives. */
export interface PhaseEnd {
  readonly time: number;
  readonly s: number;
  readonly velocity: number;
  /** Just after the boundary; zero at the end of the motion. */
  readonly acceleration: number;
}

/**
 * Returns the boundaries of all phases, in order, from s = 0 to s = 1. Phases longer than the fastest ones reduce every
 * derivative.
 */
export function phaseEnds({ ramp, hold, cruise }: Phases): PhaseEnd[] {
  const v = 1 / (2 * ramp + hold + cruise);
  const a = v / (ramp + hold);
  const j = ramp > 0 ? a / ramp : 0;
  const up: [number, number, number][] =
    ramp > 0
      ? [
          [ramp, 0, j],
          [hold, a, 0],
          [ramp, a, -j],
        ]
      : [[hold, a, 0]];
  const down: [number, number, number][] =
    ramp > 0
      ? [
          [ramp, 0, -j],
          [hold, -a, 0],
          [ramp, -a, j],
        ]
      : [[hold, -a, 0]];
  const phases = [...up, [cruise, 0, 0] as const, ...down].filter(([length]) => length > 0);

  const ends: PhaseEnd[] = [];
  let [time, s, velocity] = [0, 0, 0];
  for (const [T, acceleration, jerk] of phases) {
    ends.push({ time, s, velocity, acceleration });
    s += T * (velocity + T * (acceleration / 2 + (T * jerk) / 6));
    velocity += T * (acceleration + (T * jerk) / 2);
    time += T;
  }
  ends.push({ time, s: 1, velocity: 0, acceleration: 0 }); // exact; the accumulated values differ by rounding errors
  return ends;
}

/**
 * Computes the cube root by Newton's method, whose iterates decrease from the second one on; non-positive and
 * non-finite x are returned.
 */
export function cubeRoot(x: number): number {
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return x;
  let root = Math.sqrt(Math.sqrt(x));
  root = (2 * root + x / (root * root)) / 3;
  for (;;) {
    const next = (2 * root + x / (root * root)) / 3;
    if (!(next < root)) return root;
    root = next;
  }
}

/**
 * Returns a lower bound (seconds) on the duration of any motion between two states from rest to rest: that of the
 * slowest joint alone.
 */
export function minimumDuration(from: ArrayLike<number>, to: ArrayLike<number>, limits: MotionLimits): number {
  let minDuration = 0;
  for (let j = 0; j < from.length; j++) {
    const distance = Math.abs(to[j] - from[j]);
    if (distance === 0) continue;
    const { ramp, hold, cruise } = fastestPhases({
      velocity: limits.velocity[j] / distance,
      acceleration: limits.acceleration[j] / distance,
      jerk: limits.jerk[j] / distance,
    });
    minDuration = Math.max(minDuration, 4 * ramp + 2 * hold + cruise);
  }
  return minDuration;
}
