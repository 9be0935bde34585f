import { dirname, resolve } from 'node:path';
import { scaled } from '../../core/hulls/pointCloud.ts';
import type { StatedRobotFiles } from '../../core/scene/statedRobot.ts';
import { InputError } from '../../errors.ts';
import type { Urdf } from '../../formats/robots/urdf.ts';
import { readVisuals, type VisualDraft } from '../../formats/robots/urdfVisuals.ts';
import type { Visual } from '../../tasks/pictures/page.ts';
import { findMissingMeshes, type Packages, readMeshes } from './meshFiles.ts';
import { readText } from './readFiles.ts';
import { locateRobot, type RobotFiles, readLinks } from './robots.ts';
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
export async function loadVisuals(robotFile: string, files: RobotSource): Promise<LoadedVisuals> {
  const urdf = await readLinks(await readText(robotFile), robotFile, files);
  const { packages = {} } = files;
  const warnings = new Set<string>();
  const visuals = await Promise.all(visualsOf(urdf).map((draft) => visualOf(draft, urdf, packages, warnings)));
  return { visuals: visuals.filter((visual) => visual !== undefined), warnings: [...warnings] };
}

/** Loads the visual geometry of the robot of a scene, and of what is mounted on it. */
export async function loadSceneVisuals({ scene, file }: Pick<LoadedScene, 'scene' | 'file'>): Promise<LoadedVisuals> {
  const { mounts = [], packages } = scene.robot;
  const from = (path: string) => resolve(dirname(file), path);
  const load = async (files: StatedRobotFiles, prefix: string): Promise<LoadedVisuals> => {
    const { name = '', urdf, args } = files;
    const located = urdf === undefined ? locateRobot(name, {}).urdf : from(urdf);
    const stated = Object.entries({ ...packages, ...files.packages });
    const folders = Object.fromEntries(stated.map(([key, path]) => [key, from(path)]));
    const { visuals, warnings } = await loadVisuals(located, { packages: folders, args });
    return { visuals: visuals.map((visual) => ({ ...visual, link: prefix + visual.link })), warnings };
  };
  const loaded = [await load(scene.robot, '')];
  for (const mount of mounts) loaded.push(await load(mount, mount.prefix));
  return { visuals: loaded.flatMap(({ visuals }) => visuals), warnings: loaded.flatMap(({ warnings }) => warnings) };
}

/** Returns a warning for each visual mesh of a robot that cannot be found. */
export async function missingVisuals(nameOrPath: string, files: RobotSource): Promise<readonly string[]> {
  const { urdf: file } = locateRobot(nameOrPath, {});
  const urdf = await readLinks(await readText(file), file, files);
  const meshes = visualsOf(urdf).flatMap(({ link, file: own, line, mesh }) =>
    mesh ? [{ address: mesh.address, ...(own === undefined ? {} : { file: own }), line, link }] : [],
  );
  const missing = await findMissingMeshes({ ...urdf, meshes }, files.packages ?? {});
  return missing.map(({ message }) => visualWarning(message));
}

/** Folders and arguments that a robot file needs. */
type RobotSource = Pick<RobotFiles, 'packages' | 'args'>;

const visualsOf = ({ document }: Urdf): VisualDraft[] => (document === undefined ? [] : readVisuals(document));

async function visualOf(
  draft: VisualDraft,
  urdf: Urdf,
  packages: Packages,
  warnings: Set<string>,
): Promise<Visual | undefined> {
  const { link, pose, color, shape, mesh, line } = draft;
  const appearance = { link, pose, ...(color ? { color } : {}) };
  if (shape) return { ...appearance, shape };
  if (!mesh) return undefined;
  const { address, scale } = mesh;
  const meshes = await readMeshes({ ...urdf, meshes: [{ address, line, link }] }, packages).catch((error: unknown) => {
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
