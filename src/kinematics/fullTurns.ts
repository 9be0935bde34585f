import type { Configuration } from '../math/configuration.ts';
import { TWO_PI } from '../math/trigonometry.ts';
import type { JointLimits, RobotModel } from './robotModel.ts';

/** Absolute, rad: a value this far beyond a limit is put on it; rounding of a full turn is far below. */
const LIMIT_ROUNDING = 1e-9;
/** Of one joint, at most so many turns to either side are looked at. */
const MOST_TURNS = 4;

/**
 * For each value of q: does a full turn of it leave every link where it is? Not so for slides, nor for a joint that another one follows
 * by a slide or by a fraction of a turn.
 */
export function turnableVariables({ joints, variables }: RobotModel): boolean[] {
  return variables.map((_, i) =>
    joints.every(
      ({ variable, type, multiplier }) =>
        variable !== i || (type !== 'prismatic' && Math.floor(multiplier) === multiplier),
    ),
  );
}

export interface FullTurnOptions {
  readonly perJoint?: number;
  readonly perEndless?: number;
  readonly most?: number;
}

/**
 * The configurations equal to q but for full turns that lie within limits, the nearest to `near` first (L2). Joints that cannot turn
 * fully keep their value. Empty where some joint has no value within its limits.
 * @param perJoint so many values of each joint, the nearest ones
 * @param perEndless so many of each joint without limits
 * @param most so many configurations in all
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
  const away = (one: readonly number[]) =>
    one.reduce((sum, value, i) => sum + (value - near[i]) * (value - near[i]), 0);
  return found
    .map((one) => ({ one, distance: away(one) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ one }) => Float64Array.from(one));
}

/** Values of a joint equal to this one, but for full turns if it can turn, that lie within limits; the nearest to `near` first. */
export function valuesWithin(
  value: number,
  near: number,
  { lower, upper }: Pick<JointLimits, 'lower' | 'upper'>,
  turnable: boolean,
): number[] {
  const values = [value];
  if (turnable) {
    const middle = Math.floor((near - value) / TWO_PI + 0.5);
    const turns = Array.from({ length: 2 * MOST_TURNS + 1 }, (_, k) => middle - MOST_TURNS + k);
    values.push(...turns.filter((k) => k !== 0).map((k) => value + k * TWO_PI));
  }
  return values
    .filter((one) => one >= lower - LIMIT_ROUNDING && one <= upper + LIMIT_ROUNDING)
    .map((one) => Math.min(Math.max(one, lower), upper))
    .sort((a, b) => Math.abs(a - near) - Math.abs(b - near));
}
