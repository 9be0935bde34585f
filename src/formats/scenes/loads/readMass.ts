import { combined, inertiaOf, volumeIntegrals } from '../../../core/hulls/massProperties.ts';
import { transformOfPose } from '../../../core/kinematics/pose.ts';
import type { MassProperties } from '../../../core/kinematics/robotModel.ts';
import { type CollisionObjectPart, IDENTITY_POSE } from '../../../core/scene/scene.ts';
import { createShape } from '../../../core/shapes/index.ts';
import type { Path } from '../../text/sourceText.ts';
import type { ValueReader } from '../valueReader.ts';
import type { RawMass } from './massSchema.ts';

/** Mass properties of an object; what is undefined follows from its shape. */
export interface MassDraft {
  /** kg, or kg/m³ if `isDensity`. */
  readonly amount: number;
  readonly isDensity: boolean;
  readonly center?: MassProperties['center'];
  readonly inertia?: MassProperties['inertia'];
}

/** Largest accepted mass or density; larger values are probably typing errors. */
const MAX_MASS = 1e9;

/** Reads a number of 0 or more. */
export function readNotNegative(reader: ValueReader, raw: number | string, path: Path): number {
  const value = reader.number(raw, 'ratio', path);
  reader.check(value >= 0 && value <= MAX_MASS, raw, path, `must be from 0 to ${MAX_MASS}`);
  return value;
}

/** Reads `mass`, `density`, `center` and `inertia` of an object; undefined if it states neither mass nor density. */
export function readMass(reader: ValueReader, raw: RawMass, type: string, path: Path): MassDraft | undefined {
  const { mass, density } = raw;
  if (mass !== undefined && density !== undefined)
    reader.report([...path, 'density'], 'mass and density are both given', 'Give one of them.');
  const amount = mass ?? density;
  const key = density === undefined ? 'mass' : 'density';
  if (amount === undefined) {
    for (const other of ['center', 'inertia'] as const)
      if (raw[other] !== undefined) reader.report([...path, other], 'the object has no mass', 'State its mass, too.');
    return undefined;
  }
  if (type === 'halfspace' || type === 'heightfield')
    reader.report([...path, key], `the object is a ${type}`, 'Only objects that can be carried have a mass.');
  return {
    amount: readNotNegative(reader, amount, [...path, key]),
    isDensity: density !== undefined,
    ...readDistribution(reader, raw, path),
  };
}

function readDistribution(reader: ValueReader, { center, inertia }: RawMass, path: Path) {
  return {
    ...(center && { center: reader.numbers(center, 'length', [...path, 'center']) as [number, number, number] }),
    ...(inertia && { inertia: readInertia(reader, inertia, [...path, 'inertia']) }),
  };
}

function readInertia(reader: ValueReader, given: readonly (number | string)[], path: Path): number[] {
  const inertia = reader.numbers(given, 'ratio', path);
  const note = 'Its principal moments must be 0 or more, and none may exceed the sum of the others.';
  reader.check(isPhysical(inertia), given, path, 'which no body has', note);
  return inertia;
}

/** Relative: a principal moment may exceed the sum of the others by this, a rounding error. */
const ROUNDING = 1e-6;

/**
 * Returns true if a body can have an inertia: the second moments, tr(I)/2 − I, then are positive semidefinite, which
 * its principal minors show.
 */
export function isPhysical([ixx, iyy, izz, xy, xz, yz]: readonly number[]): boolean {
  const half = (ixx + iyy + izz) / 2;
  const slack = ROUNDING * Math.abs(half);
  const [a, b, c] = [half - ixx + slack, half - iyy + slack, half - izz + slack];
  const minors = [a * b - xy * xy, a * c - xz * xz, b * c - yz * yz];
  const determinant = a * b * c - a * yz * yz - b * xz * xz - c * xy * xy - 2 * xy * xz * yz;
  return [a, b, c, ...minors, determinant].every((minor) => minor >= 0);
}

/** Reads `payload` of a scene: a point mass at the origin unless it states more. */
export function readPayload(reader: ValueReader, raw: RawMass & { readonly mass: number | string }): MassProperties {
  const mass = readNotNegative(reader, raw.mass, ['payload', 'mass']);
  return { mass, center: [0, 0, 0], inertia: [0, 0, 0, 0, 0, 0], ...readDistribution(reader, raw, ['payload']) };
}

/** Reads `torque` of a scene that is not false. */
export function readTorque(
  reader: ValueReader,
  raw: boolean | { readonly scale?: number | string | undefined },
): { readonly scale: number } {
  const given = typeof raw === 'boolean' ? undefined : raw.scale;
  return { scale: given === undefined ? 1 : reader.share(given, ['torque', 'scale']) };
}

/**
 * Computes the mass properties of an object from its parts, where the draft does not state them; returns what is
 * missing if its parts have no volume.
 */
export function massProperties(
  { amount, isDensity, center, inertia }: MassDraft,
  parts: readonly CollisionObjectPart[],
): MassProperties | string {
  const isComplete = center !== undefined && inertia !== undefined && !isDensity;
  if (isComplete) return { mass: amount, center, inertia };
  const whole = combined(
    parts.map(({ shape, at = IDENTITY_POSE }) => ({
      own: volumeIntegrals(createShape(shape)),
      at: transformOfPose(at),
    })),
  );
  if (!(whole.volume > 0)) return 'it has no volume, from which its center of mass and inertia could be computed';
  const mass = isDensity ? amount * whole.volume : amount;
  const ofShape = inertiaOf(whole.moments).map((moment) => (mass / whole.volume) * moment);
  return { mass, center: center ?? whole.center, inertia: inertia ?? ofShape };
}
