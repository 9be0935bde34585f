import type * as z from 'zod';
import { InputError, InputErrors } from '../../errors.ts';
import { placeOf } from '../text/sourceText.ts';
import { hasProtoKey, structureDiagnostics } from '../text/structure.ts';
import { threadMessages, watchMessages } from './planningMessages.ts';
import { sessionMessages } from './sessionMessages.ts';

export type { RawPose } from './messageParts.ts';
export type { RawServiceBody } from './sceneMessages.ts';

/**
 * Messages of the service by method. The service validates requests with them, and its documentation is generated from
 * them.
 */
export const serviceMessages = { ...sessionMessages, ...threadMessages, ...watchMessages };

/** Name of a method that runs on the thread of the sessions. */
export type SessionMethodName = keyof typeof sessionMessages;
/** Name of a method that runs on a worker thread. */
export type ThreadMethodName = keyof typeof threadMessages;
/** Name of a method about watched motions. */
export type WatchMethodName = keyof typeof watchMessages;
/** Name of a method of the service. */
export type MethodName = keyof typeof serviceMessages;
/** Parameters of a method of the service, as JSON values. */
export type Params<M extends MethodName> = z.infer<(typeof serviceMessages)[M]['params']>;

/** Result of each method of the service: its fields are described by the JSON schema of the service. */
export type ServiceResults = { readonly [M in MethodName]: z.infer<(typeof serviceMessages)[M]['result']> };

/** Validates the parameters of a method and returns them. Throws `InputError` that names each invalid value. */
export function readParams<M extends MethodName>(method: M, params: unknown): Params<M> {
  const given = params ?? {};
  return checked(serviceMessages[method].params, given, []) as Params<M>;
}

/** Validates parameters with a schema. Throws `InputError` that names each invalid value. */
export function readWith<S extends z.ZodType>(schema: S, params: unknown): z.infer<S> {
  return checked(schema, params, []) as z.infer<S>;
}

/** Number of list items that are validated together. */
const ITEMS_AT_ONCE = 256;

/**
 * As `readParams`, for messages with many items of `states`, `motions` and `times`: of these only the invalid ones
 * among the first few hundred with an invalid one are reported.
 */
export function readLongParams<M extends MethodName>(method: M, params: object): Params<M> {
  const shape: Readonly<Record<string, unknown>> = serviceMessages[method].params.shape;
  const lists = Object.entries(params).filter(
    ([key, list]) => (key === 'states' || key === 'motions' || key === 'times') && key in shape && Array.isArray(list),
  );
  const rest = readParams(method, { ...params, ...Object.fromEntries(lists.map(([key]) => [key, []])) });
  for (const [key, list] of lists as [string, unknown[]][]) {
    const schema = (shape[key] as z.ZodOptional<z.ZodType>).unwrap() as z.ZodType;
    for (let from = 0; from < list.length; from += ITEMS_AT_ONCE)
      checked(schema, list.slice(from, from + ITEMS_AT_ONCE), [key], from);
  }
  return { ...rest, ...Object.fromEntries(lists) };
}

/**
 * Validates a value with a schema.
 * @param first index of the first item if the value is a part of a list
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
