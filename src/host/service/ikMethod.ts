import { ikDefaults } from '../../core/kinematics/inverseKinematics.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { PI } from '../../core/math/trigonometry.ts';
import { configurationOf, goalConfiguration, worldGoals } from '../../core/scene/configurationOf.ts';
import type { Scene } from '../../core/scene/scene.ts';
import type { Params } from '../../formats/schemas/serviceMessages.ts';
import { degreesHint } from '../../formats/text/degrees.ts';
import { solveIk } from '../../tasks/planning/solveIk.ts';
import type { StateValidityChecker } from '../../tasks/validation/stateValidityChecker.ts';
import { poseOf } from './session/messagePose.ts';

/**
 * Computes inverse kinematics for one pose: at most `most` solutions within joint limits, sorted by the distance to the
 * start of the scene, with `collision_free` only collision-free ones; the reason if there is no solution.
 * Deterministic: equal parameters return equal text.
 * @param check called before each step; may throw to end the search
 */
export function ikText(
  { robot, manager }: StateValidityChecker,
  scene: Scene,
  { pose, link, tolerance, seed, collision_free = false, most }: Params<'ik'>,
  check: () => void,
): string {
  const query = {
    ...(link === undefined ? {} : { link }),
    ...(scene.tcp === undefined ? {} : { tcp: scene.tcp }),
    pose: poseOf(pose),
    near: startOf(robot, scene),
    tolerance: {
      position: tolerance?.position ?? ikDefaults.tolerance.position,
      angle: tolerance?.angle ?? ikDefaults.tolerance.angle,
    },
    ...(seed === undefined ? {} : { seed }),
    ...(most === undefined ? {} : { solutions: most }),
  };
  const { solutions, reason } = solveIk(robot, query, collision_free ? manager : undefined, check);
  const hint = degreesHint(pose.rpy ?? [], (angle) => String((angle * PI) / 180));
  return JSON.stringify({
    solutions: solutions.slice(0, most).map(({ q }) => [...q]),
    reason,
    ...(hint === undefined ? {} : { warnings: [`params.pose.rpy: ${hint}`] }),
  });
}

/**
 * Converts the goals of a scene to the JSON of `describe`: `{"q"}`, or the parameters of `ik`. Poses relative to an
 * obstacle that the session has removed or attached are omitted.
 */
export function goalsOf(robot: RobotModel, scene: Scene): object[] {
  const isObstacle = (wanted: string) => scene.obstacles.some(({ name }) => name === wanted);
  const goals = scene.goals.filter(
    ({ kind, ...goal }) => !('pose' in goal && goal.pose.relativeTo !== undefined && !isObstacle(goal.pose.relativeTo)),
  );
  return worldGoals({ ...scene, goals }).map((goal): object => {
    if (goal.kind === 'joints') return { q: [...goalConfiguration(robot, goal.joints, startOf(robot, scene), 'goal')] };
    const { link, xyz, quat_wxyz, tolerance } = goal.pose;
    return { ...(link === undefined ? {} : { link }), pose: { xyz, quat_wxyz }, tolerance };
  });
}

/** Returns the start of the scene; if it has none, 0 clamped to the limits of each joint. */
export function startOf(robot: RobotModel, { start }: Scene): Configuration {
  if (start !== undefined) return configurationOf(robot, start, 'start');
  return Float64Array.from(robot.variables, ({ limits }) => Math.min(Math.max(0, limits.lower), limits.upper));
}
