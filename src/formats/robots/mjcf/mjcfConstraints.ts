import type { JointDescription, RobotDescription } from '../../../core/kinematics/robotModel.ts';
import { jointValueProblem, mimicProblem } from '../../../core/math/magnitudes.ts';
import { attributeOf, type XmlElement } from '../../text/xmlDocument.ts';
import type { XmlNumbers } from '../../text/xmlNumbers.ts';
import { heldJointWarning, restingPairs } from '../heldJoints.ts';
import type { PivotJoint } from '../jointChain.ts';
import type { LinkDraft } from '../urdfDocument.ts';
import type { JointDraft } from '../urdfTree.ts';
import { type MjcfJointType, POSITIONS, statedName } from './mjcfJoints.ts';
import type { MjcfModel } from './mjcfModel.ts';

/** Default of `polycoef`: equal displacements. */
const EQUAL = [0, 1, 0, 0, 0];

/** A joint as far as constraints need it. */
type Reference = Pick<PivotJoint, 'reference'>;

/**
 * Reads the joint equalities with a linear polynomial: joint1 − ref1 = c0 + c1 (joint2 − ref2), so that joint1 mimics
 * joint2, or joint2 mimics joint1 if that follows another joint already. Nonlinear and inactive equalities are ignored,
 * with a warning if they would couple joints.
 */
export function readMimics(
  joints: ReadonlyMap<string, Reference>,
  { inSections, schema, defaults, numbers }: MjcfModel,
): Map<string, { readonly mimic: NonNullable<JointDraft['mimic']>; readonly element: XmlElement }> {
  const mimics = new Map<string, { mimic: NonNullable<JointDraft['mimic']>; element: XmlElement }>();
  for (const element of inSections('equality')) {
    const place = statedName(element) === undefined ? 'equality' : `equality "${statedName(element)}"`;
    schema.checkAttributes(element, place, 'equality joint');
    const given = defaults.apply(element, 'equality', undefined, place);
    const active = given.keyword('active', ['true', 'false']);
    const name = attributeOf(element, 'joint1');
    const leader = attributeOf(element, 'joint2');
    const coefficients = numbers.list(element, 'polycoef', [1, 5], place) ?? [];
    const names = [name, ...(leader === undefined ? [] : [leader])];
    const wrong = names.find((one) => one === undefined || !joints.has(one));
    if (name === undefined) numbers.addProblem(element, place, 'it has no joint1');
    else if (names.includes(wrong)) {
      if (wrong !== undefined)
        numbers.addProblem(element, place, `there is no joint "${wrong}"`, numbers.suggest(wrong, joints.keys()));
    } else if (name === leader) numbers.addProblem(element, place, `joint "${name}" cannot follow itself`);
    else if (active !== 'false') {
      const [c0, c1, ...higher] = EQUAL.map((absent, i) => coefficients[i] ?? absent);
      if (leader === undefined || higher.some((c) => c !== 0)) {
        const why = leader === undefined ? 'it has no joint2' : 'its polynomial is not linear';
        numbers.warn(element, place, `it is ignored, ${why}: joint "${name}" moves independently`);
        continue;
      }
      const offset = joints.get(name)!.reference + c0 - c1 * joints.get(leader)!.reference;
      // A joint that follows another one already leads this one: an equality has no direction.
      const isTurned = mimics.has(name) && !mimics.has(leader) && c1 !== 0;
      const follower = isTurned ? leader : name;
      const mimic = isTurned
        ? { joint: name, multiplier: 1 / c1, offset: -offset / c1 }
        : { joint: leader, multiplier: c1, offset };
      const problem = mimicProblem(mimic.multiplier, mimic.offset);
      if (problem !== undefined) numbers.addProblem(element, place, problem);
      if (mimics.has(follower)) numbers.addProblem(element, place, `joint "${name}" already follows another joint`);
      mimics.set(follower, { mimic, element });
    }
  }
  return mimics;
}

/** Returns the elements of `<contact>` of a name. */
const contacts = ({ inSections }: MjcfModel, name: string): XmlElement[] =>
  inSections('contact').filter(({ nodeName }) => nodeName === name);

/** Reads the names of pairs of geoms that collide regardless of masks and `<exclude>`. */
export function readPairs(
  geoms: ReadonlySet<string>,
  model: MjcfModel,
): readonly { readonly a: string; readonly b: string }[] {
  return namedPairs(model, 'pair', 'geom', geoms);
}

/** Reads the two names of each element of `<contact>` of a name; reports those that are missing or not known. */
function namedPairs(model: MjcfModel, element: string, kind: 'geom' | 'body', known: ReadonlySet<string>) {
  const { schema, numbers } = model;
  return contacts(model, element).flatMap((contact) => {
    schema.checkAttributes(contact, element);
    const [a, b] = [1, 2].map((end) => attributeOf(contact, `${kind}${end}`));
    if (a === undefined || b === undefined) {
      numbers.addProblem(contact, element, `${kind}1 and ${kind}2 are both needed`);
      return [];
    }
    const unknown = [a, b].find((name) => !known.has(name));
    if (unknown === undefined) return [{ a, b, contact }];
    numbers.addProblem(contact, element, `there is no ${kind} "${unknown}"`, numbers.suggest(unknown, known));
    return [];
  });
}

