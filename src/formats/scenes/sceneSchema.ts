import * as z from 'zod';
import { bodies, clouds, obstacleSchema, unknownSpeed } from './bodySchema.ts';
import { constraintSchema } from './constraintSchema.ts';
import { freeSchema, type RawFree } from './free/freeSchema.ts';
import { massFields, payloadSchema } from './loads/massSchema.ts';
import { otherRobotSchema, type RawMotion } from './motionSchema.ts';
import { sha256 } from './robots/mountSchema.ts';
import { robot } from './robots/robotSchema.ts';
import { clearanceSchema, safetySchema } from './safetySchema.ts';
import { angle, keys, length, pose, quantity, three } from './schemaParts.ts';
import { defaultsSchema, stepSchema } from './steps/stepSchema.ts';

export { keys } from './schemaParts.ts';

/** Keys of a pose name no joint, so that an invalid pose is not taken for joint values. */
const jointName = z.string().regex(/^(?!(xyz|rpy|quat_wxyz)$)/);
const jointValues = z
  .union([
    z.array(quantity('radians or metres')),
    z.string().describe('name of a state of the SRDF'),
    z.record(jointName, quantity('radians or metres')),
  ])
  .describe('one value per planned joint, in order; or values by joint name, 0 for the others; or the name of a state');

const angles = z
  .union([angle, z.array(angle).length(3)], { error: 'must be an angle or three of them' })
  .describe('of the whole rotation; or about x, y and z of the goal frame, 180 deg: any');
const poseGoal = keys({
  link: z.string().optional().describe('link whose frame is to be there; default: the tool center point'),
  xyz: three('metres'),
  rpy: pose.shape.rpy,
  quat_wxyz: pose.shape.quat_wxyz,
  relative_to: z.string().min(1).optional().describe('obstacle in whose frame the pose is; default: the world'),
  tolerance: keys({ position: length.optional(), angle: angles.optional() }).optional(),
});
const goal = z.union([poseGoal, jointValues]).describe('as start; or a pose of the tool center point or of a link');

const scale = (kind: string) =>
  quantity(`scales all ${kind} limits: a number above 0, at most 1; or a text such as "50 %"`);

const tcp = keys({
  link: z.string().min(1).optional().describe('default: the last link of the planned chain'),
  ...pose.shape,
}).describe('tool center point: a frame fixed to a link; default: the frame of the last link of the planned chain');

const include = z.union(
  [
    z.string().min(1),
    keys({
      file: z.string().min(1).describe('a scene; the path is relative to this file'),
      pose: pose.optional(),
      prefix: z.string().min(1).optional().describe('prefix of the names of its obstacles and attached objects'),
    }),
  ],
  { error: 'must be the path of a scene, or {file, pose, prefix}' },
);

/** Largest number of objects of a `drop`. */
const MAX_DROPPED = 5000;

const dropSchema = keys({
  from: bodies({}, {}, { pose: pose.optional() }).describe('region in which the objects are created: a convex shape'),
  count: z.int('must be a whole number').min(1).max(MAX_DROPPED).describe('number of objects'),
  shapes: z
    .array(bodies({ free: freeSchema }, {}, {}))
    .min(1)
    .describe('kinds of objects, used in turn'),
}).describe('objects that settle creates at random poses and lets fall; other commands need a settled scene');

