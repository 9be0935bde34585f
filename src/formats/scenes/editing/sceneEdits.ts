import { InputError, suggestion } from '../../../errors.ts';
import type { Path } from '../../text/sourceText.ts';
import { parseSource } from '../../text/sourceText.ts';
import { SceneText } from './sceneText.ts';
import type { YamlValue } from './yamlFlow.ts';

/** An obstacle that is added: a shape with its fields as in a scene file, metres. */
export interface NewObstacle {
  /** Name, unique among the obstacles. */
  readonly name: string;
  /** Kind of the shape: `box`, `sphere` and so on. */
  readonly type: string;
  /** Fields of the shape, such as `size`. */
  readonly [field: string]: string | number | readonly number[];
}

/** An edit of a scene file. Lengths in metres, angles in radians; obstacles are addressed by name. */
export type SceneEdit =
  | { readonly kind: 'add'; readonly obstacle: NewObstacle; readonly xyz: readonly number[] }
  | { readonly kind: 'duplicate'; readonly name: string; readonly to: string; readonly xyz: readonly number[] }
  | { readonly kind: 'delete'; readonly name: string }
  | { readonly kind: 'rename'; readonly name: string; readonly to: string }
  | {
      /** Sets the position, and the orientation if it is given: roll, pitch, yaw, or a quaternion. */
      readonly kind: 'place';
      readonly name: string;
      readonly xyz: readonly number[];
      readonly rpy?: readonly number[];
      readonly quat_wxyz?: readonly number[];
    }
  | {
      /** Sets fields of the shape, such as `size` or `margin`. */
      readonly kind: 'resize';
      readonly name: string;
      readonly fields: Readonly<Record<string, number | readonly number[]>>;
    }
  | {
      /**
       * Sets the position and orientation of a goal pose or a region, the orientation of an orientation constraint, or
       * the direction of a tilt; fields that are left out remain.
       */
      readonly kind: 'place-goal' | 'place-constraint';
      readonly index: number;
      readonly xyz?: readonly number[];
      readonly rpy?: readonly number[];
      readonly towards?: readonly number[];
    }
  | { readonly kind: 'start' | 'goal'; readonly joints: readonly number[] }
  | { readonly kind: 'set-step'; readonly index: number; readonly text: string }
  | { readonly kind: 'insert-step'; readonly index: number; readonly text: string }
  | { readonly kind: 'remove-step'; readonly index: number }
  | { readonly kind: 'move-step'; readonly index: number; readonly to: number };

/** The editable parts of a scene file. */
export interface EditableParts {
  /** Names of the obstacles that the file itself states, in order. */
  readonly obstacles: readonly string[];
  /** Text of each step of the program. */
  readonly steps: readonly string[];
  /** Number of constraints of the scene that the file itself states: the first ones of the scene. */
  readonly constraints: number;
}

type Body = { readonly name?: string; readonly type?: string; readonly [key: string]: YamlValue | undefined };

/**
 * Edits the text of a scene file. Values that are not edited keep their bytes, and comments stay. Throws `InputError`
 * for suites, for obstacles of included files, and for YAML whose edit would change other values (aliases).
 * The result has the syntax of the format, but its meaning is not checked: read it as a scene.
 * @param file name for messages
 */
export async function editSceneText(text: string, file: string, edits: readonly SceneEdit[]): Promise<string> {
  let scene = await parseScene(text, file);
  for (const edit of edits) scene = await apply(scene, file, edit);
  return scene.text;
}

/** Returns the editable parts of a scene file. Throws `InputError` for suites. */
export async function editableParts(text: string, file: string): Promise<EditableParts> {
  const scene = await parseScene(text, file);
  const steps = scene.get(['steps']);
  const constraints = scene.get(['constraints']);
  return {
    constraints: Array.isArray(constraints) ? constraints.length : 0,
    obstacles: bodiesOf(scene).map(nameOf),
    steps: Array.isArray(steps) ? steps.map((_, i) => scene.itemText(['steps'], i)) : [],
  };
}

async function parseScene(text: string, file: string): Promise<SceneText> {
  const scene = await SceneText.parse(text, file);
  if (scene.get(['format']) !== 'elbowroom-scene/1')
    throw new InputError(`${file}: this is not a scene`, 'Suites and other files cannot be edited here.');
  return scene;
}

