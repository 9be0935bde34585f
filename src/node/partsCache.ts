import { lstat, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { convexHull, type Hull } from '../hulls/hull.ts';
import { type MeshParts, meshParts } from '../hulls/meshParts.ts';
import { firstBeyond } from '../math/magnitudes.ts';
import { FEWEST_TO_CLIMB } from '../shapes/polytope.ts';
import { WholeFile } from './atomicFile.ts';

/** The ways to cover meshes with convex parts; decompositions are kept in memory and on disk, by the content of the mesh. */
export const cachedMeshParts: typeof meshParts = {
  ...meshParts,
  decompose: (triangles) => decomposeOnce(triangles, cacheFolder()),
};

/** The same without files: for commands that prove what others computed. Decompositions are kept in memory only. */
export const computedMeshParts: typeof meshParts = {
  ...meshParts,
  decompose: (triangles) => decomposeOnce(triangles, undefined),
};

/** Decompositions of this process, by folder and content. */
const known = new Map<string, Promise<readonly Hull[]>>();

/**
 * The folder for decompositions: `elbowroom` in `$XDG_CACHE_HOME`, or else in `~/.cache`. `ELBOWROOM_CACHE` names another folder;
 * undefined where it is `off`.
 */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const { ELBOWROOM_CACHE: own, XDG_CACHE_HOME: caches } = environment;
  if (own === 'off') return undefined;
  return own || join(caches || join(homedir(), '.cache'), 'elbowroom');
}

async function decomposeOnce(triangles: Float64Array, folder: string | undefined): Promise<readonly Hull[]> {
  const { DECOMPOSITION_VERSION } = await import('../hulls/decomposition.ts');
  const { createHash } = await import('node:crypto');
  const bytes = new Uint8Array(triangles.buffer, triangles.byteOffset, triangles.byteLength);
  const key = createHash('sha256').update(`decomposition ${DECOMPOSITION_VERSION}\n`).update(bytes).digest('hex');
  const place = JSON.stringify([folder, key]); // what a file held does not count as computed
  const before = known.get(place);
  if (before !== undefined) return before;
  const parts = throughDisk(triangles, key, folder);
  known.set(place, parts);
  parts.catch(() => known.delete(place));
  return parts;
}

/**
 * The parts in the file of that key, if they cover the mesh; otherwise, and if there is no such file or it is damaged, the parts are computed
 * and written.
 */
export async function throughDisk(
  triangles: Float64Array,
  key: string,
  folder: string | undefined,
  make: MeshParts = meshParts.decompose,
): Promise<readonly Hull[]> {
  if (folder === undefined) return make(triangles);
  const file = join(folder, `${key}.json`);
  const kept = await readKept(file, triangles);
  if (kept !== undefined) return kept;
  const parts = await make(triangles);
  await keep(file, parts);
  return parts;
}

/** Files of more bytes are not the parts of a mesh. */
const LARGEST = 64 * 1024 * 1024;
/** Files of more parts were not written here. */
const MOST_PARTS = 64;

/**
 * A line with the hash of what follows, then the parts. The hash finds damage, not forgery: anybody can compute it. So the parts are
 * taken only if their hulls cover the mesh and have their volumes. Undefined for anything else than a whole,
 * regular file of covering parts.
 */
async function readKept(file: string, triangles: Float64Array): Promise<readonly Hull[] | undefined> {
  try {
    const about = await lstat(file);
    if (!about.isFile() || about.size > LARGEST) return undefined;
    const text = await readFile(file, 'utf8');
    const end = text.indexOf('\n');
    const body = text.slice(end + 1);
    if (end <= 0 || text.slice(0, end) !== (await hashOf(body))) return undefined;
    const parts = hullsOf(JSON.parse(body));
    if (parts === undefined) return undefined;
    const { partsCover } = await import('../hulls/partsCover.ts');
    const isCovered = partsCover(
      triangles,
      parts.map(({ points }) => points),
    );
    return isCovered ? await Promise.all(parts.map(checkedHull)) : undefined;
  } catch {
    return undefined; // unreadable, or no JSON: computed anew
  }
}

/** The parts as they were written; undefined if the value is no list of parts. */
function hullsOf(value: unknown): Hull[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_PARTS) return undefined;
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

/** Relative difference of a volume in the file and of its vertices' hull: rounding of sums in another order. */
const SAME_VOLUME = 1e-6;

/** The part itself. Where edges decide the support (large hulls), those of its vertices' hull. Throws if its volume is another one. */
async function checkedHull(part: Hull): Promise<Hull> {
  const { points, edges, volume } = await convexHull(part.points.flat());
  if (!(Math.abs(part.volume - volume) <= SAME_VOLUME * volume)) throw new Error('the volume is another one');
  if (part.points.length < FEWEST_TO_CLIMB) return part;
  return { ...part, edges: points.length === part.points.length ? edges : [] };
}

/** A cache that cannot be written is no reason to stop: the next run makes the parts again. */
async function keep(file: string, parts: readonly Hull[]): Promise<void> {
  const body = JSON.stringify(parts);
  try {
    const whole = new WholeFile(file);
    await whole.write(`${await hashOf(body)}\n${body}`);
    whole.commit();
  } catch {}
}

async function hashOf(text: string): Promise<string> {
  const { createHash } = await import('node:crypto'); // few commands need it, and it takes milliseconds to load
  return createHash('sha256').update(text).digest('hex');
}
