import type { RobotDescription } from '../../../../core/kinematics/robotModel.ts';
import type { StatedRobotFiles } from '../../../../core/scene/statedRobot.ts';
import { InputError } from '../../../../errors.ts';
import { type Mesh, readMesh } from '../../../../formats/meshes/index.ts';
import { isXacro } from '../../../../formats/robots/index.ts';
import { readSrdf } from '../../../../formats/robots/srdf.ts';
import { readUrdf } from '../../../../formats/robots/urdf.ts';
import { isXmlText } from '../../../../formats/scenes/robots/robotReference.ts';
import { cachedMeshParts, computedMeshParts } from '../../partsCache.ts';
import { coveredRobot, type RobotFiles } from '../../robots.ts';
import type { EmbeddedFiles } from './embeddedFiles.ts';

/**
 * Builds a robot whose URDF and SRDF are given as texts. Throws `InputError` if the text is no URDF, or if a mesh is
 * not embedded: no file is read.
 */
export async function loadInlineRobot(
  { urdf = '', srdf, args, meshes = {} }: StatedRobotFiles,
  { parts = 'hull', hullVertices, geometry, cache }: RobotFiles,
  embedded: EmbeddedFiles,
): Promise<RobotDescription> {
  if (args !== undefined) throw new InputError('args: a robot that is given as text has no arguments');
  if (srdf !== undefined && !isXmlText(srdf)) throw new InputError('srdf: it must be the text of an SRDF, as urdf is');
  if (isXacro(urdf, 'robot.urdf')) throw new InputError('urdf: this text is xacro', 'Expand it: robot FILE --expand.');
  const read = await readUrdf(urdf, 'robot.urdf', geometry);
  const semantics = srdf === undefined ? undefined : await readSrdf(srdf, 'robot.srdf', read);
  const found = new Map<string, Mesh>();
  for (const { address } of read.meshes) {
    if (found.has(address)) continue;
    if (!Object.hasOwn(meshes, address)) throw new InputError(`meshes: the mesh ${address} of the robot is missing`);
    found.set(address, await readMesh(embedded.content(meshes[address], address), address));
  }
  return coveredRobot(read, found, semantics, parts, hullVertices, cache ? cachedMeshParts : computedMeshParts);
}
