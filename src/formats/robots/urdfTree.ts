import type { JointDescription } from '../../core/kinematics/robotModel.ts';
import { suggestion } from '../../errors.ts';
import { PlainElement, withDomGlobals } from '../text/domGlobals.ts';
import { attributeOf, childOf, childrenOf, type XmlElement } from '../text/xmlDocument.ts';
import type { XmlNumbers } from '../text/xmlNumbers.ts';

/** The kinematic tree of links and joints. */
export interface UrdfTree {
  /** Name of the root link. */
  readonly root: string;
  /** In the order of the file. */
  readonly joints: readonly JointDescription[];
}

/** A joint as read from the file, without its place in the tree. */
export type JointDraft = Omit<JointDescription, 'parent' | 'child' | 'axis'>;

/** Checks names and the tree structure: one root, and every other link is the child of exactly one joint. */
export function checkTree(robot: XmlElement, numbers: XmlNumbers): void {
  const links = checkNames(robot, 'link', numbers);
  checkNames(robot, 'joint', numbers);
  if (links.size === 0) numbers.addProblem(robot, 'robot', 'there is no <link>');
  const above = new Map<string, string[]>();
  for (const joint of childrenOf(robot, 'joint')) {
    const name = attributeOf(joint, 'name') ?? '';
    const place = `joint "${name}"`;
    for (const end of ['parent', 'child']) {
      const [element, ...more] = childrenOf(joint, end);
      const link = element && attributeOf(element, 'link');
      if (more.length > 0) numbers.addProblem(more[0], place, `there are ${1 + more.length} <${end}>, it must be one`);
      if (link === undefined) numbers.addProblem(joint, place, `there is no <${end} link="…">`);
      else if (!links.has(link)) {
        numbers.addProblem(joint, place, `${end} link "${link}" is not defined`, suggestion(link, [...links.keys()]));
      } else if (end === 'child') append(above, link, name);
    }
  }
  if (numbers.problems.length > 0) return;
  for (const [link, joints] of above) {
    if (joints.length < 2) continue;
    const list = joints.map((joint) => `"${joint}"`).join(', ');
    numbers.addProblem(
      links.get(link)!,
      `link "${link}"`,
      `it is the child of ${joints.length} joints (${list}): a robot must be a tree`,
    );
  }
  if (numbers.problems.length > 0) return;
  const roots = [...links.keys()].filter((link) => !above.has(link));
  if (roots.length > 1) {
    numbers.addProblem(
      links.get(roots[1])!,
      'robot',
      `${roots.length} links are not the child of a joint: ${roots.map((link) => `"${link}"`).join(', ')}`,
      'One link must be the root; connect the others to it by fixed joints.',
    );
  }
  if (roots.length < 2) refuseLoops(robot, roots, links, numbers);
}

/**
 * Builds the tree with urdf-loader from the checked elements and reads parents, children and axes back. Visuals and
 * collision shapes are left out, because urdf-loader would load textures and turn cylinders and spheres into inscribed
 * meshes.
 */
export async function loadTree(robot: XmlElement, drafts: readonly JointDraft[]): Promise<UrdfTree> {
  const { default: URDFLoader } = await import('urdf-loader');
  const names = childrenOf(robot, 'link').map((link) => attributeOf(link, 'name')!);
  const bare = bareElement(names, childrenOf(robot, 'joint'), drafts);
  const loader = new URDFLoader();
  const model = withDomGlobals(() => loader.parse(bare as unknown as Parameters<typeof loader.parse>[0]));

  const linkOf = (object: unknown) => names[Number((object as { urdfName: string }).urdfName)];
  const joints = drafts.map((draft, i): JointDescription => {
    const { parent, children, axis } = model.joints[i];
    return { ...draft, parent: linkOf(parent), child: linkOf(children[0]), axis: [axis.x, axis.y, axis.z] };
  });
  return { root: linkOf(model), joints };
}

/**
 * Creates the robot element for urdf-loader: empty links; joints with type, parent, child and axis. Uses plain objects,
 * because cloning xmldom's elements takes longer than everything else. Links and joints are named by their index in the
 * file: urdf-loader stores names in plain objects, where `__proto__` is not a valid key.
 */
function bareElement(
  links: readonly string[],
  joints: readonly XmlElement[],
  drafts: readonly JointDraft[],
): PlainElement {
  const robot = new PlainElement('robot', new Map());
  const numberOf = new Map(links.map((link, i) => [link, String(i)]));
  for (const number of numberOf.values()) robot.children.push(new PlainElement('link', new Map([['name', number]])));
  for (const [i, { type }] of drafts.entries()) {
    const attributes = new Map([
      ['name', String(i)],
      ['type', type],
    ]);
    const bare = new PlainElement('joint', attributes);
    for (const end of ['parent', 'child']) {
      const number = numberOf.get(attributeOf(childOf(joints[i], end)!, 'link')!)!;
      bare.children.push(new PlainElement(end, new Map([['link', number]])));
    }
    const axis = childOf(joints[i], 'axis');
    if (axis) bare.children.push(new PlainElement('axis', new Map([['xyz', attributeOf(axis, 'xyz')!]])));
    robot.children.push(bare);
  }
  return robot;
}

function checkNames(robot: XmlElement, kind: string, numbers: XmlNumbers): Map<string, XmlElement> {
  const named = new Map<string, XmlElement>();
  for (const element of childrenOf(robot, kind)) {
    const name = attributeOf(element, 'name') ?? '';
    if (name === '') numbers.addProblem(element, kind, 'it has no name');
    else if (named.has(name)) numbers.addProblem(element, `${kind} "${name}"`, `there are two ${kind}s of this name`);
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
  // A Set may grow during iteration.
  for (const link of reached) for (const child of below.get(link) ?? []) reached.add(child);
  const lost = [...links.keys()].filter((link) => !reached.has(link));
  if (lost.length === 0) return;
  const list = lost.map((link) => `"${link}"`).join(', ');
  numbers.addProblem(
    links.get(lost[0])!,
    `link "${lost[0]}"`,
    roots.length === 0
      ? `no root link: every link is a child, these form a loop: ${list}`
      : `these links form a loop: ${list}`,
    'A robot must be a tree.',
  );
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