async function apply(scene: SceneText, file: string, edit: SceneEdit): Promise<SceneText> {
  switch (edit.kind) {
    case 'add': {
      requireNew(scene, file, edit.obstacle.name);
      const obstacle = { ...edit.obstacle, pose: { xyz: edit.xyz } };
      return scene.insert(['obstacles'], bodiesOf(scene).length, obstacle as YamlValue);
    }
    case 'duplicate':
      return duplicate(scene, file, edit);
    case 'delete': {
      const index = indexOf(scene, file, edit.name);
      const named = await nameAfter(scene, index);
      return withoutPairs(await named.remove(['obstacles'], index), edit.name);
    }
    case 'rename': {
      const index = indexOf(scene, file, edit.name);
      requireNew(scene, file, edit.to);
      const renamed = await scene.set(['obstacles', index, 'name'], edit.to);
      return renameReferences(renamed, file, edit.name, edit.to);
    }
    case 'place':
      return place(scene, ['obstacles', indexOf(scene, file, edit.name), 'pose'], edit);
    case 'place-goal':
    case 'place-constraint':
      return placeFrame(scene, file, edit);
    case 'resize': {
      const path = ['obstacles', indexOf(scene, file, edit.name)];
      let resized = scene;
      for (const [field, value] of Object.entries(edit.fields)) resized = await resized.set([...path, field], value);
      return resized;
    }
    case 'start':
      return scene.set(['start'], edit.joints);
    case 'goal':
      return setGoal(scene, edit.joints);
    case 'set-step':
      return scene.setItemText(['steps'], edit.index, edit.text, await stepValue(edit.text));
    case 'insert-step':
      return scene.insertText(['steps'], edit.index, edit.text, await stepValue(edit.text));
    case 'remove-step':
      return scene.remove(['steps'], edit.index);
    case 'move-step':
      return scene.move(['steps'], edit.index, edit.to);
    default:
      throw new InputError(`unknown edit ${JSON.stringify((edit as { kind?: unknown }).kind)}`);
  }
}

const bodiesOf = (scene: SceneText): readonly Body[] => (scene.get(['obstacles']) ?? []) as readonly Body[];
/** Returns the name of an obstacle; without one it is named after its type and its place in the list. */
const nameOf = ({ name, type }: Body, index: number): string => name ?? `${type}-${index + 1}`;

function indexOf(scene: SceneText, file: string, name: string): number {
  const names = bodiesOf(scene).map(nameOf);
  const index = names.indexOf(name);
  if (index >= 0) return index;
  throw new InputError(`${file}: it states no obstacle "${name}" itself`, suggestion(name, names));
}

function requireNew(scene: SceneText, file: string, name: string): void {
  if (name.trim() === '') throw new InputError('an obstacle must have a name');
  if (bodiesOf(scene).map(nameOf).includes(name))
    throw new InputError(`${file}: there is an obstacle "${name}" already`, 'Names are unique.');
}

/**
 * Writes explicit names for the unnamed obstacles from an index on. Their default names contain their index, which an
 * insertion or removal before them would change, while `allow` and steps refer to them by name.
 */
async function nameAfter(scene: SceneText, index: number): Promise<SceneText> {
  let named = scene;
  for (const [i, body] of bodiesOf(scene).entries()) {
    if (i >= index && body.name === undefined) named = await named.set(['obstacles', i, 'name'], nameOf(body, i));
  }
  return named;
}

async function duplicate(
  scene: SceneText,
  file: string,
  { name, to, xyz }: SceneEdit & { readonly kind: 'duplicate' },
): Promise<SceneText> {
  const index = indexOf(scene, file, name);
  requireNew(scene, file, to);
  const named = await nameAfter(scene, index + 1);
  const copied = await named.insertText(
    ['obstacles'],
    index + 1,
    named.itemText(['obstacles'], index),
    named.get(['obstacles', index])!,
  );
  const renamed = await copied.set(['obstacles', index + 1, 'name'], to);
  return place(renamed, ['obstacles', index + 1, 'pose'], { xyz });
}

type PlacedFrame = SceneEdit & { readonly kind: 'place-goal' | 'place-constraint' };

