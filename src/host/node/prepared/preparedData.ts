import { deserialize, serialize } from 'node:v8';
import { authenticFile, type PreparedCache } from './authenticFiles.ts';

/** What is computed from texts and meshes: the kinds of files that keep it. */
export type DataKind = 'scene' | 'urdf' | 'srdf' | 'mesh' | 'parts';

/**
 * Computes plain data from texts and contents of files, or returns what was computed from equal inputs before. The
 * inputs must determine the result, unless `isCurrent` decides whether data is still valid: other data is computed
 * again, and not kept if it is not valid even then. The data of each kind has one type.
 */
export type Prepare = <T>(
  kind: DataKind,
  inputs: readonly (string | Uint8Array)[],
  compute: () => Promise<T>,
  isCurrent?: (data: T) => boolean,
) => Promise<T>;

/** Longer texts are not kept. */
const MAX_LENGTH = 8 * 1024 * 1024;

/**
 * Returns the function that reads data from files of the cache or computes and writes it. Structured clones preserve
 * all plain data: -0, NaN, undefined, keys `__proto__`, and values that occur more than once.
 */
export function preparedData(cache: PreparedCache): Prepare {
  return async (kind, inputs, compute, isCurrent = () => true) => {
    if (inputs.some((input) => typeof input === 'string' && input.length > MAX_LENGTH)) return compute();
    const file = await authenticFile(cache, kind, [process.versions.v8, ...inputs]); // the format of clones is V8's
    const content = file?.read();
    const kept = content && deserialize(content);
    if (content && isCurrent(kept)) return kept;
    const data = await compute();
    if (isCurrent(data)) await file?.write(serialize(data));
    return data;
  };
}

/** Computes data without a cache. */
export const computedData: Prepare = (_kind, _inputs, compute) => compute();
