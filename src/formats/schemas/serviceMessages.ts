import type * as z from 'zod';
import { InputError, InputErrors } from '../../errors.ts';
import { placeOf } from '../text/sourceText.ts';
import { hasProtoKey, structureDiagnostics } from '../text/structure.ts';
import { threadMessages, watchMessages } from './planningMessages.ts';
import { slicedMessages } from './slicedMessages.ts';

export type { RawPose, RawServiceBody } from './slicedMessages.ts';

/**
 * Messages of the service by method. The service validates requests with them, and its documentation is generated from
 * them.
 */
export const serviceMessages = { ...slicedMessages, ...threadMessages, ...watchMessages };

/** Name of a method that runs on the main thread. */
export type SlicedMethodName = keyof typeof slicedMessages;
/** Name of a method that runs on a worker thread. */
export type ThreadMethodName = keyof typeof threadMessages;
/** Name of a method about watched motions. */
export type WatchMethodName = keyof typeof watchMessages;
/** Name of a method of the service. */
export type MethodName = keyof typeof serviceMessages;
/** Parameters of a method of the service, as JSON values. */
export type Params<M extends MethodName> = z.infer<(typeof serviceMessages)[M]['params']>;

/** Validates the parameters of a method and returns them. Throws `InputError` that names each invalid value. */
export function readParams<M extends MethodName>(method: M, params: unknown): Params<M> {
  const given = params ?? {};
  return checked(serviceMessages[method].params, given, []) as Params<M>;
}

/** Validates parameters with a schema. Throws `InputError` that names each invalid value. */
export function readWith<S extends z.ZodType>(schema: S, params: unknown): z.infer<S> {
  return checked(schema, params, []) as z.infer<S>;
}

/** Number of list items that are validated between two yields. */
const ITEMS_PER_SLICE = 256;

/**
 * As `readParams`, but yields after every few hundred items of `states`, `motions` and `times`, so that other requests
 * can run. Of these items only the invalid ones in the first invalid slice are reported.
 */
export function* readParamsInSlices<M extends MethodName>(
  method: M,
  params: unknown,
): Generator<undefined, Params<M>, undefined> {
  const shape: Readonly<Record<string, unknown>> = serviceMessages[method].params.shape;
  if (typeof params !== 'object' || params === null) return readParams(method, params);
  const lists = Object.entries(params).filter(
    ([key, list]) => (key === 'states' || key === 'motions' || key === 'times') && key in shape && Array.isArray(list),
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
