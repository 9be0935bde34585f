import { suggestion } from '../errors.ts';
import type { JointDescription } from '../kinematics/robotModel.ts';
import { attributeOf, childOf, childrenOf, type XmlElement } from './xmlDocument.ts';
import type { XmlNumbers } from './xmlNumbers.ts';

/** Links and joints hung together. */
export interface UrdfTree {
  readonly root: string;
  /** In the order of the file. */
  readonly joints: readonly JointDescription[];
}

/** What the file says of a joint, without its place in the tree. */
export type JointDraft = Omit<JointDescription, 'parent' | 'child' | 'axis'>;

/** Checks names and who hangs on whom: one root, every other link below exactly one joint. */
export function checkTree(robot: XmlElement, numbers: XmlNumbers): void {
  const links = checkNames(robot, 'link', numbers);
  checkNames(robot, 'joint', numbers);
  if (links.size === 0) numbers.complain(robot, 'robot', 'there is no <link>');
  const above = new Map<string, string[]>();
  for (const joint of childrenOf(robot, 'joint')) {
    const name = attributeOf(joint, 'name') ?? '';
    const place = `joint "${name}"`;
    for (const end of ['parent', 'child']) {
      const [element, ...more] = childrenOf(joint, end);
      const link = element && attributeOf(element, 'link');
      if (more.length > 0) numbers.complain(more[0], place, `there are ${1 + more.length} <${end}>, it must be one`);
      if (link === undefined) numbers.complain(joint, place, `there is no <${end} link="…">`);
      else if (!links.has(link)) {
        numbers.complain(joint, place, `${end} link "${link}" is not defined`, suggestion(link, [...links.keys()]));
      } else if (end === 'child') append(above, link, name);
    }
  }
  if (numbers.problems.length > 0) return;
  for (const [link, joints] of above) {
    if (joints.length < 2) continue;
    const list = joints.map((joint) => `"${joint}"`).join(', ');
    numbers.complain(
      links.get(link)!,
      `link "${link}"`,
      `it is the child of ${joints.length} joints (${list}): a robot must be a tree`,
    );
  }
  if (numbers.problems.length > 0) return;
  const roots = [...links.keys()].filter((link) => !above.has(link));
  if (roots.length > 1) {
    numbers.complain(
      links.get(roots[1])!,
      'robot',
      `${roots.length} links have no joint above them: ${roots.map((link) => `"${link}"`).join(', ')}`,
      'One link must be the root; hang the others below it with fixed joints.',
    );
  }
  if (roots.length < 2) refuseLoops(robot, roots, links, numbers);
}

/** Parents, children and axes of the checked joints, in the order of the file. An axis that is not stated is x. */
export function readTree(robot: XmlElement, drafts: readonly JointDraft[]): UrdfTree {
  const elements = childrenOf(robot, 'joint');
  const joints = drafts.map((draft, i): JointDescription => {
    const [parent, child] = ['parent', 'child'].map((end) => attributeOf(childOf(elements[i], end)!, 'link')!);
    return { ...draft, parent, child, axis: unitAxis(elements[i]) };
  });
  const children = new Set(joints.map(({ child }) => child));
  const names = childrenOf(robot, 'link').map((link) => attributeOf(link, 'name')!);
  return { root: names.find((name) => !children.has(name))!, joints };
}

function unitAxis(joint: XmlElement): [number, number, number] {
  const axis = childOf(joint, 'axis');
  if (axis === undefined) return [1, 0, 0];
  const [x, y, z] = attributeOf(axis, 'xyz')!.trim().split(/\s+/).map(Number);
  const scale = 1 / Math.sqrt(x * x + y * y + z * z);
  return [x * scale, y * scale, z * scale];
}

function checkNames(robot: XmlElement, kind: string, numbers: XmlNumbers): Map<string, XmlElement> {
  const named = new Map<string, XmlElement>();
  for (const element of childrenOf(robot, kind)) {
    const name = attributeOf(element, 'name') ?? '';
    if (name === '') numbers.complain(element, kind, 'it has no name');
    else if (name === '__proto__') numbers.complain(element, `${kind} "${name}"`, 'this name cannot be used');
    else if (named.has(name)) numbers.complain(element, `${kind} "${name}"`, `there are two ${kind}s of this name`);
    named.set(name, element);
  }
  return named;
}

function refuseLoops(
  robot: XmlElement,
  roots: readonly string[],
  links: ReadonlyMap<string, XmlElement>,
  numbers: XmlNumbers,
): void {
  const below = new Map<string, string[]>();
  for (const joint of childrenOf(robot, 'joint')) {
    const [parent, child] = ['parent', 'child'].map((end) => attributeOf(childOf(joint, end)!, 'link')!);
    append(below, parent, child);
  }
  const reached = new Set(roots);
  for (const link of reached) for (const child of below.get(link) ?? []) reached.add(child); // a Set grows while it is walked
  const lost = [...links.keys()].filter((link) => !reached.has(link));
  if (lost.length === 0) return;
  const list = lost.map((link) => `"${link}"`).join(', ');
  numbers.complain(
    links.get(lost[0])!,
    `link "${lost[0]}"`,
    `these links form a loop: ${list}`,
    'A robot must be a tree.',
  );
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
