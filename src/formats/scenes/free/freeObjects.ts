import type { FreeObject } from '../../../core/scene/scene.ts';
import type { Path } from '../../text/sourceText.ts';
import type { ValueReader } from '../valueReader.ts';
import type { RawFree } from './freeSchema.ts';

/** Values of keys that are not given; the density in kg/m³ is that of water. */
const defaults = { density: 1000, friction: 0.5, restitution: 0 };
/** Largest accepted mass or density, and coefficient of friction; larger values are probably typing errors. */
const MAX_MASS = 1e9;
const MAX_FRICTION = 1e3;

/** Reads `free` of an object; `type`: that of the object. */
export function readFree(reader: ValueReader, given: RawFree, type: string, path: Path): FreeObject {
  if (type === 'halfspace' || type === 'cloud' || type === 'heightfield') {
    const what = `it is ${JSON.stringify(type)}, which cannot be free`;
    reader.report([...path, 'type'], what, 'Leave out free: it is then fixed. Give free objects a closed shape.');
  }
  const at = [...path, 'free'];
  const number = (
    key: 'mass' | 'density' | 'friction' | 'restitution',
    isValid: (x: number) => boolean,
    must: string,
  ) => {
    const raw = given[key];
    if (raw === undefined) return undefined;
    const value = reader.number(raw, 'ratio', [...at, key]);
    reader.check(isValid(value), raw, [...at, key], `must be ${must}`);
    return value;
  };
  const positive = (x: number) => x > 0 && x <= MAX_MASS;
  const mass = number('mass', positive, `greater than 0 and at most ${MAX_MASS}`);
  const density = number('density', positive, `greater than 0 and at most ${MAX_MASS}`);
  const friction = number('friction', (x) => x >= 0 && x <= MAX_FRICTION, `from 0 to ${MAX_FRICTION}`);
  const restitution = number('restitution', (x) => x >= 0 && x <= 1, 'from 0 to 1');
  if (mass !== undefined && density !== undefined)
    reader.report([...at, 'density'], 'mass and density are both given', 'Give one of them.');
  return {
    ...(mass === undefined ? { density: density ?? defaults.density } : { mass }),
    friction: friction ?? defaults.friction,
    restitution: restitution ?? defaults.restitution,
  };
}

/** Reads `gravity` of a scene: m/s², not 0. */
export function readGravity(
  reader: ValueReader,
  given: readonly (number | string)[],
): readonly [number, number, number] {
  const [x, y, z] = reader.numbers(given, 'ratio', ['gravity']);
  const squared = x * x + y * y + z * z;
  const isValid = squared > 1e-12 && squared < 1e12;
  reader.check(isValid, given, ['gravity'], 'must be from 1e-6 to 1e6 m/s²', 'Without gravity nothing settles.');
  return [x, y, z];
}
