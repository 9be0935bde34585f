import type { JointType } from '../../core/kinematics/robotModel.ts';
import { mimicProblem } from '../../core/math/magnitudes.ts';
import { suggestion } from '../../errors.ts';
import { attributeOf, childOf, childrenOf, type XmlElement } from '../text/xmlDocument.ts';
import type { XmlNumbers } from '../text/xmlNumbers.ts';
import { heldJointWarning, movesBelow } from './heldJoints.ts';
import { driveOf, warnUnknown } from './inertials.ts';
import { type Mutable, setRange } from './jointRange.ts';
import type { LinkDraft } from './urdfDocument.ts';
import type { JointDraft, UrdfTree } from './urdfTree.ts';

const JOINT_TYPES: readonly string[] = ['revolute', 'continuous', 'prismatic', 'fixed'];

/** Types of joints with several degrees of freedom, which are not planned. */
const HELD_TYPES = ['planar', 'floating'] as const;

/**
 * Reads the joints of the file, in its order. Limits are those of `<limit>`, as written: `safety_controller` narrows
 * them for controllers only, and is stored separately. The axis is normalized in the document, from which the tree is
 * loaded later.
 */
export function describeJoints(robot: XmlElement, numbers: XmlNumbers): JointDraft[] {
  const elements = childrenOf(robot, 'joint');
  const types = new Map(elements.map((joint) => [attributeOf(joint, 'name')!, attributeOf(joint, 'type') ?? '']));
  for (const [name, type] of types) if (heldType(type) !== undefined) types.set(name, 'fixed');
  const joints = elements.map((joint) => describeJoint(joint, types, numbers));
  refuseMimicLoops(elements, joints, numbers);
  return joints;
}

function describeJoint(element: XmlElement, types: ReadonlyMap<string, string>, numbers: XmlNumbers): JointDraft {
  const name = attributeOf(element, 'name')!;
  const place = `joint "${name}"`;
  const type = jointType(element, place, numbers);
  const joint: Mutable<JointDraft> = { name, type, origin: numbers.origin(element, place) };
  checkAxis(element, type, place, numbers);
  if (type === 'fixed') return joint;

  const dynamics = childOf(element, 'dynamics');
  const drive = dynamics && driveOf((key) => (key === 'armature' ? undefined : attributeOf(dynamics, key)));
  if (drive !== undefined) joint.drive = drive;
  warnUnknown(numbers, place, dynamics, drive);
  const mimic = describeMimic(element, name, types, numbers);
  if (mimic !== undefined) joint.mimic = mimic;
  const soft = softLimits(element, place, numbers);
  if (soft !== undefined) joint.soft = soft;
  const [limit, second] = childrenOf(element, 'limit');
  if (second !== undefined) numbers.warn(second, place, 'it has several <limit>: the first counts, as in ROS');
  if (limit !== undefined) describeLimits(joint, limit, place, numbers);
  else if (type !== 'continuous' && mimic === undefined) {
    numbers.addProblem(
      element,
      place,
      `a ${type} joint needs a <limit>`,
      'Write <limit lower="…" upper="…" velocity="…" effort="…"/>, or make the joint continuous.',
    );
  }
  return joint;
}

/**
 * Reads the soft limits. URDF defines 0 as the value of an absent soft limit; if both are 0 the controller has no
 * range, and undefined is returned.
 */
function softLimits(element: XmlElement, place: string, numbers: XmlNumbers): JointDraft['soft'] {
  const controller = numbers.onlyChild(element, 'safety_controller', place);
  if (controller === undefined) return undefined;
  const lower = numbers.number(controller, 'soft_lower_limit', place) ?? 0;
  const upper = numbers.number(controller, 'soft_upper_limit', place) ?? 0;
  if (lower > upper) {
    numbers.addProblem(controller, place, `the soft lower limit ${lower} is above the soft upper limit ${upper}`);
  }
  return lower === upper ? undefined : { lower, upper };
}

