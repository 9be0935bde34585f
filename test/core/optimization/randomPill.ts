import type { Random } from '../../../src/core/math/random.ts';
import { createCapsulePill, createPaddedPolygonPill, type Pill } from '../../../src/core/optimization/pills.ts';

/** Returns a random pill of any kind, up to `unit` metres in size. */
export function randomPill(random: Random, unit: number): Pill {
  const radius = unit * random.between(0.02, 0.3);
  if (random.below(3) === 0) return createCapsulePill(radius, unit * random.below(2) * random.between(0.3, 1));
  const count = 3 + random.below(6);
  return createPaddedPolygonPill(
    radius,
    Array.from({ length: count }, (_, k) => {
      const angle = (2 * Math.PI * (k + 0.8 * random.next())) / count;
      return [unit * 0.6 * Math.cos(angle), unit * (0.3 + 0.3 * random.next()) * Math.sin(angle)];
    }),
  );
}
