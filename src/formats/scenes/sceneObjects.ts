import { recordCover } from '../../core/hulls/hullExcess.ts';
import { convexSpec, meshParts } from '../../core/hulls/meshParts.ts';
import { type Points, scaled } from '../../core/hulls/pointCloud.ts';
import type { Pose } from '../../core/kinematics/robotModel.ts';
import { firstBeyond, lengthProblem } from '../../core/math/magnitudes.ts';
import type { CollisionObject, Obstacle } from '../../core/scene/scene.ts';
import { InputError } from '../../errors.ts';
import { fieldParts, type HeightField } from '../clouds/heightField.ts';
import type { CloudPoints } from '../clouds/index.ts';
import type { Mesh } from '../meshes/index.ts';
import type { Diagnostic, Path, SourceText } from '../text/sourceText.ts';
import { structureDiagnostics } from '../text/structure.ts';
import { obstacleSchema } from './bodySchema.ts';
import { cloudParts, heightFieldOf } from './bulkObjects.ts';
import { massProperties } from './loads/readMass.ts';
import type { ObjectDraft } from './objectDraft.ts';
import { SceneReader } from './sceneReader.ts';
import type { RawBody, RawPose } from './sceneSchema.ts';
import { pose as poseSchema } from './schemaParts.ts';

/** A file that an obstacle or attached object refers to. */
export interface FileRequest {
  /** Kind of the content: the map of `SceneFiles` that receives it. */
  readonly kind: keyof SceneFiles;
  /** Relative to the folder of the scene. */
  readonly file: string;
  /**
   * Path of the reference in its file.
   * @internal
   */
  readonly path: Path;
  /**
   * The included file that contains the reference; undefined: the scene itself.
   * @internal
   */
  readonly source?: SourceText;
}

/** Contents of those files, by the name in the request. */
export interface SceneFiles {
  /** Meshes. */
  readonly meshes?: ReadonlyMap<string, Mesh>;
  /** Point clouds. */
  readonly clouds?: ReadonlyMap<string, CloudPoints>;
  /** Heights of height fields, metres, row by row. */
  readonly heights?: ReadonlyMap<string, HeightField['heights']>;
  /** Texts of tool paths. */
  readonly toolPaths?: ReadonlyMap<string, string>;
}

/** Returns the file that an obstacle or attached object refers to, if any. */
export function requestsOf({ mesh, cloud, field, path, source }: ObjectDraft): FileRequest[] {
  const place = { path: [...path, 'file'], ...(source === undefined ? {} : { source }) };
  if (mesh !== undefined) return [{ kind: 'meshes', file: mesh.file, ...place }];
  if (cloud?.file !== undefined) return [{ kind: 'clouds', file: cloud.file, ...place }];
  if (field?.file !== undefined) return [{ kind: 'heights', file: field.file, ...place }];
  return [];
}

/** Returns what an obstacle states besides its parts and its pose. */
export const statedOf = ({ motion, free, unknownSpeed }: ObjectDraft) => ({
  ...(motion && { motion }),
  ...(free && { free }),
  ...(unknownSpeed !== undefined && { unknownSpeed }),
});

/** Builds an obstacle or attached object with its mass properties, if it has any. */
export async function buildWithMass(
  draft: ObjectDraft,
  files: SceneFiles,
  ways: typeof meshParts,
  errorAt: ErrorAt,
): Promise<CollisionObject> {
  const built = await buildObject(draft, files, ways, errorAt);
  if (draft.mass === undefined) return built;
  const inertial = massProperties(draft.mass, built.parts);
  if (typeof inertial !== 'string') return { ...built, inertial };
  throw await errorAt(draft.path, inertial, 'State mass, center and inertia.', draft.source);
}

/** Returns an error about a key of a problem. */
type ErrorAt = (path: Path, what: string, note?: string, source?: SourceText) => Promise<InputError>;

/** Builds an obstacle or attached object with its convex parts, after the files have been read. */
export async function buildObject(
  { name, pose, path, source, shape, mesh, cloud, field, link, motion }: ObjectDraft,
  { meshes, clouds, heights }: SceneFiles,
  ways: typeof meshParts,
  errorAt: ErrorAt,
): Promise<CollisionObject> {
  if (shape !== undefined) return { name, pose, parts: [{ shape }] };
  const near = async (points: Points, file: string | undefined): Promise<Points> => {
    const beyond = firstBeyond(points);
    if (beyond < 0) return points;
    const what = `the scaled coordinate ${points[beyond]} ${lengthProblem(points[beyond])}`;
    const note = 'Give it a smaller scale.';
    if (file === undefined) throw await errorAt([...path, 'scale'], what, note, source);
    throw await errorAt([...path, 'file'], `${file}: ${what}`, note, source);
  };
  if (cloud !== undefined) {
    const read = clouds?.get(cloud.file ?? '');
    await near(scaled(read?.points ?? cloud.points!.flat(), cloud.scale), cloud.file);
    return { name, pose, parts: cloudParts(cloud, read, link !== undefined || motion !== undefined) };
  }
  if (field !== undefined) {
    const grid = heightFieldOf(field, heights?.get(field.file ?? ''));
    if (typeof grid === 'string') throw await errorAt([...path, 'file'], `${field.file}: ${grid}`, '', source);
    const parts = fieldParts(grid);
    for (const { shape } of parts) await near((shape.points as number[][]).flat(), field.file ?? 'cell');
    return { name, pose, parts };
  }
  const { file, scale, margin, parts: way } = mesh!;
  const points = scaled(meshes!.get(file)!.points, scale);
  await near(points, file);
  const hulls = await ways[way](points);
  const shapes = hulls.map((hull) => convexSpec(hull, margin));
  recordCover(file, () => points, shapes);
  return { name, pose, parts: shapes.map((shape) => ({ shape })) };
}

/**
 * Reads an obstacle of a message, written as in a scene but without files and expressions. Throws `InputError`.
 * @param path place of the obstacle in the message
 */
export async function readObstacle(data: unknown, path: Path): Promise<Obstacle> {
  refuse(structureDiagnostics(obstacleSchema, data), path);
  const reader = new SceneReader();
  const draft = reader.body(data as RawBody, [], '');
  if (draft.name === '') reader.report(['name'], 'it is missing');
  if (draft.free !== undefined) reader.report(['free'], 'objects of messages do not fall', 'Leave it out.');
  if (requestsOf(draft).length > 0) reader.report(['file'], 'messages name no files', 'Give the points themselves.');
  refuseRead(reader, path);
  const built = await buildWithMass(draft, {}, meshParts, async (at, what, note = '') =>
    errorOf({ path: at, what, note }, path),
  );
  return { ...built, ...statedOf(draft) };
}

/** Reads a pose of a message. Throws `InputError`. */
export function readMessagePose(data: unknown, path: Path): Pose {
  refuse(structureDiagnostics(poseSchema, data), path);
  const reader = new SceneReader();
  const pose = reader.pose(data as RawPose, []);
  refuseRead(reader, path);
  return pose;
}

function refuseRead(reader: SceneReader, path: Path): void {
  if (reader.needsExpressions) reader.report([], 'it has an expression', 'Write numbers in messages.');
  refuse(reader.diagnostics, path);
}

function refuse([first]: readonly Diagnostic[], path: Path): void {
  if (first !== undefined) throw errorOf(first, path);
}

function errorOf({ path: at, what, note }: Diagnostic, path: Path): InputError {
  const place = [...path, ...at].map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  return new InputError(`${place.slice(1)}: ${what}`, note);
}
