import { lengthProblem } from '../../../core/math/magnitudes.ts';
import type { ShapeSpec } from '../../../core/shapes/shape.ts';
import { childrenOf, type XmlElement } from '../../text/xmlDocument.ts';
import type { CollisionDraft } from '../urdfDocument.ts';
import type { SdfFile } from './sdfFiles.ts';
import { joined } from './sdfFiles.ts';
import type { SdfText } from './sdfText.ts';

/** Geometry of a `<collision>` or `<visual>`: a shape or a mesh. */
export type SdfGeometry = Pick<CollisionDraft, 'shape' | 'mesh'>;

type Reader = (element: XmlElement, place: string, text: SdfText, file: SdfFile) => SdfGeometry | undefined;

/** Shapes by the name of their element. */
const readers: Readonly<Record<string, Reader>> = {
  box: (element, place, text) => {
    const size = positives(element, 'size', 3, place, text);
    return size && { shape: { type: 'box', size } };
  },
  sphere: (element, place, text) => {
    const radius = positives(element, 'radius', 1, place, text)?.[0];
    return radius === undefined ? undefined : { shape: { type: 'sphere', radius } };
  },
  cylinder: round('cylinder'),
  capsule: round('capsule'),
  cone: round('cone'),
  ellipsoid: (element, place, text) => {
    const radii = positives(element, 'radii', 3, place, text);
    return radii && { shape: { type: 'ellipsoid', radii } };
  },
  plane: readPlane,
  mesh: readMesh,
};

/** Shapes of SDF that are refused, and what to do instead. */
const refused: Readonly<Record<string, string>> = {
  heightmap: 'Use an obstacle of type heightfield in the scene.',
  image: 'Use boxes, or a mesh.',
  polyline: 'Use a mesh.',
};

/**
 * Reads the geometry of a `<collision>` or `<visual>`. Returns undefined if it is empty or a problem was added.
 * @returns the geometry with the element that states it
 */
export function readGeometry(
  element: XmlElement,
  place: string,
  text: SdfText,
  file: SdfFile,
): { readonly geometry: SdfGeometry; readonly body: XmlElement } | undefined {
  const { numbers } = text;
  const geometry = numbers.onlyChild(element, 'geometry', place);
  const [body, second] =
    geometry === undefined ? [] : childrenOf(geometry).filter((child) => !child.nodeName.includes(':'));
  if (body === undefined) {
    numbers.addProblem(element, place, geometry === undefined ? 'it has no <geometry>' : 'its <geometry> is empty');
    return undefined;
  }
  const name = body.nodeName;
  if (second !== undefined)
    numbers.addProblem(
      second,
      place,
      `a <geometry> has two shapes, <${name}> and <${second.nodeName}>, it must have one`,
    );
  if (name === 'empty') return undefined;
  const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (read === undefined) {
    const known = Object.hasOwn(refused, name);
    const note = known ? refused[name] : `Use one of: ${Object.keys(readers).join(', ')}.`;
    numbers.addProblem(body, place, known ? `<${name}> is not supported` : `unknown geometry <${name}>`, note);
    return undefined;
  }
  const found = read(body, place, text, file);
  return found && { geometry: found, body };
}

function round(type: string): Reader {
  return (element, place, text) => {
    const radius = positives(element, 'radius', 1, place, text)?.[0];
    const length = positives(element, 'length', 1, place, text)?.[0];
    if (radius === undefined || length === undefined) return undefined;
    return { shape: { type, radius, length } as ShapeSpec };
  };
}

/** Reads an infinite plane, solid behind it; its size is for display only. */
function readPlane(element: XmlElement, place: string, { numbers }: SdfText): SdfGeometry | undefined {
  const child = numbers.onlyChild(element, 'normal', place);
  const normal = child === undefined ? [0, 0, 1] : numbers.content(child, 3, place, lengthProblem);
  if (normal === undefined) return undefined;
  if (normal.some((x) => Math.abs(x) > 1e-9)) return { shape: { type: 'halfspace', normal } };
  numbers.addProblem(child ?? element, place, `normal of the plane is ${normal.join(' ')}, which has no direction`);
  return undefined;
}

function readMesh(element: XmlElement, place: string, text: SdfText, file: SdfFile): SdfGeometry | undefined {
  const { numbers } = text;
  const uri = text.text(element, 'uri', place) ?? '';
  const [submesh] = childrenOf(element, 'submesh');
  if (uri === '') numbers.addProblem(element, place, '<mesh> has no <uri>');
  if (submesh !== undefined)
    numbers.addProblem(submesh, place, '<submesh> is not supported', 'Write the part to a file of its own.');
  const child = numbers.onlyChild(element, 'scale', place);
  const scale = child === undefined ? [1, 1, 1] : numbers.content(child, 3, place);
  if (scale?.some((factor) => factor === 0))
    numbers.addProblem(child!, place, `scale of the mesh is ${scale.join(' ')}, no factor may be 0`);
  if (uri === '' || submesh !== undefined || scale === undefined) return undefined;
  return { mesh: { address: joined(file.folder, uri), scale: scale as [number, number, number] } };
}

/** Reads a required child with `count` lengths greater than zero; undefined if a problem was added. */
function positives(
  element: XmlElement,
  name: string,
  count: number,
  place: string,
  { numbers }: SdfText,
): number[] | undefined {
  const child = numbers.onlyChild(element, name, place);
  if (child === undefined) {
    numbers.addProblem(element, place, `<${element.nodeName}> has no <${name}>`);
    return undefined;
  }
  const values = numbers.content(child, count, place, lengthProblem);
  if (values === undefined || values.every((value) => value > 0)) return values;
  const what = `${name} of the ${element.nodeName} is ${values.join(' ')}, it must be greater than 0`;
  numbers.addProblem(child, place, what);
  return undefined;
}
