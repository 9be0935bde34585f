import { poseOfTransform, transformOfPose } from '../../../core/kinematics/pose.ts';
import type { Pose } from '../../../core/kinematics/robotModel.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { statedWarnings } from '../../../tasks/checking/statedWarnings.ts';
import { otherRobotModel } from '../../../tasks/sceneRobot.ts';

/**
 * Returns warnings about other robots of a scene: trajectories that state another robot or a hash that does not match,
 * and robots that stand exactly where the planned one, or one before them, does.
 */
export function otherRobotWarnings(file: string, { robot, robots = [] }: Pick<Scene, 'robot' | 'robots'>): string[] {
  const warnings: string[] = [];
  const bases = new Map([[keyOf(robot.pose), 'the planned robot']]);
  for (const [i, other] of robots.entries()) {
    const place = `${file}: robots[${i}]`;
    if (other.trajectory !== undefined) {
      const model = otherRobotModel(other);
      warnings.push(...statedWarnings(other.trajectory, model, `${place}.trajectory`));
    }
    const base = keyOf(other.robot.pose);
    const same = bases.get(base);
    const name = JSON.stringify(other.name);
    if (same !== undefined)
      warnings.push(`${place}.pose: the base of ${name} is exactly that of ${same}; state its pose`);
    else bases.set(base, name);
  }
  return warnings;
}

/** Key of a pose, equal for quaternions that differ in sign or length only. */
const keyOf = (pose: Pose) => {
  const { xyz, quat_wxyz } = poseOfTransform(transformOfPose(pose));
  const sign = (quat_wxyz.find((x) => x !== 0) ?? 1) < 0 ? -1 : 1;
  return JSON.stringify([xyz.map((x) => x + 0), quat_wxyz.map((x) => sign * x + 0)]);
};
