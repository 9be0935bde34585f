import type { Pose } from '../../../core/kinematics/robotModel.ts';
import { IDENTITY_POSE } from '../../../core/scene/scene.ts';
import type { ShapeSpec } from '../../../core/shapes/shape.ts';
import { show } from '../../text/schemaDiagnostics.ts';
import { type ForeignObject, halfspaceOf, hullShape, isNone, rosPose, within } from './foreignScene.ts';
import type { Field } from './messageValues.ts';

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

/** Returns the pose of the frame of an object that a field names. Throws `MessageError` if it is undefined. */
export function frameOf({ id, pose }: Pick<PosedObject, 'id' | 'pose'>, field: Field): Pose {
  if (pose !== undefined) return pose;
  throw field.error(
    `a frame of the object ${JSON.stringify(id)}, whose pose is the identity`,
    'MoveIt 2 takes the pose of its only shape for it, MoveIt 1 does not: give the object a pose of its own.',
  );
}

/**
 * Reads a collision object. Poses of its shapes are relative to its frame, and this one to that of its header.
 * @param frame pose of the frame that the header names
 */
export async function readCollisionObject(object: Field, frame: Pose, notes: Set<string>): Promise<PosedObject> {
  const id = object.at('id').name();
  const operation = object.at('operation');
  if (operation.value !== undefined && operation.value !== 0 && !isZeroByte(operation.value))
    throw operation.wrong('only 0 (ADD) is supported', 'Convert the scene that results.');
  const own = poseIn(object.at('pose').or({}), notes);
  const outer = within(frame, own);
  const bodies: ForeignObject['bodies'][number][] = [];
  const listed = (key: string) => object.at(key).list();
  const posed = (key: string, i: number) => {
    const given = listed(key)[i];
    return within(outer, given?.value === undefined ? IDENTITY_POSE : poseIn(given, notes));
  };
  for (const [shapes, poses] of SHAPES) {
    const [count, placed] = [listed(shapes).length, listed(poses).length];
    if (placed > count) throw object.at(poses).error(`${placed} poses of ${count} shapes`, 'Give one pose per shape.');
  }
  for (const [i, one] of listed('primitives').entries())
    bodies.push({ shape: readPrimitive(one), pose: posed('primitive_poses', i) });
  for (const [i, one] of listed('meshes').entries())
    bodies.push({ shape: await readMesh(one, notes), pose: posed('mesh_poses', i) });
  for (const [i, one] of listed('planes').entries()) {
    const behind = halfspaceOf(one.at('coef').numbers(4), posed('plane_poses', i));
    if (behind === undefined)
      throw one.error('a plane without a direction', 'Give a coefficient a, b or c other than 0.');
    notes.add('planes become half-spaces, solid behind the plane');
    bodies.push(behind);
  }
  if (bodies.length === 0)
    throw object.error(`the object ${JSON.stringify(id)} has no shapes`, 'Give primitives, meshes or planes.');
  const only = bodies.length === 1 && isNone(own) ? SHAPES.find(([key]) => listed(key).length > 0) : undefined;
  const pose = only === undefined ? outer : switchedPose(object.at('pose'), outer, posed(only[1], 0));
  return { id, bodies, pose, subframes: readSubframes(object, notes) };
}

/** Returns true for the byte 0 as ROS 2 prints it, and as its tools for messages in YAML require it. */
const isZeroByte = (value: unknown): boolean =>
  value === '\0' || (value instanceof Uint8Array && value.length === 1 && value[0] === 0);

/**
 * Returns the pose of the frame of an object with one shape, whose own pose is the identity. If that is not stated (w
 * is absent or 0), MoveIt takes the pose of the shape. If it is stated with w = 1, MoveIt 2 does so, too, but MoveIt 1
 * does not: undefined, unless both agree. Other quaternions of the identity, such as w = −1, are a pose for both.
 */
function switchedPose(own: Field, outer: Pose, ofShape: Pose): Pose | undefined {
  const rotation = own.at(own.at('rotation').value === undefined ? 'orientation' : 'rotation');
  const w = Array.isArray(rotation.value) ? rotation.value[3] : rotation.at('w').value;
  if (w === undefined || w === 0) return ofShape;
  const isSame =
    ofShape.xyz.every((x, k) => x === outer.xyz[k]) && ofShape.quat_wxyz.every((x, k) => x === outer.quat_wxyz[k]);
  return w !== 1 || isSame ? outer : undefined;
}

function readSubframes(object: Field, notes: Set<string>): ReadonlyMap<string, Pose> {
  const names = object.at('subframe_names').list();
  const poses = object.at('subframe_poses').list();
  if (names.length !== poses.length)
    throw object
      .at('subframe_poses')
      .error(`${poses.length} poses for ${names.length} subframes`, 'Give one pose per subframe.');
  return new Map(names.map((name, i) => [name.name(), poseIn(poses[i], notes)]));
}

/** Reads a pose; a quaternion of length 0 is the identity, as in MoveIt, and a note says so. */
function poseIn(given: Field, notes: Set<string>): Pose {
  const pose = given.pose();
  if (pose !== undefined) return pose;
  notes.add('quaternions of length 0 are read as the identity, as in MoveIt');
  return rosPose(given.at('position').or([0, 0, 0]).triple(), [0, 0, 0, 1])!;
}

function readPrimitive(given: Field): ShapeSpec {
  const type = given.message('primitive').at('type');
  const name = typeof type.value === 'number' ? (numbered[type.value] ?? '') : String(type.value).toLowerCase();
  if (!Object.hasOwn(primitives, name))
    throw type.wrong(`must be one of: ${Object.keys(primitives).join(', ')}, or 1 to 4`);
  return primitives[name](given.at('dimensions').dimensions(dimensions[name]));
}

async function readMesh(given: Field, notes: Set<string>): Promise<ShapeSpec> {
  const [vertices, resource] = [given.mapping().at('vertices'), given.at('resource')];
  if (vertices.value === undefined && typeof resource.value === 'string')
    throw resource.error(`${show(resource.value)}: mesh files are not supported`, 'Write a mesh obstacle.');
  const points = vertices.list().map((vertex) => vertex.triple());
  if (points.length === 0) throw vertices.error('a mesh without vertices', 'Give vertices and triangles.');
  notes.add('meshes become their convex hulls');
  return hullShape(points.flat());
}

/** Throws for an octomap with data, which a scene cannot express; planning scenes without sensors have an empty one. */
export function refuseOctomap(given: Field): void {
  if (given.isAbsent) return;
  const octomap = given.mapping('header origin octomap').at('octomap').or({}).mapping();
  if (octomap.at('data').list().length === 0) return;
  throw octomap.error(
    'octomaps are not supported',
    'Write the occupied cells as an obstacle of type cloud, or as boxes.',
  );
}
