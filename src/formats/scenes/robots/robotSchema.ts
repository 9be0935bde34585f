import * as z from 'zod';
import { parts } from '../bodySchema.ts';
import { keys, pose, quantity } from '../schemaParts.ts';
import { baseSchema } from './baseSchema.ts';
import { mountSchema, robotFileKeys } from './mountSchema.ts';

/** Largest number of `mounts` of a robot. */
const MAX_MOUNTS = 100;

const limits = keys({
  velocity: quantity('rad/s or m/s').optional(),
  acceleration: quantity('rad/s² or m/s²').optional(),
  jerk: quantity('rad/s³ or m/s³').optional(),
  torque: quantity('N m, or N of a prismatic joint').optional(),
});

const motors = z
  .record(
    z.string(),
    keys({
      armature: quantity('inertia of the rotor times the square of the gear ratio: kg m² or kg').optional(),
      damping: quantity('viscous friction: N m s/rad or N s/m').optional(),
      friction: quantity('Coulomb friction: N m or N').optional(),
    }),
  )
  .describe('motors by joint name; replace values of the robot file');

/** Structure of the robot of a scene. */
export const robot = z
  .union([
    z.string().min(1),
    keys({
      ...robotFileKeys,
      tool: mountSchema.optional().describe('robot file of a gripper or tool, mounted on the end of the robot'),
      mounts: z.array(mountSchema).max(MAX_MOUNTS).optional().describe('further robot files, mounted on links'),
      base: baseSchema.optional(),
      group: z.string().min(1).optional().describe('group of the SRDF whose joints are planned'),
      joints: z.array(z.string()).min(1).optional().describe('planned joints in the order of q'),
      fixed: z.record(z.string(), quantity('radians or metres')).optional(),
      limits: z.record(z.string(), limits).optional(),
      motors: motors.optional(),
      pose: pose.optional(),
      parts: parts.optional(),
      geometry: z
        .enum(['collision', 'visual'])
        .optional()
        .describe('geometry of its links that is checked for collisions; default: collision'),
      empty: z
        .array(z.string())
        .optional()
        .describe(
          'links that are meant to have no collision geometry; a robot without any is refused unless all are listed',
        ),
      clamping: z
        .boolean()
        .optional()
        .describe('true: the clearances below which the controller of the arm stops (UR3e, UR5e, UR10e, UR16e)'),
    }),
  ])
  .describe('name of a built-in robot, path of a robot file (URDF, xacro, SDF, MJCF), or a mapping with further keys');
