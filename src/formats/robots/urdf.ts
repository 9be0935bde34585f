import { type MeshDecomposer, meshParts } from '../../core/hulls/meshParts.ts';
import type { RobotDescription } from '../../core/kinematics/robotModel.ts';
import { lengthProblem } from '../../core/math/magnitudes.ts';
import { InputError, InputErrors } from '../../errors.ts';
import type { Mesh } from '../meshes/index.ts';
import {
  attributeOf,
  childrenOf,
  descendants,
  lineOf,
  parseXml,
  withPrefixesDeclared,
  type XmlElement,
} from '../text/xmlDocument.ts';
import { XmlNumbers } from '../text/xmlNumbers.ts';
import type { Semantics } from './srdf.ts';
import type { LinkDraft, LinkGeometry, MeshAddress, Urdf } from './urdfDocument.ts';
import { checkCalibration, checkElements, checkVersion } from './urdfElements.ts';
import { checkHeldJoints, describeJoints } from './urdfJoints.ts';
import { checkLinks, describeLinks } from './urdfLinks.ts';
import { checkTree, loadTree, type UrdfTree } from './urdfTree.ts';

export type { MeshAddress, Urdf } from './urdfDocument.ts';

/**
 * Reads URDF text. Throws one error that lists, with their lines, all problems that can be found without reading the
 * meshes.
 * @param file name for messages
 * @param geometry which elements of its links are the collision geometry
 */
export async function readUrdf(text: string, file: string, geometry: LinkGeometry = 'collision'): Promise<Urdf> {
  return readUrdfElement(await parseXml(withPrefixesDeclared(text, 'robot'), file, 'robot'), file, geometry);
}

/** Reads the root element of a URDF, like `readUrdf`. */
export async function readUrdfElement(root: XmlElement, file: string, geometry: LinkGeometry): Promise<Urdf> {
  const numbers = new XmlNumbers(file);
  refuseXacro(root, numbers);
  const { warnings } = numbers;
  checkVersion(root, numbers);
  checkCalibration(root, numbers);
  checkElements(root, numbers, geometry);
  checkTree(root, numbers);
  const links = checkLinks(root, numbers, geometry);
  const joints = numbers.problems.length === 0 ? describeJoints(root, numbers) : [];
  if (numbers.problems.length > 0) throw new InputErrors(numbers.problems);

  const tree = await loadTree(root, joints);
  checkHeldJoints(root, links, tree, numbers);
  if (numbers.problems.length > 0) throw new InputErrors(numbers.problems);
  const far = farthestJoint(tree.joints);
  if (far !== undefined) {
    const element = childrenOf(root, 'joint').find((joint) => attributeOf(joint, 'name') === far.name)!;
    const what = `origins and slides add up to ${far.distance} m from the root, which ${lengthProblem(far.distance)}`;
    numbers.addProblem(element, `joint "${far.name}"`, what);
    throw new InputErrors(numbers.problems);
  }
  const name = attributeOf(root, 'name') || file.replace(/^.*[\\/]|\.[^.]*$/g, '');
  if (links.every(({ collisions }) => collisions.length === 0)) {
    warnings.push(noGeometryWarning(name));
  }
  const calibration = attributeOf(root, 'calibration');
  const stated = calibration === undefined ? {} : { calibration };
  return { file, name, geometry, meshes: meshAddresses(links), links, tree, document: root, warnings, ...stated };
}

/**
 * Builds the robot of a URDF after its meshes have been read: each mesh becomes its convex hull, or several convex
 * parts.
 * @param meshes the mesh of each address
 * @param semantics the SRDF, if there is one
 * @param partsOf method that covers a mesh with convex parts
 */
