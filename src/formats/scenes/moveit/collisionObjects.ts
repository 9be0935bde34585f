import type { Pose } from '../../../core/kinematics/robotModel.ts';
import { IDENTITY_POSE } from '../../../core/scene/scene.ts';
import type { ShapeSpec } from '../../../core/shapes/shape.ts';
import { InputError } from '../../../errors.ts';
import { show } from '../../text/schemaDiagnostics.ts';
import type { Path } from '../../text/sourceText.ts';
import { type ForeignObject, halfspaceOf, hullShape, isNone, rosPose, within } from './foreignScene.ts';
import {
  dimensionsOf,
  listOf,
  mappingOf,
  messageOf,
  nameOf,
  numbersOf,
  poseOf,
  requireKeys,
  tripleOf,
} from './messageValues.ts';
import { octreeBoxes } from './octomap.ts';
import { MessageError, type Raw, record } from './rosMessage.ts';

/** The shapes of shape_msgs/SolidPrimitive, by name and by number, with the order of their dimensions. */
const primitives: Readonly<Record<string, (d: readonly number[]) => ShapeSpec>> = {
  box: ([x, y, z]) => ({ type: 'box', size: [x, y, z] }),
  sphere: ([radius]) => ({ type: 'sphere', radius }),
  cylinder: ([length, radius]) => ({ type: 'cylinder', radius, length }),
  cone: ([length, radius]) => ({ type: 'cone', radius, length }),
};
const dimensions: Readonly<Record<string, number>> = { box: 3, sphere: 1, cylinder: 2, cone: 2 };
const numbered = ['', 'box', 'sphere', 'cylinder', 'cone'];

/** Keys of the shapes of an object and of their poses. */
const SHAPES = [
  ['primitives', 'primitive_poses'],
  ['meshes', 'mesh_poses'],
  ['planes', 'plane_poses'],
] as const;

/** An object with its own frame and its subframes, whose poses are relative to that frame. */
export interface PosedObject extends ForeignObject {
  /** Pose of its frame; undefined if ROS 1 and ROS 2 place it differently. */
  readonly pose: Pose | undefined;
  readonly subframes: ReadonlyMap<string, Pose>;
}

/** Returns the pose of the frame of an object that `path` refers to. Throws `MessageError` if it is undefined. */
export function frameOf({ id, pose }: Pick<PosedObject, 'id' | 'pose'>, path: Path): Pose {
  if (pose !== undefined) return pose;
  const what = `a frame of the object ${JSON.stringify(id)}, whose pose is the identity`;
  const note =
    'MoveIt 2 takes the pose of its only shape for it, MoveIt 1 does not: give the object a pose of its own.';
  throw new MessageError(path, what, note);
}

/**
 * Reads a collision object. Poses of its shapes are relative to its frame, and this one to that of its header.
 * @param frame pose of the frame that the header names
 */
export async function readCollisionObject(
  object: Raw,
  path: Path,
  frame: Pose,
  notes: Set<string>,
): Promise<PosedObject> {
  const id = nameOf(object.id, [...path, 'id']);
  const { operation = 0 } = object;
  if (operation !== 0 && !isZeroByte(operation))
    throw new MessageError(
      [...path, 'operation'],
      `${show(operation)}, only 0 (ADD) is supported`,
      'Convert the scene that results.',
    );
  const own = poseIn(object.pose ?? {}, [...path, 'pose'], notes);
  const outer = within(frame, own);
  const bodies: ForeignObject['bodies'][number][] = [];
  const lists = (key: string) => listOf(object[key], [...path, key]).entries();
  const posed = (key: string, i: number) => {
    const given = listOf(object[key], [...path, key])[i];
    return within(outer, given === undefined ? IDENTITY_POSE : poseIn(given, [...path, key, i], notes));
  };
  for (const [shapes, poses] of SHAPES) {
    const counts = [shapes, poses].map((key) => listOf(object[key], [...path, key]).length);
    if (counts[1] > counts[0])
      throw new MessageError([...path, poses], `${counts[1]} poses of ${counts[0]} shapes`, 'Give one pose per shape.');
  }
  for (const [i, one] of lists('primitives'))
    bodies.push({ shape: readPrimitive(one, [...path, 'primitives', i]), pose: posed('primitive_poses', i) });
  for (const [i, one] of lists('meshes'))
    bodies.push({ shape: await readMesh(one, [...path, 'meshes', i], notes), pose: posed('mesh_poses', i) });
  for (const [i, one] of lists('planes')) {
    const at = [...path, 'planes', i];
    const behind = halfspaceOf(numbersOf(record(one).coef, 4, [...at, 'coef']), posed('plane_poses', i));
    if (behind === undefined)
      throw new MessageError(at, 'a plane without a direction', 'Give a coefficient a, b or c other than 0.');
    notes.add('planes become half-spaces, solid behind the plane');
    bodies.push(behind);
  }
  if (bodies.length === 0)
    throw new MessageError(
      path,
      `the object ${JSON.stringify(id)} has no shapes`,
      'Give primitives, meshes or planes.',
    );
  const only =
    bodies.length === 1 && isNone(own) ? SHAPES.find(([key]) => listOf(object[key], []).length > 0) : undefined;
  const pose = only === undefined ? outer : switchedPose(object, outer, posed(only[1], 0));
  return { id, bodies, pose, subframes: readSubframes(object, path, notes) };
}

