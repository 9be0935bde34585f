import * as z from 'zod';
import { keys, pose, quantity } from './schemaParts.ts';

/** Schema of the motion of an obstacle. */
export const motionSchema = keys({
  times: z.array(quantity('seconds')).min(1).describe('increasing'),
  poses: z.array(pose).min(1).describe('pose in the world at each time'),
}).describe('instead of pose: positions are interpolated linearly, orientations spherically; at rest before and after');

/**
 * Schema of another robot.
 * @param robot schema of the reference to a robot
 * @param state schema of joint values
 */
export const otherRobotSchema = <R extends z.ZodType, S extends z.ZodType>(robot: R, state: S) =>
  keys({
    name: z.string().min(1).describe('its links are named NAME/LINK'),
    robot,
    pose: pose.optional(),
    trajectory: z.string().min(1).optional().describe('file of the trajectory that it follows, in any format of check'),
    start_time: quantity('time of the scene at which its trajectory starts, seconds; default: 0').optional(),
    q: state.optional().describe('instead of trajectory: the state that it stays in'),
  });

/** Structure of the motion of an obstacle, as written. */
export type RawMotion = z.infer<typeof motionSchema>;
