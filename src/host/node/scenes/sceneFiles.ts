import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { InputError, InputErrors } from '../../../errors.ts';
import { type HeightField, readHeights } from '../../../formats/clouds/heightField.ts';
import { type CloudPoints, isCloudName, readCloud } from '../../../formats/clouds/index.ts';
import { isMeshName, type Mesh, readMesh } from '../../../formats/meshes/index.ts';
import type { ProblemDraft } from '../../../formats/scenes/sceneFile.ts';
import type { OpenInclude } from '../../../formats/scenes/sceneIncludes.ts';
import type { FileRequest, SceneFiles } from '../../../formats/scenes/sceneObjects.ts';
import { decodeText } from '../../../formats/text/fileText.ts';
import { isToolPathName } from '../../../formats/toolpaths/index.ts';
import { readMeshFile } from '../meshFiles.ts';
import { isInside, realPath } from '../packages/packageSearch.ts';
import { missingFileNote, readBytes, readText } from '../readFiles.ts';
import type { EmbeddedFiles } from './resolved/embeddedFiles.ts';

/** Largest point cloud or height field, bytes; larger files are refused before they are read. */
const MAX_DATA_SIZE = 256 * 1024 * 1024;

/**
 * Returns the function that opens included files of a scene: only those in the parent of the scene's folder (related
 * files are in sibling folders), because an included file may come from somebody else. Symbolic links to other folders
 * are refused.
 * @param folder folder of the scene
 */
export function includesFrom(folder: string): OpenInclude {
  return async (address) => {
    const path = join(folder, address);
    const id = await realPathWithin(isAbsolute(address) ? address : path, folder);
    return { text: await readText(id), file: path, id };
  };
}

/** Files that were read for one scene or suite, by path: each file is read once. */
export interface KnownFiles {
  readonly meshes: Map<string, Mesh>;
  readonly clouds: Map<string, CloudPoints>;
  readonly heights: Map<string, HeightField['heights']>;
  readonly toolPaths: Map<string, string>;
}

export const noFiles = (): KnownFiles => ({
  meshes: new Map(),
  clouds: new Map(),
  heights: new Map(),
  toolPaths: new Map(),
});

/**
 * Reads the files of the obstacles and attached objects of a problem. A scene is trusted and may name files anywhere;
 * included files may not: see `includesFrom`. Reports all errors at once.
 */
export async function readSceneFiles(
  { files, errorAt }: ProblemDraft,
  folder: string,
  known: KnownFiles,
  embedded: EmbeddedFiles,
): Promise<{ readonly found: SceneFiles; readonly warnings: readonly string[] }> {
  const found = noFiles();
  const warnings: string[] = [];
  const problems: InputError[] = [];
  const warned = new Set<string>();
  for (const request of files) {
    try {
      for (const what of await readOne(request, folder, known, found, embedded)) {
        if (warned.has(what)) continue; // several objects of one file
        warned.add(what);
        warnings.push((await errorAt(request.path, what, '', request.source)).message);
      }
    } catch (cause) {
      if (!(cause instanceof InputError)) throw cause;
      const path = isAbsolute(request.file) ? request.file : join(folder, request.file);
      const note = existsSync(path) ? cause.note : missingFileNote(path, ofKind[request.kind]);
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
  toolPaths: isToolPathName,
};

/** Reads one file into `known` and `found`. Returns the warnings about it. */
async function readOne(
  request: FileRequest,
  folder: string,
  known: KnownFiles,
  found: KnownFiles,
  embedded: EmbeddedFiles,
): Promise<readonly string[]> {
  const { kind, file, source } = request;
  const named = isAbsolute(file) ? file : join(folder, file);
  const bytes = embedded.bytesOf(file);
  const content = async () => bytes ?? readBytes(path, MAX_DATA_SIZE);
  const path = bytes !== undefined ? file : source === undefined ? named : await realPathWithin(named, folder);
  if (kind === 'meshes') {
    const mesh = known.meshes.get(path) ?? (await (bytes ? readMesh(bytes, file) : readMeshFile(path, named)));
    known.meshes.set(path, mesh);
    found.meshes.set(file, mesh);
    return mesh.warnings.map((warning) => warning.replace(named, () => file));
  }
  if (kind === 'heights') {
    const heights = known.heights.get(path) ?? readHeights(await content(), named);
    known.heights.set(path, heights);
    found.heights.set(file, heights);
    return [];
  }
  if (kind === 'toolPaths') {
    const text = known.toolPaths.get(path) ?? decodeText(await content(), named);
    known.toolPaths.set(path, text);
    found.toolPaths.set(file, text);
    return [];
  }
  const cloud = known.clouds.get(path) ?? readCloud(await content(), named);
  known.clouds.set(path, cloud);
  found.clouds.set(file, cloud);
  const { skipped, viewpoint } = cloud;
  return [
    ...(skipped === 0 ? [] : [`${file}: ${skipped} points are not finite and left out`]),
    ...(viewpoint === undefined ? [] : [`${file}: VIEWPOINT ${viewpoint} is not applied to its points`]),
  ];
}

/** Returns the real path of a file in the parent of `folder`. Throws `InputError` if it is missing or elsewhere. */
async function realPathWithin(path: string, folder: string): Promise<string> {
  const above = dirname(resolve(folder));
  const root = above === dirname(above) ? resolve(folder) : above; // never the whole file system
  const outside = () =>
    new InputError(
      `${path}: it lies outside ${relative('', root) || '.'}`,
      "Included files, and the files that they name, must be below the parent of the scene's folder.",
    );
  if (!isInside(resolve(path), root)) throw outside();
  const real = realPath(path);
  if (real === undefined)
    throw new InputError(
      `${path}: there is no such file`,
      missingFileNote(path, (name) => /\.(ya?ml|json)$/i.test(name)),
    );
  if (!isInside(real, realPath(root) ?? root)) throw outside();
  return real;
}
