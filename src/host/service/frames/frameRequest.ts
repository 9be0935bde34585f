import { MAX_JOINT_VALUE } from '../../../core/math/magnitudes.ts';
import { type FrameMethodName, type FrameParams, frameMessages } from '../../../formats/schemas/frameMessages.ts';
import { readWith } from '../../../formats/schemas/serviceMessages.ts';
import { type Request, RpcError } from '../jsonRpc.ts';
import { malformed, type RawFrame } from './binaryFrame.ts';

/** Keys of the header of a request. */
const HEADER_KEYS = ['jsonrpc', 'id', 'method', 'params', 'arrays'];

/** A request as a frame, validated. */
export interface FrameRequest {
  readonly method: FrameMethodName;
  readonly params: FrameParams<FrameMethodName>;
  /** Number of items along the first dimension. */
  readonly count: number;
  /** All items in row-major order; joint values of states and motions are finite. */
  readonly data: Float64Array;
}

/**
 * Validates a request of a frame. Throws `RpcError` or `InputError`: the array must be the one of the method, its shape
 * must fit the robot and the payload, and joint values must be finite.
 * @param sizes `dof`: number of planned joints; `maxStates`: limit of states or motions; points have another one
 */
export function readFrameRequest(
  { method, params }: Request,
  { header, payload }: RawFrame,
  { dof, maxStates }: { readonly dof: number; readonly maxStates: number },
): FrameRequest {
  if (!isFrameMethod(method))
    throw new RpcError('invalidParams', `frame: ${method} is a method for JSON messages`, `Frames are for ${listed}.`);
  const unknown = Object.keys(header as object).find((key) => !HEADER_KEYS.includes(key));
  if (unknown !== undefined)
    throw malformed(`the header has an unknown key "${unknown.slice(0, 100)}"; its keys are ${HEADER_KEYS.join(', ')}`);
  const { array } = frameMessages[method];
  const { arrays } = header as { readonly arrays?: unknown };
  const widths = { joints: dof, point: hasVelocities(arrays, dof) ? 1 + 2 * dof : 1 + dof } as const;
  const expected = array.shape.map((size) => (size === 'joints' || size === 'point' ? widths[size] : size));
  const shape = shapeOf(arrays, array.name, expected);
  const [count] = shape;
  const areStates = method !== 'scene.add' && method !== 'gate.propose';
  if (areStates && count > maxStates)
    throw new RpcError(
      'invalidParams',
      `frame: arrays.${array.name} has ${count} items, the limit is ${maxStates}`,
      `Send at most ${maxStates} items in a message.`,
    );
  const length = shape.reduce((product, size) => product * size, 1);
  if (length !== payload.length)
    throw malformed(
      `arrays.${array.name} of shape [${shape.join(', ')}] has ${8 * length} bytes, the payload ${payload.byteLength}`,
    );
  if (areStates) requireJointValues(payload, array.name, expected.slice(1) as number[]);
  return { method, params: readWith(frameMessages[method].params, params ?? {}), count, data: payload };
}

const listed = Object.keys(frameMessages).join(', ');

/** Returns true if a method accepts binary frames. */
export const isFrameMethod = (method: string): method is FrameMethodName => Object.hasOwn(frameMessages, method);

/** Returns true if timed points are stated to be as wide as those with velocities. */
const hasVelocities = (arrays: unknown, dof: number): boolean =>
  (arrays as { readonly points?: readonly unknown[] } | undefined)?.points?.[1] === 1 + 2 * dof;

/** Reads the shape of the only array of a request. Throws `RpcError` if it does not fit. */
function shapeOf(arrays: unknown, name: string, expected: readonly (number | string)[]): readonly number[] {
  const form = `"arrays": {"${name}": [${expected.join(', ')}]}`;
  if (typeof arrays !== 'object' || arrays === null || Array.isArray(arrays) || !Object.hasOwn(arrays, name))
    throw malformed(`the header has no array "${name}"; the header contains ${form}`);
  const other = Object.keys(arrays).find((key) => key !== name);
  if (other !== undefined) throw malformed(`unknown array "${other.slice(0, 100)}"; the header contains ${form}`);
  const shape = (arrays as Readonly<Record<string, unknown>>)[name];
  const fits =
    Array.isArray(shape) &&
    shape.length === expected.length &&
    shape.every((size, i) => (typeof expected[i] === 'number' ? size === expected[i] : isCount(size)));
  if (!fits) throw malformed(`arrays.${name} is ${JSON.stringify(shape).slice(0, 100)}, not [${expected.join(', ')}]`);
  return shape as number[];
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

/** Throws `RpcError` with the place of the first number that is not finite, or that no joint value can be. */
function requireJointValues(data: Float64Array, name: string, sizes: readonly number[]): void {
  for (let at = 0; at < data.length; at++) {
    if (Math.abs(data[at]) <= MAX_JOINT_VALUE) continue; // false for NaN
    let rest = at;
    const place: number[] = [];
    for (const size of [...sizes].reverse()) {
      place.unshift(rest % size);
      rest = Math.floor(rest / size);
    }
    const rule = Number.isFinite(data[at]) ? `the limit is ±${MAX_JOINT_VALUE}` : 'numbers must be finite';
    throw malformed(`${name}[${[rest, ...place].join('][')}] is ${data[at]}: ${rule}`);
  }
}
