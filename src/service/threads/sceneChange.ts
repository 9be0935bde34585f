import type { Pose } from '../../kinematics/robotModel.ts';
import type { AttachedObject, CollisionObject, CollisionObjectPart, Scene } from '../../scene/scene.ts';

/**
 * The scene of a session as a change of that of the service, as sent to threads: parts of objects that both scenes
 * share are named by their index among the objects of the latter.
 */
export interface SceneChange {
  /** Distinguishes the scenes of all sessions. */
  readonly version: number;
  readonly obstacles: readonly ChangedObject[];
  readonly attached: readonly (ChangedObject & Pick<AttachedObject, 'link' | 'touches'>)[];
  readonly allow: Scene['allow'];
}

interface ChangedObject {
  readonly name: string;
  readonly pose: Pose;
  /** Index of the object of the original scene that has these parts, or the parts. */
  readonly parts: number | readonly CollisionObjectPart[];
}

const objectsOf = ({ obstacles, attached }: Scene): CollisionObject[] => [...obstacles, ...attached];

const versions = new WeakMap<Scene, number>();
let lastVersion = 0;

/** Returns the number of a scene, which no other scene has. */
export function versionOf(scene: Scene): number {
  const version = versions.get(scene) ?? ++lastVersion;
  versions.set(scene, version);
  return version;
}

/** Returns the change that turns `original` into `current`; undefined if they are the same. */
export function changeOf(original: Scene, current: Scene): SceneChange | undefined {
  if (current === original) return undefined;
  const known = new Map(objectsOf(original).map(({ parts }, i) => [parts, i]));
  const changed = ({ name, pose, parts }: CollisionObject) => ({ name, pose, parts: known.get(parts) ?? parts });
  return {
    version: versionOf(current),
    obstacles: current.obstacles.map(changed),
    attached: current.attached.map((body) => ({ ...changed(body), link: body.link, touches: body.touches })),
    allow: current.allow,
  };
}

/** Returns the scene after a change. */
export function changedScene(original: Scene, { obstacles, attached, allow }: SceneChange): Scene {
  const known = objectsOf(original);
  const partsOf = (parts: ChangedObject['parts']) => (typeof parts === 'number' ? known[parts].parts : parts);
  return {
    ...original,
    allow,
    obstacles: obstacles.map(({ name, pose, parts }) => ({ name, pose, parts: partsOf(parts) })),
    attached: attached.map((body) => ({ ...body, parts: partsOf(body.parts) })),
  };
}
