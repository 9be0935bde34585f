import { childrenOf, parseXml } from '../text/xmlDocument.ts';

/** A disabled collision pair of links, with its reason and optionally a remark. */
export interface WrittenPair {
  readonly a: string;
  readonly b: string;
  readonly reason: string;
}

/** Contents of an SRDF to write. */
export interface SrdfDraft {
  readonly robot: string;
  /** Lines of the comment at the beginning. */
  readonly remarks: readonly string[];
  /** Elements as XML, written before the pairs: groups, states. */
  readonly elements: readonly string[];
  readonly pairs: readonly WrittenPair[];
}

/** Returns the text of an SRDF. */
export function srdfText({ robot, remarks, elements, pairs }: SrdfDraft): string {
  const comment = remarks.map((line) => line.replaceAll('--', '- -')).join('\n     ');
  return [
    '<?xml version="1.0"?>',
    `<!-- ${comment} -->`,
    `<robot name="${attribute(robot)}">`,
    ...elements.map((element) => `  ${element}`),
    ...pairs.map(
      ({ a, b, reason }) =>
        `  <disable_collisions link1="${attribute(a)}" link2="${attribute(b)}" reason="${attribute(reason)}"/>`,
    ),
    '</robot>',
    '',
  ].join('\n');
}

/** Returns all elements of an SRDF except the disabled pairs, as XML, unchanged. */
export async function otherElements(text: string, file: string): Promise<string[]> {
  const root = await parseXml(text, file, 'robot');
  const others = childrenOf(root).filter(({ nodeName }) => nodeName !== 'disable_collisions');
  return others.map((element) => element.toString());
}

/**
 * Returns a group of joints, and named states of it: of all movable joints, the minimal contents of an SRDF besides its
 * pairs.
 */
export function plainGroup(
  group: string,
  joints: readonly string[],
  states: Readonly<Record<string, Readonly<Record<string, number>>>>,
): string[] {
  const list = joints.map((name) => `    <joint name="${attribute(name)}"/>`);
  const values = (state: Readonly<Record<string, number>>) =>
    Object.entries(state).map(([name, value]) => `    <joint name="${attribute(name)}" value="${value}"/>`);
  return [
    [`<group name="${attribute(group)}">`, ...list, '  </group>'].join('\n'),
    ...Object.entries(states).map(([name, state]) =>
      [
        `<group_state name="${attribute(name)}" group="${attribute(group)}">`,
        ...values(state),
        '  </group_state>',
      ].join('\n'),
    ),
  ];
}

/** Returns the elements of pairs of links that are checked although they are adjacent. */
export const checkedElements = (pairs: readonly (readonly [string, string])[]): string[] =>
  pairs.map(([a, b]) => `<enable_collisions link1="${attribute(a)}" link2="${attribute(b)}"/>`);

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
