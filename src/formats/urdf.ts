import { InputError, InputErrors } from '../errors.ts';
import type { RobotDescription } from '../kinematics/robotModel.ts';
import type { Mesh } from './meshes.ts';
import { type MeshParts, meshParts } from './meshParts.ts';
import type { Semantics } from './srdf.ts';
import { describeJoints } from './urdfJoints.ts';
import { checkLinks, describeLinks, type LinkDraft, type LinkGeometry } from './urdfLinks.ts';
import { checkTree, loadTree, type UrdfTree } from './urdfTree.ts';
import { attributeOf, childrenOf, descendants, lineOf, parseXml, type XmlElement } from './xmlDocument.ts';
import { XmlNumbers } from './xmlNumbers.ts';

/** A URDF that has been read and checked; its meshes are still to come. */
export interface Urdf {
  readonly file: string;
  readonly name: string;
  /** Which elements of its links are the collision geometry. */
  readonly geometry: LinkGeometry;
  /** Addresses of collision meshes, as written, each once, with the first place that asks for it. */
  readonly meshes: readonly MeshAddress[];
  readonly links: readonly LinkDraft[];
  readonly tree: UrdfTree;
  readonly warnings: readonly string[];
}

/** Where a mesh is asked for: `package://NAME/…`, a relative path or a `file://` address. */
export interface MeshAddress {
  readonly address: string;
  readonly line: number;
  readonly link: string;
}

/**
 * Reads URDF text. Everything that can be wrong without looking at the meshes is refused here, all of it at once, with its line.
 * @param file name for messages
 * @param geometry which elements of its links are the collision geometry
 */
export async function readUrdf(text: string, file: string, geometry: LinkGeometry = 'collision'): Promise<Urdf> {
  const root = await parseXml(text, file, 'robot');
  refuseXacro(root, file);
  const numbers = new XmlNumbers(file);
  const { warnings } = numbers;
  checkTree(root, numbers);
  const links = checkLinks(root, numbers, geometry);
  const joints = numbers.problems.length === 0 ? describeJoints(root, numbers) : [];
  if (numbers.problems.length > 0) throw new InputErrors(numbers.problems);

  const tree = await loadTree(root, joints);
  const name = attributeOf(root, 'name') || file.replace(/^.*[\\/]|\.[^.]*$/g, '');
  if (links.every(({ collisions }) => collisions.length === 0)) {
    warnings.push(noGeometryWarning(name));
  }
  return { file, name, geometry, meshes: meshAddresses(links), links, tree, warnings };
}

/**
 * The robot of a URDF, once its meshes are there: each becomes its convex hull, or several convex parts.
 * @param meshes what was read from each address
 * @param semantics the SRDF, if there is one
 * @param partsOf how a mesh is covered
 */
export async function buildRobot(
  urdf: Urdf,
  meshes: ReadonlyMap<string, Mesh>,
  semantics: Semantics = { allowed: [], states: {}, groups: {}, warnings: [] },
  partsOf: MeshParts = meshParts.hull,
): Promise<RobotDescription> {
  const warnings = [...urdf.warnings];
  const links = await describeLinks(urdf, meshes, warnings, partsOf);
  const { allowed, states, groups, endEffectors = [], passive = [] } = semantics;
  return {
    name: urdf.name,
    root: urdf.tree.root,
    links,
    joints: urdf.tree.joints,
    allowed,
    states,
    groups,
    endEffectors,
    passive,
    warnings: [...warnings, ...semantics.warnings],
  };
}

/** The warning about a robot none of whose links has collision geometry. */
export const noGeometryWarning = (robot: string): string =>
  `robot "${robot}" has no collision geometry: scenes refuse it`;

function meshAddresses(links: readonly LinkDraft[]): MeshAddress[] {
  const found = new Map<string, MeshAddress>();
  for (const link of links) {
    for (const { mesh, line } of link.collisions) {
      if (mesh !== undefined && !found.has(mesh.address)) {
        found.set(mesh.address, { address: mesh.address, line, link: link.name });
      }
    }
  }
  return [...found.values()];
}

/** Expanded files may keep the xmlns:xacro declaration; elements with the prefix are what was not expanded. */
function refuseXacro(root: XmlElement, file: string): void {
  if (childrenOf(root).length === 0) return;
  for (const { element } of descendants(root)) {
    if (!element.nodeName.startsWith('xacro:') && !element.namespaceURI?.endsWith('/xacro')) continue;
    const source = file.replace(/^.*[\\/]/, '');
    throw new InputError(
      `${file}:${lineOf(element)}: <${element.nodeName}>: this is xacro, not yet URDF`,
      `Expand it first: xacro ${source} > ${source.replace(/(\.urdf)?(\.xacro)?$/, '')}.expanded.urdf (ROS 2: ros2 run xacro xacro …).`,
    );
  }
}