const shared = {
  $schema: z.string().optional(),
  name: z.string().min(1).optional(),
  description: z.string().optional(),
  start: jointValues.optional(),
  goal: goal.optional(),
  goals: z.array(goal).min(1).optional().describe('instead of goal: alternative goals, of which one is reached'),
  steps: z
    .array(stepSchema(goal))
    .min(1)
    .optional()
    .describe('instead of goal: a program, steps executed in order from the start'),
  defaults: defaultsSchema.optional().describe('speed, tcp_speed, blend … of every step that does not state its own'),
  equivalent: z.boolean().optional().describe('a joint goal also includes the same angles plus or minus full turns'),
  include: z
    .union([include, z.array(include)])
    .optional()
    .describe('scenes whose obstacles, attached objects and allowed pairs are added to this scene'),
  obstacles: z.array(obstacleSchema).optional(),
  unknown_speed: unknownSpeed.optional(),
  tracking: quantity('gate: greatest distance of the arm from its motion: metres, or a text such as "1 mm"').optional(),
  gravity: three('m/s²').optional().describe('acceleration of gravity for settle and torques; default: [0, 0, -9.81]'),
  torque: z
    .union([z.boolean(), keys({ scale: quantity('a number above 0, at most 1; or a text such as "90 %"').optional() })])
    .optional()
    .describe('true, or {scale}: joint torques stay within the limits of the robot at every instant'),
  payload: payloadSchema
    .optional()
    .describe('what the robot carries besides attached objects, in the frame of the link of the TCP'),
  drop: dropSchema.optional(),
  robots: z
    .array(otherRobotSchema(robot, jointValues))
    .optional()
    .describe('other robots, which follow given trajectories or rest; their pairs with the planned robot are checked'),
  attached: z
    .array(bodies({ link: z.string().min(1), touches: z.array(z.string()).optional(), ...massFields }, clouds))
    .optional(),
  allow: z
    .array(z.array(z.string()).length(2))
    .optional()
    .describe('allowed pairs: two names each, which are not checked for collisions'),
  padding: length.optional(),
  safety: safetySchema.optional(),
  clearance: clearanceSchema.optional(),
  constraints: z.array(constraintSchema).optional().describe('conditions that every motion satisfies at every instant'),
  weights: z
    .record(z.string(), quantity('a number above 0'))
    .optional()
    .describe('weight of a joint in the path length: radians per radian or metre'),
  hashes: z
    .record(z.string(), sha256)
    .optional()
    .describe('of a resolved scene: SHA-256 of each file that it was made from'),
  meshes: z
    .record(sha256, z.string())
    .optional()
    .describe('of a resolved scene: embedded files in base64, by their SHA-256; it reads no other files'),
  tcp: tcp.optional(),
  speed: scale('velocity').optional(),
  acceleration: scale('acceleration').optional(),
  tcp_speed: quantity('limit of the speed of the tool center point: m/s, or a text such as "250 mm/s"').optional(),
};

/** Structure of a scene file. Numbers may be texts with units; these are parsed later. */
export const sceneSchema = keys({ format: z.literal('elbowroom-scene/1'), robot, ...shared });

/** Structure of an included scene: its robot, if any, is ignored. */
export const includedSchema = keys({ format: z.literal('elbowroom-scene/1'), robot: robot.optional(), ...shared });

/** Structure of a suite: the same keys, and problems with keys that override them. */
export const suiteSchema = keys({
  format: z.literal('elbowroom-suite/1'),
  robot: robot.optional(),
  ...shared,
  problems: z.array(keys({ robot: robot.optional(), ...shared })).min(1),
});

export type RawBody = z.infer<ReturnType<typeof bodies>>;
/** A body with the keys of obstacles and of attached objects. */
export type StatedBody = RawBody & { readonly free?: RawFree; readonly motion?: RawMotion } & {
  readonly link?: string;
  readonly touches?: readonly string[];
} & Partial<Record<'margin' | 'unknown_speed', number | string>>;
export type RawScene = z.infer<typeof sceneSchema>;
export type RawSuite = z.infer<typeof suiteSchema>;
export type RawRobot = z.infer<typeof robot>;
export type RawOtherRobot = NonNullable<RawScene['robots']>[number];
export type RawGoal = z.infer<typeof goal>;
export type RawPoseGoal = z.infer<typeof poseGoal>;
export type RawTcp = z.infer<typeof tcp>;
export type RawJointValues = z.infer<typeof jointValues>;
export type RawInclude = z.infer<typeof include>;
export type RawPose = z.infer<typeof pose>;
export type RawStep = z.infer<ReturnType<typeof stepSchema>>;
export type RawDrop = z.infer<typeof dropSchema>;
export type RawStepDefaults = z.infer<typeof defaultsSchema>;

/** Returns the JSON Schema of a schema's input, as written in a file. */
export function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, { io: 'input', reused: 'ref' }) as Record<string, unknown>;
}