/** Returns true for the byte 0 as ROS 2 prints it, and as its tools for messages in YAML require it. */
const isZeroByte = (value: unknown): boolean =>
  value === '\0' || (value instanceof Uint8Array && value.length === 1 && value[0] === 0);

/**
 * Returns the pose of the frame of an object with one shape, whose own pose is the identity. If that is not stated (w
 * is absent or 0), MoveIt takes the pose of the shape. If it is stated with w = 1, MoveIt 2 does so, too, but MoveIt 1
 * does not: undefined, unless both agree. Other quaternions of the identity, such as w = −1, are a pose for both.
 */
function switchedPose(object: Raw, outer: Pose, ofShape: Pose): Pose | undefined {
  const { orientation, rotation = orientation } = record(object.pose);
  const w = Array.isArray(rotation) ? rotation[3] : record(rotation).w;
  if (w === undefined || w === 0) return ofShape;
  const isSame =
    ofShape.xyz.every((x, k) => x === outer.xyz[k]) && ofShape.quat_wxyz.every((x, k) => x === outer.quat_wxyz[k]);
  return w !== 1 || isSame ? outer : undefined;
}

function readSubframes(object: Raw, path: Path, notes: Set<string>): ReadonlyMap<string, Pose> {
  const names = listOf(object.subframe_names, [...path, 'subframe_names']);
  const poses = listOf(object.subframe_poses, [...path, 'subframe_poses']);
  if (names.length !== poses.length)
    throw new MessageError(
      [...path, 'subframe_poses'],
      `${poses.length} poses for ${names.length} subframes`,
      'Give one pose per subframe.',
    );
  return new Map(
    names.map((name, i) => [
      nameOf(name, [...path, 'subframe_names', i]),
      poseIn(poses[i], [...path, 'subframe_poses', i], notes),
    ]),
  );
}

/** Reads a pose; a quaternion of length 0 is the identity, as in MoveIt, and a note says so. */
function poseIn(given: unknown, path: Path, notes: Set<string>): Pose {
  const pose = poseOf(given, path);
  if (pose !== undefined) return pose;
  notes.add('quaternions of length 0 are read as the identity, as in MoveIt');
  return rosPose(tripleOf(mappingOf(given, path).position ?? [0, 0, 0], [...path, 'position']), [0, 0, 0, 1])!;
}

function readPrimitive(given: unknown, path: Path): ShapeSpec {
  const { type, dimensions: sizes } = messageOf(given, 'primitive', path);
  const name = typeof type === 'number' ? (numbered[type] ?? '') : String(type).toLowerCase();
  if (!Object.hasOwn(primitives, name))
    throw new MessageError(
      [...path, 'type'],
      `${show(type)}, must be one of: ${Object.keys(primitives).join(', ')}, or 1 to 4`,
      '',
    );
  const values = dimensionsOf(sizes, dimensions[name], [...path, 'dimensions']);
  const wrong = values.findIndex((value) => !(value > 0));
  if (wrong >= 0)
    throw new MessageError([...path, 'dimensions', wrong], `${show(values[wrong])}, must be greater than 0`, '');
  return primitives[name](values);
}

async function readMesh(given: unknown, path: Path, notes: Set<string>): Promise<ShapeSpec> {
  const { vertices, resource } = mappingOf(given, path);
  if (vertices === undefined && typeof resource === 'string')
    throw new MessageError(
      [...path, 'resource'],
      `${show(resource)}: mesh files are not supported`,
      'Write a mesh obstacle.',
    );
  const points = listOf(vertices, [...path, 'vertices']).map((vertex, i) => tripleOf(vertex, [...path, 'vertices', i]));
  if (points.length === 0)
    throw new MessageError([...path, 'vertices'], 'a mesh without vertices', 'Give vertices and triangles.');
  notes.add('meshes become their convex hulls');
  return hullShape(points.flat());
}

/**
 * Returns the octomap as an object of its occupied boxes, under the name that MoveIt gives it; undefined if nothing is
 * occupied.
 * @param frameOf returns the pose of the frame that a header names
 */
export function readOctomap(
  given: unknown,
  path: Path,
  frameOf: (header: unknown) => Pose,
  notes: Set<string>,
): ForeignObject | undefined {
  const outermost = mappingOf(given ?? {}, path);
  const { origin, octomap, header } = outermost;
  requireKeys(outermost, 'header origin octomap', path);
  const message = mappingOf(octomap ?? {}, [...path, 'octomap']);
  if (listOf(message.data, [...path, 'octomap', 'data']).length === 0) return undefined;
  const outer = within(
    frameOf(header),
    origin === undefined ? IDENTITY_POSE : poseIn(origin, [...path, 'origin'], notes),
  );
  try {
    const bodies = octreeBoxes(message).map(({ size, pose }) => ({
      shape: { type: 'box', size },
      pose: within(outer, pose),
    }));
    return bodies.length === 0 ? undefined : { id: '<octomap>', bodies };
  } catch (error) {
    throw error instanceof InputError ? new MessageError([...path, 'octomap'], error.message, error.note) : error;
  }
}
