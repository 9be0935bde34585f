import { jointValueProblem, lengthProblem } from '../../core/math/magnitudes.ts';
import { createPlanarTransform, type PlanarTransform } from '../../core/math/planar.ts';
import {
  lengthIfNotUnit,
  setRotationFromQuaternion,
  setRotationFromRpy,
  UNIT_QUATERNION,
} from '../../core/math/quaternion.ts';
import { RecentMap } from '../../core/math/recentMap.ts';
import { create, type Transform } from '../../core/math/transform.ts';
import { PI } from '../../core/math/trigonometry.ts';
import { createShape, shapes } from '../../core/shapes/index.ts';
import { createPlanarShape, planarShapes } from '../../core/shapes/planar/index.ts';
import type { PlanarShape } from '../../core/shapes/planar/planarShape.ts';
import type { ConvexShape, ShapeSpec } from '../../core/shapes/shape.ts';
import { InputError, jsonText, parseJson, suggestion } from '../../errors.ts';
import { degreesHint } from '../text/degrees.ts';
import type { PairVelocities, ShapePair } from './shapePair.ts';

/** One line of a list of pairs: the pair or its error. */
export interface PairLine {
  /** JSON text of the id of the pair, or its line number if it has none; `null` if the line cannot be parsed. */
  readonly id: string;
  readonly line: number;
  readonly pair: ShapePair | InputError;
}

/**
 * Default center of growth of a shape in its own frame. It is passed explicitly, because `createShape` would use an
 * interior point of `convex` shapes.
 */
const ORIGIN = [0, 0, 0];

/** Maximum number of cached shapes. */
const CACHE_SIZE = 256;

/** Characters of an invalid value that messages quote. */
const SHOWN = 60;

/**
 * Reads pairs of shapes, one JSON object per line: {"id", "a": {"shape", "pose", "center", "velocity"}, "b": {…}}.
 * Unknown keys of a pair are ignored; unknown keys of `a`, `b`, poses and shapes are errors.
 */
export class PairReader {
  #lines = 0;
  readonly #shapes = new ShapeCache();

