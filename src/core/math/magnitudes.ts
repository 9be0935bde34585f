/**
 * Largest accepted length or coordinate, metres. Absolute. At 1e7 m doubles are 2e-9 m apart; the collision checks are
 * proved against exact arithmetic up to there (test/tasks/magnitudes.test.ts). Far beyond, rounding alone exceeds the
 * size of a robot.
 */
export const MAX_LENGTH = 1e7;

/**
 * Largest accepted joint value, rad or m. Absolute. Up to there angles are reduced without loss (see trigonometry.ts).
 */
export const MAX_JOINT_VALUE = 1e6;

/** Largest accepted factor of a mimic joint; its angle is a product, whose rounding grows with it. */
const MAX_MULTIPLIER = 1e3;

/** The reason why a length or coordinate (metres) is not accepted; undefined if it is. NaN is not accepted. */
export function lengthProblem(metres: number): string | undefined {
  return Math.abs(metres) <= MAX_LENGTH ? undefined : 'exceeds the bound of 1e7 m on positions and sizes';
}

/** The reason why a joint value or an angle (rad or m) is not accepted; undefined if it is. NaN is not accepted. */
export function jointValueProblem(value: number): string | undefined {
  return Math.abs(value) <= MAX_JOINT_VALUE ? undefined : 'exceeds the bound of 1e6 rad or m on joint values';
}

/**
 * Largest accepted time of a trajectory, seconds: that of `builtin_interfaces/Duration`, whose seconds have 32 bits.
 * Counts of milliseconds or nanoseconds since 1970 are above it.
 */
const MAX_TIME = 2 ** 31 - 1;

/** The reason why a time of a trajectory (seconds) is not accepted; undefined if it is. NaN is not accepted. */
export function timeProblem(seconds: number): string | undefined {
  return Math.abs(seconds) <= MAX_TIME ? undefined : `exceeds the bound of ${MAX_TIME} s on times`;
}

/** The first of some coordinates that exceeds the bound on lengths; −1 if none does. */
export function firstBeyond(coordinates: ArrayLike<number>): number {
  for (let i = 0; i < coordinates.length; i++) if (!(Math.abs(coordinates[i]) <= MAX_LENGTH)) return i;
  return -1;
}

/** The reason why value = multiplier · leader + offset is not accepted; undefined if it is. NaN is not accepted. */
export function mimicProblem(multiplier: number, offset: number): string | undefined {
  if (!(Math.abs(multiplier) <= MAX_MULTIPLIER))
    return `the multiplier ${multiplier} exceeds the bound of ${MAX_MULTIPLIER}`;
  const problem = jointValueProblem(offset);
  return problem === undefined ? undefined : `the offset ${offset} ${problem}`;
}
