import * as z from 'zod';
import type { Pose } from '../../core/kinematics/robotModel.ts';
import { shapes } from '../../core/shapes/index.ts';
import type { FieldKind, ShapeDefinition } from '../../core/shapes/shape.ts';
import { keys } from '../scenes/sceneSchema.ts';
import { gateAnswer, gateId, gateMessages, now } from './gateMethods.ts';
import {
  type MessageDefinition,
  metres,
  name,
  number,
  pair,
  radians,
  startTolerance,
  three,
  typed,
} from './messageParts.ts';

const configuration = z
  .array(radians)
  .describe('one value per planned joint, in the order of `joints` of `describe`; rad, m');
const configurations = z.array(configuration);
const pose = keys({
  xyz: three('metres').optional(),
  rpy: three('radians; fixed axes, roll then pitch then yaw', radians).optional(),
  quat_wxyz: z.array(number).length(4).optional().describe('w, x, y, z; of length 1, within 1e-3'),
});

const fields: Readonly<Record<FieldKind, z.ZodType>> = {
  length: number.describe('metres'),
  'length-or-zero': number.describe('metres, 0 or greater'),
  lengths: three('metres'),
  points: z.array(three('metres')).min(1),
  direction: three('nonzero vector'),
};

const placed = {
  name,
  pose: pose.optional().describe('in the world frame; with `link`, in the frame of the link'),
  link: name.optional().describe('link that carries the object; default: none, an obstacle'),
  touches: z
    .array(name)
    .max(1000)
    .optional()
    .describe('touch links: links and objects that the attached object may touch, besides its link'),
};

/** A point cloud without its points, which a binary frame carries as an array. */
export const cloudBody = keys({
  type: z.literal('cloud'),
  ...placed,
  radius: metres.positive().describe('radius of the sphere about each point, metres'),
});

/** Whether an added object replaces one of the same name. */
export const replace = z
  .boolean()
  .optional()
  .describe('true: the object takes the place of an obstacle or attached object of its name, if there is one');

/** Returns the schema of a body: one member per shape type, with keys as in scene files, and point clouds. */
function body(types: Readonly<Record<string, ShapeDefinition>>) {
  const kinds = Object.entries(types).map(([type, { fields: own, summary }]) =>
    keys({
      type: z.literal(type),
      ...placed,
      ...Object.fromEntries(Object.entries(own).map(([field, kind]) => [field, fields[kind]])),
      margin: metres.min(0).optional().describe('rounding radius that is added to the shape, metres'),
    }).describe(summary),
  );
  const cloud = cloudBody
    .extend({ points: fields.points.describe('many points are faster as a binary frame') })
    .describe('point cloud: a sphere about each point');
  return z.discriminatedUnion('type', [cloud, ...kinds]);
}

/** Limit of the number of solutions of one request. */
const MAX_SOLUTIONS = 1000;
const aboveZero = number.positive();
const poseTolerance = keys({
  position: aboveZero.describe('metres'),
  angle: z
    .union([aboveZero, z.tuple([aboveZero, aboveZero, aboveZero])], { error: 'must be a number or three of them' })
    .describe('radians: of the whole rotation, or about x, y and z of the pose (π: any)'),
});

const bodyPose = typed<Pose>(z.strictObject({ xyz: three('metres'), quat_wxyz: z.array(number).length(4) }));
const distance = number
  .nullable()
  .describe('metres; negative penetration depth in collision; null if no pair is checked');

const constraints = z
  .array(z.string())
  .optional()
  .describe('constraints that are violated, or not proved for a motion; if the scene has any');
const stateAnswer = z.object({
  valid: z.boolean(),
  collisions: z.array(pair),
  limits: z.array(z.string()),
  constraints,
});
const motionAnswer = z.object({
  valid: z.boolean(),
  verdict: z.enum(['certified', 'collision', 'unresolved']),
  limits: z.array(z.string()).describe('joints that are out of limits at the start or the end'),
  constraints,
  contact: z
    .object({ pair, free_until: number, time: number })
    .optional()
    .describe('first contact; times from 0 (start) to 1 (end)'),
});
const clearanceAnswer = z.object({
  distance,
  pair: pair.nullable(),
  gradient: z
    .array(number)
    .optional()
    .describe('gradient of the distance with respect to q: metres per radian, or per metre'),
  differentiable: z.boolean().optional().describe('false at kinks of the distance, where the gradient is one-sided'),
});
const linkPoses = z.object({ links: z.record(z.string(), bodyPose) });
/** Names of the objects of a scene. */
export const bodies = z.object({
  obstacles: z.array(z.string()),
  attached: z.array(z.string()),
  warnings: z.array(z.string()).optional().describe('an angle that is probably in degrees; skipped points'),
  gates: z
    .array(gateAnswer.extend({ gate: gateId }))
    .optional()
    .describe('answer of each gate of the session to the change'),
});

