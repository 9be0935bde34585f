import { forwardKinematics, RobotState } from '../../../core/kinematics/forwardKinematics.ts';
import { turnableVariables } from '../../../core/kinematics/fullTurns.ts';
import { largestAngle, poseError } from '../../../core/kinematics/pose.ts';
import type { JointLimits, RobotModel } from '../../../core/kinematics/robotModel.ts';
import { linkFrameOf, setFramePose } from '../../../core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { create, rotateBack } from '../../../core/math/transform.ts';
import { TWO_PI } from '../../../core/math/trigonometry.ts';
import { norm } from '../../../core/math/vec3.ts';
import { configurationOf, goalPoseOf } from '../../../core/scene/configurationOf.ts';
import type { Goal } from '../../../core/scene/goals.ts';
import type { Scene } from '../../../core/scene/scene.ts';

/**
 * Returns by how much a configuration misses the nearest of several goals: the largest difference of a joint value, or
 * the largest excess of a pose error over its tolerance (metres, radians); 0 if it is within. Full turns of joints
 * without limits are ignored; those of other joints only if the scene has `equivalent`.
 * @param place prefix of error messages
 */
export function goalMiss(
  robot: RobotModel,
  scene: Pick<Scene, 'tcp' | 'obstacles' | 'attached' | 'equivalent'>,
  goals: readonly Goal[],
  q: Configuration,
  place: string,
): number {
  return goals.reduce((least, goal) => Math.min(least, missOf(robot, scene, goal, q, place)), Number.POSITIVE_INFINITY);
}

const isEndless = ({ lower, upper }: JointLimits) =>
  lower === Number.NEGATIVE_INFINITY && upper === Number.POSITIVE_INFINITY;

function missOf(
  robot: RobotModel,
  scene: Pick<Scene, 'tcp' | 'obstacles' | 'attached' | 'equivalent'>,
  goal: Goal,
  q: Configuration,
  place: string,
): number {
  if (goal.kind === 'joints') {
    const wanted = configurationOf(robot, goal.joints, place);
    const turnable = turnableVariables(robot);
    return wanted.reduce((most, value, j) => {
      const mayTurn = turnable[j] && (scene.equivalent || isEndless(robot.variables[j].limits));
      const turns = mayTurn ? Math.round((q[j] - value) / TWO_PI) : 0;
      return Math.max(most, Math.abs(q[j] - value - turns * TWO_PI));
    }, 0);
  }
  const { link, tolerance } = goal.pose;
  const state = new RobotState(robot);
  forwardKinematics(state, q);
  const T = create();
  setFramePose(T, state, linkFrameOf(robot, link, scene.tcp));
  const T_goal = goalPoseOf(goal.pose, scene);
  const error = new Float64Array(6);
  poseError(error, T, T_goal);
  const position = norm(error.subarray(0, 3)) - tolerance.position;
  const rotation = error.subarray(3, 6);
  const { angle } = tolerance;
  if (typeof angle === 'number') return Math.max(0, position, norm(rotation) - largestAngle(angle));
  rotateBack(rotation, T_goal, rotation); // in the axes of the goal
  const excess = angle.map((most, i) => Math.abs(rotation[i]) - most);
  return Math.max(0, position, ...excess);
}
