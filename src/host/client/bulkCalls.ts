import { InputError } from '../../errors.ts';
import type { FrameMethodName } from '../../formats/schemas/frameMessages.ts';
import { FLOAT_BYTES, type ResponseFrame } from './clientFrame.ts';
import type { ServiceClearances, ServicePoses } from './results.ts';

/** Bytes of a message that the prefix and the header of a frame may need. */
const FRAME_ROOM = 70_000;

/** Name of a method that is sent as binary frames of many items. */
export type BulkMethod = Exclude<FrameMethodName, 'gate.propose'>;

/** Items of a method that accepts binary frames. */
export interface BulkRequest {
  readonly method: BulkMethod;
  readonly params: object;
  /** Name of the array. */
  readonly array: string;
  /** Shape of one item. */
  readonly item: readonly number[];
  /** All items in row-major order. */
  readonly numbers: Float64Array;
  /** Numbers of the response for each item. */
  readonly each: number;
  /** True if the items are not independent: they are sent in one message. */
  readonly isWhole?: boolean;
}

const states = (dof: number) => ({ array: 'states', item: [dof] });
/** Name of the array of each method, shape of an item, and whether all items are one message. */
export const bulkForms: Readonly<Record<BulkMethod, (dof: number) => Pick<BulkRequest, 'array' | 'item' | 'isWhole'>>> =
  {
    validate: states,
    validate_motion: (dof) => ({ array: 'motions', item: [2, dof] }),
    clearance: states,
    fk: states,
    'scene.add': () => ({ array: 'points', item: [3], isWhole: true }),
  };

/** A part of a request that is one message. */
export interface BulkPart {
  readonly params: object;
  readonly arrays: Readonly<Record<string, readonly number[]>>;
  readonly numbers: Float64Array;
}

/**
 * Divides a request into messages within the limits of the service. Throws `InputError` for a request of one message
 * that is too long.
 */
export function partsOf(request: BulkRequest, limits: Readonly<Record<string, number>>): BulkPart[] {
  const { params, array, item, numbers, each, isWhole = false } = request;
  const width = item.reduce((product, size) => product * size, 1);
  const count = numbers.length / width;
  if (isWhole) {
    const room = limits['body'] - FRAME_ROOM;
    if (numbers.byteLength > room)
      throw new InputError(
        `${array}: ${numbers.byteLength} bytes do not fit into one message, the limit of which is ${limits['body']}`,
        'Send fewer, or start the service with a larger --body.',
      );
    return [{ params, arrays: { [array]: [count, ...item] }, numbers }];
  }
  const most = Math.max(
    1,
    Math.floor(
      Math.min(
        limits['states'],
        (limits['body'] - FRAME_ROOM) / (FLOAT_BYTES * width),
        limits['answer'] / (FLOAT_BYTES * each),
      ),
    ),
  );
  const parts: BulkPart[] = [];
  for (let first = 0; first < count || first === 0; first += most) {
    const n = Math.min(most, count - first);
    const slice = numbers.subarray(first * width, (first + n) * width);
    parts.push({ params, arrays: { [array]: [n, ...item] }, numbers: slice });
  }
  return parts;
}

/** Throws unless each array of a response has as many items as the request. */
export function requireItems({ arrays }: ResponseFrame, count: number): void {
  for (const [name, { shape }] of Object.entries(arrays))
    if (shape[0] !== count) throw new Error(`the service sent ${shape[0]} items of "${name}", not ${count}`);
}

/** Returns the booleans of an array of 0 and 1 of all responses. */
export function booleansOf(frames: readonly ResponseFrame[], name: string): boolean[] {
  const all: boolean[] = [];
  for (const { arrays } of frames)
    for (let i = 0, { data } = arrays[name]; i < data.length; i++) all.push(data[i] === 1);
  return all;
}

/** Combines responses of `clearance`. */
export function clearancesOf(frames: readonly ResponseFrame[], gradient: boolean): ServiceClearances {
  const pairs = frames.flatMap(({ header, arrays }) => {
    const { pairs: names } = header['result'] as { readonly pairs: readonly (readonly [string, string])[] };
    return Array.from(arrays['pair'].data, (index) => (index < 0 ? null : names[index]));
  });
  const found = { distance: joined(frames, 'distance'), pairs };
  if (!gradient) return found;
  return { ...found, gradient: joined(frames, 'gradient'), differentiable: booleansOf(frames, 'differentiable') };
}

/** Combines responses of `fk`. */
export function posesOf(frames: readonly ResponseFrame[]): ServicePoses {
  const { links } = frames[0].header['result'] as { readonly links: readonly string[] };
  return { links, poses: joined(frames, 'poses') };
}

/** Concatenates an array of all responses. */
function joined(frames: readonly ResponseFrame[], name: string): Float64Array {
  const parts = frames.map(({ arrays }) => arrays[name].data);
  if (parts.length === 1) return parts[0];
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
