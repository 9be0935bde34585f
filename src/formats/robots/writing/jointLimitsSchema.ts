import * as z from 'zod';
import { keys } from '../../scenes/schemaParts.ts';

const flag = z.boolean().optional();
/** 0 is written by the assistant of MoveIt beside a flag that is false. */
const rate = z.number().nonnegative().optional();
const position = z.number().min(-1e6).max(1e6).optional();

/** The joints of a `joint_limits.yaml`. Efforts and wraparound have no meaning here. */
export const jointLimitsSchema = z.record(
  z.string(),
  keys({
    has_position_limits: flag,
    min_position: position,
    max_position: position,
    has_velocity_limits: flag,
    max_velocity: rate,
    has_acceleration_limits: flag,
    max_acceleration: rate,
    has_deceleration_limits: flag,
    // some files state it as a negative acceleration
    max_deceleration: z.number().optional(),
    has_jerk_limits: flag,
    max_jerk: rate,
    has_effort_limits: flag,
    max_effort: z.number().optional(),
    angle_wraparound: flag,
  }),
);
