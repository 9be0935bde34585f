import type { Configuration } from '../../../src/core/math/configuration.ts';
import type { Random } from '../../../src/core/math/random.ts';
import type { Budget, JointSpace, MotionValidator } from '../../../src/core/planning/planner.ts';

/** The square [-1, 1]² with round pillars: motions are judged in closed form, so that a test can trust them. */
export class DiscWorld implements JointSpace, MotionValidator {
  readonly dof = 2;
  readonly lower = Float64Array.of(-1, -1);
  readonly upper = Float64Array.of(1, 1);
  motionsAsked = 0;

  constructor(readonly discs: readonly (readonly [x: number, y: number, radius: number])[]) {}

  sample(out: Configuration, random: Random): void {
    out[0] = random.between(-1, 1);
    out[1] = random.between(-1, 1);
  }

  distance(a: Configuration, b: Configuration): number {
    return Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2);
  }

  interpolate(out: Configuration, a: Configuration, b: Configuration, t: number): void {
    for (let i = 0; i < 2; i++) out[i] = t === 1 ? b[i] : a[i] + t * (b[i] - a[i]);
  }

  isStateValid(q: Configuration): boolean {
    return this.isMotionValid(q, q);
  }

  isMotionValid(a: Configuration, b: Configuration): boolean {
    this.motionsAsked++;
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const square = dx * dx + dy * dy;
    return this.discs.every(([x, y, radius]) => {
      const t = square > 0 ? Math.min(1, Math.max(0, ((x - a[0]) * dx + (y - a[1]) * dy) / square)) : 0;
      return (a[0] + t * dx - x) ** 2 + (a[1] + t * dy - y) ** 2 > radius * radius;
    });
  }
}

/** A wall of pillars from top to bottom with one gap. */
export const wallWithGap = new DiscWorld(
  Array.from({ length: 21 }, (_, i): [number, number, number] => [0, -1 + i * 0.1, 0.06]).filter(
    ([, y]) => Math.abs(y - 0.7) > 0.01,
  ),
);

/**
 * Length of the shortest way through the gap from (-0.8, -0.5) to (0.8, -0.5): a tangent to the pillar below it, round
 * its top, and the same way down.
 */
export const shortestThroughGap = (() => {
  const [x, y, radius] = [0.8, 1.1, 0.06];
  const distance = Math.sqrt(x * x + y * y);
  const turn = Math.PI - Math.atan2(x, y) - Math.acos(radius / distance);
  return 2 * (Math.sqrt(distance * distance - radius * radius) + radius * turn);
})();

export class Iterations implements Budget {
  spent = 0;
  constructor(readonly allowed: number) {}
  isSpent(): boolean {
    return this.spent++ >= this.allowed;
  }
}
