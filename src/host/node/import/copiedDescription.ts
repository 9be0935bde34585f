import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { InputError } from '../../../errors.ts';
import { isXacro } from '../../../formats/robots/index.ts';
import type { StatedLimits } from '../../../formats/robots/writing/jointLimitsFile.ts';
import { fileReferences, withAddresses, withStatedLimits } from '../../../formats/robots/writing/urdfEdits.ts';
import { inexpressible, writeUrdf } from '../../../formats/robots/writing/urdfWriter.ts';
import { treeOf, writeTree, type XacroElement } from '../../../formats/robots/xacro/xacroTree.ts';
import { parseXml } from '../../../formats/text/xmlDocument.ts';
import { companionFiles, locateMeshes, MAX_MESH_SIZE } from '../meshFiles.ts';
import { readBytes } from '../readFiles.ts';
import { expandRobot, type RobotSources } from '../robotSources.ts';
import type { RobotFiles } from '../robots.ts';
import { placeFiles } from './meshPlaces.ts';
import type { FileContent } from './newFolder.ts';

/** A description as URDF whose files lie beside it. */
export interface CopiedDescription {
  /** The URDF, with relative addresses. */
  readonly urdf: string;
  /** The files that it names, by their path in the folder. */
  readonly files: ReadonlyMap<string, FileContent>;
  /** Absolute paths of the copied files. */
  readonly sources: readonly string[];
  /** True if the URDF keeps visual and collision geometry apart, so that `geometry` has to be stated again. */
  readonly needsGeometry: boolean;
  readonly warnings: readonly string[];
}

/**
 * Converts a robot file to a URDF that needs nothing but files beside it: xacro is expanded, other formats are
 * converted, meshes and textures get relative addresses.
 * @param limits limits of joints to be written
 */
export async function copyDescription(
  sources: RobotSources,
  files: RobotFiles,
  limits: ReadonlyMap<string, StatedLimits>,
): Promise<CopiedDescription> {
  const { urdf } = sources;
  const { root, meshes } = await urdfElements(sources, files);
  const references = fileReferences(root).filter(({ address }) => !meshes.has(address));
  const wanted = references.map(({ address, line, link }) => ({ address, line, link }));
  const seen = new Set<string>();
  const distinct = wanted.filter(({ address }) => !seen.has(address) && seen.add(address));
  const found = await locateMeshes({ ...urdf, meshes: distinct }, files.packages ?? {});
  const paths = [...found].flatMap(([address, path]) => (path instanceof InputError ? [] : [[address, path] as const]));
  const places = placeFiles(
    paths.map(([, path]) => path),
    new Map(paths.map(([address, path]) => [path, address])),
  );
  const made = [...meshes].map(([address, text]) => [address, `shapes/${address}`, { text }] as const);
  const addresses = new Map([
    ...paths.map(([address, path]) => [address, places.get(path)!] as const),
    ...made.map(([address, path]) => [address, path] as const),
  ]);
  const beside = await companionPlaces(places);
  const missing = distinct.filter(({ address }) => found.get(address) instanceof InputError);
  return {
    urdf: writeTree(withStatedLimits(withAddresses(root, addresses), limits)),
    files: new Map<string, FileContent>([
      ...[...places].map(([from, to]) => [to, { from }] as const),
      ...made.map(([, path, content]) => [path, content] as const),
      ...[...beside].map(([to, from]) => [to, { from }] as const),
    ]),
    sources: [...new Set([...places.keys(), ...beside.values()])],
    needsGeometry: urdf.document !== undefined,
    warnings: [
      ...missing.map(
        ({ address, link }) =>
          `${link.trim() === '' ? '' : `link "${link}": `}${address} was not found: this visual geometry is left out`,
      ),
      ...(urdf.document === undefined ? inexpressible(urdf) : []),
    ],
  };
}

/** Returns the files that copied meshes need beside them: source by place, at the same path relative to the mesh. */
async function companionPlaces(places: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> {
  const taken = new Map([...places].map(([from, to]) => [to.toLowerCase(), from]));
  const beside = new Map<string, string>();
  for (const [from, to] of places) {
    if (!/\.(gltf|glb)$/i.test(to)) continue;
    for (const { path, relative } of await companionFiles(from, await readBytes(from, MAX_MESH_SIZE), to)) {
      if (!existsSync(path)) continue;
      const place = posix.join(posix.dirname(to), relative);
      const other = taken.get(place.toLowerCase());
      if (other !== undefined && other !== path)
        throw new InputError(`${from}: ${relative} cannot be copied beside it: ${other} has the same place`);
      taken.set(place.toLowerCase(), path);
      beside.set(place, path);
    }
  }
  return beside;
}

async function urdfElements(
  { urdf, urdfFile }: RobotSources,
  files: RobotFiles,
): Promise<{ root: XacroElement; meshes: ReadonlyMap<string, string> }> {
  if (urdf.document === undefined) return writeUrdf(urdf);
  const text = isXacro(urdfFile.text, urdfFile.file) ? (await expandRobot(urdfFile.file, files)).text : urdfFile.text;
  return { root: treeOf(await parseXml(text, urdfFile.file, 'robot'), urdfFile.file), meshes: new Map() };
}
