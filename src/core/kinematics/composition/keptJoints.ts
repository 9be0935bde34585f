import { InputError } from '../../../errors.ts';
import { type Leader, leadersOf } from '../mimics.ts';
import type { Joint, RobotModel } from '../robotModel.ts';

/**
 * Returns a robot whose joints that are not planned have other values; those that follow them (mimic) follow. Throws
 * `InputError` for joints that it does not keep at a value.
 * @param values rad and m by name; joints that are not listed keep their values
 */
export function withKeptJoints(robot: RobotModel, values: Readonly<Record<string, number>>): RobotModel {
  requireKept(robot, Object.keys(values));
  return {
    ...robot,
    fixed: { ...robot.fixed, ...values },
    joints: followed(robot, (joint, { leader, multiplier, offset }) =>
      Object.hasOwn(values, leader) ? { ...joint, offset: multiplier * values[leader] + offset } : joint,
    ),
  };
}

/**
 * Returns a robot in which joints that are not planned are further variables at the end of q. Throws `InputError` for
 * joints that it does not keep at a value.
 * @param ranges smallest and largest value of each joint: rad, m
 */
export function withFurtherJoints(
  robot: RobotModel,
  ranges: ReadonlyMap<string, { readonly lower: number; readonly upper: number }>,
): RobotModel {
  const names = [...ranges.keys()];
  requireKept(robot, names);
  const { description, variables } = robot;
  const further = names.map((name): RobotModel['variables'][number] => ({
    name,
    type: description.joints.find((joint) => joint.name === name)!.type as 'revolute' | 'continuous' | 'prismatic',
    limits: { ...ranges.get(name)!, velocity: UNLIMITED, acceleration: UNLIMITED, jerk: UNLIMITED },
    effort: UNLIMITED,
    accelerationAssumed: false,
  }));
  return {
    ...robot,
    dof: robot.dof + names.length,
    variables: [...variables, ...further],
    fixed: Object.fromEntries(Object.entries(robot.fixed).filter(([name]) => !ranges.has(name))),
    joints: followed(robot, (joint, { leader, multiplier, offset }) =>
      ranges.has(leader) ? { ...joint, variable: robot.dof + names.indexOf(leader), multiplier, offset } : joint,
    ),
  };
}

const UNLIMITED = Number.POSITIVE_INFINITY;

/** Returns the joints of a robot after a change of those that move, of which the leaders are given. */
function followed(
  { name, description, joints }: RobotModel,
  change: (joint: Joint, leader: Leader) => Joint,
): readonly Joint[] {
  const leaders = leadersOf(name, new Map(description.joints.map((joint) => [joint.name, joint])));
  return joints.map((joint) => (joint.type === 'fixed' ? joint : change(joint, leaders.get(joint.name)!)));
}

function requireKept({ name, fixed }: RobotModel, joints: readonly string[]): void {
  const other = joints.find((joint) => !Object.hasOwn(fixed, joint));
  if (other === undefined) return;
  const kept = Object.keys(fixed).join(', ');
  throw new InputError(
    `robot "${name}": "${other}" is no joint that is kept at a value`,
    kept === '' ? 'It has none: all its joints are planned.' : `Such joints: ${kept}.`,
  );
}
