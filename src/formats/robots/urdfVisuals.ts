import { attributeOf, childOf, childrenOf, type XmlElement } from '../text/xmlDocument.ts';
import { XmlNumbers } from '../text/xmlNumbers.ts';
import type { CollisionDraft } from './urdfDocument.ts';
import { readGeometry } from './urdfLinks.ts';

/** One `<visual>`: appearance of a part of a link. Not used for collision checking. */
export interface VisualDraft extends CollisionDraft {
  readonly link: string;
  /** Red, green, blue from 0 to 1. */
  readonly color?: readonly [number, number, number];
}

/**
 * Reads the appearance of the links of a URDF from `<visual>` and `<material>`. For display only: unreadable elements
 * are skipped without a warning.
 * @param robot the root element
 */
export function readVisuals(robot: XmlElement): VisualDraft[] {
  const materials = new Map(
    childrenOf(robot, 'material').map((material) => [attributeOf(material, 'name') ?? '', colorOf(material)]),
  );
  return childrenOf(robot, 'link').flatMap((link) =>
    childrenOf(link, 'visual').flatMap((visual) => {
      const numbers = new XmlNumbers('');
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
