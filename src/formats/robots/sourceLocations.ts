import { attributeOf, childOf, childrenOf, fileOf, lineOf, parseXml, type XmlElement } from '../text/xmlDocument.ts';

/** Line numbers of links and joints in a URDF, from 1. */
export interface RobotPlaces {
  readonly joints: ReadonlyMap<string, JointPlace>;
  /** Line of the link, and of the geometry of each of its `<collision>` elements. */
  readonly links: ReadonlyMap<string, LinkPlace>;
}

/** Line of a link, and of the geometry of each of its collision shapes. */
export interface LinkPlace {
  /** File of the link, if it is not that of the robot. */
  readonly file?: string | undefined;
  readonly line: number;
  readonly collisions: readonly number[];
}

export interface JointPlace {
  /** File of the joint, if it is not that of the robot. */
  readonly file?: string | undefined;
  readonly line: number;
  /** Its `<limit>` with the attributes as written; undefined if there is none. */
  readonly limit: { readonly line: number; readonly attributes: Readonly<Record<string, string>> } | undefined;
  /** Its `<axis>` with the numbers as written. */
  readonly axis: { readonly line: number; readonly xyz: readonly number[] } | undefined;
}

/**
 * Finds the lines of links and joints in the elements of a URDF; empty for a robot of another format.
 */
export function robotPlaces(root: XmlElement | undefined): RobotPlaces {
  if (root === undefined) return { joints: new Map(), links: new Map() };
  return {
    joints: new Map(childrenOf(root, 'joint').map((joint) => [attributeOf(joint, 'name') ?? '', jointPlace(joint)])),
    links: new Map(
      childrenOf(root, 'link').map((link) => [
        attributeOf(link, 'name') ?? '',
        { file: fileOf(link), line: lineOf(link), collisions: childrenOf(link, 'collision').map(geometryLine) },
      ]),
    ),
  };
}

/**
 * Finds the line of each `disable_collisions` and `group_state` in SRDF text: by `pairKey`, and by the name of the
 * state.
 */
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

/** Returns a key for two names that does not depend on their order. */
export const pairKey = (a: string, b: string): string => JSON.stringify(a < b ? [a, b] : [b, a]);

function jointPlace(joint: XmlElement): JointPlace {
  const limit = childOf(joint, 'limit');
  const axis = childOf(joint, 'axis');
  return {
    file: fileOf(joint),
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