/**
 * Reads the pairs of bodies that never collide. A pair of bodies with geoms in a `<pair>` is left out, with a warning.
 * @param paired returns true for such bodies
 */
export function readExcludes(
  bodies: ReadonlySet<string>,
  paired: (a: string, b: string) => boolean,
  model: MjcfModel,
): [string, string, string][] {
  return namedPairs(model, 'exclude', 'body', bodies).flatMap(({ a, b, contact }): [string, string, string][] => {
    if (!paired(a, b)) return [[a, b, 'exclude']];
    model.numbers.warn(
      contact,
      'exclude',
      `"${a}" and "${b}" are checked all the same: <pair> states that they collide`,
    );
    return [];
  });
}

/**
 * Reads the key frames with a name and positions as named states. `qpos` has the values of all joints in their order;
 * those of ball and free joints are left out.
 * @param order the joints that have values in `qpos`
 */
export function readKeys(
  joints: readonly Pick<JointDraft, 'name' | 'mimic'>[],
  order: FixedJoints['order'],
  { inSections, schema, numbers }: MjcfModel,
): RobotDescription['states'] {
  const count = order.reduce((sum, { type }) => sum + POSITIONS[type], 0);
  const mimics = new Set(joints.flatMap(({ name, mimic }) => (mimic === undefined ? [] : [name])));
  const states = new Map<string, Readonly<Record<string, number>>>();
  for (const element of inSections('keyframe')) {
    const name = statedName(element);
    const place = name === undefined ? 'key' : `key "${name}"`;
    schema.checkAttributes(element, place);
    const values = numbers.bounded(element, 'qpos', count, place, jointValueProblem);
    if (name === undefined || values === undefined) continue;
    const state: [string, number][] = [];
    let at = 0;
    for (const { name: joint, type } of order) {
      if (POSITIONS[type] === 1 && !mimics.has(joint)) state.push([joint, values[at]]);
      at += POSITIONS[type];
    }
    states.set(name, Object.fromEntries(state));
  }
  return Object.fromEntries(states);
}

/** A joint with its body. */
interface BodyJoint {
  readonly element: XmlElement;
  readonly name: string;
  readonly type: MjcfJointType;
  readonly body: string;
}

/** Ball joints, which are refused, and free joints, whose bodies are fixed at the stated poses. */
export class FixedJoints {
  /** All joints in the order of their values in `qpos`. */
  readonly order: BodyJoint[] = [];

  constructor(private readonly numbers: XmlNumbers) {}

  /** Adds the next joint of the file. */
  add(joint: BodyJoint): void {
    this.order.push(joint);
  }

  /**
   * Adds a problem if a body has joints that MuJoCo refuses: a free joint below the top level, or beside other joints.
   * @param moving number of hinges and slides of the body
   */
  checkBody(body: string, isTop: boolean, moving: number): void {
    const held = this.order.filter((joint) => joint.body === body && (joint.type === 'free' || joint.type === 'ball'));
    for (const { element, name, type } of held) {
      const place = `joint "${name}"`;
      if (held.length > 1) this.numbers.addProblem(element, place, `body "${body}" has several ball or free joints`);
      else if (type === 'free' && !isTop)
        this.numbers.addProblem(
          element,
          place,
          'a free joint inside another body',
          'Only a child of the world is free.',
        );
      else if (type === 'free' && moving > 0)
        this.numbers.addProblem(element, place, `body "${body}" has a free joint and others`, 'A free joint is alone.');
    }
  }

  /** Returns the pairs of loose objects and what they may rest on. */
  restingPairs(links: readonly LinkDraft[], joints: readonly JointDescription[]): [string, string, string][] {
    const bodies = this.order.flatMap(({ type, body }) => (type === 'free' ? [body] : []));
    return restingPairs(bodies, links, joints);
  }

  /**
   * Warns of each free joint. A ball joint is a problem: its body would swing where it is taken as fixed.
   * @param hasStates true if key frames become named states
   */
  warn(links: readonly LinkDraft[], joints: readonly JointDescription[], hasStates: boolean): void {
    const keys = hasStates ? '; key frames keep the values of the other joints' : '';
    for (const { element, name, type, body } of this.order) {
      if (type === 'ball')
        this.numbers.addProblem(
          element,
          `joint "${name}"`,
          'ball joints are not supported',
          'Write three hinges, or weld the body.',
        );
      if (type === 'free')
        this.numbers.warn(element, `body "${body}"`, heldJointWarning('free', body, links, joints) + keys);
    }
  }
}