  /** Reads the pair on the next line. Returns undefined for a blank line. */
  read(text: string): PairLine | undefined {
    const line = ++this.#lines;
    if (text.trim() === '') return undefined;
    let given: unknown;
    try {
      given = parseJson(text, '');
    } catch (error) {
      return { id: 'null', line, pair: error as InputError };
    }
    if (!isObject(given)) {
      return { id: 'null', line, pair: new InputError(`${show(given)} is not a pair`, 'Give {"a": {…}, "b": {…}}.') };
    }
    const id = given['id'] === undefined ? String(line) : jsonText(given['id']);
    try {
      return { id, line, pair: readPair(given, this.#shapes) };
    } catch (error) {
      if (error instanceof InputError) return { id, line, pair: error };
      throw error;
    }
  }
}

/** Creates a pair from parsed JSON. Throws `InputError` with the key path of the invalid value. */
export function readPair({ a, b, track }: Readonly<Record<string, unknown>>, cache = new ShapeCache()): ShapePair {
  const bodyA = readBody('a', a);
  const bodyB = readBody('b', b);
  const key = track === undefined ? undefined : jsonText(track);
  if (isPlanar(bodyA.spec)) {
    if (!isPlanar(bodyB.spec)) throw mixed(bodyA.spec, bodyB.spec);
    const [shapeA, shapeB] = [planarBody('a', bodyA, cache), planarBody('b', bodyB, cache)];
    const T_world_a = at('a.pose', () => planarPose(bodyA.pose));
    const T_world_b = at('b.pose', () => planarPose(bodyB.pose));
    const more = { track: key, ...velocitiesOf(bodyA, bodyB, 3), ...warningsOf(bodyA, bodyB) };
    return { dimension: 2, a: shapeA, T_world_a, b: shapeB, T_world_b, ...more };
  }
  if (isPlanar(bodyB.spec)) throw mixed(bodyA.spec, bodyB.spec);
  const [shapeA, shapeB] = [spatialBody('a', bodyA, cache), spatialBody('b', bodyB, cache)];
  const T_world_a = at('a.pose', () => spatialPose(bodyA.pose));
  const T_world_b = at('b.pose', () => spatialPose(bodyB.pose));
  const more = { track: key, ...velocitiesOf(bodyA, bodyB, 6), ...warningsOf(bodyA, bodyB) };
  return { dimension: 3, a: shapeA, T_world_a, b: shapeB, T_world_b, ...more };
}

/** Returns the velocities of a pair, which may give one or both. */
function velocitiesOf(a: Body, b: Body, size: number): { readonly velocities?: PairVelocities } {
  if (a.velocity === undefined && b.velocity === undefined) return {};
  const [first, second] = Object.entries({ a, b }).map(([name, { velocity }]) =>
    velocity === undefined ? new Array<number>(size).fill(0) : numbers(`${name}.velocity`, velocity, size),
  );
  return { velocities: { a: first, b: second } };
}

/** Returns warnings on angles that are probably in degrees; the poses must have been validated before. */
function warningsOf(a: Body, b: Body): { readonly warnings?: readonly string[] } {
  const warnings = Object.entries({ a, b }).flatMap(([name, { pose }]) => {
    const { rpy, angle } = (pose ?? {}) as { readonly rpy?: readonly number[]; readonly angle?: number };
    const key = rpy === undefined ? 'angle' : 'rpy';
    const hint = degreesHint(rpy ?? (angle === undefined ? [] : [angle]), (degrees) => String((degrees * PI) / 180));
    return hint === undefined ? [] : [`${name}.pose.${key}: ${hint}`];
  });
  return warnings.length === 0 ? {} : { warnings };
}

interface Body {
  readonly spec: ShapeSpec;
  readonly pose: unknown;
  readonly center: unknown;
  readonly velocity: unknown;
}

function readBody(name: string, given: unknown): Body {
  if (!isObject(given)) throw new InputError(`${name} is ${show(given)}`, 'An object is {"shape", "pose", "center"}.');
  refuseUnknownKeys(name, given, ['shape', 'pose', 'center', 'velocity']);
  const { shape, pose, center, velocity } = given;
  if (!isObject(shape)) throw new InputError(`${name}.shape is ${show(shape)}`, 'A shape is {"type", …}.');
  const { type } = shape;
  if (typeof type !== 'string') throw new InputError(`${name}.shape.type is ${show(type)}`, suggestion('', everyShape));
  if (!everyShape.includes(type)) {
    throw new InputError(`${name}.shape.type: unknown shape "${type}"`, suggestion(type, everyShape));
  }
  return { spec: shape as unknown as ShapeSpec, pose, center, velocity };
}

const everyShape = [...Object.keys(shapes), ...Object.keys(planarShapes)];
const isPlanar = ({ type }: ShapeSpec) => Object.hasOwn(planarShapes, type);

function mixed(a: ShapeSpec, b: ShapeSpec): InputError {
  const [planar, spatial] = isPlanar(a) ? [a, b] : [b, a];
  return new InputError(
    `a ${planar.type} is a 2D shape, a ${spatial.type} a 3D shape`,
    'Give two 2D shapes or two 3D shapes.',
  );
}

function planarBody(name: string, { spec, center }: Body, cache: ShapeCache): PlanarShape {
  return cache.getOrCreate(name, spec, center, () => {
    const point = center === undefined ? undefined : numbers('center', center, 2);
    return at('shape', () => createPlanarShape(spec, point));
  });
}

function spatialBody(name: string, { spec, center }: Body, cache: ShapeCache): ConvexShape {
  return cache.getOrCreate(name, spec, center, () => {
    refuseUnknownKeys('shape', spec, ['type', 'margin', ...Object.keys(shapes[spec.type].fields)]);
    const point = center === undefined ? ORIGIN : numbers('center', center, 3);
    return at('shape', () => createShape(spec, point));
  });
}

/**
 * Least-recently-used cache of shapes by their JSON text: building a convex hull takes longer than most queries, and
 * lists repeat the same shapes.
 */
export class ShapeCache {
  readonly #entries = new RecentMap<string, ConvexShape | PlanarShape>(CACHE_SIZE);

  /**
   * Returns the cached shape or creates it. The type in `spec` distinguishes planar from spatial shapes, so one key
   * serves both.
   */
  getOrCreate<S extends ConvexShape | PlanarShape>(name: string, spec: ShapeSpec, center: unknown, create: () => S): S {
    const key = JSON.stringify([spec, center]);
    return this.#entries.use(key, () => at(name, create, '.')) as S;
  }
}

function planarPose(given: unknown): PlanarTransform {
  if (given === undefined) return createPlanarTransform();
  if (!isObject(given)) throw new InputError(`is ${show(given)}`, 'A 2D pose is {"xy", "angle"}.');
  refuseUnknownKeys('', given, ['xy', 'angle']);
  const [x, y] = given['xy'] === undefined ? [0, 0] : numbers('xy', given['xy'], 2, lengthProblem);
  const [angle] = given['angle'] === undefined ? [0] : numbers('angle', [given['angle']], 1, jointValueProblem);
  return createPlanarTransform(x, y, angle);
}

function spatialPose(given: unknown): Transform {
  const T = create();
  if (given === undefined) return T;
  if (!isObject(given)) throw new InputError(`is ${show(given)}`, 'A pose is {"xyz", "quat_wxyz"}.');
  refuseUnknownKeys('', given, ['xyz', 'quat_wxyz', 'rpy']);
  const { xyz, quat_wxyz, rpy } = given;
  if (quat_wxyz !== undefined && rpy !== undefined) throw new InputError('has quat_wxyz and rpy', 'Give one of them.');
  if (rpy !== undefined) {
    const [roll, pitch, yaw] = numbers('rpy', rpy, 3, jointValueProblem);
    setRotationFromRpy(T, roll, pitch, yaw);
  }
  if (quat_wxyz !== undefined) {
    const [w, x, y, z] = numbers('quat_wxyz', quat_wxyz, 4);
    const length = lengthIfNotUnit([w, x, y, z]);
    if (length !== undefined)
      throw new InputError(`quat_wxyz is ${show(quat_wxyz)}, of length ${length}, must be 1`, UNIT_QUATERNION);
    setRotationFromQuaternion(T, [w, x, y, z]);
  }
  if (xyz !== undefined) {
    const [x, y, z] = numbers('xyz', xyz, 3, lengthProblem);
    T[3] = x;
    T[7] = y;
    T[11] = z;
  }
  return T;
}

/**
 * Returns a list of `count` finite numbers. Throws `InputError` that names the first invalid one, or the first that
 * `problemOf` rejects.
 */
function numbers(
  place: string,
  given: unknown,
  count: number,
  problemOf: (value: number) => string | undefined = () => undefined,
): number[] {
  if (!Array.isArray(given) || given.length !== count) {
    throw new InputError(`${place} is ${show(given)}`, `${count} numbers are expected.`);
  }
  const wrong = given.findIndex((value) => typeof value !== 'number' || !Number.isFinite(value));
  const placeOf = (index: number) => (count === 1 ? place : `${place}[${index}]`);
  if (wrong >= 0) throw new InputError(`${placeOf(wrong)} is ${show(given[wrong])}, not a finite number`);
  const beyond = given.findIndex((value) => problemOf(value) !== undefined);
  if (beyond < 0) return given;
  throw new InputError(`${placeOf(beyond)} is ${given[beyond]}, which ${problemOf(given[beyond])}`);
}

function refuseUnknownKeys(place: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new InputError(`${place === '' ? '' : `${place}: `}unknown key "${unknown}"`, suggestion(unknown, known));
}

/** Returns the result of `read`, and prefixes the messages of its errors with `place`. */
function at<T>(place: string, read: () => T, joint = ': '): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`${place}${joint}${error.message}`, error.note);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const show = (value: unknown) => {
  if (value === undefined) return 'missing';
  return typeof value === 'number' ? String(value) : shown(jsonText(value));
};
const shown = (text: string) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
