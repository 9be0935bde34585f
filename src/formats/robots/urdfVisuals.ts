import { attributeOf, childOf, childrenOf, parseXml, type XmlElement } from '../text/xmlDocument.ts';
import { XmlNumbers } from '../text/xmlNumbers.ts';
import type { CollisionDraft } from './urdfDocument.ts';
import { readGeometry } from './urdfLinks.ts';

/** One `<visual>`: how a part of a link looks. Nothing is checked against it. */
export interface VisualDraft extends CollisionDraft {
  readonly link: string;
  /** Red, green, blue from 0 to 1. */
  readonly color?: readonly [number, number, number];
}

/**
 * How the links of a URDF look, by `<visual>` and `<material>`. For the eye alone: what cannot be read is left out, without a word.
 * @param file name for messages of the XML itself, which must be sound
 */
export async function readVisuals(text: string, file: string): Promise<VisualDraft[]> {
  const robot = await parseXml(text, file, 'robot');
  const materials = new Map(
    childrenOf(robot, 'material').map((material) => [attributeOf(material, 'name') ?? '', colorOf(material)]),
  );
  return childrenOf(robot, 'link').flatMap((link) =>
    childrenOf(link, 'visual').flatMap((visual) => {
      const numbers = new XmlNumbers(file);
      const draft = readGeometry(visual, 'visual', numbers);
      if (draft === undefined || numbers.problems.length > 0) return [];
      const material = childOf(visual, 'material');
      const color = material && (colorOf(material) ?? materials.get(attributeOf(material, 'name') ?? ''));
      return [{ ...draft, link: attributeOf(link, 'name') ?? '', ...(color ? { color } : {}) }];
    }),
  );
}

function colorOf(material: XmlElement): VisualDraft['color'] {
  const color = childOf(material, 'color');
  const rgba = (color && attributeOf(color, 'rgba'))?.trim().split(/\s+/).map(Number);
  if (!rgba || rgba.length < 3 || !rgba.every((part) => part >= 0 && part <= 1)) return undefined;
  return [rgba[0], rgba[1], rgba[2]];
}
