import { childrenOf, parseXml } from '../text/xmlDocument.ts';

/** A pair of links that may touch, with its reason and, where there is one, a remark. */
export interface WrittenPair {
  readonly a: string;
  readonly b: string;
  readonly reason: string;
}

/** What an SRDF is written from. */
export interface SrdfDraft {
  readonly robot: string;
  /** Lines of the comment at its head. */
  readonly remarks: readonly string[];
  /** Elements as XML, written before the pairs: groups, states. */
  readonly elements: readonly string[];
  readonly pairs: readonly WrittenPair[];
}

/** The text of an SRDF. */
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

/** All that an SRDF says besides the pairs that may touch, element by element, as it stands there. */
export async function otherElements(text: string, file: string): Promise<string[]> {
  const root = await parseXml(text, file, 'robot');
  const others = childrenOf(root).filter(({ nodeName }) => nodeName !== 'disable_collisions');
  return others.map((element) => element.toString());
}

/** A group of all joints that move, and the state in which the robot is at rest: what an SRDF that names nothing else begins with. */
export function plainGroup(joints: readonly string[], rest: readonly number[]): string[] {
  const list = joints.map((name) => `    <joint name="${attribute(name)}"/>`);
  const values = joints.map((name, i) => `    <joint name="${attribute(name)}" value="${rest[i]}"/>`);
  return [
    ['<group name="all">', ...list, '  </group>'].join('\n'),
    ['<group_state name="home" group="all">', ...values, '  </group_state>'].join('\n'),
  ];
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
