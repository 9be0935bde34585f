import { dirname, resolve } from 'node:path';
import { InputError } from '../errors.ts';
import { readVisuals, type VisualDraft } from '../formats/robots/urdfVisuals.ts';
import { scaled } from '../hulls/pointCloud.ts';
import type { Visual } from '../tasks/pictures/page.ts';
import { findMissingMeshes, type Packages, readMeshes } from './meshFiles.ts';
import { readText } from './readFiles.ts';
import { locateRobot } from './robots.ts';
import type { LoadedScene } from './scenes.ts';

/** Visual geometry of a robot, and a warning for each mesh that is missing or cannot be read. */
export interface LoadedVisuals {
  readonly visuals: readonly Visual[];
  readonly warnings: readonly string[];
}

/**
 * Loads the visual geometry of a robot for the page, from the same folders as its collision meshes. Skips a missing or
 * broken mesh with a warning: no collision check depends on it.
 */
export async function loadVisuals(urdfFile: string, packages: Packages): Promise<LoadedVisuals> {
  const drafts = await readVisuals(await readText(urdfFile), urdfFile);
  const warnings = new Set<string>();
  const visuals = await Promise.all(drafts.map((draft) => visualOf(draft, urdfFile, packages, warnings)));
  return { visuals: visuals.filter((visual) => visual !== undefined), warnings: [...warnings] };
}

/** Loads the visual geometry of the robot of a scene. */
export async function loadSceneVisuals({ scene, file }: Pick<LoadedScene, 'scene' | 'file'>): Promise<LoadedVisuals> {
  const { name = '', urdf, packages } = scene.robot;
  const from = (path: string) => resolve(dirname(file), path);
  const located = urdf === undefined ? locateRobot(name, {}).urdf : from(urdf);
  return loadVisuals(located, Object.fromEntries(Object.entries(packages).map(([key, path]) => [key, from(path)])));
}

/** Returns a warning for each visual mesh of a robot that cannot be found. */
export async function missingVisuals(nameOrPath: string, packages: Packages): Promise<readonly string[]> {
  const { urdf: file } = locateRobot(nameOrPath, {});
  const drafts = await readVisuals(await readText(file), file);
  const meshes = drafts.flatMap(({ link, line, mesh }) => (mesh ? [{ address: mesh.address, line, link }] : []));
  const missing = await findMissingMeshes({ file, meshes }, packages);
  return missing.map(({ message }) => visualWarning(message));
}

async function visualOf(
  draft: VisualDraft,
  file: string,
  packages: Packages,
  warnings: Set<string>,
): Promise<Visual | undefined> {
  const { link, pose, color, shape, mesh, line } = draft;
  const appearance = { link, pose, ...(color ? { color } : {}) };
  if (shape) return { ...appearance, shape };
  if (!mesh) return undefined;
  const { address, scale } = mesh;
  const meshes = await readMeshes({ file, meshes: [{ address, line, link }] }, packages).catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error;
    warnings.add(visualWarning(error.message));
    return undefined;
  });
  const points = meshes?.get(address)?.points;
  if (!points) return undefined;
  const vertices = Float32Array.from(scaled(points, scale));
  return { ...appearance, triangles: Buffer.from(vertices.buffer).toString('base64') };
}

function visualWarning(message: string): string {
  return `${message} (visual geometry: not needed for collision checking)`;
}
