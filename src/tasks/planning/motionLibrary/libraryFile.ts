import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { sha256 } from '../../../core/math/sha256.ts';
import { kindOf } from '../../../core/scene/movingScene.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { InputError, parseJson } from '../../../errors.ts';

/** Format identifier of a library of motions. */
const LIBRARY_FORMAT = 'elbowroom-library/2';

/** A roadmap of certified edges of one robot, for scenes that differ in their obstacles. */
export interface MotionLibrary {
  /** Name of the robot. */
  readonly robot: string;
  /** Name of the scene that it was built in. */
  readonly scene: string;
  /** Names of the joints, in the order of the numbers of a configuration. */
  readonly joint_names: readonly string[];
  /** Hash of the robot with its hulls and attached objects, and of the rules of its own pairs. */
  readonly robot_hash: string;
  /** Hash of each obstacle that all edges are certified against, by name. */
  readonly obstacles: Readonly<Record<string, string>>;
  /** Links and attached objects that have boxes. */
  readonly objects: readonly string[];
  /** Configurations of the nodes. */
  readonly points: readonly (readonly number[])[];
  /** Pairs of nodes. */
  readonly edges: readonly (readonly [number, number])[];
  /** Of each edge, as `EdgeBoxes.compute` returns them. */
  readonly boxes: readonly (readonly number[])[];
}

const FORMAT_NOTE = `Give a file that "elbowroom library build" has written, of format ${LIBRARY_FORMAT}.`;

/** Returns a library as JSON, one line per node and edge, with a hash of all of it. */
export function libraryText(library: MotionLibrary): string {
  const { points, edges, boxes, ...head } = library;
  const first = JSON.stringify({ format: LIBRARY_FORMAT, hash: contentHash(library), ...head }).slice(0, -1);
  const lines = (list: readonly unknown[]) => list.map((one) => JSON.stringify(one)).join(',\n');
  const listed = [points, edges, boxes].map((list) => `[\n${lines(list)}\n]`);
  return `${first},\n"points":${listed[0]},\n"edges":${listed[1]},\n"boxes":${listed[2]}}\n`;
}

/** Reads a library. Throws `InputError` that starts with `file` if the text is none, or was changed. */
export function readLibrary(text: string, file: string): MotionLibrary {
  const data = parseJson(text.replace(/^\uFEFF/, ''), file, 'not JSON', FORMAT_NOTE) as Record<string, unknown> | null;
  if (typeof data !== 'object' || data === null || data.format !== LIBRARY_FORMAT)
    throw new InputError(`${file}: this is not a library of motions`, FORMAT_NOTE);
  const { format: _, hash, ...library } = data;
  const wrong = misshapenKey(library);
  if (wrong !== undefined) throw new InputError(`${file}: ${wrong}: this is not that of a library`, FORMAT_NOTE);
  if (hash !== contentHash(library as unknown as MotionLibrary))
    throw new InputError(`${file}: the library is damaged: its content has another hash`, 'Build it again.');
  return library as unknown as MotionLibrary;
}

/** Returns the key of a library whose value has not the form of `MotionLibrary`; undefined if there is none. */
function misshapenKey(library: Readonly<Record<string, unknown>>): string | undefined {
  const { robot, scene, joint_names: joints, robot_hash, obstacles, objects, points, edges, boxes } = library;
  const isText = (value: unknown) => typeof value === 'string';
  const isListOf = (value: unknown, isRight: (one: unknown) => boolean) => Array.isArray(value) && value.every(isRight);
  const countOf = (value: unknown) => (Array.isArray(value) ? value.length : 0);
  const isNode = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < countOf(points);
  const isBoxes = (value: unknown) =>
    isListOf(value, (one) => one === (Number(one) | 0)) &&
    countOf(value) > 0 &&
    countOf(value) % (6 * countOf(objects)) === 0;
  const checks: Readonly<Record<string, boolean>> = {
    robot: isText(robot),
    scene: isText(scene),
    joint_names: isListOf(joints, isText),
    robot_hash: isText(robot_hash),
    obstacles: typeof obstacles === 'object' && obstacles !== null && isListOf(Object.values(obstacles), isText),
    objects: isListOf(objects, isText),
    points: isListOf(points, (one) => countOf(one) === countOf(joints) && isListOf(one, Number.isFinite)),
    edges: isListOf(edges, (one) => countOf(one) === 2 && isListOf(one, isNode)),
    boxes: countOf(boxes) === countOf(edges) && isListOf(boxes, isBoxes),
  };
  return Object.keys(checks).find((key) => !checks[key]);
}

const contentHash = (library: MotionLibrary): string => {
  const { robot, scene, joint_names, robot_hash, obstacles, objects, points, edges, boxes } = library;
  return sha256(JSON.stringify([robot, scene, joint_names, robot_hash, obstacles, objects, points, edges, boxes]));
};

/** Throws `InputError` for scenes that have no library. */
export function requireLibraryScene(scene: Scene): void {
  const what =
    kindOf(scene) !== 'still'
      ? 'programs, moving obstacles or other robots'
      : (scene.constraints?.length ?? 0) > 0
        ? 'path constraints'
        : undefined;
  if (what !== undefined)
    throw new InputError(`${scene.name}: a library has no motions for ${what}`, 'Leave --library out.');
}

/**
 * Computes the hash of everything that decides which edges are valid apart from obstacles: the robot with its hulls,
 * attached objects, and the rules of pairs among them.
 */
export function robotHash({ description, joints, T_world_root, variables }: RobotModel, scene: Scene): string {
  const { links, allowed, checked = [] } = description;
  const robot = {
    links,
    allowed,
    checked,
    joints: joints.map(({ type, parent, child, axis, T_parent_joint, variable, multiplier, offset }) => [
      [type, parent, child, variable, multiplier, offset],
      [...axis],
      [...T_parent_joint],
    ]),
    base: [...T_world_root],
    limits: variables.map(({ name, limits: { lower, upper } }) => [name, `${lower}`, `${upper}`]),
  };
  return sha256(`${JSON.stringify(robot)}${robotRules(scene)}`);
}

/** Returns attached objects and the rules of the pairs of robot and attached objects, as text. */
export function robotRules({ attached, padding, allow, clearances = [], obstacles }: Scene): string {
  const names = new Set(obstacles.map(({ name }) => name));
  return JSON.stringify({
    attached,
    padding,
    allow: allow.filter((pair) => !pair.some((name) => names.has(name))),
    clearances: clearances.filter(({ a, b }) => !names.has(a) && !names.has(b)),
  });
}

/** Returns each obstacle of a scene with the rules of its pairs, as text. */
export function obstacleTexts({ obstacles, allow, clearances = [] }: Scene): string[] {
  return obstacles.map((one) =>
    JSON.stringify([
      one,
      allow.filter((pair) => pair.includes(one.name)).map((pair) => [...pair].sort()),
      clearances.filter(({ a, b }) => a === one.name || b === one.name),
    ]),
  );
}

/** Computes the hash of each obstacle of a scene, by name. */
export const obstacleHashes = (scene: Scene): Record<string, string> =>
  Object.fromEntries(obstacleTexts(scene).map((text, i) => [scene.obstacles[i].name, sha256(text)]));
