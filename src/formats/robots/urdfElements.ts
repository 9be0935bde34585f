import { nearestName } from '../../errors.ts';
import { childrenOf, type XmlElement } from '../text/xmlDocument.ts';
import type { XmlNumbers } from '../text/xmlNumbers.ts';

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
  ignored: words('material gazebo transmission sensor'),
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

/**
 * Adds a problem for each unread element that would change link poses or collision geometry: elements with a probably
 * misspelled name, elements in a wrong place, and xacro statements without prefix. Others are ignored, as by all
 * readers of URDF.
 */
export function checkElements(robot: XmlElement, numbers: XmlNumbers): void {
  for (const child of childrenOf(robot)) {
    if (child.nodeName !== 'include' && child.nodeName !== 'macro') continue;
    const note = `In xacro files it is <xacro:${child.nodeName}>.`;
    numbers.addProblem(child, 'robot', `<${child.nodeName}> has no meaning in a URDF`, note);
  }
  check(robot, ROBOT, numbers, 'robot');
  for (const link of childrenOf(robot, 'link')) {
    const place = `link "${link.getAttribute('name') ?? ''}"`;
    check(link, LINK, numbers, place);
    for (const collision of childrenOf(link, 'collision')) check(collision, COLLISION, numbers, place);
  }
  for (const joint of childrenOf(robot, 'joint'))
    check(joint, JOINT, numbers, `joint "${joint.getAttribute('name') ?? ''}"`);
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
