import { InputError, suggestion } from '../../errors.ts';
import { poseOfTransform, transformOfPose } from '../kinematics/pose.ts';
import { compose, type Transform } from '../math/transform.ts';
import type { Goal, PoseGoal, Scene } from './scene.ts';

/** Objects that the pose of a goal may be relative to. */
type Objects = Pick<Scene, 'obstacles' | 'attached'>;

/**
 * Returns the pose of a goal in the world. Throws `InputError` if the obstacle that it is relative to does not exist or
 * is attached to the robot.
 */
export function goalPoseOf(goal: PoseGoal, objects: Objects): Transform {
  const T_world_goal = transformOfPose(goal);
  if (goal.relativeTo === undefined) return T_world_goal;
  const obstacle = objects.obstacles.find(({ name }) => name === goal.relativeTo);
  if (obstacle === undefined) {
    const { what, note } = relativeFault(goal.relativeTo, namesOf(objects.obstacles), namesOf(objects.attached));
    throw new InputError(`relative_to: ${what}`, note);
  }
  if (obstacle.motion !== undefined)
    throw new InputError(
      `relative_to: the obstacle ${JSON.stringify(obstacle.name)} moves`,
      'Give the pose in the world.',
    );
  compose(T_world_goal, transformOfPose(obstacle.pose), T_world_goal);
  return T_world_goal;
}

/** Returns the goals of a scene with every pose in the world. Throws as `goalPoseOf`. */
export function worldGoals(scene: Pick<Scene, 'goals' | 'obstacles' | 'attached'>): Goal[] {
  return scene.goals.map((goal) => {
    if (goal.kind === 'joints' || goal.pose.relativeTo === undefined) return goal;
    const { relativeTo, ...rest } = goal.pose;
    return { kind: 'pose', pose: { ...rest, ...poseOfTransform(goalPoseOf(goal.pose, scene)) } };
  });
}

/** Describes why a pose cannot be relative to an object that is no obstacle. */
export function relativeFault(
  name: string,
  obstacles: readonly string[],
  attached: readonly string[],
): { readonly what: string; readonly note: string } {
  if (attached.includes(name))
    return {
      what: `it is ${JSON.stringify(name)}, which is attached to the robot and moves with it`,
      note: 'Give the pose in the world, or relative to an obstacle.',
    };
  return { what: `it is ${JSON.stringify(name)}, there is no such obstacle`, note: suggestion(name, obstacles) };
}

const namesOf = (objects: readonly { readonly name: string }[]) => objects.map(({ name }) => name);
