import { PI } from '../../../core/math/trigonometry.ts';
import { suggestion } from '../../../errors.ts';
import { attributeOf, quote, type XmlElement } from '../../text/xmlDocument.ts';
import type { XmlNumbers } from '../../text/xmlNumbers.ts';

/** Settings of `<compiler>` that change the meaning of other elements. */
export interface Compiler {
  /** Radians per unit of an angle in the file. */
  readonly angleUnit: number;
  /** Axes of `euler`: lower case turns with the body, upper case is fixed. */
  readonly eulerAxes: string;
  /** True if joints with a range are limited. */
  readonly autoLimits: boolean;
  /** Folder of mesh files, relative to the folder of the main file. */
  readonly meshFolder: string;
  /** True if a setting replaces or changes the inertias that bodies state. */
  readonly changesInertias: boolean;
  /** True if folders are removed from the addresses of mesh files. */
  readonly stripsPaths: boolean;
}

/** Reads all `<compiler>` elements; of an attribute that several state, the last counts, as in MuJoCo. */
export function readCompiler(elements: readonly XmlElement[], numbers: XmlNumbers): Compiler {
  const last = (attribute: string) => elements.findLast((element) => attributeOf(element, attribute) !== undefined);
  const keyword = (attribute: string, choices: readonly string[]): string => {
    const element = last(attribute);
    return element === undefined
      ? choices[0]
      : (keywordOf(element, attribute, choices, 'compiler', numbers) ?? choices[0]);
  };
  const text = (attribute: string) => {
    const element = last(attribute);
    return element && attributeOf(element, attribute)!;
  };
  const isSet = (attribute: string) => !['0', 'false', '-1'].includes((text(attribute) ?? '0').trim());
  for (const element of elements) {
    if (attributeOf(element, 'coordinate') === 'global')
      numbers.addProblem(
        element,
        'compiler',
        'global coordinates are not supported',
        'Save the model with MuJoCo 2.3.3.',
      );
  }
  const eulerAxes = text('eulerseq') ?? 'xyz';
  if (!/^[xyz]{3}$/i.test(eulerAxes))
    numbers.addProblem(
      last('eulerseq')!,
      'compiler',
      `eulerseq is ${quote(eulerAxes)}`,
      'It has three letters of xyzXYZ.',
    );
  return {
    angleUnit: keyword('angle', ['degree', 'radian']) === 'degree' ? PI / 180 : 1,
    eulerAxes: /^[xyz]{3}$/i.test(eulerAxes) ? eulerAxes : 'xyz',
    autoLimits: keyword('autolimits', ['true', 'false']) === 'true',
    meshFolder: text('meshdir') ?? text('assetdir') ?? '',
    changesInertias:
      ['settotalmass', 'boundmass', 'boundinertia', 'balanceinertia'].some(isSet) || text('inertiafromgeom') === 'true',
    stripsPaths: keyword('strippath', ['false', 'true']) === 'true',
  };
}

/** Reads an attribute that is one of some words; undefined if it is absent or another one, which is a problem. */
export function keywordOf(
  element: XmlElement,
  attribute: string,
  choices: readonly string[],
  place: string,
  numbers: XmlNumbers,
): string | undefined {
  const value = attributeOf(element, attribute)?.trim();
  if (value === undefined || choices.includes(value)) return value;
  numbers.addProblem(element, place, `${attribute} is ${quote(value)}`, suggestion(value, choices));
  return undefined;
}
