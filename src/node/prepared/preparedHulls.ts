import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { convexSpec, type MeshDecomposer } from '../../hulls/meshParts.ts';
import { createShape } from '../../shapes/index.ts';
import { keepPrepared } from '../../shapes/preparedConvex.ts';
import { AtomicFile } from '../atomicFile.ts';
import { decodeHull, encodeHull } from './hullContent.ts';
import { userKey } from './userKey.ts';

/** Hulls of meshes with fewer triangles are computed as fast as they are read. */
const MIN_TRIANGLES = 20;
/** Largest file, bytes. */
const MAX_FILE_SIZE = 64 * 1024 * 1024;
/** Bytes of a message authentication code. */
const CODE_SIZE = 32;

/** Where prepared hulls are kept, and what authenticates them. */
export interface HullCache {
  readonly folder: string;
  /** Identifies the sources of this program: hulls that others computed are not used. */
  readonly sources: string;
  /** File of the secret of the user. */
  readonly keyFile: string;
  /** Is called after a file was written. */
  readonly limit: (folder: string) => Promise<void>;
}

/**
 * Returns a method that computes the hull of a mesh and the search structure of its shape, or reads both from a file of
 * the folder, in a third of the time; `createShape` then returns that shape. The file starts with a code (HMAC-SHA-256)
 * of mesh, sources and content under a secret of the user, which is outside of the folder: damaged and changed files,
 * those of other users, and those of other meshes or sources under this name are computed again. Whoever knows the
 * secret may also change the program. (To prove a search structure without it takes as long as to compute it.)
 */
export function preparedHulls({ folder, sources, keyFile, limit }: HullCache, compute: MeshDecomposer): MeshDecomposer {
  return async (triangles) => {
    if (triangles.length < 9 * MIN_TRIANGLES) return compute(triangles);
    const { createHash, createHmac, randomBytes, timingSafeEqual } = await import('node:crypto');
    const key = userKey(keyFile, randomBytes);
    if (key === undefined) return compute(triangles);
    const bytes = new Uint8Array(triangles.buffer, triangles.byteOffset, triangles.byteLength);
    const name = createHash('sha256').update(`hull ${sources}\n`).update(bytes).digest('hex');
    const codeOf = (content: Uint8Array) => createHmac('sha256', key).update(`${name}\n`).update(content).digest();
    const file = join(folder, `${name}.hull`);
    const read = readFile(file);
    const content = read?.subarray(CODE_SIZE);
    if (content && timingSafeEqual(codeOf(content), read!.subarray(0, CODE_SIZE))) {
      const found = decodeHull(content);
      if (found) {
        keepPrepared(convexSpec(found.hull), found.prepared);
        return [found.hull];
      }
    }
    const hulls = await compute(triangles);
    const [hull] = hulls;
    if (hulls.length !== 1 || hull.points.length === 0) return hulls;
    const made = encodeHull(hull, createShape(convexSpec(hull)));
    if (await isWritten(file, [codeOf(made), made])) await limit(folder);
    return hulls;
  };
}

/** Reads a file of the folder; undefined if there is none. */
function readFile(file: string): Uint8Array | undefined {
  try {
    const about = lstatSync(file);
    if (!about.isFile() || about.size < CODE_SIZE || about.size > MAX_FILE_SIZE) return undefined;
    const read = readFileSync(file);
    return read.length >= CODE_SIZE ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a file; returns false if that fails: the next run computes the hull again. */
async function isWritten(file: string, parts: readonly Uint8Array[]): Promise<boolean> {
  try {
    const whole = new AtomicFile(file);
    for (const part of parts) await whole.write(part);
    whole.commit();
    return true;
  } catch {
    return false;
  }
}
