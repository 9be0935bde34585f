/** How fast the share s of a straight way may change: |s'|, |s''|, |s'''|; Infinity where nothing bounds it. */
export interface RateLimits {
  readonly velocity: number;
  readonly acceleration: number;
  readonly jerk: number;
}

/** Seconds of each phase of the way from rest to rest: speeding up is ramp, hold, ramp; then cruise; slowing down mirrors it. */
export interface Phases {
  /** The acceleration grows or falls at constant jerk; 0 where it may jump. */
  readonly ramp: number;
  /** The acceleration is constant. */
  readonly hold: number;
  /** The velocity is constant. */
  readonly cruise: number;
}

/**
 * The fastest way of s from 0 to 1, from rest to rest. Each phase is as long as the first bound that ends it, and the way itself is one:
 *
 *     s'          ________________
 *               ╱                  ╲           ramp: s''' = ±j     hold: s'' = ±a, a = j·ramp     cruise: s' = v, v = a·(ramp + hold)
 *             ╱                      ╲         way:  1 = v·(2 ramp + hold + cruise)
 *     ______╱                          ╲______
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

/** Where one phase ends, or the first begins: seconds from rest, the share of the way, its rates there. */
export interface PhaseEnd {
  readonly time: number;
  readonly s: number;
  readonly velocity: number;
  /** Just after; at the end of the way zero. */
  readonly acceleration: number;
}

/** The ends of all phases, in order, from s = 0 to s = 1. Longer phases than the fastest are slower in every rate. */
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
  ends.push({ time, s: 1, velocity: 0, acceleration: 0 }); // exactly: what is left over is rounding
  return ends;
}

/** By Newton's steps, which fall towards the root from the second on. */
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
