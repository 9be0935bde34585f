import type { Configuration } from '../../../src/core/math/configuration.ts';
import type { Random } from '../../../src/core/math/random.ts';
import { metricOf, shortestDifference, withinHalfTurn } from '../../../src/core/planning/metric.ts';
import type { JointSpace, MotionValidator } from '../../../src/core/planning/planner.ts';

const halfTurn = Math.PI;

/**
 * Two angles that wrap and a slide in [-1, 1], with weights; a wall all around the first angle's zero that only the way
 * over ±π gets past.
 */
export class TorusWorld implements JointSpace, MotionValidator {
  readonly dof = 3;
  readonly lower = Float64Array.of(-halfTurn, -halfTurn, -1);
  readonly upper = Float64Array.of(halfTurn, halfTurn, 1);
  readonly halfTurns = Float64Array.of(halfTurn, halfTurn, Number.POSITIVE_INFINITY);

  constructor(
    readonly weights = Float64Array.of(1, 0.7, 1.5),
    /** Half the thickness of the wall, rad; 0: none. */
    readonly wall = 0.1,
  ) {}

  sample(out: Configuration, random: Random): void {
    for (let i = 0; i < 3; i++) out[i] = random.between(this.lower[i], this.upper[i]);
  }

  /** Brute force: the minimum distance over all values that are equivalent modulo a full turn. */
  distance(a: Configuration, b: Configuration): number {
    let least = Number.POSITIVE_INFINITY;
    for (const k of [-1, 0, 1]) {
      for (const l of [-1, 0, 1]) {
        const [x, y, z] = [b[0] - a[0] + 2 * halfTurn * k, b[1] - a[1] + 2 * halfTurn * l, b[2] - a[2]];
        const [u, v, w] = [x * this.weights[0], y * this.weights[1], z * this.weights[2]];
        least = Math.min(least, Math.sqrt(u * u + v * v + w * w));
      }
    }
    return least;
  }

  interpolate(out: Configuration, a: Configuration, b: Configuration, t: number): void {
    const { halfTurns } = metricOf(this);
    for (let i = 0; i < 3; i++) {
      const value = withinHalfTurn(a[i] + t * shortestDifference(a[i], b[i], halfTurns[i]), halfTurns[i]);
      out[i] = t === 1 ? b[i] : value;
    }
  }

  isStateValid(q: Configuration): boolean {
    return Math.abs(q[0]) > this.wall;
  }

  /** On the same side of the wall, or over the back. */
  isMotionValid(a: Configuration, b: Configuration): boolean {
    if (!this.isStateValid(a) || !this.isStateValid(b)) return false;
    const end = a[0] + shortestDifference(a[0], b[0], halfTurn);
    return Math.sign(end) === Math.sign(a[0]);
  }
}
