/// <reference types="vite/client" />

/** True in `npm run test:long`. */
export const isLong = import.meta.env.MODE === 'long';

/**
 * Number of random cases of a test, or a bound on them: all for `npm run test:long`, for `npm test` the given part of
 * them. Tests whose worlds are so few that bounds would not hold state a larger part.
 */
export const cases = (all: number, part = 1 / 8): number => (isLong ? all : Math.ceil(all * part));

/** Items that a test covers: all for `npm run test:long`, the chosen ones for `npm test`. Throws for unknown ones. */
export function few<T>(all: readonly T[], chosen: readonly NoInfer<T>[]): T[] {
  for (const one of chosen) if (!all.includes(one)) throw new Error(`${one} is not one of ${all.join(', ')}`);
  return [...(isLong ? all : chosen)];
}
