import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import type { CheckerName } from '../../core/narrowphase/index.ts';
import { configurationOf, startStateOf } from '../../core/scene/configurationOf.ts';
import { requireStill } from '../../core/scene/movingScene.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { beginningOf } from '../../core/trajectory/leadIn/leadIn.ts';
import { inJointOrder, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { examineMotion } from '../../core/trajectory/trajectoryLimits.ts';
import { createTrajectoryChecker } from '../checking/checkTrajectory.ts';
import { describeFaults } from '../checking/describeFaults.ts';
import { motionLimitsOf } from '../sceneRobot.ts';
import { World } from '../world.ts';

/**
 * Returns the robot with position limits that are wider by a tolerance, rad or m, on both sides: by less where joints
 * follow with a larger multiplier, so that none of them exceeds its limits by more. Their proofs hold for values out of
 * the stated limits.
 */
export function withWiderLimits(robot: RobotModel, tolerance: number): RobotModel {
  if (tolerance === 0) return robot;
  const variables = robot.variables.map((joint, i) => {
    const followers = robot.joints.filter(({ variable }) => variable === i);
    const wider = tolerance / followers.reduce((most, { multiplier }) => Math.max(most, Math.abs(multiplier)), 1);
    const { lower, upper } = joint.limits;
    return { ...joint, limits: { ...joint.limits, lower: lower - wider, upper: upper + wider } };
  });
  return { ...robot, variables };
}

/** A scene whose start is within limits, if it could be clamped. */
export interface ClampedStart {
  readonly scene: Scene;
  /** States what is clamped and where motions begin, or why it is not; undefined if the start is within limits. */
  readonly note?: string;
}

/**
 * Clamps the joint values of the start that are out of limits by at most a tolerance, rad or m (see `withWiderLimits`),
 * and proves the straight motion from the stated start to the clamped one, which a plan does not contain: if it is not
 * proved, the start remains. Other starts are returned as they are. Throws `InputError` for a tolerance in a scene in
 * which something else moves.
 */
export function clampStart(robot: RobotModel, scene: Scene, tolerance: number, checker: CheckerName): ClampedStart {
  if (tolerance === 0 || scene.start === undefined) return { scene };
  requireStill(scene, 'start tolerance');
  const start = configurationOf(robot, scene.start, `${scene.name}: start`);
  const wider = withWiderLimits(robot, tolerance);
  const clamped = start.map((value, i) => clampedValue(value, robot.variables[i].limits, wider.variables[i].limits));
  const moved = robot.variables.flatMap(({ name, limits: { lower, upper } }, i) =>
    clamped[i] === start[i] ? [] : [`${name} is ${start[i]}, out of its limits ${lower} to ${upper}`],
  );
  if (moved.length === 0) return { scene };
  const { steps: _, ...query } = scene; // the lead-in precedes the first step
  const still = { ...query, goals: [] };
  const { manager } = new World(wider, still, { checker });
  const points = [start, clamped].map((q) => ({ positions: Array.from(q) }));
  const leadIn = { jointNames: robot.variables.map(({ name }) => name), points };
  const checked = createTrajectoryChecker(wider, manager)(leadIn);
  const where = `within the tolerance of ${tolerance}: the motion begins at ${list(clamped)}`;
  const what = moved.join('; ');
  if (!checked.valid) {
    const why = describeFaults(checked).join('; ');
    return { scene, note: `${scene.name}: the start is not clamped: ${what}; in the motion into its limits, ${why}` };
  }
  return {
    scene: { ...scene, start: Array.from(clamped) },
    note: `${scene.name}: the start is clamped: ${what}; ${where}, and the motion to there is proved collision-free`,
  };
}

/** What a trajectory is checked against with a tolerance, and notes on what was accepted because of it. */
export interface ToleratedScene {
  readonly robot: RobotModel;
  readonly scene: Scene;
  readonly notes: readonly string[];
}

/**
 * Returns the robot with wider limits, so that a trajectory whose joint values are out of limits by at most a tolerance
 * is checked as it is executed. A trajectory that begins at the clamped start, as that of a plan does, is checked
 * against this start: the straight motion to there from the stated one is proved. Throws as `clampStart`.
 */
export function withStartTolerance(
  robot: RobotModel,
  scene: Scene,
  given: Trajectory,
  tolerance: number,
  checker: CheckerName,
): ToleratedScene {
  if (tolerance === 0) return { robot, scene, notes: [] };
  const names = robot.variables.map(({ name }) => name);
  const trajectory = inJointOrder(given, names);
  const clamped = clampStart(robot, scene, tolerance, checker);
  const beginsAt = (of: Scene) => beginningOf(trajectory, startStateOf(robot, of)) === 'at-first-point';
  const isAway = !beginsAt(scene);
  // To a later first point, and to one elsewhere, a controller moves from the stated start.
  const isClamped = isAway && clamped.scene !== scene && beginsAt(clamped.scene);
  const isNoted = clamped.note !== undefined && isAway && (isClamped || clamped.scene === scene);
  const beyond = examineMotion(trajectory, motionLimitsOf(robot, scene)).faults.flatMap((fault) =>
    fault.kind === 'position' && Math.abs(fault.value - fault.limit) <= tolerance
      ? [`${fault.joint} reaches ${fault.value}, out of its limit ${fault.limit} within the tolerance of ${tolerance}`]
      : [],
  );
  return {
    robot: withWiderLimits(robot, tolerance),
    scene: isClamped ? clamped.scene : scene,
    notes: [...(isNoted ? [clamped.note] : []), ...beyond],
  };
}

function clampedValue(
  value: number,
  own: { readonly lower: number; readonly upper: number },
  wider: { readonly lower: number; readonly upper: number },
): number {
  if (value < own.lower && value >= wider.lower) return own.lower;
  return value > own.upper && value <= wider.upper ? own.upper : value;
}

const list = (q: Configuration) => `[${Array.from(q).join(', ')}]`;
