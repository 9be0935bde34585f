import * as z from 'zod';
import { InputError, InputErrors } from '../../errors.ts';
import { MAX_JOINT_VALUE, MAX_LENGTH } from '../../math/magnitudes.ts';
import { shapes } from '../../shapes/index.ts';
import type { FieldKind, ShapeDefinition } from '../../shapes/shape.ts';
import { keys } from '../scenes/sceneSchema.ts';
import { placeOf } from '../text/sourceText.ts';
import { hasProtoKey, structureDiagnostics } from '../text/structure.ts';

/** Numbers of the service are in SI units and have no unit suffix, because its clients are programs. */
const number = z.number();
const metres = number.min(-MAX_LENGTH).max(MAX_LENGTH);
const radians = number.min(-MAX_JOINT_VALUE).max(MAX_JOINT_VALUE);
const three = (meaning: string, component = metres) => z.array(component).length(3).describe(meaning);
const name = z.string().min(1).max(200);

const configuration = z
  .array(radians)
  .describe('one value for each planned joint, in the order that `describe` gives; rad, m');
const configurations = z.array(configuration);
const pose = keys({
  xyz: three('metres').optional(),
  rpy: three('radians; fixed axes, roll then pitch then yaw', radians).optional(),
  quat_wxyz: z.array(number).length(4).optional().describe('of any length but zero'),
});

const fields: Readonly<Record<FieldKind, z.ZodType>> = {
  length: number.describe('metres'),
  'length-or-zero': number.describe('metres, 0 too'),
  lengths: three('metres'),
  points: z.array(three('metres')).min(1),
  direction: three('any length but zero'),
};

/** Returns the schema of a body: one member per shape type, with keys as in scene files. */
function body(types: Readonly<Record<string, ShapeDefinition>>) {
  const kinds = Object.entries(types).map(([type, { fields: own, summary }]) =>
    keys({
      type: z.literal(type),
      name,
      ...Object.fromEntries(Object.entries(own).map(([field, kind]) => [field, fields[kind]])),
      pose: pose.optional().describe('in the world; of a body with a link: in that of the link'),
      margin: metres.min(0).optional().describe('metres, added all around'),
      link: name.optional().describe('carried by this link'),
      touches: z.array(name).max(1000).optional().describe('bodies that a carried one may touch, besides its link'),
    }).describe(summary),
  );
  const [first, ...rest] = kinds;
  return z.discriminatedUnion('type', [first, ...rest]);
}

/** Limit of the number of solutions of one request. */
const MAX_SOLUTIONS = 1000;
const aboveZero = number.positive();
const poseTolerance = keys({ position: aboveZero.describe('metres'), angle: aboveZero.describe('radians') });

const bodyPose = z.strictObject({ xyz: three('metres'), quat_wxyz: z.array(number).length(4) });
const pair = z.array(z.string()).length(2).describe('the robot’s body, then the obstacle; or two bodies of the robot');
const distance = number.nullable().describe('metres; the negative depth of a collision; null where there is no pair');

const stateAnswer = z.object({ valid: z.boolean(), collisions: z.array(pair), limits: z.array(z.string()) });
const motionAnswer = z.object({
  valid: z.boolean(),
  verdict: z.enum(['certified', 'collision', 'unresolved']),
  limits: z.array(z.string()).describe('joints out of range at either end'),
  contact: z
    .object({ pair, free_until: number, time: number })
    .optional()
    .describe('the first contact, in shares of the way from 0 to 1'),
});
const clearanceAnswer = z.object({
  distance,
  pair: pair.nullable(),
  gradient: z.array(number).optional().describe('of the distance by q: metres per radian, or per metre'),
  differentiable: z.boolean().optional().describe('false at kinks, where the gradient is that of one side'),
});
const linkPoses = z.object({ links: z.record(z.string(), bodyPose) });
const bodies = z.object({
  obstacles: z.array(z.string()),
  attached: z.array(z.string()),
  warnings: z.array(z.string()).optional().describe('about an angle of the request that is most likely in degrees'),
});

/** Parameters and result of a method. */
export interface MessageDefinition {
  readonly summary: string;
  readonly params: z.ZodType;
  readonly result: z.ZodType;
}

const oneOrMany = 'Give `q`, or `states` for many at once.';

/**
 * Messages of the service by method. The service validates requests with them, and its documentation is generated from
 * them.
 */