function jointType(element: XmlElement, place: string, numbers: XmlNumbers): JointType {
  const type = attributeOf(element, 'type') ?? '';
  if (JOINT_TYPES.includes(type)) return type as JointType;
  if (heldType(type) === undefined)
    numbers.addProblem(
      element,
      place,
      `unknown joint type "${type}"`,
      suggestion(type, [...JOINT_TYPES, ...HELD_TYPES]),
    );
  return 'fixed';
}

const heldType = (type: string) => HELD_TYPES.find((held) => held === type);

/**
 * Warns of each planar and floating joint, whose child is fixed at its origin. One that joints carry, and that carries
 * joints, is a problem: fixed, it would make another robot of it.
 */
export function checkHeldJoints(
  robot: XmlElement,
  links: readonly LinkDraft[],
  { joints }: UrdfTree,
  numbers: XmlNumbers,
): void {
  const above = new Map(joints.map((joint) => [joint.child, joint]));
  const moves = (link: string): boolean => {
    for (let joint = above.get(link); joint !== undefined; joint = above.get(joint.parent))
      if (joint.type !== 'fixed') return true;
    return false;
  };
  for (const [i, element] of childrenOf(robot, 'joint').entries()) {
    const type = heldType(attributeOf(element, 'type') ?? '');
    if (type === undefined) continue;
    const { name, parent, child } = joints[i];
    const place = `joint "${name}"`;
    if (!moves(parent) || !movesBelow(child, joints))
      numbers.warn(element, place, heldJointWarning(type, child, links, joints));
    else
      numbers.addProblem(
        element,
        place,
        `a ${type} joint between joints that move is not supported`,
        'Write a joint for each direction of motion, or make it fixed.',
      );
  }
}

function checkAxis(element: XmlElement, type: JointType, place: string, numbers: XmlNumbers): void {
  if (type === 'fixed') {
    // A fixed joint has no motion, so that any axis is accepted, even 0 0 0, or several.
    for (const axis of childrenOf(element, 'axis')) {
      numbers.triple(axis, 'xyz', place);
      element.removeChild(axis);
    }
    return;
  }
  const axis = numbers.onlyChild(element, 'axis', place);
  if (axis === undefined) return;
  const xyz = numbers.triple(axis, 'xyz', place);
  if (xyz === undefined) {
    if (attributeOf(axis, 'xyz') === undefined) numbers.addProblem(axis, place, '<axis> has no xyz');
    return;
  }
  const length = Math.sqrt(xyz[0] * xyz[0] + xyz[1] * xyz[1] + xyz[2] * xyz[2]);
  if (length === 0 || !Number.isFinite(length)) {
    numbers.addProblem(axis, place, `its axis is ${xyz.join(' ')}, which has no direction`);
  }
  axis.setAttribute('xyz', xyz.join(' '));
}

function describeLimits(joint: Mutable<JointDraft>, limit: XmlElement, place: string, numbers: XmlNumbers): void {
  const read = (attribute: string) => numbers.number(limit, attribute, place);
  const lower = read('lower');
  const upper = read('upper');
  if (joint.type === 'continuous') {
    if ((lower ?? 0) !== 0 || (upper ?? 0) !== 0) {
      numbers.warnings.push(`${place} is continuous: its range from ${lower ?? 0} to ${upper ?? 0} is ignored`);
    }
  } else if (lower !== undefined || upper !== undefined || joint.mimic === undefined) {
    // URDF's default for an absent bound is 0.
    setRange(joint, [lower ?? 0, upper ?? 0], limit, place, numbers, {
      swapped: (lowest, highest) => `lower="${lowest}" upper="${highest}"`,
      unlimited:
        joint.type === 'prismatic'
          ? 'write the travel that the joint has'
          : 'write type="continuous", and leave lower and upper out',
    });
    warnOfRange(joint, limit, [lower, upper], place, numbers);
  }
  for (const quantity of ['velocity', 'effort', 'acceleration', 'deceleration', 'jerk'] as const) {
    const value = read(quantity);
    if (value === undefined) continue;
    // Version 1.2 of URDF; of both accelerations the stricter one holds, as in joint_limits.yaml.
    const kind = quantity === 'deceleration' ? 'acceleration' : quantity;
    if (value >= 0) joint[kind] = quantity === 'deceleration' ? Math.min(value, joint[kind] ?? value) : value;
    if (value < 0) {
      numbers.warn(limit, place, `its ${quantity} limit is ${value}, which is negative: taken as not stated`);
    } else if (value === 0 && quantity !== 'effort' && joint.mimic === undefined) {
      const remedy = `a scene that plans the joint must state another: limits: {${joint.name}: {${kind}: …}}`;
      numbers.warn(limit, place, `its ${quantity} limit is 0: ${remedy}`);
    }
  }
}

