import { forwardKinematics, RobotState } from '../../../core/kinematics/forwardKinematics.ts';
import { poseOfTransform, transformOfPose } from '../../../core/kinematics/pose.ts';
import type { Pose, RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { compose, create, relative, type Transform } from '../../../core/math/transform.ts';
import type { CollisionObject, Scene } from '../../../core/scene/scene.ts';
import { isHalfspace } from '../../../core/shapes/halfspace.ts';
import { createCloudShape, createShape } from '../../../core/shapes/index.ts';
import type { ConvexShape } from '../../../core/shapes/shape.ts';
import { facetsOf } from '../../picture/facets.ts';

/** Name of the root frame. */
export const WORLD = 'world';

interface Color {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly a: number;
}
const LINK: Color = { r: 0.62, g: 0.67, b: 0.74, a: 1 };
const CARRIED: Color = { r: 0.85, g: 0.6, b: 0.25, a: 1 };
const OBSTACLE: Color = { r: 0.45, g: 0.55, b: 0.42, a: 0.9 };

/** Number of directions about the axis of a round shape when it is triangulated. */
const AROUND = 32;
/** Metres. Size and thickness of the square plate that represents a half-space. */
const GROUND = { size: 4, thickness: 0.01 };

/** Converts seconds to the time stamp of Foxglove messages. */
export const stampOf = (seconds: number) => {
  const nanoseconds = Math.round(seconds * 1e9);
  const sec = Math.floor(nanoseconds / 1e9);
  return { sec, nsec: nanoseconds - sec * 1e9 };
};

/** Returns a foxglove.JointStates message; without velocities if `v` is undefined. */
export function jointStates(names: readonly string[], time: number, q: Configuration, v: Configuration | undefined) {
  const joints = names.map((name, i) => ({ name, position: q[i], ...(v && { velocity: v[i] }) }));
  return { timestamp: stampOf(time), joints };
}

/** Computes the pose of each link in the frame of its parent link, of the root in the world. */
export class LinkFrames {
  private readonly state: RobotState;
  private readonly T: Transform = create();

  constructor(readonly robot: RobotModel) {
    this.state = new RobotState(robot);
  }

  /**
   * Returns a foxglove.FrameTransforms message for configuration q.
   * @param all also include the links that no joint variable moves; their transforms are constant, so one message
   *   suffices
   */
  message(time: number, q: Configuration, all: boolean) {
    const { robot, state, T } = this;
    forwardKinematics(state, q);
    const { links, joints } = robot;
    const wanted = links.filter(({ joint }) => all || (joint >= 0 && joints[joint].variable >= 0));
    const transforms = wanted.map(({ name, index, parent }) => {
      const T_world_link = state.T_world_link[index];
      if (parent < 0) T.set(T_world_link);
      else relative(T, state.T_world_link[parent], T_world_link);
      const { position, orientation } = poseMessage(poseOfTransform(T));
      const frames = { parent_frame_id: parent < 0 ? WORLD : links[parent].name, child_frame_id: name };
      return { timestamp: stampOf(time), ...frames, translation: position, rotation: orientation };
    });
    return { transforms };
  }
}

/**
 * Returns a foxglove.SceneUpdate message with the convex parts of the collision geometry. The parts of links and
 * attached objects are fixed in the frames of the links, so one message suffices.
 */
export async function sceneUpdate(robot: RobotModel, { obstacles, attached }: Scene, time: number) {
  const entities: object[] = [];
  const add = async (id: string, frame: string, parts: readonly PlacedPart[], color: Color) => {
    if (parts.length > 0) entities.push({ timestamp: stampOf(time), ...(await entity(id, frame, parts, color)) });
  };
  for (const { name, parts } of robot.links) {
    const placed = parts.map(({ shape, T_link_part }) => ({ shape, T: T_link_part }));
    await add(`link ${name}`, name, placed, LINK);
  }
  for (const body of attached) await add(carriedId(body.name), body.link, placedParts(body), CARRIED);
  for (const body of obstacles) await add(obstacleId(body.name), WORLD, placedParts(body), OBSTACLE);
  return { deletions: [], entities };
}

const carriedId = (name: string) => `carried ${name}`;
const obstacleId = (name: string) => `obstacle ${name}`;

/** Deletion of the entity with the given id only. */
const MATCHING_ID = 0;

/**
 * Returns a foxglove.SceneUpdate message with the objects of a scene that are not those of another one: scenes are
 * immutable. Groups of points of clouds are shown by their boxes.
 */
export async function sceneChange(before: Scene, after: Scene, time: number) {
  const timestamp = stampOf(time);
  const idsOf = ({ obstacles, attached }: Scene) => [
    ...obstacles.map(({ name }) => obstacleId(name)),
    ...attached.map(({ name }) => carriedId(name)),
  ];
  const kept = new Set(idsOf(after));
  const deletions = idsOf(before).filter((id) => !kept.has(id));
  const known = new Set<object>([...before.obstacles, ...before.attached]);
  const entities: object[] = [];
  const add = async (id: string, frame: string, body: CollisionObject, color: Color) => {
    if (!known.has(body)) entities.push({ timestamp, ...(await entity(id, frame, placedParts(body, true), color)) });
  };
  for (const body of after.attached) await add(carriedId(body.name), body.link, body, CARRIED);
  for (const body of after.obstacles) await add(obstacleId(body.name), WORLD, body, OBSTACLE);
  return { deletions: deletions.map((id) => ({ timestamp, type: MATCHING_ID, id })), entities };
}

interface PlacedPart {
  readonly shape: ConvexShape;
  /** Pose in the frame of the entity. */
  readonly T: Transform;
}

/** @param isBoxed true: groups of points of clouds are replaced by their boxes */
function placedParts({ parts, pose }: CollisionObject, isBoxed = false): PlacedPart[] {
  const T_frame_body = transformOfPose(pose);
  return parts.map(({ shape, at, balls }) => {
    const T = create();
    if (at === undefined) T.set(T_frame_body);
    else compose(T, T_frame_body, transformOfPose(at));
    return isBoxed && balls ? boxOf(createCloudShape(shape), T) : { shape: createShape(shape), T };
  });
}

function boxOf({ bounds: b }: ConvexShape, T_frame_shape: Transform): PlacedPart {
  const T = create();
  const [x, y, z] = [0, 1, 2].map((k) => 0.5 * (b[k] + b[k + 3]));
  compose(T, T_frame_shape, transformOfPose({ xyz: [x, y, z], quat_wxyz: [1, 0, 0, 0] }));
  return { shape: createShape({ type: 'box', size: [0, 1, 2].map((k) => b[k + 3] - b[k]) }), T };
}

async function entity(id: string, frame: string, parts: readonly PlacedPart[], color: Color) {
  const [cubes, spheres, cylinders, triangles]: object[][] = [[], [], [], []];
  for (const { shape, T } of parts) {
    const pose = poseMessage(poseOfTransform(T));
    if (isHalfspace(shape)) cubes.push(groundOf(shape, T, color));
    else if (shape.type === 'box' && shape.margin === 0) cubes.push({ pose, size: sizeOf(shape), color });
    else if (shape.type === 'sphere') spheres.push({ pose, size: sizeOf(shape), color });
    else if (shape.type === 'cylinder' && shape.margin === 0)
      cylinders.push({ pose, size: sizeOf(shape), bottom_scale: 1, top_scale: 1, color });
    else triangles.push({ pose, ...(await trianglesOf(shape)), color, colors: [] });
  }
  const unused = { metadata: [], arrows: [], lines: [], texts: [], models: [] };
  const placed = { frame_id: frame, id, lifetime: stampOf(0), frame_locked: true };
  return { ...placed, cubes, spheres, cylinders, triangles, ...unused };
}

/** Returns a square plate whose upper face lies in the boundary plane of a half-space. */
function groundOf({ size: n, margin }: ConvexShape, T_frame_shape: Transform, color: Color) {
  // Minimal rotation from z to n: axis z × n, w = 1 + z · n before normalization. For n = −z: π about x.
  const [w, x, y] = n[2] > -1 ? [1 + n[2], -n[1], n[0]] : [0, 1, 0];
  const length = Math.sqrt(w * w + x * x + y * y);
  const depth = margin - GROUND.thickness / 2;
  const xyz = [depth * n[0], depth * n[1], depth * n[2]] as const;
  const T = create();
  compose(T, T_frame_shape, transformOfPose({ xyz, quat_wxyz: [w / length, x / length, y / length, 0] }));
  const size = { x: GROUND.size, y: GROUND.size, z: GROUND.thickness };
  return { pose: poseMessage(poseOfTransform(T)), size, color };
}

async function trianglesOf(shape: ConvexShape) {
  const { points, faces } = await facetsOf(shape, AROUND);
  const vertices = Array.from({ length: points.length / 3 }, (_, i) => vector(points.subarray(3 * i, 3 * i + 3)));
  const indices = faces.flatMap(({ vertices: [first, ...rest] }) =>
    rest.slice(1).flatMap((vertex, i) => [first, rest[i], vertex]),
  );
  return { points: vertices, indices };
}

const sizeOf = ({ bounds: b }: ConvexShape) => ({ x: b[3] - b[0], y: b[4] - b[1], z: b[5] - b[2] });
const vector = (v: ArrayLike<number>) => ({ x: v[0], y: v[1], z: v[2] });

function poseMessage({ xyz, quat_wxyz: [w, x, y, z] }: Pose) {
  return { position: vector(xyz), orientation: { x, y, z, w } };
}