export const serviceMessages = {
  describe: {
    summary: 'the robot, its planned joints, the bodies of the session’s scene, and the limits of the service',
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
      obstacles: z.array(z.object({ name: z.string(), pose: bodyPose })),
      attached: z.array(z.object({ name: z.string(), link: z.string(), pose: bodyPose })),
      padding: number,
      start: z.array(number).nullable(),
      goals: z
        .array(
          z.union([
            z.object({ q: z.array(number) }),
            z.object({ link: z.string(), pose: bodyPose, tolerance: poseTolerance }),
          ]),
        )
        .describe('any one of them: joint values, or a pose as `ik` takes it'),
      goal: z.array(number).nullable().describe('the first goal of the scene that is given in joints'),
      methods: z.array(z.string()),
      limits: z.record(z.string(), number),
    }),
  },
  validate: {
    summary: `is each state within limits and free of collision? ${oneOrMany}`,
    params: keys({
      q: configuration.optional(),
      states: configurations.optional(),
      details: z.boolean().optional().describe('the first collision and the joints out of range too'),
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
      'is each straight motion within limits and proved free all the way? Give `from` and `to`, or `motions` for many at once.',
    params: keys({
      from: configuration.optional(),
      to: configuration.optional(),
      motions: z.array(z.array(configuration).length(2)).optional(),
      details: z.boolean().optional().describe('verdict, joints out of range and first contact too'),
    }),
    result: z.union([
      z.object({ valid: z.boolean() }),
      motionAnswer,
      z.object({ valid: z.array(z.boolean()) }),
      z.object({ answers: z.array(motionAnswer) }),
    ]),
  },
  clearance: {
    summary: `least distance over all pairs that may not touch. ${oneOrMany}`,
    params: keys({
      q: configuration.optional(),
      states: configurations.optional(),
      gradient: z.boolean().optional().describe('its derivative by q too'),
    }),
    result: z.union([clearanceAnswer, z.object({ answers: z.array(clearanceAnswer) })]),
  },
  fk: {
    summary: `pose of links in the world. ${oneOrMany}`,
    params: keys({
      q: configuration.optional(),
      states: configurations.optional(),
      links: z.array(name).optional().describe('default: all'),
    }),
    result: z.union([linkPoses, z.object({ answers: z.array(linkPoses) })]),
  },
  ik: {
    summary:
      'inverse kinematics: joint values within limits that take a link to a pose in the world, nearest to the start first',
    params: keys({
      pose,
      link: name.optional().describe('default: the last link of the planned chain'),
      tolerance: poseTolerance.optional().describe('maximum error of a solution; default 1e-6 m, 1e-6 rad'),
      seed: z.int().min(0).optional().describe('of the search, for arms without a closed form; default 1'),
      collision_free: z
        .boolean()
        .optional()
        .describe('only solutions that are collision-free in the scene of the session'),
      most: z.int().min(1).max(MAX_SOLUTIONS).optional().describe('maximum number of solutions; default 16'),
    }),
    result: z.object({
      solutions: z.array(z.array(number)),
      reason: z.string().optional().describe('why there is no solution'),
      warnings: z.array(z.string()).optional().describe('about an angle of the request that is most likely in degrees'),
    }),
  },
  'scene.move': {
    summary: 'puts an obstacle, or a carried body on its link, somewhere else; in this session alone, as all changes',
    params: keys({ name, pose }),
    result: bodies,
  },
  'scene.add': {
    summary: 'adds a body: an obstacle, or with `link` one that the link carries',
    params: keys({ body: body(shapes) }),
    result: bodies,
  },
  'scene.remove': { summary: 'takes a body away', params: keys({ name }), result: bodies },
  'scene.attach': {
    summary:
      'a link takes an obstacle up: at `pose` in the frame of the link, or as it stands when the robot is at `q`',
    params: keys({
      name,
      link: name,
      pose: pose.optional(),
      q: configuration.optional(),
      touches: z.array(name).max(1000).optional(),
    }),
    result: bodies,
  },
  'scene.detach': {
    summary: 'a link puts a carried body down: at `pose` in the world, or where it is when the robot is at `q`',
    params: keys({ name, pose: pose.optional(), q: configuration.optional() }),
    result: bodies,
  },
  'scene.reset': { summary: 'the scene as it was when the session began', params: keys({}), result: bodies },
} satisfies Readonly<Record<string, MessageDefinition>>;

export type MethodName = keyof typeof serviceMessages;
export type Params<M extends MethodName> = z.infer<(typeof serviceMessages)[M]['params']>;
export type RawPose = z.infer<typeof pose>;
export type RawServiceBody = z.infer<ReturnType<typeof body>>;

/** Validates the parameters of a method and returns them. Throws `InputError` that names each invalid value. */
export function readParams<M extends MethodName>(method: M, params: unknown): Params<M> {
  const given = params ?? {};
  return checked(serviceMessages[method].params, given, []) as Params<M>;
}

/** Number of list items that are validated between two yields. */
const ITEMS_PER_SLICE = 256;

/**
 * As `readParams`, but yields after every few hundred items of `states` and `motions`, so that other requests can run.
 * Of these items only the invalid ones in the first invalid slice are reported.
 */
export function* readParamsInSlices<M extends MethodName>(
  method: M,
  params: unknown,
): Generator<undefined, Params<M>, undefined> {
  const shape: Readonly<Record<string, unknown>> = serviceMessages[method].params.shape;
  if (typeof params !== 'object' || params === null) return readParams(method, params);
  const lists = Object.entries(params).filter(
    ([key, list]) => (key === 'states' || key === 'motions') && key in shape && Array.isArray(list),
  );
  const rest = readParams(method, { ...params, ...Object.fromEntries(lists.map(([key]) => [key, []])) });
  for (const [key, list] of lists as [string, unknown[]][]) {
    const schema = (shape[key] as z.ZodOptional<z.ZodType>).unwrap() as z.ZodType;
    for (let from = 0; from < list.length; from += ITEMS_PER_SLICE) {
      checked(schema, list.slice(from, from + ITEMS_PER_SLICE), [key], from);
      yield;
    }
  }
  return { ...rest, ...Object.fromEntries(lists) };
}

/**
 * Validates a value with a schema.
 * @param first index of the first item if the value is a slice of a list
 */
function checked(schema: z.ZodType, given: unknown, path: readonly string[], first = 0): unknown {
  const { data, error } = schema.safeParse(given);
  if (error === undefined && !hasProtoKey(given)) return data;
  const problems = structureDiagnostics(schema, given).map(({ path: [item, ...inside], what, note }) => {
    const place = typeof item === 'number' ? [first + item, ...inside] : item === undefined ? [] : [item, ...inside];
    return new InputError(`${placeOf(['params', ...path, ...place])}${what}`, note);
  });
  throw problems.length === 1 ? problems[0] : new InputErrors(problems);
}
