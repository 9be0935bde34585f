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

/** Combinations of full turns that are compared; of more, the values farthest beyond the nearest are left out. */
const MOST_LISTED = 65_536;

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
  const values = model.variables.map(({ limits }, i) => {
    const isEndless = limits.lower === Number.NEGATIVE_INFINITY && limits.upper === Number.POSITIVE_INFINITY;
    return valuesWithin(q[i], near[i], limits, turnable[i]).slice(0, isEndless ? perEndless : perJoint);
  });
  const countOf = () => values.reduce((product, { length }) => product * length, 1);
  const away = (list: readonly number[], i: number) =>
    list.length > 1 ? Math.abs(list[list.length - 1] - near[i]) - Math.abs(list[0] - near[i]) : -1;
  while (countOf() > MOST_LISTED) {
    const distances = values.map(away);
    values[distances.indexOf(Math.max(...distances))].pop();
  }
  const count = countOf();
  const one = new Float64Array(values.length);
  const distances = Float64Array.from({ length: count }, (_, k) => {
    select(one, values, k);
    return one.reduce((sum, value, i) => sum + (value - near[i]) * (value - near[i]), 0);
  });
  const order = Array.from(distances.keys()).sort((a, b) => distances[a] - distances[b]);
  return order.slice(0, most).map((k) => select(new Float64Array(values.length), values, k));
}

/** Writes combination k of one value per joint into `out`; the values of the last joint alternate fastest. */
function select(out: Configuration, values: readonly (readonly number[])[], k: number): Configuration {
  let left = k;
  for (let i = values.length - 1; i >= 0; i--) {
    const { length } = values[i];
    out[i] = values[i][left % length];
    left = Math.floor(left / length);
  }
  return out;
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
