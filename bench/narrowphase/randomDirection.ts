import type { Random } from '../../src/core/math/random.ts';

/** Returns a uniformly distributed unit vector, by rejection from the cube. */
export function randomDirection(random: Random): Float64Array {
  for (;;) {
    const d = Float64Array.of(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
    const length = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (length > 0.05 && length <= 1) return d.map((x) => x / length);
  }
}
