import * as z from 'zod';
import { constraintSchema } from '../constraintSchema.ts';
import { angle, keys, length, pose, quantity, three } from '../schemaParts.ts';

/** Keys of every motion of a program. */
const rules = {
  speed: quantity('scale of the joint velocity limits, above 0 and at most 1, or "50 %"').optional(),
  acceleration: quantity('scale of the joint acceleration limits, above 0 and at most 1, or "50 %"').optional(),
  tcp_speed: quantity('limit of the speed of the TCP: m/s, or "250 mm/s"').optional(),
  blend: length.optional().describe('radius about the end within which the TCP may leave its path, metres'),
  tolerance: keys({ position: length.optional(), angle: angle.optional() })
    .optional()
    .describe('maximum deviation from a line or arc; default: 0.1 mm, 0.1 deg'),
};

/** Constraints of one motion, in addition to those of the scene. */
const constraints = { constraints: z.array(constraintSchema).optional() };

const name = { name: z.string().min(1).optional() };

const worldTarget = keys({
  xyz: three('metres, world frame'),
  rpy: pose.shape.rpy,
  quat_wxyz: pose.shape.quat_wxyz,
}).describe('pose of the TCP in the world; without orientation, that at the start is kept');

const line = z.union([
  keys({
    by: three('displacement of the TCP, metres'),
    rpy: pose.shape.rpy,
    frame: z.string().min(1).optional().describe('frame of by and rpy: world (default), tcp or a link'),
  }),
  keys({
    rpy: pose.shape.rpy.unwrap(),
    frame: z.string().min(1).optional().describe('frame of rpy: world (default), tcp or a link'),
  }).describe('rotation about the origin of the TCP'),
  keys({ to: z.union([worldTarget, z.array(worldTarget).min(1)]).describe('its end, or the corners of a polyline') }),
]);

const arc = keys({
  via: keys({ xyz: three('metres, world frame') }).describe('a point of the arc between its ends'),
  to: worldTarget,
});

const free = z
  .array(z.enum(['z']))
  .min(1)
  .max(1)
  .describe('axes of the TCP about which it may rotate');
const tilt = angle.describe('largest angle by which the z axis of the TCP may be tilted; with free: [z]');
const pathSpeed = quantity('upper limit of the speed of the TCP in the frame of the path: m/s, or "20 mm/s"');

const path = keys({
  points: z
    .array(
      keys({
        xyz: three('metres, frame of the path'),
        rpy: pose.shape.rpy,
        quat_wxyz: pose.shape.quat_wxyz,
        normal: three('outward normal: the z axis of the TCP is against it').optional(),
        speed: pathSpeed.optional(),
        on: z
          .union([z.boolean(), z.literal(0), z.literal(1)])
          .optional()
          .describe('signal from this point on: true or false'),
      }),
    )
    .min(2)
    .max(1_000_000)
    .optional()
    .describe('way points; without orientation, that at the start is kept'),
  file: z.string().min(1).optional().describe('way points: CSV (.csv) or G-code (.nc, .gcode, .ngc)'),
  scale: z.number().optional().describe('metres per unit of lengths whose unit the file does not state'),
  frame: z.string().min(1).optional().describe('world (default), a link (the path moves with it) or an obstacle'),
  speed: pathSpeed.optional(),
  tolerance: rules.tolerance,
  blend: rules.blend,
  free: free.optional(),
  tilt: tilt.optional(),
});

const pairs = z.array(z.array(z.string()).length(2)).min(1);

/** Values of every motion of a program that does not state its own. */
export const defaultsSchema = keys(rules);

/** Returns the schema of a step: one of the keys move, line, arc, path, wait, attach, detach, set, allow, forbid. */
export const stepSchema = <T extends z.ZodType>(goal: T) =>
  z
    .union([
      keys({
        move: z.union([z.array(goal).min(1), goal]).describe('free motion: a goal, or a list of alternative goals'),
        ...rules,
        ...constraints,
        ...name,
      }),
      keys({ line: line.describe('straight line of the TCP'), ...rules, ...constraints, ...name }),
      keys({ arc: arc.describe('circular arc of the TCP'), ...rules, ...constraints, ...name }),
      keys({
        path: path.describe('one continuous motion of the TCP through way points'),
        ...rules,
        speed: pathSpeed.optional(),
        free: free.optional(),
        tilt: tilt.optional(),
        ...constraints,
        ...name,
      }),
      keys({ wait: quantity('seconds at rest'), ...name }),
      keys({
        attach: z.string().min(1).describe('obstacle that is attached where it is'),
        touches: z.array(z.string()).optional().describe('links and objects that it may touch until it is detached'),
        link: z.string().min(1).optional().describe('link that it is attached to; default: that of the TCP'),
        ...name,
      }),
      keys({ detach: z.string().min(1).describe('attached object that becomes an obstacle where it is'), ...name }),
      keys({
        set: z
          .record(z.string(), z.unknown())
          .describe(
            'event for the executing program; {joints: {NAME: value}, time: s} moves joints that are not planned',
          ),
        ...name,
      }),
      keys({ allow: pairs.describe('pairs that may touch from here on'), ...name }),
      keys({ forbid: pairs.describe('pairs that may no longer touch'), ...name }),
    ])
    .describe('a step of a program');