/** Places a goal pose or a constraint. Throws `InputError` if the file does not state it as one. */
async function placeFrame(scene: SceneText, file: string, edit: PlacedFrame): Promise<SceneText> {
  const { kind, index, towards, xyz, rpy } = edit;
  const isGoal = kind === 'place-goal';
  const only = isGoal && index === 0 && !Array.isArray(scene.get(['goals']));
  const path: Path = only ? ['goal'] : [isGoal ? 'goals' : 'constraints', index];
  const given = scene.get(path);
  const { type } = (given ?? {}) as { readonly type?: YamlValue };
  const isFrame = isGoal
    ? Array.isArray(scene.get([...path, 'xyz']))
    : type === 'orientation' || type === 'region' || (type === 'tilt' && towards !== undefined);
  if (!isFrame)
    throw new InputError(
      `${file}: it states no ${isGoal ? 'goal pose' : 'frame of a constraint'} at ${path.join('.')}`,
      'Goals of joint values, and the constraints of safety and of steps, are edited as text.',
    );
  if (type === 'tilt') return scene.set([...path, 'towards'], towards!);
  return place(scene, type === 'region' ? [...path, 'pose'] : path, { xyz, rpy });
}

/** The parts of a pose that are set; the others remain. */
interface PlacedPose {
  readonly xyz?: readonly number[] | undefined;
  readonly rpy?: readonly number[] | undefined;
  readonly quat_wxyz?: readonly number[] | undefined;
}

/** @param pose path of the mapping that has the keys of the pose */
async function place(scene: SceneText, pose: Path, { xyz, rpy, quat_wxyz }: PlacedPose): Promise<SceneText> {
  const position = xyz === undefined ? {} : { xyz };
  const orientation = {
    ...(rpy === undefined ? {} : { rpy }),
    ...(quat_wxyz === undefined ? {} : { quat_wxyz }),
  };
  const known = (scene.get(pose) ?? {}) as Readonly<Record<string, YamlValue>>;
  const isOther = ['rpy', 'quat_wxyz'].some((key) => key in known && !(key in orientation)); // it states one
  if (scene.get(pose) === undefined || (isOther && Object.keys(orientation).length > 0)) {
    const { rpy: _, quat_wxyz: __, ...rest } = known;
    return scene.set(pose, { ...rest, ...position, ...orientation });
  }
  let placed = scene;
  for (const [key, value] of Object.entries({ ...position, ...orientation }))
    placed = await placed.set([...pose, key], value);
  return placed;
}

/** Removes the pairs of `allow` that name a deleted obstacle. */
async function withoutPairs(scene: SceneText, name: string): Promise<SceneText> {
  const pairs = (scene.get(['allow']) ?? []) as readonly (readonly string[])[];
  let kept = scene;
  for (const [i, pair] of [...pairs.entries()].reverse())
    if (pair.includes(name)) kept = await kept.remove(['allow'], i);
  return kept;
}

async function setGoal(scene: SceneText, joints: readonly number[]): Promise<SceneText> {
  const goals = scene.get(['goals']);
  if (!Array.isArray(goals)) return scene.set(['goal'], joints);
  return goals.length === 0 ? scene.insert(['goals'], 0, joints) : scene.set(['goals', 0], joints);
}

/** Returns the data of the text of a step. */
async function stepValue(text: string): Promise<YamlValue> {
  const { data } = await parseSource(text, 'step');
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw new InputError('a step is a mapping', 'Write for example {wait: 0.5}.');
  return data as YamlValue;
}

/** Keys of a scene whose values contain names of obstacles, as texts or in lists. */
const REFERRING = ['attach', 'detach', 'touches', 'allow', 'forbid'];

/**
 * Renames an obstacle wherever the scene refers to it: `allow`, `touches` and steps. Throws `InputError` if an attached
 * object has the same name, since a reference may then mean either.
 */
async function renameReferences(scene: SceneText, file: string, name: string, to: string): Promise<SceneText> {
  const attached = (scene.get(['attached']) ?? []) as readonly { readonly name?: string }[];
  const places = [...placesOf(scene, name)];
  if (places.length > 0 && attached.some((object) => object.name === name || object.name === to))
    throw new InputError(`${file}: an attached object has this name, too`, 'Rename that one in the text of the file.');
  let renamed = scene;
  for (const path of places) renamed = await renamed.set(path, to);
  return renamed;
}

function* placesOf(scene: SceneText, name: string): Generator<Path> {
  for (const key of REFERRING) yield* within(scene.get([key]), [key], name);
  for (const list of ['attached', 'steps']) {
    const items = (scene.get([list]) ?? []) as readonly Record<string, unknown>[];
    for (const [i, item] of items.entries())
      for (const key of REFERRING) yield* within(item[key], [list, i, key], name);
  }
}

function* within(value: unknown, path: Path, name: string): Generator<Path> {
  if (value === name) yield path;
  if (Array.isArray(value)) for (const [i, item] of value.entries()) yield* within(item, [...path, i], name);
}
