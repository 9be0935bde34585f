import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { convexHull, type Hull } from '../../core/hulls/hull.ts';
import { type MeshDecomposer, meshParts } from '../../core/hulls/meshParts.ts';
import { firstBeyond } from '../../core/math/magnitudes.ts';
import { RecentMap } from '../../core/math/recentMap.ts';
import type { PreparedCache } from './prepared/authenticFiles.ts';
import { PARTIAL_CACHE_FILE, readCacheFile, writeCacheFile } from './prepared/cacheFile.ts';
import { computedData, type Prepare, preparedData } from './prepared/preparedData.ts';
import { preparedHulls } from './prepared/preparedHulls.ts';
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
  decompose: (triangles) => decomposeOnce(triangles, cacheFolder()),
};

/** The same methods with a cache in memory only: for commands that verify results of others. */
export const computedMeshParts: typeof meshParts = {
  ...meshParts,
  decompose: (triangles) => decomposeOnce(triangles, undefined),
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

/** The decompositions of this process that were used last, by folder and content. */
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

async function decomposeOnce(triangles: Float64Array, folder: string | undefined): Promise<readonly Hull[]> {
  const { DECOMPOSITION_VERSION } = await import('../../core/hulls/decomposition.ts');
  const { createHash } = await import('node:crypto');
  const bytes = new Uint8Array(triangles.buffer, triangles.byteOffset, triangles.byteLength);
  const key = createHash('sha256').update(`decomposition ${DECOMPOSITION_VERSION}\n`).update(bytes).digest('hex');
  const place = JSON.stringify([folder, key]); // parts from a file do not count as computed
  const before = known.get(place);
  if (before !== undefined) return before;
  const parts = throughDisk(triangles, key, folder);
  known.set(place, parts);
  parts.catch(() => known.delete(place));
  return parts;
}

/**
 * Returns the parts in the cache file of the key if it is valid and its parts cover the mesh; otherwise computes the
 * parts and writes the file.
 */
export async function throughDisk(
  triangles: Float64Array,
  key: string,
  folder: string | undefined,
  make: MeshDecomposer = meshParts.decompose,
): Promise<readonly Hull[]> {
  if (folder === undefined) return make(triangles);
  const file = join(folder, `${key}.json`);
  const cached = await readCached(file, triangles);
  if (cached !== undefined) return cached;
  const parts = await make(triangles);
  await writeCached(file, parts);
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
const CACHE_FILE = /^[0-9a-f]{64}\.(json|hull|mesh|scene|urdf|srdf)$/;

/** Limit of the parts in a cache file. */
const MAX_PARTS = 64;

/**
 * Reads a cache file: a line with the hash of the rest, then the parts. The hash detects damage, not forgery: anybody
 * can compute it. Therefore the parts are accepted only if their hulls cover the mesh and have the stated volumes.
 * Returns undefined for any other file.
 */
async function readCached(file: string, triangles: Float64Array): Promise<readonly Hull[] | undefined> {
  try {
    const text = readCacheFile(file)?.toString('utf8');
    if (text === undefined) return undefined;
    const end = text.indexOf('\n');
    const body = text.slice(end + 1);
    if (end <= 0 || text.slice(0, end) !== (await hashOf(body))) return undefined;
    const parts = hullsOf(JSON.parse(body));
    if (parts === undefined) return undefined;
    const { partsCover } = await import('../../core/hulls/partsCover.ts');
    const isCovered = partsCover(
      triangles,
      parts.map(({ points }) => points),
    );
    return isCovered ? await Promise.all(parts.map(checkedHull)) : undefined;
  } catch {
    return undefined; // unreadable or invalid: computed again
  }
}

/** Returns the value as a list of parts; undefined if it is not one. */
function hullsOf(value: unknown): Hull[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_PARTS) return undefined;
  const isList = (given: unknown, length: number) => Array.isArray(given) && given.length === length;
  const isHull = (part: Partial<Record<keyof Hull, unknown>> | null) => {
    const { points, edges, volume } = part ?? {};
    if (!Array.isArray(points) || points.length === 0 || !Array.isArray(edges) || !Number.isFinite(volume))
      return false;
    const isIndex = (k: unknown) => Number.isInteger(k) && (k as number) >= 0 && (k as number) < points.length;
    const isVertex = (p: unknown) => isList(p, 3) && (p as unknown[]).every(Number.isFinite);
    return (
      points.every((p) => isVertex(p) && firstBeyond(p) < 0) &&
      edges.every((edge) => isList(edge, 2) && (edge as unknown[]).every(isIndex))
    );
  };
  return value.every(isHull) ? value : undefined;
}

/**
 * Relative tolerance between a volume in the file and that of the hull of its vertices: rounding of sums in another
 * order.
 */
const VOLUME_TOLERANCE = 1e-6;

/** Validates a part against the hull of its vertices. Throws if the volume differs. */
async function checkedHull(part: Hull): Promise<Hull> {
  const { volume } = await convexHull(part.points.flat());
  if (!(Math.abs(part.volume - volume) <= VOLUME_TOLERANCE * volume)) throw new Error('the volume is another one');
  return part;
}

/** Writes a cache file. Ignores errors: the next run computes the parts again. */
async function writeCached(file: string, parts: readonly Hull[]): Promise<void> {
  const body = JSON.stringify(parts);
  if (writeCacheFile(file, [Buffer.from(`${await hashOf(body)}\n${body}`)])) await limitCacheFolder(dirname(file));
}

async function hashOf(text: string): Promise<string> {
  const { createHash } = await import('node:crypto'); // few commands need it, and loading takes milliseconds
  return createHash('sha256').update(text).digest('hex');
}
