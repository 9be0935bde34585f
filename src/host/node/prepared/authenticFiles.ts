import type { BinaryLike } from 'node:crypto';
import { join } from 'node:path';
import { readCacheFile, writeCacheFile } from './cacheFile.ts';
import { userKey } from './userKey.ts';

/** Bytes of a message authentication code. */
const CODE_SIZE = 32;

/** Where prepared data is kept, and what authenticates it. */
export interface PreparedCache {
  readonly folder: string;
  /** Identifies the sources of this program: data that others computed is not used. */
  readonly sources: string;
  /** File of the secret of the user. */
  readonly keyFile: string;
  /** Is called after a file of some bytes was written. */
  readonly limit: (folder: string, bytes: number) => Promise<unknown>;
}

/** A file of the cache, named after its kind, the sources and the inputs of the computation. */
export interface AuthenticFile {
  /** Returns the content that this user's program wrote for these inputs; undefined if there is none. */
  readonly read: () => Uint8Array | undefined;
  /** Writes the content. Ignores errors: the next run computes it again. */
  readonly write: (content: Uint8Array) => Promise<void>;
}

/**
 * Returns the file that keeps what is computed from the inputs. It starts with a code (HMAC-SHA-256) of its name and
 * content under a secret of the user, which is outside of the folder: damaged and changed files, those of other users,
 * and those of other inputs, kinds or sources under this name are not read. Whoever knows the secret may also change
 * the program. Returns undefined without a private secret.
 */
export async function authenticFile(
  { folder, sources, keyFile, limit }: PreparedCache,
  kind: string,
  inputs: readonly (string | Uint8Array)[],
): Promise<AuthenticFile | undefined> {
  const { createHash, createHmac, randomBytes, timingSafeEqual } = await import('node:crypto');
  const key = userKey(keyFile, randomBytes);
  if (key === undefined) return undefined;
  const hash = createHash('sha256').update(`${kind} ${sources}\n`);
  for (const input of inputs) hash.update(`${Buffer.byteLength(input)}\n`).update(input as BinaryLike);
  const name = hash.digest('hex');
  const codeOf = (content: Uint8Array) => createHmac('sha256', key).update(`${name}\n`).update(content).digest();
  const file = join(folder, `${name}.${kind}`);
  return {
    read() {
      const read = readCacheFile(file);
      if (read === undefined || read.length < CODE_SIZE) return undefined;
      const content = read.subarray(CODE_SIZE);
      return timingSafeEqual(codeOf(content), read.subarray(0, CODE_SIZE)) ? content : undefined;
    },
    async write(content) {
      if (writeCacheFile(file, [codeOf(content), content])) await limit(folder, CODE_SIZE + content.length);
    },
  };
}
