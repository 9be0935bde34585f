import { nearestName } from '../../errors.ts';
import { attributeOf, childrenOf, quote, type XmlElement } from '../text/xmlDocument.ts';
import type { XmlNumbers } from '../text/xmlNumbers.ts';
import type { LinkGeometry } from './urdfDocument.ts';

/** Known child elements of an element of URDF. */
interface KnownElements {
  readonly read: readonly string[];
  readonly ignored: readonly string[];
  /** Elements that are only read elsewhere; here they are errors. */
  readonly misplaced: readonly string[];
}

const words = (text: string): readonly string[] => text.split(' ');

const ROBOT: KnownElements = {
  read: words('link joint'),
  ignored: words('material gazebo transmission sensor loop_joint'),
  misplaced: words('collision geometry parent child axis limit mimic'),
};
const LINK: KnownElements = {
  read: words('collision'),
  ignored: words('visual inertial sensor contact'),
  misplaced: words('link joint geometry parent child axis limit mimic'),
};
const COLLISION: KnownElements = {
  read: words('origin geometry'),
  ignored: words('verbose name material'),
  misplaced: words('link joint collision box sphere cylinder capsule mesh'),
};
const JOINT: KnownElements = {
  read: words('parent child origin axis limit mimic'),
  ignored: words('dynamics calibration safety_controller'),
  misplaced: words('link joint collision geometry'),
};

/** Attributes of the elements that place links and collision geometry. */
const ATTRIBUTES: ReadonlyMap<string, readonly string[]> = new Map([
  ['origin', words('xyz rpy quat_xyzw')],
  ['box', words('size')],
  ['sphere', words('radius')],
  ['cylinder', words('radius length')],
  ['capsule', words('radius length')],
  ['mesh', words('filename scale')],
  ['axis', words('xyz')],
  ['mimic', words('joint multiplier offset')],
]);
/** Attributes with a pose that dialects of URDF have in `<origin>`. */
const OTHER_POSES = words('quat quat_wxyz quaternion wxyz xyzw orientation rotation position translation');
/** Versions of URDF: 1.1 added quaternions and capsules, 1.2 limits of the deceleration. */
const VERSIONS = words('1 1.0 1.1 1.2');
/** Form of the hash of a calibration. */
export const CALIBRATION_HASH = /^calib_\d+$/;

/** Adds a problem if the version of URDF that the file states is not supported. */
export function checkVersion(robot: XmlElement, numbers: XmlNumbers): void {
  const version = attributeOf(robot, 'version');
  if (version === undefined || VERSIONS.includes(version.trim())) return;
  const what = `version ${quote(version)} of URDF is not supported`;
  numbers.addProblem(robot, 'robot', what, `Use one of: ${VERSIONS.slice(1).join(', ')}.`);
}

/** Adds a problem if the calibration that the file states has another form than the hashes of the driver. */
export function checkCalibration(robot: XmlElement, numbers: XmlNumbers): void {
  const hash = attributeOf(robot, 'calibration');
  if (hash === undefined || CALIBRATION_HASH.test(hash)) return;
  numbers.addProblem(robot, 'robot', `calibration is ${quote(hash)}, must be calib_ and digits`);
}

/**
 * Adds a problem for each unread element that would change link poses or collision geometry: elements with a probably
 * misspelled name, elements in a wrong place, and xacro statements without prefix. Others are ignored, as by all
 * readers of URDF.
 */
export function checkElements(robot: XmlElement, numbers: XmlNumbers, geometry: LinkGeometry): void {
  for (const child of childrenOf(robot)) {
    if (child.nodeName !== 'include' && child.nodeName !== 'macro') continue;
    const note = `In xacro files it is <xacro:${child.nodeName}>.`;
    numbers.addProblem(child, 'robot', `<${child.nodeName}> has no meaning in a URDF`, note);
  }
  check(robot, ROBOT, numbers, 'robot');
  for (const loop of childrenOf(robot, 'loop_joint')) {
    const place = `loop_joint "${loop.getAttribute('name') ?? ''}"`;
    numbers.warn(loop, place, 'it is ignored: what it couples moves independently');
  }
  for (const link of childrenOf(robot, 'link')) {
    const place = `link "${link.getAttribute('name') ?? ''}"`;
    check(link, LINK, numbers, place);
    for (const collision of childrenOf(link, 'collision')) {
      check(collision, COLLISION, numbers, place);
      if (geometry === 'collision') checkShapeAttributes(collision, numbers, place);
    }
    for (const visual of childrenOf(link, 'visual'))
      if (geometry === 'visual') checkShapeAttributes(visual, numbers, place);
  }
  for (const joint of childrenOf(robot, 'joint')) {
    const place = `joint "${joint.getAttribute('name') ?? ''}"`;
    check(joint, JOINT, numbers, place);
    const isFixed = attributeOf(joint, 'type') === 'fixed';
    for (const child of childrenOf(joint))
      if (child.nodeName === 'origin' || !isFixed) checkAttributes(child, numbers, place);
  }
}

/** Checks the attributes of the origin and the shape of a `<collision>` or `<visual>`. */
function checkShapeAttributes(element: XmlElement, numbers: XmlNumbers, place: string): void {
  for (const origin of childrenOf(element, 'origin')) checkAttributes(origin, numbers, place);
  for (const geometry of childrenOf(element, 'geometry'))
    for (const shape of childrenOf(geometry)) checkAttributes(shape, numbers, place);
}

/**
 * Adds a problem for each attribute with a probably misspelled name, or with a pose that URDF does not have: it would
 * be ignored. Others, and those with a prefix, are ignored, as by all readers of URDF.
 */
function checkAttributes(element: XmlElement, numbers: XmlNumbers, place: string): void {
  const known = ATTRIBUTES.get(element.nodeName);
  if (known === undefined) return;
  for (const { name } of Array.from(element.attributes)) {
    if (known.includes(name) || name.includes(':')) continue;
    const meant = nearestName(name, known);
    const isPose = element.nodeName === 'origin' && OTHER_POSES.includes(name);
    if (meant === undefined && !isPose) continue;
    const what = `unknown attribute "${name}" of <${element.nodeName}>`;
    const list = `Use one of: ${known.join(', ')}.`;
    numbers.addProblem(element, place, what, meant === undefined ? list : `Did you mean ${meant}? ${list}`);
  }
}

function check(element: XmlElement, known: KnownElements, numbers: XmlNumbers, place: string): void {
  for (const child of childrenOf(element)) {
    const name = child.nodeName;
    if (known.read.includes(name) || known.ignored.includes(name) || name.includes(':')) continue;
    if (known.misplaced.includes(name)) {
      const note = `Is <${element.nodeName}> closed in the right place?`;
      numbers.addProblem(child, place, `<${name}> has no meaning in <${element.nodeName}>`, note);
      continue;
    }
    const meant = nearestName(name, known.read);
    if (meant !== undefined) numbers.addProblem(child, place, `unknown element <${name}>`, `Did you mean <${meant}>?`);
  }
}
