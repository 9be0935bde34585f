import type { JointDrive, LinkDescription, MassProperties } from '../../core/kinematics/robotModel.ts';
import { setRotationFromQuaternion, setRotationFromRpy } from '../../core/math/quaternion.ts';
import { create, type Transform } from '../../core/math/transform.ts';
import { attributeOf, childOf, type XmlElement } from '../text/xmlDocument.ts';
import type { XmlNumbers } from '../text/xmlNumbers.ts';

/** Order of the six numbers of an inertia. */
export const INERTIA = ['ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz'] as const;

/** Mass properties of a link that has some, which its file does not state: only torques need them, and refuse it. */
export const UNKNOWN_MASS: MassProperties = {
  mass: Number.NaN,
  center: [Number.NaN, Number.NaN, Number.NaN],
  inertia: INERTIA.map(() => Number.NaN),
};

/** Reads the `<inertial>` of a URDF; `UNKNOWN_MASS` if it is not complete, or not numbers. */
export function urdfInertial(inertial: XmlElement): MassProperties {
  const [mass, inertia, origin] = ['mass', 'inertia', 'origin'].map((name) => childOf(inertial, name));
  const moments =
    inertia && INERTIA.map((key) => numberOf(attributeOf(inertia, key) ?? (key[1] === key[2] ? '' : '0')));
  return inFrame(mass && numberOf(attributeOf(mass, 'value')), moments, origin ? urdfPose(origin) : create());
}

function urdfPose(origin: XmlElement): Transform | undefined {
  const T = create();
  const xyz = plainNumbers(attributeOf(origin, 'xyz') ?? '0 0 0', 3);
  const quaternion = attributeOf(origin, 'quat_xyzw');
  const rotation = plainNumbers(quaternion ?? attributeOf(origin, 'rpy') ?? '0 0 0', quaternion === undefined ? 3 : 4);
  if (xyz === undefined || rotation === undefined) return undefined;
  const [a, b, c, w] = rotation;
  if (quaternion === undefined) setRotationFromRpy(T, a, b, c);
  else setRotationFromQuaternion(T, [w, a, b, c]);
  for (let i = 0; i < 3; i++) T[4 * i + 3] = xyz[i];
  return T;
}

/** Reads the `<inertial>` of an SDF, as `urdfInertial`. @param T pose of its frame in the frame of the link */
export function sdfInertial(inertial: XmlElement, T: Transform): MassProperties {
  const content = (parent: XmlElement | undefined, name: string) => {
    const child = parent && childOf(parent, name);
    return child === undefined ? undefined : (child.textContent ?? '');
  };
  const inertia = childOf(inertial, 'inertia');
  const moments = inertia && INERTIA.map((key) => numberOf(content(inertia, key) ?? (key[1] === key[2] ? '' : '0')));
  return inFrame(numberOf(content(inertial, 'mass')), moments, T);
}

/** Reads the `<inertial>` of an MJCF body, as `urdfInertial`. @param T pose of its frame in the frame of the body */
export function mjcfInertial(inertial: XmlElement, T: Transform): MassProperties {
  const principal = plainNumbers(attributeOf(inertial, 'diaginertia'), 3);
  const full = plainNumbers(attributeOf(inertial, 'fullinertia'), 6);
  return inFrame(numberOf(attributeOf(inertial, 'mass')), full ?? (principal && [...principal, 0, 0, 0]), T);
}

/** Returns mass properties given in a frame T in the frame that T is relative to; unknown unless all are numbers. */
function inFrame(
  mass: number | undefined,
  moments: readonly (number | undefined)[] | undefined,
  T: Transform | undefined,
): MassProperties {
  if (mass === undefined || T === undefined || moments === undefined) return UNKNOWN_MASS;
  if (!moments.every((moment) => moment !== undefined)) return UNKNOWN_MASS;
  const [xx, yy, zz, xy, xz, yz] = moments;
  const inertia = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ];
  const turned = (i: number, j: number) => {
    let sum = 0;
    for (let k = 0; k < 3; k++) for (let l = 0; l < 3; l++) sum += T[4 * i + k] * inertia[k][l] * T[4 * j + l];
    return sum;
  };
  const pairs = [[0, 0], [1, 1], [2, 2], [0, 1], [0, 2], [1, 2]]; // biome-ignore format: one line
  return { mass, center: [T[3], T[7], T[11]], inertia: pairs.map(([i, j]) => turned(i, j)) };
}

/** Returns the fields of a link that state its mass. */
export const massOf = (
  mass: number | undefined,
  inertial: MassProperties | undefined,
): Pick<LinkDescription, 'mass' | 'inertial'> => ({
  ...(mass === undefined ? {} : { mass }),
  ...(inertial === undefined ? {} : { inertial }),
});

/**
 * Reads the drive of a joint from attributes; undefined if all are 0 or absent. A value that is no number of 0 or more
 * is NaN: only torques need it, and refuse it.
 */
export function driveOf(textOf: (key: keyof JointDrive) => string | undefined): JointDrive | undefined {
  const entries = (['armature', 'damping', 'friction'] as const).flatMap((key) => {
    const text = textOf(key);
    const value = text === undefined ? 0 : (numberOf(text) ?? Number.NaN);
    return value === 0 ? [] : [[key, value > 0 ? value : Number.NaN] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Warns of mass properties and a drive that a file states, and that are not known: torques are refused for them. */
export function warnUnknown(
  numbers: XmlNumbers,
  place: string,
  element: XmlElement | undefined,
  stated: MassProperties | JointDrive | undefined,
): void {
  if (element === undefined || stated === undefined) return;
  const note = 'scenes with limits of torque are refused';
  if (stated === UNKNOWN_MASS)
    numbers.warn(element, place, `its mass, its center or its inertia is missing or no number: ${note}`);
  const wrong = Object.entries(stated).find(([, value]) => Number.isNaN(value));
  if (wrong !== undefined && stated !== UNKNOWN_MASS)
    numbers.warn(element, place, `its ${wrong[0]} is no number of 0 or more: ${note}`);
}

const numberOf = (text: string | undefined) => plainNumbers(text, 1)?.[0];

/** Reads finite numbers; undefined unless the text is that many of them. */
export function plainNumbers(text: string | undefined, count: number): number[] | undefined {
  const words = (text ?? '').trim().split(/\s+/);
  const values = words.map((word) => (word === '' ? Number.NaN : Number(word)));
  return values.length === count && values.every(Number.isFinite) ? values : undefined;
}
