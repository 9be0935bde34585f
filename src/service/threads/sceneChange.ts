import type { AttachedObject, CollisionObject, Obstacle, Scene } from '../../scene/scene.ts';

/**
 * The scene of a session as a difference from that of the service, as sent to threads: unchanged objects, and the
 * unchanged parts of moved objects, are indices of objects of the service's scene.
 */
export interface SceneChange {
  /** Distinguishes the scenes of all sessions. */
  readonly version: number;
  readonly obstacles: readonly Changed<Obstacle>[];
  readonly attached: readonly Changed<AttachedObject>[];
  readonly allow: Scene['allow'];
}

/**
 * The index of an object of the original scene; or an object whose `parts` are its own or the index of an original
 * object with equal parts.
 */
type Changed<B extends CollisionObject> = number | (Omit<B, 'parts'> & { readonly parts: number | B['parts'] });

const objectsOf = ({ obstacles, attached }: Scene): CollisionObject[] => [...obstacles, ...attached];

const versions = new WeakMap<Scene, number>();
let lastVersion = 0;

/** Returns the number of a scene, which no other scene has. */
function versionOf(scene: Scene): number {
  const version = versions.get(scene) ?? ++lastVersion;
  versions.set(scene, version);
  return version;
}

/** Returns the change that turns `original` into `current`; undefined if they are the same. */
export function changeOf(original: Scene, current: Scene): SceneChange | undefined {
  if (current === original) return undefined;
  const objects = objectsOf(original);
  const places = new Map(objects.map((object, i) => [object, i]));
  const known = new Map(objects.map(({ parts }, i) => [parts, i]));
  const changed = <B extends CollisionObject>(body: B): Changed<B> =>
    places.get(body) ?? { ...body, parts: known.get(body.parts) ?? body.parts };
  const { obstacles, attached, allow } = current;
  return {
    version: versionOf(current),
    obstacles: obstacles.map(changed),
    attached: attached.map(changed),
    allow,
  };
}

/** Returns the scene after a change. */
export function changedScene(original: Scene, { obstacles, attached, allow }: SceneChange): Scene {
  const known = objectsOf(original);
  const partsOf = (parts: number | CollisionObject['parts']) =>
    typeof parts === 'number' ? known[parts].parts : parts;
  const restored = <B extends CollisionObject>(body: Changed<B>): B =>
    typeof body === 'number' ? (known[body] as B) : ({ ...body, parts: partsOf(body.parts) } as unknown as B);
  return {
    ...original,
    allow,
    obstacles: obstacles.map(restored),
    attached: attached.map(restored),
  };
}
