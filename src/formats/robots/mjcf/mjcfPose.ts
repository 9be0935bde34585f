import { jointValueProblem, lengthProblem } from '../../../core/math/magnitudes.ts';
import { setRotationFromQuaternion } from '../../../core/math/quaternion.ts';
import { compose, create, type Transform } from '../../../core/math/transform.ts';
import { cos, sin } from '../../../core/math/trigonometry.ts';
import { attributeOf, type XmlElement } from '../../text/xmlDocument.ts';
import type { XmlNumbers } from '../../text/xmlNumbers.ts';
import type { Triple } from '../jointChain.ts';
import type { Compiler } from './mjcfCompiler.ts';
import { WithDefaults } from './mjcfDefaults.ts';

/** Length of a vector below which it has no direction (MuJoCo: mjEPS). Absolute, in the unit of the attribute. */
const NO_DIRECTION = 1e-14;

type Orientation = (values: number[], compiler: Compiler) => Transform | undefined;

/** Number of values and meaning of the attributes that state an orientation; undefined: they state none. */
const orientations: Readonly<Record<string, { readonly count: number; readonly read: Orientation }>> = {
  axisangle: {
    count: 4,
    read: ([x, y, z, angle], { angleUnit }) => aboutAxis([x, y, z], angle * angleUnit),
  },
  euler: { count: 3, read: fromEuler },
  xyaxes: { count: 6, read: ([a, b, c, d, e, f]) => fromAxes([a, b, c], [d, e, f]) },
  zaxis: { count: 3, read: ([x, y, z]) => turningZTo([x, y, z]) },
  quat: { count: 4, read: ([w, x, y, z]) => fromQuaternion(w, x, y, z) },
};

/** Reads the pose of an element: `pos`, and one of the attributes that state an orientation. */
export function readPose(given: WithDefaults, compiler: Compiler): Transform {
  const T = readOrientation(given, compiler);
  const [x, y, z] = readPoint(given, 'pos') ?? [0, 0, 0];
  T[3] = x;
  T[7] = y;
  T[11] = z;
  return T;
}

/** Reads the pose of an element that has no defaults. */
export const readOwnPose = (element: XmlElement, compiler: Compiler, place: string, numbers: XmlNumbers): Transform =>
  readPose(new WithDefaults(place, numbers, [element]), compiler);

/** Reads a point, metres; undefined if it is not stated, or invalid. */
export const readPoint = (given: WithDefaults, attribute: string): Triple | undefined =>
  given.list(attribute, 3, lengthProblem) as Triple | undefined;

/** Returns the smallest rotation from the z axis to a vector; undefined if the vector has no direction. */
export function turningZTo([x, y, z]: Triple): Transform | undefined {
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > NO_DIRECTION)) return undefined;
  const [ux, uy, uz] = [x / length, y / length, z / length];
  const sine = Math.sqrt(ux * ux + uy * uy);
  if (sine < NO_DIRECTION) return fromQuaternion(uz > 0 ? 1 : 0, uz > 0 ? 0 : 1, 0, 0);
  // Half of the angle θ between z and u: the quaternion (1 + cos θ, z × u), or for obtuse angles, where 1 + cos θ
  // cancels, the same times (1 − cos θ) / sin θ.
  return uz >= 0
    ? fromQuaternion(1 + uz, -uy, ux, 0)
    : fromQuaternion(sine, (-uy * (1 - uz)) / sine, (ux * (1 - uz)) / sine, 0);
}

function readOrientation(given: WithDefaults, compiler: Compiler): Transform {
  const { numbers, place, element } = given;
  const stated = Object.keys(orientations).filter((name) => attributeOf(element, name) !== undefined);
  if (stated.length > 1)
    // MuJoCo refuses it as well
    numbers.addProblem(element, place, `it states its orientation ${stated.length} times: ${stated.join(', ')}`);
  const holder = given.orientationHolder();
  if (holder === undefined) return create();
  const attribute = Object.keys(orientations).find((name) => attributeOf(holder, name) !== undefined)!;
  const { count, read } = orientations[attribute];
  const problemOf = attribute === 'euler' || attribute === 'axisangle' ? jointValueProblem : lengthProblem;
  const values = numbers.bounded(holder, attribute, count, place, problemOf);
  if (values === undefined) return create();
  const T = read(values, compiler);
  if (T === undefined) numbers.addProblem(holder, place, `${attribute}="${values.join(' ')}" is no orientation`);
  return T ?? create();
}

/** Returns the rotation of a quaternion of any length; undefined if it is zero. */
export function fromQuaternion(w: number, x: number, y: number, z: number): Transform | undefined {
  if (!(Math.sqrt(w * w + x * x + y * y + z * z) > NO_DIRECTION)) return undefined;
  const T = create();
  setRotationFromQuaternion(T, [w, x, y, z]);
  return T;
}

function aboutAxis([x, y, z]: Triple, angle: number): Transform | undefined {
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > NO_DIRECTION)) return undefined;
  const half = sin(angle / 2) / length;
  return fromQuaternion(cos(angle / 2), x * half, y * half, z * half);
}

/** Rotations one after the other: a lower-case axis turns with the body, an upper-case one is fixed. */
function fromEuler(angles: number[], { eulerAxes, angleUnit }: Compiler): Transform {
  const T = create();
  for (const [i, letter] of [...eulerAxes].entries()) {
    const axis = 'xyz'.indexOf(letter.toLowerCase());
    const unit: Triple = [axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0];
    const R = aboutAxis(unit, angles[i] * angleUnit)!;
    if (letter === letter.toLowerCase()) compose(T, T, R);
    else compose(T, R, T);
  }
  return T;
}

/** Returns the rotation with the given x axis, and the y axis orthogonalized against it. */
function fromAxes(x: Triple, y: Triple): Transform | undefined {
  const unitX = normalized(x);
  if (unitX === undefined) return undefined;
  const along = unitX[0] * y[0] + unitX[1] * y[1] + unitX[2] * y[2];
  const unitY = normalized([y[0] - along * unitX[0], y[1] - along * unitX[1], y[2] - along * unitX[2]]);
  if (unitY === undefined) return undefined;
  const [[a, b, c], [d, e, f]] = [unitX, unitY];
  return Float64Array.of(a, d, b * f - c * e, 0, b, e, c * d - a * f, 0, c, f, a * e - b * d, 0);
}

/** Returns the unit vector; undefined if the vector has no direction. */
export function normalized([x, y, z]: Triple): Triple | undefined {
  const length = Math.sqrt(x * x + y * y + z * z);
  return length > NO_DIRECTION && Number.isFinite(length) ? [x / length, y / length, z / length] : undefined;
}
