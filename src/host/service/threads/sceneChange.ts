import type { AttachedObject, CollisionObject, Obstacle, Scene } from '../../../core/scene/scene.ts';

type Parts = CollisionObject['parts'];

/**
 * The scene of a session as a difference from that of the service: unchanged objects, and the unchanged parts of moved
 * objects, are indices of objects of the service's scene.
 */
export interface SceneChange {
  /** Distinguishes the scenes of all sessions. */
  readonly version: number;
  readonly obstacles: readonly Changed<Obstacle>[];
  readonly attached: readonly Changed<AttachedObject>[];
  readonly allow: Scene['allow'];
}

/** The index of an object of the original scene; or an object with a reference to its parts. */
type Changed<B extends CollisionObject> = number | (Omit<B, 'parts'> & { readonly parts: PartsReference });

/** The index of an original object with these parts, or the id of parts that a session added. */
type PartsReference = { readonly original: number } | { readonly added: number };

const objectsOf = ({ obstacles, attached }: Scene): CollisionObject[] => [...obstacles, ...attached];

/** Numbers of objects: the same one for the same object. */
class Numbers {
  private readonly numbers = new WeakMap<object, number>();
  private last = 0;

  of(object: object): number {
    const number = this.numbers.get(object) ?? ++this.last;
    this.numbers.set(object, number);
    return number;
  }
}

const versions = new Numbers();
const partIds = new Numbers();

/**
 * Returns the change that turns `original` into `current`; undefined if they are the same.
 * @param added receives the parts of added objects by their ids
 */
export function changeOf(original: Scene, current: Scene, added: Map<number, Parts>): SceneChange | undefined {
  if (current === original) return undefined;
  const objects = objectsOf(original);
  const places = new Map(objects.map((object, i) => [object, i]));
  const known = new Map(objects.map(({ parts }, i) => [parts, i]));
  const referenceOf = (parts: Parts): PartsReference => {
    const place = known.get(parts);
    if (place !== undefined) return { original: place };
    const id = partIds.of(parts);
    added.set(id, parts);
    return { added: id };
  };
  const changed = <B extends CollisionObject>(body: B): Changed<B> =>
    places.get(body) ?? { ...body, parts: referenceOf(body.parts) };
  const { obstacles, attached, allow } = current;
  return {
    version: versions.of(current),
    obstacles: obstacles.map(changed),
    attached: attached.map(changed),
    allow,
  };
}

/** Returns the scene after a change. @param added returns the parts of an id */
export function changedScene(
  original: Scene,
  { obstacles, attached, allow }: SceneChange,
  added: (id: number) => Parts,
): Scene {
  const known = objectsOf(original);
  const partsOf = (parts: PartsReference) => ('original' in parts ? known[parts.original].parts : added(parts.added));
  const restored = <B extends CollisionObject>(body: Changed<B>): B =>
    typeof body === 'number' ? (known[body] as B) : ({ ...body, parts: partsOf(body.parts) } as unknown as B);
  return {
    ...original,
    allow,
    obstacles: obstacles.map(restored),
    attached: attached.map(restored),
  };
}
