import { type MethodName, type Params, readLongParams } from '../../formats/schemas/serviceMessages.ts';
import { RpcError } from './jsonRpc.ts';

/** Limits of one request besides its states or motions: number of values, and characters of a string. */
const MAX_VALUES = 50_000;
const MAX_TEXT_LENGTH = 10_000;

/** Reads the parameters of a large message, of which all but states and motions must be small. */
export function readLarge(method: MethodName, params: object): Params<MethodName> {
  const { states, motions, ...rest } = params as Readonly<Record<string, unknown>>;
  const open: unknown[] = [rest];
  let left = MAX_VALUES;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    const isLong = typeof value === 'string' && value.length > MAX_TEXT_LENGTH;
    const length = Array.isArray(value) ? value.length : 0;
    const items = typeof value === 'object' && value !== null && length <= left ? Object.entries(value) : [];
    left -= Math.max(length, items.length);
    if (isLong || left < 0 || items.some(([key]) => key.length > MAX_TEXT_LENGTH))
      throw new RpcError(
        'tooLarge',
        `params: more than ${MAX_VALUES} values, or a text of more than ${MAX_TEXT_LENGTH}`,
      );
    for (const [, item] of items)
      if ((typeof item === 'object' && item !== null) || typeof item === 'string') open.push(item);
  }
  return readLongParams(method, params);
}
