import type { Pose } from '../../../core/kinematics/robotModel.ts';
import { lengthProblem } from '../../../core/math/magnitudes.ts';
import { lengthIfNotUnit } from '../../../core/math/quaternion.ts';
import { IDENTITY_POSE } from '../../../core/scene/scene.ts';
import type { ShapeSpec } from '../../../core/shapes/shape.ts';
import { InputError } from '../../../errors.ts';
import { quote } from '../../text/xmlDocument.ts';
import {
  type ForeignObject,
  type ForeignScene,
  halfspaceOf,
  hullShape,
  namedBodies,
  rosPose,
  within,
} from './foreignScene.ts';

/** Meshes of more vertices or triangles are rejected. */
const MAX_MESH_SIZE = 1_000_000;

/**
 * Reads the `.scene` text format of MoveIt's planning scene: objects of shapes with poses, in the older form (no pose
 * of the object, no subframes) and the newer one. Meshes become their convex hulls, planes half-spaces; colours and
 * subframes are skipped.
 */
export async function readMoveitScene(text: string, file: string): Promise<ForeignScene> {
  const words = new SceneWords(text, file);
  const name = words.nameOfScene();
  const objects = new Map<string, PosedBodies>();
  const notes = new Set<string>();
  for (;;) {
    const marker = words.line().trim();
    if (marker === '.') break;
    if (!marker.startsWith('*')) throw words.error(`${quote(marker)}, an object begins with *, the list ends with .`);
    const id = marker.slice(1).trim();
    if (id === '') throw words.error('an object without a name');
    const { pose, bodies } = await readBodies(words, notes);
    const known = objects.get(id);
    if (known)
      notes.add(`${quote(id)} occurs several times: its shapes become one object at its last pose, as in MoveIt`);
    objects.set(id, { pose, bodies: [...(known?.bodies ?? []), ...bodies] });
  }
  if (notes.has('plane')) notes.add('planes become half-spaces, solid behind the plane');
  notes.delete('plane');
  const placed = [...objects].map(([id, { pose, bodies }]) => {
    return { id, bodies: bodies.map((body) => ({ ...body, pose: within(pose, body.pose) })) };
  });
  const obstacles = namedBodies(placed).flat();
  return { ...(name === '' ? {} : { name }), goals: [], obstacles, attached: [], allow: [], notes: [...notes] };
}

/** Shapes of an object in its frame, and the pose of that frame. */
interface PosedBodies {
  readonly pose: Pose;
  readonly bodies: ForeignObject['bodies'];
}

/** Reads the shapes of one object, after its name. */
async function readBodies(words: SceneWords, notes: Set<string>): Promise<PosedBodies> {
  const bodies: ForeignObject['bodies'][number][] = [];
  const isNewer = /\s/.test(words.peek().trim());
  const T_world_object = isNewer ? words.pose() : IDENTITY_POSE;
  const shapes = words.count('shapes');
  for (let i = 0; i < shapes; i++) {
    const type = words.line().trim().toLowerCase();
    const plane = type === 'plane' ? words.numbers(4) : undefined;
    const shape = plane === undefined ? await readShape(type, words) : undefined;
    const pose = words.pose();
    words.numbers(4); // colour
    if (type === 'mesh') notes.add('meshes become their convex hulls');
    if (type === 'plane') notes.add('plane');
    const behind = plane && halfspaceOf(plane, pose);
    if (plane !== undefined && behind === undefined) throw words.error('a plane without a direction');
    bodies.push(behind ?? { shape: shape!, pose });
  }
  if (!isNewer) return { pose: T_world_object, bodies };
  const frames = words.count('subframes');
  for (let i = 0; i < frames; i++) {
    words.line();
    words.pose();
  }
  if (frames > 0) notes.add('subframes are left out');
  return { pose: T_world_object, bodies };
}

async function readShape(type: string, words: SceneWords): Promise<ShapeSpec> {
  switch (type) {
    case 'box':
      return { type, size: words.lengths(3) };
    case 'sphere':
      return { type, radius: words.lengths(1)[0] };
    case 'cylinder':
    case 'cone': {
      const [radius, length] = words.lengths(2);
      return { type, radius, length };
    }
    case 'mesh': {
      const [vertices, triangles] = words.numbers(2, () => undefined);
      const isCount = (n: number) => Number.isInteger(n) && n >= 0 && n <= MAX_MESH_SIZE;
      if (!isCount(vertices) || !isCount(triangles) || vertices === 0)
        throw words.error(`a mesh of ${vertices} vertices and ${triangles} triangles`);
      const points = words.numbers(3 * vertices);
      words.numbers(3 * triangles, () => undefined);
      return hullShape(points);
    }
    default:
      throw words.error(
        `a shape ${quote(type)} is not supported`,
        'Use one of: box, sphere, cylinder, cone, plane, mesh.',
      );
  }
}

/** Reads the text line by line, and numbers that may continue over several lines. */
class SceneWords {
  private readonly lines: readonly string[];
  private at = 0;

  constructor(
    text: string,
    private readonly file: string,
  ) {
    this.lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  }

  /** Returns the name of the scene: the first line, which is blank for a scene without a name. */
  nameOfScene(): string {
    const next = this.peek().trim();
    const isObject = this.at > 0 && (next === '.' || /^\*\s*\S/.test(next));
    return isObject ? '' : this.line().trim();
  }

  /** Returns the next line that is not blank. */
  line(): string {
    this.peek();
    return this.lines[this.at++];
  }

  peek(): string {
    while (this.at < this.lines.length && this.lines[this.at].trim() === '') this.at++;
    if (this.at < this.lines.length) return this.lines[this.at];
    throw this.error('the file ends too early', 'The list of objects ends with a line that holds a single dot.');
  }

  /** Reads whole lines until `count` finite numbers are found; `problemOf` checks the bound on each. */
  numbers(count: number, problemOf = lengthProblem): number[] {
    const values: number[] = [];
    while (values.length < count) {
      for (const word of this.line().trim().split(/\s+/)) {
        const value = Number(word);
        if (!/^[-+.\d]/.test(word) || !Number.isFinite(value))
          throw this.error(`${quote(word)} is not a finite number`);
        const problem = problemOf(value);
        if (problem !== undefined) throw this.error(`${quote(word)} ${problem}`);
        values.push(value);
      }
    }
    if (values.length === count) return values;
    throw this.error(`${values.length} numbers where ${count} were expected`);
  }

  lengths(count: number): number[] {
    const values = this.numbers(count);
    const wrong = values.find((value) => !(value > 0));
    if (wrong !== undefined) throw this.error(`a length is ${wrong}, it must be greater than 0`);
    return values;
  }

  count(what: string): number {
    const [value] = this.numbers(1, () => undefined);
    if (Number.isInteger(value) && value >= 0) return value;
    throw this.error(`${value} is not a number of ${what}`);
  }

  pose() {
    const position = this.numbers(3);
    const quaternion = this.numbers(4);
    const length = lengthIfNotUnit(quaternion);
    if (length !== undefined) throw this.error(`a quaternion of length ${length}, must be 1`);
    return rosPose(position, quaternion)!;
  }

  error(what: string, note = ''): InputError {
    return new InputError(`${this.file}:${Math.min(Math.max(1, this.at), this.lines.length)}: ${what}`, note);
  }
}
