import { show } from '../../text/schemaDiagnostics.ts';
import type { Path } from '../../text/sourceText.ts';
import type { ForeignScene } from './foreignScene.ts';
import { listOf, mappingOf, numberOf, requireKeys } from './messageValues.ts';
import { hasConstraints, MessageError, type Raw } from './rosMessage.ts';

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
export function readScales(data: Raw, notes: Set<string>): MotionScales {
  const padding = listOf(data.link_padding, ['link_padding']).map((one, i) => {
    const at = ['link_padding', i];
    return nonNegative(numberOf(fieldsOf(one, 'link_name padding', at).padding, [...at, 'padding'], 0), [
      ...at,
      'padding',
    ]);
  });
  const largest = padding.reduce((a, b) => Math.max(a, b), 0);
  if (padding.some((one) => one !== largest))
    notes.add(`the largest padding of a link, ${largest}, becomes the padding of all pairs`);
  const speed = scaleOf(data, 'max_velocity_scaling_factor');
  const acceleration = scaleOf(data, 'max_acceleration_scaling_factor');
  return {
    ...(largest === 0 ? {} : { padding: largest }),
    ...(speed === undefined ? {} : { speed }),
    ...(acceleration === undefined ? {} : { acceleration }),
  };
}

/** Returns a scale of limits; undefined if it is 1, or 0: the default of the message, which MoveIt reads as 1. */
function scaleOf(data: Raw, key: string): number | undefined {
  const value = numberOf(data[key], [key], 1);
  if (value === 0 || value === 1) return undefined;
  if (value > 0 && value < 1) return value;
  throw new MessageError([key], `${show(value)}, must be from 0 to 1`, '');
}

function fieldsOf(given: unknown, keys: string, path: Path): Raw {
  const fields = mappingOf(given, path);
  requireKeys(fields, keys, path);
  return fields;
}

function nonNegative(value: number, path: Path): number {
  if (value >= 0) return value;
  throw new MessageError(path, `${show(value)}, must not be negative`, '');
}

/**
 * Throws for fields that affect the validity of motions and that a scene cannot represent; adds notes on unused fields.
 */
export function refuseUnread(data: Raw, notes: Set<string>): void {
  if (hasConstraints(data.trajectory_constraints))
    throw new MessageError(
      ['trajectory_constraints'],
      'constraints of single points of the trajectory are not converted',
      'State constraints of the path in path_constraints.',
    );
  for (const [i, one] of listOf(data.link_scale, ['link_scale']).entries()) {
    const scale = numberOf(fieldsOf(one, 'link_name scale', ['link_scale', i]).scale, ['link_scale', i, 'scale'], 1);
    if (scale !== 1)
      throw new MessageError(
        ['link_scale', i, 'scale'],
        `${show(scale)}, scaled links are not supported`,
        'State a padding.',
      );
  }
  if (numberOf(data.max_cartesian_speed, ['max_cartesian_speed'], 0) > 0)
    throw new MessageError(['max_cartesian_speed'], 'it is not converted', 'State it as tcp_speed of the scene.');
  if (listOf(data.reference_trajectories, ['reference_trajectories']).length > 0)
    notes.add('reference trajectories are left out: they are hints for a planner');
}
