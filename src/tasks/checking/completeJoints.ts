import { leadersOf } from '../../core/kinematics/mimics.ts';
import type { Joint, RobotModel } from '../../core/kinematics/robotModel.ts';
import { configurationOf } from '../../core/scene/configurationOf.ts';
import { movesJoints } from '../../core/scene/program.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { isGiven, type Trajectory, type TrajectoryPoint } from '../../core/trajectory/trajectory.ts';
import { trajectoryHash } from '../../core/trajectory/trajectoryHash.ts';
import { InputError } from '../../errors.ts';

/** Rad or m, and per second: a value of a joint that is not planned may differ by this from the one that it has. */
const TOLERANCE = 1e-6;

/** A trajectory of exactly the planned joints, and notes about those that it does not list. */
export interface CompletedMotion {
  /** The trajectory; the given one if it lists the planned joints and no others. */
  readonly trajectory: Trajectory;
  /** One line each. */
  readonly notes: readonly string[];
}

/**
 * Returns a trajectory of the planned joints. Joints that follow others (mimic) or are kept are removed where they have
 * the values that they have on the robot; planned joints that it does not list keep their start.
 * @param place prefix of messages: the file that it was read from
 * @throws InputError if a joint that is not planned has another value, or if steps move it
 */
export function completeJoints(
  given: Trajectory,
  robot: RobotModel,
  scene: Pick<Scene, 'start' | 'steps'>,
  place: string,
): CompletedMotion {
  const { jointNames, points } = given;
  const planned = robot.variables.map(({ name }) => name);
  const others = jointNames.flatMap((name, column) => {
    const joint = planned.includes(name) ? undefined : robot.joints.find((one) => one.name === name);
    return joint === undefined || joint.type === 'fixed' ? [] : [{ joint, column }];
  });
  const missing = planned.filter((name) => !jointNames.includes(name));
  const start =
    missing.length > 0 && scene.start !== undefined && missing.length < planned.length ? scene.start : undefined;
  if (others.length === 0 && start === undefined) return { trajectory: given, notes: [] };
  const all = start === undefined ? given : withStart(given, missing, robot, start);
  requireUnmoved(others, robot, scene, place);
  for (const { joint, column } of others) requireValues(all, joint, column, robot, place);
  const removed = new Set(others.map(({ column }) => column));
  const { statedHash, ...rest } = all;
  const isHashRight = statedHash === undefined || statedHash === trajectoryHash(given);
  return {
    trajectory: {
      ...rest,
      ...(isHashRight ? {} : { statedHash }),
      jointNames: all.jointNames.filter((_, column) => !removed.has(column)),
      points: all.points.map((point) => mapped(point, (values) => values.filter((_, column) => !removed.has(column)))),
    },
    notes:
      start === undefined || points.length === 0
        ? []
        : [`${place}: it does not list ${missing.join(', ')}: the start is kept`],
  };
}

/** Throws `InputError` if a list names a joint that steps move: its values would be those before all steps. */
function requireUnmoved(
  listed: readonly { readonly joint: Joint }[],
  { name, description }: RobotModel,
  { steps = [] }: Pick<Scene, 'steps'>,
  place: string,
): void {
  const moved = new Set(steps.filter(movesJoints).flatMap((step) => Object.keys(step.moves.joints)));
  if (moved.size === 0) return;
  const leaders = leadersOf(name, new Map(description.joints.map((joint) => [joint.name, joint])));
  const found = listed.find(({ joint }) => moved.has(leaders.get(joint.name)!.leader));
  if (found === undefined) return;
  throw new InputError(
    `${place}: it lists ${found.joint.name}, which steps of the scene move: its values are those of their events`,
    'Leave the column out.',
  );
}

/** Appends joints that rest at the start of the scene. */
function withStart(
  given: Trajectory,
  missing: readonly string[],
  robot: RobotModel,
  stated: NonNullable<Scene['start']>,
): Trajectory {
  const q = configurationOf(robot, stated, 'start');
  const kept = missing.map((name) => q[robot.variables.findIndex((joint) => joint.name === name)]);
  const zeros = kept.map(() => 0);
  return {
    ...given,
    jointNames: [...given.jointNames, ...missing],
    points: given.points.map((point) =>
      mapped(point, (values, key) => [...values, ...(key === 'positions' ? kept : zeros)]),
    ),
  };
}

const KEYS = ['positions', 'velocities', 'accelerations'] as const;

/** Returns a point with each of its lists that is given mapped. */
function mapped(
  point: TrajectoryPoint,
  map: (values: readonly number[], key: (typeof KEYS)[number]) => number[],
): TrajectoryPoint {
  const lists = KEYS.flatMap((key) => {
    const values = point[key];
    return isGiven(values) ? [[key, map(values, key)]] : [];
  });
  return { ...point, ...Object.fromEntries(lists) };
}

/** Throws `InputError` if a joint that is not planned does not have the values that follow from those that are. */
function requireValues(
  { jointNames, points }: Trajectory,
  { name, variable, multiplier, offset }: Joint,
  column: number,
  robot: RobotModel,
  place: string,
): void {
  const leader = variable < 0 ? undefined : robot.variables[variable].name;
  const at = leader === undefined ? -1 : jointNames.indexOf(leader);
  if (leader !== undefined && at < 0) return; // the missing joint is reported
  for (const [i, point] of points.entries()) {
    for (const key of KEYS) {
      const values = point[key];
      if (!isGiven(values)) continue;
      const value = (at < 0 ? 0 : multiplier * values[at]) + (key === 'positions' ? offset : 0);
      if (Math.abs(values[column] - value) <= TOLERANCE) continue;
      const what = leader === undefined ? 'it is kept at' : `it follows ${JSON.stringify(leader)} (mimic) and has`;
      throw new InputError(
        `${place}: points[${i}].${key}[${column}] (${name}): ${values[column]}, but ${what} ${value}`,
        'Correct the column, or leave it out.',
      );
    }
  }
}
