import { meshParts } from '../../core/hulls/meshParts.ts';
import type { Pose } from '../../core/kinematics/robotModel.ts';
import type { Obstacle } from '../../core/scene/scene.ts';
import { InputError } from '../../errors.ts';
import type { Diagnostic, Path } from '../text/sourceText.ts';
import { structureDiagnostics } from '../text/structure.ts';
import { buildObject, requestsOf, statedOf } from './sceneObjects.ts';
import { SceneReader } from './sceneReader.ts';
import { obstacleSchema, type RawBody, type RawPose } from './sceneSchema.ts';
import { pose as poseSchema } from './schemaParts.ts';

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
  const built = await buildObject(draft, {}, meshParts, async (at, what, note = '') =>
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
