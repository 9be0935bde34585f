import { dirname, resolve } from 'node:path';
import { scaled } from '../formats/pointCloud.ts';
import { readVisuals, type VisualDraft } from '../formats/urdfVisuals.ts';
import type { Visual } from '../tasks/page.ts';
import { type Packages, readMeshes } from './meshFiles.ts';
import { readText } from './readFiles.ts';
import { locateRobot } from './robots.ts';
import type { LoadedScene } from './scenes.ts';

/**
 * How a robot looks, for the page: its visual shapes and meshes, from the folders that its collision meshes may come from. A mesh that is
 * missing or broken is left out: nothing depends on it.
 */
export async function loadVisuals(urdfFile: string, packages: Packages): Promise<Visual[]> {
  const drafts = await readVisuals(await readText(urdfFile), urdfFile);
  const visuals = await Promise.all(drafts.map((draft) => visualOf(draft, urdfFile, packages)));
  return visuals.filter((visual) => visual !== undefined);
}

/** The same for the robot of a scene. */
export async function loadSceneVisuals({ scene, file }: Pick<LoadedScene, 'scene' | 'file'>): Promise<Visual[]> {
  const { name = '', urdf, packages } = scene.robot;
  const from = (path: string) => resolve(dirname(file), path);
  const located = urdf === undefined ? locateRobot(name, {}).urdf : from(urdf);
  return loadVisuals(located, Object.fromEntries(Object.entries(packages).map(([key, path]) => [key, from(path)])));
}

async function visualOf(draft: VisualDraft, file: string, packages: Packages): Promise<Visual | undefined> {
  const { link, pose, color, shape, mesh, line } = draft;
  const look = { link, pose, ...(color ? { color } : {}) };
  if (shape) return { ...look, shape };
  if (!mesh) return undefined;
  const { address, scale } = mesh;
  const meshes = await readMeshes({ file, meshes: [{ address, line, link }] }, packages).catch(() => undefined);
  const points = meshes?.get(address)?.points;
  if (!points) return undefined;
  const corners = Float32Array.from(scaled(points, scale));
  return { ...look, triangles: Buffer.from(corners.buffer).toString('base64') };
}
