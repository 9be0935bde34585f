import { sha256 } from '../math/sha256.ts';

/** Keys of a resolved scene that its hash does not cover: texts for readers, and files that others name by hash. */
const UNHASHED: ReadonlySet<string> = new Set(['name', 'description', 'hashes', 'meshes']);

/** The hashes by which a certificate names what it is about. */
export interface SceneIdentity {
  /** SHA-256 of the resolved scene: of its canonical JSON without name, description, hashes and meshes. */
  readonly scene_hash: string;
  /** SHA-256 of the canonical JSON of its robot. */
  readonly robot_hash: string;
}

/** Returns the hashes of a resolved scene. */
export function identityOf(resolved: Readonly<Record<string, unknown>>): SceneIdentity {
  const hashed = Object.fromEntries(Object.entries(resolved).filter(([key]) => !UNHASHED.has(key)));
  return { scene_hash: sha256(canonicalJson(hashed)), robot_hash: sha256(canonicalJson(resolved.robot)) };
}

/** Returns JSON without blanks whose keys are sorted by their UTF-16 code units [RFC8785]. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
}
