import { jointsOutOfLimits } from '../../core/collision/validators/robotJointSpace.ts';
import { createRobotModel } from '../../core/kinematics/createRobotModel.ts';
import type { RobotDescription, RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { Random } from '../../core/math/random.ts';
import { PI } from '../../core/math/trigonometry.ts';
import { ownValue } from '../../errors.ts';
import { aloneWorld } from '../world.ts';

/** Ends of a first motion of a robot: values by joint, without joints whose velocity limit is 0. */
export interface StarterMotion {
  /** True if joints are left out, so that the scene must list those that it plans. */
  readonly isPartial: boolean;
  readonly start: Readonly<Record<string, number>>;
  readonly goal: Readonly<Record<string, number>>;
}

/** Random states that are tried for each end. */
const TRIES = 2000;
/**
 * Distances of the goal from the start, as fractions of each joint range, tried in this order until the goal is valid.
 */
const PARTS = [0.5, 0.25, 0.1, 0.02];

/**
 * Finds two valid states for a first motion, with values of three decimals: the rest state if it is valid, and one away
 * from it. Undefined if there are none among the states that are tried.
 */
export function starterMotion(robot: RobotDescription, seed: number): StarterMotion | undefined {
  const model = createRobotModel(robot);
  if (model.dof === 0) return undefined;
  const { manager } = aloneWorld(model);
  const random = new Random(seed, 2);
  const isValid = (q: Configuration) => jointsOutOfLimits(model, q).length === 0 && manager.isStateFree(q);
  const ranges = model.variables.map(({ limits: { lower, upper }, type }): [number, number] => {
    const reach = type === 'prismatic' ? 1 : PI;
    return [Number.isFinite(lower) ? lower : -reach, Number.isFinite(upper) ? upper : reach];
  });
  const moves = model.variables.map(({ limits }) => limits.velocity > 0 && limits.acceleration > 0);
  if (!moves.includes(true)) return undefined;
  const near = (from: Configuration, part: number) =>
    from.map((value, i) => {
      if (!moves[i]) return value;
      const [lower, upper] = ranges[i];
      const target = random.between(lower, upper);
      return rounded(value + part * (target - value), lower, upper);
    });
  const first = (candidates: () => Configuration): Configuration | undefined => {
    for (let i = 0; i < TRIES; i++) {
      const q = candidates();
      if (isValid(q)) return q;
    }
    return undefined;
  };
  const rest = restState(robot, model.variables, ranges);
  const start = isValid(rest) ? rest : first(() => near(rest, 1));
  if (start === undefined) return undefined;
  const goal = PARTS.map((part) => () => near(start, part)).reduce<Configuration | undefined>(
    (found, candidates) => found ?? first(candidates),
    undefined,
  );
  if (goal === undefined) return undefined;
  const named = (q: Configuration) =>
    Object.fromEntries(model.variables.flatMap(({ name }, i) => (moves[i] ? [[name, q[i] + 0]] : [])));
  return { isPartial: moves.includes(false), start: named(start), goal: named(goal) };
}

function restState(
  { states }: RobotDescription,
  variables: RobotModel['variables'],
  ranges: readonly (readonly [number, number])[],
): Configuration {
  const home = Object.hasOwn(states, 'home') ? states['home'] : {};
  return Float64Array.from(variables, ({ name, limits: { velocity } }, i) =>
    rounded(velocity > 0 ? (ownValue(home, name) ?? 0) : 0, ...ranges[i]),
  );
}

/** Rounds to three decimals if the result is within the range. */
function rounded(value: number, lower: number, upper: number): number {
  const within = Math.min(Math.max(value, lower), upper);
  const short = Math.floor(within * 1000 + 0.5) / 1000;
  return short >= lower && short <= upper ? short : within;
}
