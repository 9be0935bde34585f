import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Hull } from '../formats/hull.ts';
import { type MeshParts, meshParts } from '../formats/meshParts.ts';
import { readText } from './readFiles.ts';
import { WholeFile } from './wholeFile.ts';

/** The ways to cover meshes with convex parts; decompositions are kept in memory and on disk, by the content of the mesh. */
export const cachedMeshParts: typeof meshParts = { ...meshParts, decompose: decomposeOnce };

/** Bytes; larger files are not read. */
const LARGEST_PARTS = 256 * 1024 * 1024;

/** Decompositions of this process. */
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

async function decomposeOnce(triangles: Float64Array): Promise<readonly Hull[]> {
  const { DECOMPOSITION_VERSION } = await import('../formats/decomposition.ts');
  const { createHash } = await import('node:crypto');
  const bytes = new Uint8Array(triangles.buffer, triangles.byteOffset, triangles.byteLength);
  const key = createHash('sha256').update(`decomposition ${DECOMPOSITION_VERSION}\n`).update(bytes).digest('hex');
  const before = known.get(key);
  if (before !== undefined) return before;
  const parts = throughDisk(triangles, key, cacheFolder());
  known.set(key, parts);
  parts.catch(() => known.delete(key));
  return parts;
}

/** What the file of that key holds; where there is none, or it is not as it was written, the parts are made and written. */
export async function throughDisk(
  triangles: Float64Array,
  key: string,
  folder: string | undefined,
  make: MeshParts = meshParts.decompose,
): Promise<readonly Hull[]> {
  if (folder === undefined) return make(triangles);
  const file = join(folder, `${key}.json`);
  const kept = await readKept(file);
  if (kept !== undefined) return kept;
  const parts = await make(triangles);
  await keep(file, parts);
  return parts;
}

/** A line with the hash of what follows, then the parts: whatever has been changed or cut off since is not taken. */
async function readKept(file: string): Promise<readonly Hull[] | undefined> {
  const text = await readText(file, LARGEST_PARTS).catch(() => '');
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  return end > 0 && text.slice(0, end) === (await hashOf(body)) ? (JSON.parse(body) as readonly Hull[]) : undefined;
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
