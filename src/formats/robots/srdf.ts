import type { EndEffector, RobotDescription } from '../../core/kinematics/robotModel.ts';
import { jointValueProblem } from '../../core/math/magnitudes.ts';
import { InputErrors, nearestName } from '../../errors.ts';
import { attributeOf, childrenOf, parseXml, type XmlElement } from '../text/xmlDocument.ts';
import { XmlNumbers } from '../text/xmlNumbers.ts';
import { RobotNames } from './robotNames.ts';
import type { Urdf } from './urdfDocument.ts';

/** Maximum number of groups, far more than any robot has; each may contain all the others. */
const MAX_GROUPS = 1000;

/** Values of a joint in a state, more than the seven of a floating joint. */
const MAX_VALUES = 16;

/** Known elements of an SRDF; some are ignored. */
const ELEMENTS = [
  'group',
  'group_state',
  'end_effector',
  'virtual_joint',
  'passive_joint',
  'disable_collisions',
  'enable_collisions',
  'disable_default_collisions',
  'joint_property',
  'link_sphere_approximation',
];

/** Data that an SRDF adds to a robot. */
export type Semantics = Pick<
  RobotDescription,
  'allowed' | 'checked' | 'states' | 'groupStates' | 'groups' | 'endEffectors' | 'passive' | 'warnings'
>;

/**
 * Reads SRDF text for a robot: disabled and enabled collision pairs, named states, groups (as the joints they move),
 * end effectors, passive joints. `<disable_default_collisions>` is ignored with a warning: its pairs are checked.
 * References to links and joints that the robot does not have are skipped, with one warning for all of them: such files
 * are often shared between variants of a robot. Throws one error that lists all problems.
 * @param file name for messages
 * @param urdf the robot
 */
export async function readSrdf(text: string, file: string, urdf: Pick<Urdf, 'links' | 'tree'>): Promise<Semantics> {
  const root = await parseXml(text, file, 'robot');
  const numbers = new XmlNumbers(file);
  refuseMisspelled(root, numbers);
  const names = new RobotNames(urdf, root);
  const allowed = readPairs(root, 'disable_collisions', names, numbers);
  const checked = readPairs(root, 'enable_collisions', names, numbers).map(([a, b]) => [a, b] as const);
  const { states, groupStates } = readStates(root, names, numbers);
  const endEffectors = readEndEffectors(root, names, numbers);
  const passive = childrenOf(root, 'passive_joint').flatMap((joint) => {
    const name = attributeOf(joint, 'name') ?? '';
    return names.hasJoint(name) ? [name] : [];
  });
  const groups = readGroups(root, names, numbers, new Set(passive));
  if (numbers.problems.length > 0) throw new InputErrors(numbers.problems);
  const missing =
    names.unknown.size === 0 ? [] : [`${file} names what the robot does not have: ${firstOf([...names.unknown])}`];
  const warnings = [...missing, ...defaultWarnings(root, file), ...numbers.warnings];
  return { allowed, checked, states, groupStates, groups, endEffectors, passive, warnings };
}

/** Adds a problem for each element that is most likely a misspelled one; other elements are extensions, and ignored. */
function refuseMisspelled(root: XmlElement, numbers: XmlNumbers): void {
  for (const element of childrenOf(root)) {
    const name = element.nodeName;
    if (ELEMENTS.includes(name)) continue;
    const near = nearestName(name, ELEMENTS);
    if (near !== undefined)
      numbers.addProblem(element, `<${name}>`, 'it is no element of an SRDF', `Did you mean <${near}>?`);
  }
}

/** Reads the pairs of links of all elements of a kind, each with its reason. */
function readPairs(
  root: XmlElement,
  kind: 'disable_collisions' | 'enable_collisions',
  names: RobotNames,
  numbers: XmlNumbers,
): [string, string, string][] {
  const pairs: [string, string, string][] = [];
  for (const element of childrenOf(root, kind)) {
    const [a, b] = ['link1', 'link2'].map((end) => attributeOf(element, end));
    if (a === undefined || b === undefined) {
      numbers.addProblem(element, kind, 'link1 and link2 are both needed');
      continue;
    }
    const [hasA, hasB] = [names.hasLink(a), names.hasLink(b)];
    if (hasA && hasB) pairs.push([a, b, attributeOf(element, 'reason') ?? '']);
  }
  return pairs;
}

/** Returns a warning if links are excluded from all collision checks by default; here their pairs are checked. */
function defaultWarnings(root: XmlElement, file: string): string[] {
  const links = childrenOf(root, 'disable_default_collisions').map((one) => `"${attributeOf(one, 'link') ?? ''}"`);
  if (links.length === 0) return [];
  return [`${file}: disable_default_collisions is ignored: the pairs of ${firstOf(links)} are checked`];
}

/** Joins the first five items and appends the number of the others. */
const firstOf = (items: readonly string[]): string =>
  `${items.slice(0, 5).join(', ')}${items.length > 5 ? `, … (${items.length} in all)` : ''}`;

