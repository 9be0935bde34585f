import * as z from 'zod';
import { keys } from '../scenes/sceneSchema.ts';
import { gateAnswer, gateId, now } from './gateMethods.ts';
import { name, number, pair, startTolerance } from './messageParts.ts';
import { bodies, cloudBody, replace, seenAt } from './sceneMessages.ts';

/**
 * Length of one dimension of an array: a number, `n` items, the planned joints, the requested links, or the numbers of
 * a timed point: time, positions, and velocities or none.
 */
type Dimension = number | 'n' | 'joints' | 'links' | 'point';

/** One method as binary frames: JSON header, and arrays of float64. */
interface FrameDefinition {
  /** Parameters in the header; the array is not one of them. */
  readonly params: z.ZodObject;
  /** Name, shape and meaning of the array of a request. */
  readonly array: { readonly name: string; readonly shape: readonly Dimension[]; readonly about: string };
  /** `result` in the header of the response. */
  readonly result: z.ZodType;
  /** Arrays of the response in their order, each with its shape and meaning. */
  readonly arrays: Readonly<Record<string, { readonly shape: readonly Dimension[]; readonly about: string }>>;
}

const values = 'joint values, rad or m, all finite';
const states = { name: 'states', shape: ['n', 'joints'], about: values } as const;

/** Methods that accept binary frames. The service validates frames with them, and its schema is generated from them. */
export const frameMessages = {
  validate: {
    params: keys({ start_tolerance: startTolerance }),
    array: states,
    result: z.object({}),
    arrays: { valid: { shape: ['n'], about: '1: valid; 0: not' } },
  },
  validate_motion: {
    params: keys({ start_tolerance: startTolerance }),
    array: { name: 'motions', shape: ['n', 2, 'joints'], about: values },
    result: z.object({}),
    arrays: { valid: { shape: ['n'], about: '1: within limits and certified; 0: not' } },
  },
  clearance: {
    params: keys({ gradient: z.boolean().optional().describe('also returns gradient and differentiable') }),
    array: states,
    result: z.object({ pairs: z.array(pair).describe('the pairs that the array `pair` refers to') }),
    arrays: {
      distance: { shape: ['n'], about: 'metres; negative penetration depth; infinite if no pair is checked' },
      pair: { shape: ['n'], about: 'index in `pairs`; -1 if no pair is checked' },
      gradient: { shape: ['n', 'joints'], about: 'metres per radian, or per metre; with `gradient` only' },
      differentiable: { shape: ['n'], about: '1: differentiable; 0: at a kink; with `gradient` only' },
    },
  },
  fk: {
    params: keys({ links: z.array(name).optional().describe('default: all') }),
    array: states,
    result: z.object({ links: z.array(z.string()).describe('links in the order of the poses') }),
    arrays: { poses: { shape: ['n', 'links', 7], about: 'x, y, z in metres, then the quaternion w, x, y, z' } },
  },
  'scene.add': {
    params: keys({ body: cloudBody, replace, ...seenAt }),
    array: { name: 'points', shape: ['n', 3], about: 'x, y, z in metres; points that are not finite are skipped' },
    result: bodies,
    arrays: {},
  },
  'gate.propose': {
    params: keys({ gate: gateId, now }),
    array: { name: 'points', shape: ['n', 'point'], about: 'time, positions and velocities; or time and positions' },
    result: gateAnswer.extend({ committed: z.object({ from: number }).optional() }),
    arrays: {
      committed: {
        shape: ['n', 'point'],
        about: 'time, positions and velocities; only if the committed motion changed',
      },
    },
  },
} as const satisfies Readonly<Record<string, FrameDefinition>>;

/** Name of a method that accepts binary frames. */
export type FrameMethodName = keyof typeof frameMessages;
/** Parameters in the header of a frame. */
export type FrameParams<M extends FrameMethodName> = z.infer<(typeof frameMessages)[M]['params']>;
