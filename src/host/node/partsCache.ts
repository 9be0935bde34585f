import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Hull } from '../../core/hulls/hull.ts';
import { convexSpec, type MeshDecomposer, meshParts } from '../../core/hulls/meshParts.ts';
import { RecentMap } from '../../core/math/recentMap.ts';
import { createShape } from '../../core/shapes/index.ts';
import { keepPrepared } from '../../core/shapes/preparedConvex.ts';
import { authenticFile, type PreparedCache } from './prepared/authenticFiles.ts';
import { PARTIAL_CACHE_FILE } from './prepared/cacheFile.ts';
import { decodeHull, encodeHull } from './prepared/hullContent.ts';
import { computedData, type Prepare, preparedData } from './prepared/preparedData.ts';
import { userKeyFile } from './prepared/userKey.ts';

/** Hash of all sources, which the build inserts: equal sources compute equal results. */
declare const ELBOWROOM_SOURCES: string | undefined;

/**
 * The methods that cover meshes with convex parts. Hulls are cached on disk, and decompositions in memory and on disk,
 * by the content of the mesh.
 */
export const cachedMeshParts: typeof meshParts = {
  hull(triangles) {
    const cache = preparedCache();
    return cache === undefined ? meshParts.hull(triangles) : preparedHulls(cache, meshParts.hull)(triangles);
  },
  decompose: (triangles) => decomposeOnce(triangles, cachedData),
};

/** The same methods with a cache in memory only: for commands that verify results of others. */
export const computedMeshParts: typeof meshParts = {
  ...meshParts,
  decompose: (triangles) => decomposeOnce(triangles, computedData),
};

/** Reads what was computed from texts of scenes and robots, or computes it and writes it to the cache. */
export const cachedData: Prepare = (...given) => {
  const cache = preparedCache();
  return (cache === undefined ? computedData : preparedData(cache))(...given);
};

/** Returns where data is kept; undefined for sources that were not built, which may change from run to run. */
function preparedCache(): PreparedCache | undefined {
  const sources = typeof ELBOWROOM_SOURCES === 'string' ? ELBOWROOM_SOURCES : undefined;
  const folder = sources === undefined ? undefined : cacheFolder();
  if (sources === undefined || folder === undefined) return undefined;
  return { folder, sources, keyFile: userKeyFile(), limit: limitAfterWriting };
}

/** The decompositions of this process that were used last, by origin and content. */
const known = new RecentMap<string, Promise<readonly Hull[]>>(256);

/**
 * Returns the cache folder of hulls and decompositions: `elbowroom` in `$XDG_CACHE_HOME`, or else in `~/.cache`.
 * `ELBOWROOM_CACHE` names another folder; undefined if it is `off`.
 */
export function cacheFolder(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const { ELBOWROOM_CACHE: own, XDG_CACHE_HOME: caches } = environment;
  if (own === 'off') return undefined;
  return own || join(caches || join(homedir(), '.cache'), 'elbowroom');
}

async function decomposeOnce(triangles: Float64Array, prepare: Prepare): Promise<readonly Hull[]> {
  const { createHash } = await import('node:crypto'); // few commands need it, and loading takes milliseconds
  const bytes = new Uint8Array(triangles.buffer, triangles.byteOffset, triangles.byteLength);
  const content = createHash('sha256').update(bytes).digest('hex');
  const place = `${prepare === cachedData} ${content}`; // parts from a file do not count as computed
  const before = known.get(place);
  if (before !== undefined) return before;
  const parts = prepare('parts', [bytes], () => meshParts.decompose(triangles));
  known.set(place, parts);
  parts.catch(() => known.delete(place));
  return parts;
}

/** Limits of all cache files of a folder: bytes and number. */
const MAX_FOLDER_SIZE = 256 * 1024 * 1024;
const MAX_FOLDER_FILES = 1000;
/** Share of the limits that is kept when one is exceeded, so that the folder is not listed at each further file. */
const KEPT_SHARE = 7 / 8;
/** Incomplete files that were written longer ago are those of processes that were killed, ms. */
const MAX_PARTIAL_AGE = 3_600_000;

