import type { ForeignScene } from './foreignScene.ts';
import type { Field } from './messageValues.ts';
import { hasConstraints } from './rosMessage.ts';

/** Keys of moveit_msgs/PlanningScene and moveit_msgs/MotionPlanRequest, of ROS 1 and ROS 2. */
export const sceneKeys = [
  'name robot_state robot_model_name fixed_frame_transforms allowed_collision_matrix link_padding link_scale',
  'object_colors world is_diff workspace_parameters start_state goal_constraints path_constraints',
  'trajectory_constraints reference_trajectories pipeline_id planner_id group_name num_planning_attempts',
  'allowed_planning_time max_velocity_scaling_factor max_acceleration_scaling_factor',
  'cartesian_speed_limited_link cartesian_speed_end_effector_link max_cartesian_speed',
].join(' ');

/** Keys of a scene that motion requests and planning scenes give. */
export type MotionScales = Pick<ForeignScene, 'padding' | 'speed' | 'acceleration'>;

/** Returns the scales of the limits, and the padding of the links as one padding: the largest. */
export function readScales(request: Field, notes: Set<string>): MotionScales {
  const padding = request
    .at('link_padding')
    .list()
    .map((one) => one.mapping('link_name padding').at('padding').nonNegative());
  const largest = padding.reduce((a, b) => Math.max(a, b), 0);
  if (padding.some((one) => one !== largest))
    notes.add(`the largest padding of a link, ${largest}, becomes the padding of all pairs`);
  const speed = scaleOf(request.at('max_velocity_scaling_factor'));
  const acceleration = scaleOf(request.at('max_acceleration_scaling_factor'));
  return {
    ...(largest === 0 ? {} : { padding: largest }),
    ...(speed === undefined ? {} : { speed }),
    ...(acceleration === undefined ? {} : { acceleration }),
  };
}

/** Returns a scale of limits; undefined if it is 1, or 0: the default of the message, which MoveIt reads as 1. */
function scaleOf(factor: Field): number | undefined {
  const value = factor.number(1);
  if (value === 0 || value === 1) return undefined;
  if (value > 0 && value < 1) return value;
  throw factor.wrong('must be from 0 to 1');
}

/**
 * Throws for fields that affect the validity of motions and that a scene cannot represent; adds notes on unused fields.
 */
export function refuseUnread(request: Field, notes: Set<string>): void {
  const points = request.at('trajectory_constraints');
  if (hasConstraints(points.value))
    throw points.error(
      'constraints of single points of the trajectory are not converted',
      'State constraints of the path in path_constraints.',
    );
  for (const one of request.at('link_scale').list()) {
    const scale = one.mapping('link_name scale').at('scale');
    if (scale.number(1) !== 1) throw scale.wrong('scaled links are not supported', 'State a padding.');
  }
  const speed = request.at('max_cartesian_speed');
  if (speed.number(0) > 0) throw speed.error('it is not converted', 'State it as tcp_speed of the scene.');
  if (request.at('reference_trajectories').list().length > 0)
    notes.add('reference trajectories are left out: they are hints for a planner');
}