export async function buildRobot(
  urdf: Urdf,
  meshes: ReadonlyMap<string, Mesh>,
  semantics: Semantics = { allowed: [], states: {}, groups: {}, warnings: [] },
  partsOf: MeshDecomposer = meshParts.hull,
): Promise<RobotDescription> {
  const warnings = [...urdf.warnings];
  const links = await describeLinks(urdf, meshes, warnings, partsOf);
  const { allowed, states, groupStates = {}, groups, endEffectors = [], passive = [] } = semantics;
  const checked = [...(urdf.checked ?? []), ...(semantics.checked ?? [])];
  const { calibration } = urdf;
  const pairs = [...(urdf.allowed ?? []), ...allowed];
  return {
    name: urdf.name,
    ...(calibration === undefined ? {} : { calibration }),
    root: urdf.tree.root,
    links,
    joints: urdf.tree.joints,
    // That a pair never collides was found for the joints as they are described: it is checked.
    allowed: calibration === undefined ? pairs : pairs.filter(([, , reason]) => reason.trim() !== 'Never'),
    ...(checked.length === 0 ? {} : { checked }),
    states: { ...urdf.states, ...states },
    groupStates,
    groups,
    endEffectors,
    passive,
    warnings: [...warnings, ...semantics.warnings],
  };
}

/** Returns the warning about a robot without any collision geometry. */
export const noGeometryWarning = (robot: string): string =>
  `robot "${robot}" has no collision geometry: scenes refuse it`;

/** Returns the addresses of collision meshes without duplicates, each with its first reference. */
export function meshAddresses(links: readonly LinkDraft[]): MeshAddress[] {
  const found = new Map<string, MeshAddress>();
  for (const link of links) {
    for (const { mesh, file, line } of link.collisions) {
      if (mesh !== undefined && !found.has(mesh.address)) {
        found.set(mesh.address, {
          address: mesh.address,
          ...(file === undefined ? {} : { file }),
          line,
          link: link.name,
        });
      }
    }
  }
  return [...found.values()];
}

/**
 * Throws if the file has unexpanded xacro elements. Expanded files may keep the xmlns:xacro declaration, and properties
 * if no expression uses one: they are ignored with a warning, as by other readers of URDF.
 */
function refuseXacro(root: XmlElement, numbers: XmlNumbers): void {
  if (childrenOf(root).length === 0) return;
  const { file } = numbers;
  const all = [...descendants(root)].map(({ element }) => element);
  const statements = all.filter(
    ({ nodeName, namespaceURI }) => nodeName.startsWith('xacro:') || namespaceURI?.endsWith('/xacro'),
  );
  const isUnused = ({ nodeName }: XmlElement) => nodeName === 'xacro:property';
  const hasExpression = all.some((element) => Array.from(element.attributes).some(({ value }) => /\$[{(]/.test(value)));
  const refused = statements.find((element) => hasExpression || !isUnused(element));
  if (refused !== undefined) {
    const source = file.replace(/^.*[\\/]/, '');
    throw new InputError(
      `${file}:${lineOf(refused)}: <${refused.nodeName}>: this is xacro, not yet URDF`,
      `Rename it to ${source.replace(/\.[^.]*$/, '')}.urdf.xacro, or use the prefix xacro: it is expanded then.`,
    );
  }
  if (statements.length > 0) numbers.warn(statements[0], 'robot', '<xacro:property> is ignored: nothing uses it');
  for (const element of statements) element.parentNode?.removeChild(element);
}

/**
 * Finds the first joint, from the root downwards, whose child link may be farther from the root than the bound on
 * positions.
 */
export function farthestJoint(
  joints: UrdfTree['joints'],
): { readonly name: string; readonly distance: number } | undefined {
  const jointOf = new Map(joints.map((joint) => [joint.child, joint]));
  const reach = new Map<string, number>();
  for (const { child } of joints) {
    const chain: UrdfTree['joints'][number][] = [];
    for (let joint = jointOf.get(child); joint && !reach.has(joint.child); joint = jointOf.get(joint.parent))
      chain.push(joint);
    for (const joint of chain.reverse()) {
      const distance = (reach.get(joint.parent) ?? 0) + longestStep(joint);
      if (lengthProblem(distance) !== undefined) return { name: joint.name, distance };
      reach.set(joint.child, distance);
    }
  }
  return undefined;
}

/**
 * Computes the greatest distance (m) between the frames of a joint's parent and child; for a mimic joint without
 * limits, that of its origin.
 */
function longestStep({ origin: { xyz }, type, lower = 0, upper = 0 }: UrdfTree['joints'][number]): number {
  const offset = Math.sqrt(xyz[0] * xyz[0] + xyz[1] * xyz[1] + xyz[2] * xyz[2]);
  return type === 'prismatic' ? offset + Math.max(Math.abs(lower), Math.abs(upper)) : offset;
}