/**
 * If a folder has more than `most` cache files, or more than `largest` bytes of them, removes those that were written
 * longest ago, until 7/8 of both remain. Only files with the name of a key are counted and removed, and incomplete
 * files of processes that were killed. Ignores errors: another process may remove the same files. Returns what is left.
 */
export async function limitCacheFolder(
  folder: string,
  largest = MAX_FOLDER_SIZE,
  most = MAX_FOLDER_FILES,
): Promise<{ readonly size: number; readonly count: number }> {
  let [size, count] = [0, 0];
  try {
    const all = readdirSync(folder);
    removeAbandoned(folder, all);
    const names = all.filter((name) => CACHE_FILE.test(name));
    const files = names.map((name) => ({ file: join(folder, name), about: lstatSync(join(folder, name)) }));
    size = files.reduce((sum, { about }) => sum + about.size, 0);
    count = files.length;
    if (size <= largest && count <= most) return { size, count };
    for (const { file, about } of files.sort((a, b) => a.about.mtimeMs - b.about.mtimeMs)) {
      if (size <= KEPT_SHARE * largest && count <= Math.ceil(KEPT_SHARE * most)) break;
      rmSync(file, { force: true });
      size -= about.size;
      count--;
    }
  } catch {}
  return { size, count };
}

/** Removes incomplete files of processes that were killed while they wrote them. */
function removeAbandoned(folder: string, names: readonly string[]): void {
  const now = Date.now();
  for (const name of names.filter((one) => PARTIAL_CACHE_FILE.test(one))) {
    const file = join(folder, name);
    if (now - lstatSync(file).mtimeMs > MAX_PARTIAL_AGE) rmSync(file, { force: true });
  }
}

/** Bytes and number of files in each folder, since it was listed. */
const contents = new Map<string, { readonly size: number; readonly count: number }>();

/**
 * Limits a cache folder after a file was written. The folder is listed at the first file of this process, and when its
 * own files exceed a limit: a robot has dozens.
 */
export async function limitAfterWriting(folder: string, bytes: number): Promise<void> {
  const before = contents.get(folder);
  const now = before && { size: before.size + bytes, count: before.count + 1 };
  const isWithin = now !== undefined && now.size <= MAX_FOLDER_SIZE && now.count <= MAX_FOLDER_FILES;
  contents.set(folder, isWithin ? now : await limitCacheFolder(folder));
}

/** Names of cache files: decompositions, hulls, meshes, texts of scenes and robots. */
const CACHE_FILE = /^[0-9a-f]{64}\.(parts|hull|mesh|scene|urdf|srdf)$/;

/** Hulls of meshes with fewer triangles are computed as fast as they are read. */
const MIN_TRIANGLES = 20;

/**
 * Returns a method that computes the hull of a mesh and the search structure of its shape, or reads both from a file of
 * the cache, in a third of the time; `createShape` then returns that shape. (To prove a search structure that is not
 * authentic takes as long as to compute it.)
 */
export function preparedHulls(cache: PreparedCache, compute: MeshDecomposer): MeshDecomposer {
  return async (triangles) => {
    if (triangles.length < 9 * MIN_TRIANGLES) return compute(triangles);
    const bytes = new Uint8Array(triangles.buffer, triangles.byteOffset, triangles.byteLength);
    const file = await authenticFile(cache, 'hull', [bytes]);
    if (file === undefined) return compute(triangles);
    const content = file.read();
    const found = content && decodeHull(content);
    if (found) {
      keepPrepared(convexSpec(found.hull), found.vertices, found.prepared);
      return [found.hull];
    }
    const hulls = await compute(triangles);
    const [hull] = hulls;
    if (hulls.length === 1 && hull.points.length > 0) await file.write(encodeHull(hull, createShape(convexSpec(hull))));
    return hulls;
  };
}
