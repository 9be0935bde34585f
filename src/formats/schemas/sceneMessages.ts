import * as z from 'zod';
import { shapes } from '../../core/shapes/index.ts';
import type { FieldKind, ShapeDefinition } from '../../core/shapes/shape.ts';
import { keys } from '../scenes/sceneSchema.ts';
import { gateAnswer, gateId, now } from './gateMethods.ts';
import { configuration, type MessageDefinition, metres, name, number, pose, three } from './messageParts.ts';

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

/** Time at which a change of the scene was seen. */
export const seenAt = { now: now.optional().describe('of the gates of the session; default: of their last message') };

/** Messages of the methods that change the scene of a session. */
export const sceneMessages = {
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
} satisfies Readonly<Record<string, MessageDefinition>>;

/** Object that a request adds. */
export type RawServiceBody = z.infer<ReturnType<typeof body>>;
