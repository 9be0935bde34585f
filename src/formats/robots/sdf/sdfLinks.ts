import { missingGeometryWarning } from '../../../core/kinematics/collisionGeometry.ts';
import { poseOfTransform } from '../../../core/kinematics/pose.ts';
import { compose, create, type Transform } from '../../../core/math/transform.ts';
import { attributeOf, childOf, childrenOf, lineOf, type XmlElement } from '../../text/xmlDocument.ts';
import { massOf, sdfInertial, UNKNOWN_MASS } from '../inertials.ts';
import type { CollisionDraft, LinkDraft, LinkGeometry } from '../urdfDocument.ts';
import { resolved, type SdfFrames } from './sdfFrames.ts';
import { readGeometry } from './sdfGeometry.ts';
import { relativeTo } from './sdfJoints.ts';
import { placeOf, type SdfFrame, type SdfModel } from './sdfModel.ts';
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

/**
 * Reads a link with its collision geometry.
 * @param name with the names of nested models
 * @param mainFile path of the file of the robot
 */
export function readSdfLink(
  name: string,
  link: SdfFrame,
  model: SdfModel,
  frames: SdfFrames,
  text: SdfText,
  geometry: LinkGeometry,
  mainFile: string,
): LinkDraft {
  const { element } = link;
  const place = placeOf('link', name);
  text.checkAttributes(element, ['name'], place);
  text.checkChildren(element, ['collision', 'visual', 'inertial', 'pose'], SILENT_IN_LINKS, place);
  const read = (one: XmlElement) => resolved(() => readCollision(one, name, link, model, frames, text, mainFile));
  const collisions = geometryElements(element, name, text, geometry).flatMap((one) => read(one) ?? []);
  const inertial = childOf(element, 'inertial');
  const mass = inertial && childOf(inertial, 'mass');
  const kilograms = mass && text.numbers.content(mass, 1, place)?.[0];
  const inertialPose = inertial && resolved(() => poseInLink(inertial, link, model, frames, text, place));
  // SDF gives a link without <inertial> a mass of 1 kg.
  const stated = inertial && inertialPose ? sdfInertial(inertial, inertialPose) : UNKNOWN_MASS;
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
  model: SdfModel,
  frames: SdfFrames,
  text: SdfText,
  mainFile: string,
): CollisionDraft | undefined {
  const place = `${placeOf('link', name)}: ${element.nodeName} "${attributeOf(element, 'name') ?? ''}"`;
  text.checkChildren(element, ['pose', 'geometry'], SILENT_IN_SHAPES, place);
  const T = poseInLink(element, link, model, frames, text, place);
  const found = readGeometry(element, place, text, model.file);
  if (found === undefined) return undefined;
  const other = model.file.path === mainFile ? {} : { file: model.file.path };
  return { line: lineOf(found.body), ...other, pose: poseOfTransform(T), ...found.geometry };
}

/** Returns the pose of an element in the frame of its link. */
function poseInLink(
  element: XmlElement,
  link: SdfFrame,
  model: SdfModel,
  frames: SdfFrames,
  text: SdfText,
  place: string,
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
