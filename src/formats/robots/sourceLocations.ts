import { attributeOf, childOf, childrenOf, lineOf, parseXml, type XmlElement } from '../text/xmlDocument.ts';

/** Where a URDF says what: lines counted from 1. */
export interface RobotPlaces {
  readonly joints: ReadonlyMap<string, JointPlace>;
  /** Of the link, and of the geometry of each of its `<collision>` elements. */
  readonly links: ReadonlyMap<string, { readonly line: number; readonly collisions: readonly number[] }>;
}

export interface JointPlace {
  readonly line: number;
  /** Its `<limit>`, as the attributes stand there; undefined where there is none. */
  readonly limit: { readonly line: number; readonly attributes: Readonly<Record<string, string>> } | undefined;
  /** Its `<axis>`, as the numbers stand there. */
  readonly axis: { readonly line: number; readonly xyz: readonly number[] } | undefined;
}

/** The lines of links and joints in URDF text that has been read before, so that nothing in it is refused. */
export async function robotPlaces(text: string, file: string): Promise<RobotPlaces> {
  const root = await parseXml(text, file, 'robot');
  return {
    joints: new Map(childrenOf(root, 'joint').map((joint) => [attributeOf(joint, 'name') ?? '', jointPlace(joint)])),
    links: new Map(
      childrenOf(root, 'link').map((link) => [
        attributeOf(link, 'name') ?? '',
        { line: lineOf(link), collisions: childrenOf(link, 'collision').map(geometryLine) },
      ]),
    ),
  };
}

/** The line of each `disable_collisions` and `group_state` in SRDF text: by `pairKey`, and by the name of the state. */
export async function srdfPlaces(
  text: string,
  file: string,
): Promise<{ readonly pairs: ReadonlyMap<string, number>; readonly states: ReadonlyMap<string, number> }> {
  const root = await parseXml(text, file, 'robot');
  const pairs = childrenOf(root, 'disable_collisions').map((pair): [string, number] => [
    pairKey(attributeOf(pair, 'link1') ?? '', attributeOf(pair, 'link2') ?? ''),
    lineOf(pair),
  ]);
  const states = childrenOf(root, 'group_state').map((state): [string, number] => [
    attributeOf(state, 'name') ?? '',
    lineOf(state),
  ]);
  return { pairs: new Map(pairs), states: new Map(states) };
}

/** Two names in either order. */
export const pairKey = (a: string, b: string): string => (a < b ? `${a}\n${b}` : `${b}\n${a}`);

function jointPlace(joint: XmlElement): JointPlace {
  const limit = childOf(joint, 'limit');
  const axis = childOf(joint, 'axis');
  return {
    line: lineOf(joint),
    limit: limit && {
      line: lineOf(limit),
      attributes: Object.fromEntries(Array.from(limit.attributes, ({ name, value }) => [name, value])),
    },
    axis: axis && {
      line: lineOf(axis),
      xyz: (attributeOf(axis, 'xyz') ?? '').trim().split(/\s+/).map(Number),
    },
  };
}

function geometryLine(collision: XmlElement): number {
  const geometry = childOf(collision, 'geometry');
  return lineOf((geometry && childrenOf(geometry)[0]) ?? collision);
}
