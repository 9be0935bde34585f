import { missingGeometryWarning } from '../../../core/kinematics/collisionGeometry.ts';
import { poseOfTransform } from '../../../core/kinematics/pose.ts';
import { lengthProblem } from '../../../core/math/magnitudes.ts';
import { compose, create, type Transform } from '../../../core/math/transform.ts';
import type { ShapeSpec } from '../../../core/shapes/shape.ts';
import { attributeOf, childOf, childrenOf, lineOf, type XmlElement } from '../../text/xmlDocument.ts';
import { massOf, sdfInertial, UNKNOWN_MASS, warnUnknown } from '../inertials.ts';
import type { CollisionDraft, LinkDraft, LinkGeometry } from '../urdfDocument.ts';
import { joined, type SdfFile } from './sdfFiles.ts';
import { resolved } from './sdfFrames.ts';
import { relativeTo, type SdfContext } from './sdfJoints.ts';
import { placeOf, type SdfFrame } from './sdfModel.ts';
import type { SdfText } from './sdfText.ts';

/** Elements of links and of shapes that describe how they are simulated or shown. */
const SILENT_IN_LINKS = [
  'self_collide',
  'gravity',
  'kinematic',
  'enable_wind',
  'must_be_base_link',
  'velocity_decay',
  'light',
  'sensor',
];
const SILENT_IN_SHAPES = [
  'surface',
  'laser_retro',
  'max_contacts',
  'material',
  'cast_shadows',
  'transparency',
  'visibility_flags',
  'meta',
  'lod',
  'density',
  'auto_inertia_params',
];

/** Context of a link; `mainFile`: path of the file of the robot. */
type LinkContext = SdfContext & { readonly mainFile: string };

/**
 * Reads a link with its collision geometry.
 * @param name with the names of nested models
 */
export function readSdfLink(name: string, link: SdfFrame, geometry: LinkGeometry, context: LinkContext): LinkDraft {
  const { element } = link;
  const { text } = context;
  const place = placeOf('link', name);
  text.checkAttributes(element, ['name'], place);
  text.checkChildren(element, ['collision', 'visual', 'inertial', 'pose'], SILENT_IN_LINKS, place);
  const read = (one: XmlElement) => resolved(() => readCollision(one, name, link, context));
  const collisions = geometryElements(element, name, text, geometry).flatMap((one) => read(one) ?? []);
  const inertial = childOf(element, 'inertial');
  const mass = inertial && childOf(inertial, 'mass');
  const kilograms = mass && text.numbers.content(mass, 1, place)?.[0];
  const inertialPose = inertial && resolved(() => poseInLink(inertial, link, place, context));
  // SDF gives a link without <inertial> a mass of 1 kg.
  const stated = inertial && inertialPose ? sdfInertial(inertial, inertialPose) : UNKNOWN_MASS;
  warnUnknown(text.numbers, place, inertial, stated);
  return { name, collisions, ...massOf(kilograms, stated) };
}

/** Returns the elements that are the geometry of a link. If visual geometry is requested and it has none, the other. */
function geometryElements(link: XmlElement, name: string, { numbers }: SdfText, geometry: LinkGeometry): XmlElement[] {
  const [collisions, visuals] = [childrenOf(link, 'collision'), childrenOf(link, 'visual')];
  if (geometry === 'collision') {
    if (collisions.length === 0 && visuals.length > 0) numbers.warnings.push(missingGeometryWarning(name));
    return collisions;
  }
  if (visuals.length > 0) return visuals;
  if (collisions.length > 0)
    numbers.warnings.push(`link "${name}" has no visual geometry: its collision geometry is used`);
  return collisions;
}

function readCollision(
  element: XmlElement,
  name: string,
  link: SdfFrame,
  context: LinkContext,
): CollisionDraft | undefined {
  const { model, text, mainFile } = context;
  const place = `${placeOf('link', name)}: ${element.nodeName} "${attributeOf(element, 'name') ?? ''}"`;
  text.checkChildren(element, ['pose', 'geometry'], SILENT_IN_SHAPES, place);
  const T = poseInLink(element, link, place, context);
  const found = readGeometry(element, place, text, model.file);
  if (found === undefined) return undefined;
  const other = model.file.path === mainFile ? {} : { file: model.file.path };
  return { line: lineOf(found.body), ...other, pose: poseOfTransform(T), ...found.geometry };
}

/** Returns the pose of an element in the frame of its link. */
function poseInLink(
  element: XmlElement,
  link: SdfFrame,
  place: string,
  { model, frames, text }: SdfContext,
): Transform {
  const stated = text.pose(element, place);
  const T = create();
  if (stated.relativeTo !== undefined) {
    const T_model_frame = frames.poseOf(stated.relativeTo, model, stated.element, place);
    T.set(relativeTo(frames.poseOfFrame(link, model), T_model_frame));
  }
  compose(T, T, stated.T);
  return T;
}

/** Geometry of a `<collision>` or `<visual>`: a shape or a mesh. */
type SdfGeometry = Pick<CollisionDraft, 'shape' | 'mesh'>;

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
function readGeometry(
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
