import { isAbsolute, join } from 'node:path';
import type { RobotReference } from '../../../../core/scene/scene.ts';
import type { StatedRobotFiles } from '../../../../core/scene/statedRobot.ts';
import { InputError } from '../../../../errors.ts';
import { companionsOf, isMeshName } from '../../../../formats/meshes/index.ts';
import { isXacro } from '../../../../formats/robots/index.ts';
import type { PlainData } from '../../../../formats/scenes/resolvedObjects.ts';
import { locateMeshes } from '../../meshFiles.ts';
import { Observations } from '../../packages/observations.ts';
import { readBytes, readInputText } from '../../readFiles.ts';
import { expandRobot } from '../../robotSources.ts';
import { locateRobot, readLinks } from '../../robots.ts';
import { readSrdfFile } from '../../srdfFile.ts';
import type { FileTable } from './fileTable.ts';

/** Largest mesh, bytes. */
const MAX_MESH_SIZE = 256 * 1024 * 1024;

/**
 * Returns the robot of a resolved scene: its URDF and SRDF as texts, also of its mounts, and mesh hashes.
 * @param given the robot as the scene states it, its numbers without units
 */
export async function inlineRobotData(reference: RobotReference, given: unknown, table: FileTable): Promise<PlainData> {
  const { geometry, mounts = [] } = reference;
  const robot: PlainData = typeof given === 'string' ? {} : { ...(given as PlainData) };
  const withTexts = async (files: StatedRobotFiles, stated: PlainData) => {
    const { name, urdf, srdf, args, packages, ...kept } = stated;
    return { ...(await texts(files, geometry, table)), ...kept };
  };
  for (const { place, ...mount } of mounts) {
    const files = { ...mount, packages: { ...reference.packages, ...mount.packages } };
    const [key, i] = place;
    if (i === undefined) robot[key] = await withTexts(files, robot[key] as PlainData);
    else {
      const list = [...(robot[key] as PlainData[])];
      list[i as number] = await withTexts(files, list[i as number]);
      robot[key] = list;
    }
  }
  return withTexts(reference, robot);
}

/** Returns the texts of the files of a robot, and the hash of the mesh of each address. */
async function texts(
  { name = '', urdf, srdf, args, packages }: StatedRobotFiles,
  geometry: RobotReference['geometry'],
  table: FileTable,
): Promise<PlainData> {
  const from = (path: string) => (isAbsolute(path) ? path : join(table.folder, path));
  const folders = Object.fromEntries(Object.entries(packages).map(([key, path]) => [key, from(path)]));
  const files = { packages: folders, srdf: srdf === undefined ? undefined : from(srdf), ...(args && { args }) };
  const located = locateRobot(urdf === undefined ? name : from(urdf), files);
  const text = await readInputText(located.urdf);
  const isExpanded = isXacro(text, located.urdf);
  if (!isExpanded && !/\.urdf$/i.test(located.urdf) && !/<robot[\s>]/.test(text))
    throw new InputError(
      `${located.urdf}: only robots in URDF and xacro can be resolved`,
      'Poses of other formats round when they are written as URDF.',
    );
  const observed = new Observations();
  const links = await readLinks(text, located.urdf, { ...files, geometry }, observed);
  const expanded = isExpanded ? (await expandRobot(located.urdf, files)).text : text;
  await table.addFile(located.urdf);
  const semantics = located.srdf === undefined ? undefined : await readSrdfFile(located.srdf, files, observed);
  if (located.srdf !== undefined) await table.addFile(located.srdf);
  const found = await locateMeshes({ ...links, file: located.urdf }, folders);
  const meshes: Record<string, string> = {};
  for (const [address, path] of found) {
    if (path instanceof InputError) throw path;
    const bytes = await readBytes(path, MAX_MESH_SIZE);
    if (!isMeshName(address) || companionsOf(bytes, address).length > 0)
      throw new InputError(`${path}: this mesh cannot be embedded`, 'Use STL, OBJ, DAE, PLY or GLB in one file.');
    meshes[address] = table.embed(path, bytes);
  }
  return { urdf: expanded, ...(semantics && { srdf: semantics.text }), meshes };
}
