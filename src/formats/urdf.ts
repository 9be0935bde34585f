import { InputError, InputErrors } from '../errors.ts';
import type { RobotDescription } from '../kinematics/robotModel.ts';
import type { Mesh } from './meshes.ts';
import { type MeshParts, meshParts } from './meshParts.ts';
import type { Semantics } from './srdf.ts';
import { describeJoints } from './urdfJoints.ts';
import { checkLinks, describeLinks, type LinkDraft } from './urdfLinks.ts';
import { checkTree, readTree, type UrdfTree } from './urdfTree.ts';
import { attributeOf, childrenOf, descendants, lineOf, parseXml, type XmlElement } from './xmlDocument.ts';
import { XmlNumbers } from './xmlNumbers.ts';

/** A URDF that has been read and checked; its meshes are still to come. */
export interface Urdf {
  readonly file: string;
  readonly name: string;
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
 */
export async function readUrdf(text: string, file: string): Promise<Urdf> {
  const root = await parseXml(text, file, 'robot');
  refuseXacro(root, file);
  const numbers = new XmlNumbers(file);
  const warnings: string[] = [];
  checkTree(root, numbers);
  const links = checkLinks(root, numbers, warnings);
  const joints = numbers.problems.length === 0 ? describeJoints(root, numbers, warnings) : [];
  if (numbers.problems.length > 0) throw new InputErrors(numbers.problems);

  const tree = readTree(root, joints);
  const name = attributeOf(root, 'name') || file.replace(/^.*[\\/]|\.[^.]*$/g, '');
  return { file, name, meshes: meshAddresses(links), links, tree, warnings };
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
