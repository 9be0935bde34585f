import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { InputError, InputErrors } from '../errors.ts';
import { type HeightField, readHeights } from '../formats/clouds/heightField.ts';
import { type CloudPoints, isCloudName, readCloud } from '../formats/clouds/index.ts';
import { isMeshName, type Mesh } from '../formats/meshes/index.ts';
import type { FileRequest, SceneFiles } from '../formats/scenes/sceneBodies.ts';
import type { ProblemDraft } from '../formats/scenes/sceneFile.ts';
import type { OpenInclude } from '../formats/scenes/sceneIncludes.ts';
import { isInside, readMeshFile } from './meshFiles.ts';
import { readBytes, readText } from './readFiles.ts';
import { nearFile } from './similarFile.ts';

/** Clouds and height fields beyond this many bytes are refused before they are read. */
const LARGEST_DATA = 256 * 1024 * 1024;

/**
 * Opens the files that a scene includes: only those in the folder above the scene's (files that belong together stand side by side), for an
 * included file may be somebody else's. Symbolic links that lead out are refused.
 * @param folder that of the scene
 */
export function includesFrom(folder: string): OpenInclude {
  return async (address) => {
    const path = join(folder, address);
    const id = await realPathWithin(isAbsolute(address) ? address : path, folder);
    return { text: await readText(id), file: path, id };
  };
}

/** What was read for one scene or suite, by path: each file once. */
export interface KnownFiles {
  readonly meshes: Map<string, Mesh>;
  readonly clouds: Map<string, CloudPoints>;
  readonly heights: Map<string, HeightField['heights']>;
}

export const noFiles = (): KnownFiles => ({ meshes: new Map(), clouds: new Map(), heights: new Map() });

/**
 * The files that the bodies of a problem need. A scene is the user's own: it may name files anywhere. What it includes may not: see
 * `includesFrom`. All that is wrong is told at once.
 */
export async function readSceneFiles(
  { files, errorAt }: ProblemDraft,
  folder: string,
  known: KnownFiles,
): Promise<{ readonly found: SceneFiles; readonly warnings: readonly string[] }> {
  const found = noFiles();
  const warnings: string[] = [];
  const problems: InputError[] = [];
  for (const request of files) {
    try {
      const skipped = await readOne(request, folder, known, found);
      if (skipped > 0) {
        const what = `${request.file}: ${skipped} points are not finite and left out`;
        warnings.push((await errorAt(request.path, what, '', request.source)).message);
      }
    } catch (cause) {
      if (!(cause instanceof InputError)) throw cause;
      const path = isAbsolute(request.file) ? request.file : join(folder, request.file);
      const note = existsSync(path) ? cause.note : await nearFile(path, ofKind[request.kind]);
      problems.push(await errorAt(request.path, cause.message, note, request.source));
    }
  }
  if (problems.length > 0) throw new InputErrors(problems);
  return { found, warnings };
}

const ofKind: Readonly<Record<FileRequest['kind'], (name: string) => boolean>> = {
  meshes: isMeshName,
  clouds: isCloudName,
  heights: () => true,
};

/** Returns the number of points left out. */
async function readOne(request: FileRequest, folder: string, known: KnownFiles, found: KnownFiles): Promise<number> {
  const { kind, file, source } = request;
  const named = isAbsolute(file) ? file : join(folder, file);
  const path = source === undefined ? named : await realPathWithin(named, folder);
  if (kind === 'meshes') {
    const mesh = known.meshes.get(path) ?? (await readMeshFile(path, named));
    known.meshes.set(path, mesh);
    found.meshes.set(file, mesh);
    return 0;
  }
  if (kind === 'heights') {
    const heights = known.heights.get(path) ?? readHeights(await readBytes(path, LARGEST_DATA), named);
    known.heights.set(path, heights);
    found.heights.set(file, heights);
    return 0;
  }
  const cloud = known.clouds.get(path) ?? readCloud(await readBytes(path, LARGEST_DATA), named);
  known.clouds.set(path, cloud);
  found.clouds.set(file, cloud);
  return cloud.skipped;
}

/** The real path of a file in the folder above `folder`, or an InputError. */
async function realPathWithin(path: string, folder: string): Promise<string> {
  const above = dirname(resolve(folder));
  const root = above === dirname(above) ? resolve(folder) : above; // never the whole file system
  const outside = () =>
    new InputError(
      `${path}: it lies outside ${relative('', root) || '.'}`,
      'What a scene includes, and what that names, is read only from the folder above the scene.',
    );
  if (!isInside(resolve(path), root)) throw outside();
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined)
    throw new InputError(
      `${path}: there is no such file`,
      await nearFile(path, (name) => /\.(ya?ml|json)$/i.test(name)),
    );
  if (!isInside(real, await realpath(root).catch(() => root))) throw outside();
  return real;
}