const rates = z.array(number);
const stateDynamics = z.object({
  torques: z.array(number).describe('N m, or N'),
  gravity: z.array(number).describe('torques that hold the robot at rest'),
  mass_matrix: z.array(z.array(number)).optional(),
  momentum: z.object({ linear: z.array(number), angular: z.array(number) }),
  kinetic_energy: number,
});

const atTime = {
  t: number
    .optional()
    .describe('time of the scene, seconds; required if the scene has moving obstacles or other robots'),
  times: z.array(number).optional().describe('the time of each of `states`, instead of `t` for all of them'),
};

/** Time at which a change of the scene was seen. */
export const seenAt = { now: now.optional().describe('of the gates of the session; default: of their last message') };

const oneOrMany = 'Parameters: `q`, or `states` for several.';

/** Messages of the methods that run on the thread of the sessions. */
export const sessionMessages = {
  describe: {
    summary: 'returns the robot, its planned joints, the objects of the session’s scene, and the limits of the service',
    params: keys({}),
    result: z.object({
      service: z.literal('elbowroom-service/1'),
      version: z.string(),
      scene: z.string(),
      robot: z.string(),
      joints: z.array(
        z.object({ name: z.string(), type: z.string(), lower: number.nullable(), upper: number.nullable() }),
      ),
      links: z.array(z.string()),
      obstacles: z.array(
        z.object({
          name: z.string(),
          pose: bodyPose,
          motion: z
            .object({ times: z.array(number), poses: z.array(bodyPose) })
            .optional()
            .describe('of a moving obstacle: its pose at each time, seconds'),
        }),
      ),
      robots: z.array(z.string()).optional().describe('other robots of the scene'),
      attached: z.array(z.object({ name: z.string(), link: z.string(), pose: bodyPose })),
      padding: number,
      start: z.array(number).nullable(),
      goals: z
        .array(
          z.union([
            z.object({ q: z.array(number) }),
            z.object({ link: z.string().optional(), pose: bodyPose, tolerance: poseTolerance }),
          ]),
        )
        .describe('alternative goals: joint values, or a pose as for `ik`'),
      goal: z.array(number).nullable().describe('first goal of the scene that is given as joint values'),
      methods: z.array(z.string()),
      limits: z.record(z.string(), number),
    }),
  },
  validate: {
    summary: `state validity: is each state within limits and collision-free? ${oneOrMany}`,
    params: keys({
      q: configuration.optional(),
      states: configurations.optional(),
      ...atTime,
      start_tolerance: startTolerance,
      details: z.boolean().optional().describe('also returns the first colliding pair and the joints out of limits'),
    }),
    result: z.union([
      z.object({ valid: z.boolean() }),
      stateAnswer,
      z.object({ valid: z.array(z.boolean()) }),
      z.object({ answers: z.array(stateAnswer) }),
    ]),
  },
  validate_motion: {
    summary:
      'motion validity: is each straight motion within limits and certified collision-free? Parameters: `from` ' +
      'and `to`, or `motions` for several.',
    params: keys({
      from: configuration.optional(),
      to: configuration.optional(),
      motions: z.array(z.array(configuration).length(2)).optional(),
      start_tolerance: startTolerance,
      details: z
        .boolean()
        .optional()
        .describe('also returns the verdict, the joints out of limits and the first contact'),
    }),
    result: z.union([
      z.object({ valid: z.boolean() }),
      motionAnswer,
      z.object({ valid: z.array(z.boolean()) }),
      z.object({ answers: z.array(motionAnswer) }),
    ]),
  },
  clearance: {
    summary: `clearance: minimum distance over all checked pairs. ${oneOrMany}`,
    params: keys({
      q: configuration.optional(),
      states: configurations.optional(),
      ...atTime,
      gradient: z.boolean().optional().describe('also returns the gradient with respect to q'),
    }),
    result: z.union([clearanceAnswer, z.object({ answers: z.array(clearanceAnswer) })]),
  },
  fk: {
    summary: `forward kinematics: poses of links in the world frame. ${oneOrMany}`,
    params: keys({
      q: configuration.optional(),
      states: configurations.optional(),
      links: z.array(name).optional().describe('default: all'),
    }),
    result: z.union([linkPoses, z.object({ answers: z.array(linkPoses) })]),
  },
  ik: {
    summary:
      'inverse kinematics: joint values within limits that move a link to a pose in the world frame, nearest to ' +
      'the start first',
    params: keys({
      pose,
      link: name.optional().describe('default: the last link of the planned chain'),
      tolerance: poseTolerance.partial().optional().describe('maximum error of a solution; default 1e-6 m, 1e-6 rad'),
      seed: z.int().min(0).optional().describe('seed of the search, for arms without closed form; default 1'),
      collision_free: z
        .boolean()
        .optional()
        .describe('only solutions that are collision-free in the scene of the session'),
      most: z.int().min(1).max(MAX_SOLUTIONS).optional().describe('maximum number of solutions; default 16'),
    }),
    result: z.object({
      solutions: z.array(z.array(number)),
      reason: z.string().optional().describe('why there is no solution'),
      warnings: z.array(z.string()).optional().describe('an angle of the request is probably in degrees'),
    }),
  },
  dynamics: {
    summary:
      'inverse dynamics: joint torques, momentum and energy of each state, with the loads of the session’s scene. ' +
      'Parameters: `q`, `v`, `a`, or `states` for several.',
    params: keys({
      q: configuration.optional(),
      v: rates.optional().describe('velocities; default 0'),
      a: rates.optional().describe('accelerations; default 0'),
      states: z.array(keys({ q: configuration, v: rates.optional(), a: rates.optional() })).optional(),
      mass_matrix: z.boolean().optional().describe('also returns the mass matrix'),
    }),
    result: z.union([stateDynamics, z.object({ answers: z.array(stateDynamics) })]),
  },
  query: {
    summary: 'narrow phase: status and quantities of pairs of convex shapes, as the command query; no scene is used',
    params: keys({
      pairs: z.array(z.record(z.string(), z.unknown())).describe('each {"id", "a": {"shape", "pose", "center"}, "b"}'),
      solver: z.string().optional().describe('narrow-phase algorithm; default: the first that computes `what`'),
      what: z.string().optional().describe('collide, distance, growth, depth or gradient; default: all but gradients'),
      gap: number.min(0).max(1).optional().describe('relative gap between the bounds at which a solver may stop'),
      absolute_gap: number.min(0).optional().describe('difference of the bounds at which a solver may stop'),
      iterations: z.int().min(1).optional().describe('limit of iterations; warnings state the bounds if it is reached'),
      guess: z.string().optional().describe('initial guess of the solver; with `warm` also its warm start'),
      warm: z.boolean().optional().describe('warm start of pairs with the same "track"; results do not change'),
    }),
    result: z.object({
      answers: z
        .array(z.record(z.string(), z.unknown()))
        .describe('in order, each with "id", and "error" if it is bad'),
    }),
  },
  'scene.move': {
    summary:
      'moves an obstacle in the world, or an attached object on its link; like all changes, in this session only',
    params: keys({ name, pose, ...seenAt }),
    result: bodies,
  },
  'scene.add': {
    summary: 'adds an obstacle or, with `link`, an attached object',
    params: keys({ body: body(shapes), replace, ...seenAt }),
    result: bodies,
  },
  'scene.remove': {
    summary: 'removes an obstacle or attached object',
    params: keys({ name, ...seenAt }),
    result: bodies,
  },
  'scene.attach': {
    summary:
      'attaches an obstacle to a link: at `pose` in the frame of the link, or at its current pose when the robot ' +
      'is at `q`',
    params: keys({
      name,
      link: name,
      pose: pose.optional(),
      q: configuration.optional(),
      touches: z.array(name).max(1000).optional(),
      ...seenAt,
    }),
    result: bodies,
  },
  'scene.detach': {
    summary:
      'detaches an object, which becomes an obstacle: at `pose` in the world frame, or at its current pose when ' +
      'the robot is at `q`',
    params: keys({ name, pose: pose.optional(), q: configuration.optional(), ...seenAt }),
    result: bodies,
  },
  'scene.reset': {
    summary: 'restores the scene with which the session began',
    params: keys({ ...seenAt }),
    result: bodies,
  },
  ...gateMessages,
} satisfies Readonly<Record<string, MessageDefinition>>;

/** Pose of a request. */
export type RawPose = z.infer<typeof pose>;
/** Object that a request adds. */
export type RawServiceBody = z.infer<ReturnType<typeof body>>;
