import * as z from 'zod';
import type { Pose } from '../../core/kinematics/robotModel.ts';
import { keys } from '../scenes/sceneSchema.ts';
import { gateMessages } from './gateMethods.ts';
import {
  configuration,
  type MessageDefinition,
  name,
  number,
  pair,
  pose,
  startTolerance,
  three,
  typed,
} from './messageParts.ts';
import { sceneMessages } from './sceneMessages.ts';

const configurations = z.array(configuration);
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
      what: z
        .string()
        .optional()
        .describe('collide, distance, proximity, growth, depth, contacts or gradient; default: all but the last two'),
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
  ...sceneMessages,
  ...gateMessages,
} satisfies Readonly<Record<string, MessageDefinition>>;