/** Warns about missing bounds, and about a range of a single value. */
function warnOfRange(
  { type, lower, upper }: JointDraft,
  limit: XmlElement,
  [statedLower, statedUpper]: readonly [number | undefined, number | undefined],
  place: string,
  numbers: XmlNumbers,
): void {
  const missing = [
    ...(statedLower === undefined ? ['lower'] : []),
    ...(statedUpper === undefined ? ['upper'] : []),
  ].join(' and ');
  if (missing !== '') {
    const range = lower === upper ? `${lower}…${upper}, it cannot move` : `${lower}…${upper}`;
    numbers.warn(
      limit,
      place,
      `its <limit> states no ${missing}, 0 is taken: the range of the ${type} joint is ${range}`,
    );
  } else if (lower === upper) {
    numbers.warn(limit, place, `the range of the ${type} joint is ${lower}…${upper}: it cannot move`);
  }
}

function describeMimic(
  element: XmlElement,
  name: string,
  types: ReadonlyMap<string, string>,
  numbers: XmlNumbers,
): JointDraft['mimic'] {
  const place = `joint "${name}"`;
  const mimic = numbers.onlyChild(element, 'mimic', place);
  if (mimic === undefined) return undefined;
  const leader = attributeOf(mimic, 'joint') ?? '';
  const others = () => [...types.keys()].filter((other) => other !== name && types.get(other) !== 'fixed');
  if (leader === name) numbers.addProblem(mimic, place, 'it cannot mimic itself');
  else if (!types.has(leader)) {
    numbers.addProblem(mimic, place, `it mimics "${leader}", which is not a joint`, suggestion(leader, others()));
  } else if (types.get(leader) === 'fixed') {
    numbers.addProblem(mimic, place, `it mimics "${leader}", which is fixed`, suggestion(leader, others()));
  }
  const multiplier = numbers.number(mimic, 'multiplier', place) ?? 1;
  const offset = numbers.number(mimic, 'offset', place) ?? 0;
  const problem = mimicProblem(multiplier, offset);
  if (problem !== undefined) numbers.addProblem(mimic, place, problem);
  return { joint: leader, multiplier, offset };
}

/** Adds a problem if joints mimic each other. @param elements of the joints, in the same order */
export function refuseMimicLoops(
  elements: readonly XmlElement[],
  joints: readonly Pick<JointDraft, 'name' | 'mimic'>[],
  numbers: XmlNumbers,
): void {
  if (numbers.problems.length > 0) return;
  const leaderOf = new Map(joints.map((joint) => [joint.name, joint.mimic?.joint]));
  const indexOf = new Map(joints.map(({ name }, i) => [name, i]));
  const followed = new Set<string>(); // joints known not to be part of a mimic cycle
  for (const { name } of joints) {
    const seen = new Set<string>();
    let leader: string | undefined = name;
    for (; leader !== undefined && !seen.has(leader) && !followed.has(leader); leader = leaderOf.get(leader)) {
      seen.add(leader);
    }
    for (const joint of seen) followed.add(joint);
    if (leader === undefined || !seen.has(leader)) continue;
    const names = [...seen].slice([...seen].indexOf(leader));
    const first = names.reduce((least, _, i) => (indexOf.get(names[i])! < indexOf.get(names[least])! ? i : least), 0);
    const loop = [...names.slice(first), ...names.slice(0, first)]; // reported at its first joint in the file
    numbers.addProblem(
      elements[indexOf.get(loop[0])!],
      `joint "${loop[0]}"`,
      `these joints mimic each other: ${loop.join(', ')}`,
    );
    return;
  }
}
