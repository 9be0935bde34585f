import type { JointDescription } from '../../../core/kinematics/robotModel.ts';
import { InputErrors } from '../../../errors.ts';
import { attributeOf, type XmlElement } from '../../text/xmlDocument.ts';
import { movingPlaneProblems } from '../movingPlanes.ts';
import type { RobotReading } from '../robotFormat.ts';
import { farthestJoint, meshAddresses, noGeometryWarning } from '../urdf.ts';
import type { LinkDraft, Urdf } from '../urdfDocument.ts';
import { refuseMimicLoops } from '../urdfJoints.ts';
import { MjcfBodies, WORLD } from './mjcfBodies.ts';
import { readExcludes, readKeys, readMimics } from './mjcfConstraints.ts';
import { type MjcfModel, readMjcfModel } from './mjcfModel.ts';

/**
 * Reads an MJCF model as MuJoCo compiles it: bodies become links below the link `world`, hinges and slides become
 * joints, linear joint equalities mimic joints, `<exclude>` allowed pairs, key frames named states. Throws one error
 * that lists all problems, with file and line. [MuJoCo, XML reference]
 */
export async function readMjcf(text: string, file: string, { geometry, files }: RobotReading): Promise<Urdf> {
  const model = await readMjcfModel(text, file, files);
  const { numbers, document } = model;
  const bodies = new MjcfBodies(model, geometry);
  await bodies.read();
  if (numbers.problems.length > 0) throw new InputErrors(numbers.problems);

  const { links, joints: unlinked } = bodies.chains;
  const joints = withMimics(unlinked, bodies, model);
  const moving = joints.filter(({ type }) => type !== 'fixed');
  const allowed = [
    ...readExcludes(new Set(links.map(({ name }) => name)), (a, b) => bodies.arePaired(a, b), model),
    ...bodies.fixed.restingPairs(links, joints),
  ];
  const checked = [...checkedPairs(links, joints, model), ...bodies.pairedBodies()];
  const states = readKeys(moving, bodies.fixed.order, model);
  bodies.fixed.warn(links, joints, Object.keys(states).length > 0);
  const far = farthestJoint(joints);
  numbers.problems.push(...movingPlaneProblems(links, joints, file));
  if (far !== undefined) {
    const element: XmlElement = bodies.jointElements.get(far.name) ?? document.root;
    numbers.addProblem(
      element,
      `joint "${far.name}"`,
      `positions and slides add up to ${far.distance} m from the world`,
    );
  }
  if (numbers.problems.length > 0) throw new InputErrors(numbers.problems);

  const name = attributeOf(document.root, 'model') || file.replace(/^.*[\\/]|\.[^.]*$/g, '');
  const warnings = [...numbers.warnings, ...maskWarnings(bodies), ...model.schema.warnings()];
  if (links.every(({ collisions }) => collisions.length === 0)) warnings.push(noGeometryWarning(name));
  const tree = { root: WORLD, joints };
  const { places } = bodies;
  return {
    file,
    name,
    geometry,
    meshes: meshAddresses(links),
    links,
    tree,
    warnings,
    allowed,
    checked,
    states,
    places,
  };
}

function withMimics(joints: readonly JointDescription[], bodies: MjcfBodies, model: MjcfModel): JointDescription[] {
  const mimics = readMimics(bodies.references, model);
  const all = joints.map((joint) => {
    const mimic = mimics.get(joint.name)?.mimic;
    return mimic === undefined ? joint : { ...joint, mimic };
  });
  const elements = all.map(({ name }) => mimics.get(name)?.element ?? model.document.root);
  refuseMimicLoops(elements, all, model.numbers);
  return all;
}

/**
 * Returns the adjacent links that are checked for collisions: the world and the links that move relative to it; with
 * `filterparent="disable"` also parents and children [MuJoCo, Computation, "Selection"]. Unlike in MuJoCo, a body
 * welded to the world is a parent like any other: the pair of a base and its first link stays allowed.
 */
function checkedPairs(
  links: readonly LinkDraft[],
  joints: readonly JointDescription[],
  { document }: MjcfModel,
): [string, string][] {
  const options = document.childrenOf(document.root, 'option');
  const flags = options.flatMap((option) => document.childrenOf(option, 'flag'));
  const filter = flags.findLast((flag) => attributeOf(flag, 'filterparent') !== undefined);
  const withParents = filter !== undefined && attributeOf(filter, 'filterparent') === 'disable';
  const above = new Map(joints.map((joint) => [joint.child, joint]));
  const solid = new Set(links.filter(({ collisions }) => collisions.length > 0).map(({ name }) => name));
  return [...solid].flatMap((link): [string, string][] => {
    let moves = false;
    for (let joint = above.get(link); joint !== undefined; joint = above.get(joint.parent)) {
      moves ||= joint.type !== 'fixed';
      const { parent } = joint;
      if (parent === WORLD || solid.has(parent))
        return moves && (withParents || parent === WORLD) ? [[parent, link]] : [];
    }
    return [];
  });
}

/** Returns a warning if masks exclude pairs of geoms from collisions in MuJoCo; here these pairs are checked. */
function maskWarnings({ masks }: MjcfBodies): string[] {
  const all = [...masks.values()];
  const collides = (a: (typeof all)[number], b: (typeof all)[number]) =>
    (a.type & b.affinity) !== 0 || (b.type & a.affinity) !== 0;
  if (all.every((a) => all.every((b) => collides(a, b)))) return [];
  return [
    'contype and conaffinity exclude pairs of geoms from collisions in MuJoCo: here they are checked all the ' +
      'same; <contact><exclude> or an SRDF allows pairs',
  ];
}