/** Reads the named states: of each group, and of all groups, in which states of the same name are merged. */
function readStates(
  root: XmlElement,
  names: RobotNames,
  numbers: XmlNumbers,
): Required<Pick<Semantics, 'states' | 'groupStates'>> {
  const states: StateTable = new Map();
  const ofGroups = new Map<string, StateTable>();
  for (const element of childrenOf(root, 'group_state')) {
    const state = named(element, numbers);
    if (state === undefined) continue;
    const group = attributeOf(element, 'group') ?? '';
    const ofGroup: StateTable = ofGroups.get(group) ?? new Map();
    ofGroups.set(group, ofGroup);
    const tables = [valuesOf(states, state), valuesOf(ofGroup, state)];
    for (const joint of childrenOf(element, 'joint')) {
      const name = attributeOf(joint, 'name') ?? '';
      if (!names.hasJoint(name)) {
        numbers.list(joint, 'value', [1, MAX_VALUES], `group_state "${state}"`);
        continue;
      }
      const value = numbers.number(joint, 'value', `group_state "${state}"`);
      const problem = value === undefined ? undefined : jointValueProblem(value);
      if (problem !== undefined)
        numbers.addProblem(joint, `group_state "${state}"`, `joint "${name}" is ${value}, which ${problem}`);
      if (value !== undefined) for (const values of tables) values.set(name, value);
      else if (attributeOf(joint, 'value') === undefined) {
        numbers.addProblem(joint, `group_state "${state}"`, `joint "${name}" has no value`);
      }
    }
    for (const joint of tables[1].keys()) {
      const contradiction = names.contradiction(joint, tables[1]);
      if (contradiction !== undefined)
        numbers.warn(
          element,
          `group_state "${state}"`,
          `joint "${joint}" is ${tables[1].get(joint)}, but ${contradiction}`,
        );
    }
  }
  const groupStates = Object.fromEntries([...ofGroups].map(([group, table]) => [group, recordOf(table)]));
  return { states: recordOf(states), groupStates };
}

/** Values by state and joint. */
type StateTable = Map<string, Map<string, number>>;

/** Returns the values of a state, which are created if it has none. */
function valuesOf(table: StateTable, state: string): Map<string, number> {
  const values = table.get(state) ?? new Map<string, number>();
  table.set(state, values);
  return values;
}

const recordOf = (table: StateTable): Semantics['states'] =>
  Object.fromEntries([...table].map(([state, values]) => [state, Object.fromEntries(values)]));

function readGroups(
  root: XmlElement,
  names: RobotNames,
  numbers: XmlNumbers,
  passive: ReadonlySet<string>,
): Semantics['groups'] {
  const elements = new Map<string, XmlElement>();
  for (const element of childrenOf(root, 'group')) {
    const name = named(element, numbers);
    if (name === undefined) continue;
    if (!elements.has(name)) elements.set(name, element);
    else numbers.warn(element, `group "${name}"`, 'another group has this name: the first one is read, as in MoveIt');
  }
  if (elements.size > MAX_GROUPS) {
    numbers.addProblem(root, 'group', `there are ${elements.size} groups, more than ${MAX_GROUPS}`);
    return {};
  }
  const own = new Map([...elements].map(([name, element]) => [name, membersOf(element, names, elements)]));
  return Object.fromEntries(
    [...elements].map(([name, element]) => {
      const reached = reachedFrom(name, own);
      const joints = [name, ...reached].flatMap((group) => own.get(group)!.joints);
      if (!reached.has(name)) return [name, names.moving(new Set(joints), passive)];
      numbers.warn(element, `group "${name}"`, 'it contains itself: it is read as a group without joints');
      return [name, []];
    }),
  );
}

function readEndEffectors(root: XmlElement, names: RobotNames, numbers: XmlNumbers): EndEffector[] {
  return childrenOf(root, 'end_effector').flatMap((element): EndEffector[] => {
    const name = named(element, numbers);
    const [group, parentLink, parentGroup] = ['group', 'parent_link', 'parent_group'].map((key) =>
      attributeOf(element, key),
    );
    if (name === undefined || group === undefined || parentLink === undefined) {
      if (name !== undefined)
        numbers.addProblem(element, `end_effector "${name}"`, 'group and parent_link are both needed');
      return [];
    }
    if (!names.hasLink(parentLink)) return [];
    return [{ name, group, parentLink, ...(parentGroup ? { parentGroup } : {}) }];
  });
}

/** The direct members of a group. */
interface Members {
  readonly joints: readonly string[];
  /** Only groups that exist. */
  readonly groups: readonly string[];
}

function membersOf(element: XmlElement, names: RobotNames, known: ReadonlyMap<string, unknown>): Members {
  const joints: string[] = [];
  const groups: string[] = [];
  for (const child of childrenOf(element)) {
    const name = attributeOf(child, 'name') ?? '';
    if (child.nodeName === 'joint' && names.hasJoint(name)) joints.push(name);
    if (child.nodeName === 'link') joints.push(...names.jointAbove(name));
    if (child.nodeName === 'group' && known.has(name)) groups.push(name);
    if (child.nodeName === 'group' && !known.has(name)) names.unknown.add(`group "${name}"`);
    if (child.nodeName === 'chain')
      joints.push(...names.chain(attributeOf(child, 'base_link') ?? '', attributeOf(child, 'tip_link') ?? ''));
  }
  return { joints, groups };
}

/** Returns the groups that are reached from a group through its subgroups. */
function reachedFrom(group: string, all: ReadonlyMap<string, Members>): ReadonlySet<string> {
  const reached = new Set(all.get(group)!.groups);
  for (const name of reached) for (const inner of all.get(name)!.groups) reached.add(inner); // a Set may grow
  return reached;
}

function named(element: XmlElement, numbers: XmlNumbers): string | undefined {
  const name = attributeOf(element, 'name');
  if (name !== undefined && name !== '') return name;
  numbers.addProblem(element, element.nodeName, `it has no name that can be used (${JSON.stringify(name ?? '')})`);
  return undefined;
}
