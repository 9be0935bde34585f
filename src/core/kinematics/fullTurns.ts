import type { Configuration } from '../math/configuration.ts';
import { derived } from '../math/derived.ts';
import { TWO_PI } from '../math/trigonometry.ts';
import type { JointLimits, RobotModel } from './robotModel.ts';

/**
 * Absolute, rad: values beyond a limit by no more than this are clamped to it; above the rounding error of a full turn.
 */
const LIMIT_ROUNDING = 1e-9;
/** Maximum number of full turns to either side per joint. */
const MAX_TURNS = 4;

/**
 * For each variable: true if a full turn leaves all link poses unchanged. False for prismatic joints and for joints
 * with a mimic joint that is prismatic or has a fractional multiplier.
 */
export const turnableVariables = derived(({ joints, variables }: RobotModel): readonly boolean[] =>
  variables.map((_, i) =>
    joints.every(
      ({ variable, type, multiplier }) =>
        variable !== i || (type !== 'prismatic' && Math.floor(multiplier) === multiplier),
    ),
  ),
);

/** True if two configurations differ by full turns of variables that may turn, and by at most a tolerance. */
export function differByFullTurns(
  turnable: readonly boolean[],
  a: Configuration,
  b: Configuration,
  tolerance: number,
): boolean {
  return turnable.every((isTurnable, j) => {
    const difference = a[j] - b[j];
    const turns = isTurnable ? Math.floor(difference / TWO_PI + 0.5) : 0;
    return Math.abs(difference - turns * TWO_PI) <= tolerance;
  });
}

/** Limits of the number of results of `withFullTurns`. */
export interface FullTurnOptions {
  readonly perJoint?: number;
  readonly perEndless?: number;
  readonly most?: number;
}

/**
 * Configurations that differ from q by full turns and lie within limits, nearest to `near` first (L2). Empty if a joint
 * has no value within its limits.
 * @param perJoint maximum number of values per joint, nearest first
 * @param perEndless the same for joints without limits
 * @param most maximum number of configurations
 */
export function withFullTurns(
  model: RobotModel,
  q: Configuration,
  near: Configuration,
  { perJoint = 2, perEndless = perJoint, most = 32 }: FullTurnOptions = {},
): Configuration[] {
  const turnable = turnableVariables(model);
  let found: number[][] = [[]];
  for (const [i, { limits }] of model.variables.entries()) {
    const isEndless = limits.lower === Number.NEGATIVE_INFINITY && limits.upper === Number.POSITIVE_INFINITY;
    const values = valuesWithin(q[i], near[i], limits, turnable[i]).slice(0, isEndless ? perEndless : perJoint);
    found = found.flatMap((head) => values.map((value) => [...head, value]));
  }
  if (found.length === 1 && most >= 1) return [Float64Array.from(found[0])];
  const away = (one: readonly number[]) =>
    one.reduce((sum, value, i) => sum + (value - near[i]) * (value - near[i]), 0);
  return found
    .map((one) => ({ one, distance: away(one) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ one }) => Float64Array.from(one));
}

/** Values within limits that equal `value`, up to full turns if `turnable`; nearest to `near` first. */
export function valuesWithin(
  value: number,
  near: number,
  { lower, upper }: Pick<JointLimits, 'lower' | 'upper'>,
  turnable: boolean,
): number[] {
  const values: number[] = [];
  const add = (one: number) => {
    if (one >= lower - LIMIT_ROUNDING && one <= upper + LIMIT_ROUNDING)
      values.push(Math.min(Math.max(one, lower), upper));
  };
  add(value);
  const middle = Math.floor((near - value) / TWO_PI + 0.5);
  for (let k = middle - MAX_TURNS; turnable && k <= middle + MAX_TURNS; k++) if (k !== 0) add(value + k * TWO_PI);
  return values.length < 2 ? values : values.sort((a, b) => Math.abs(a - near) - Math.abs(b - near));
}
