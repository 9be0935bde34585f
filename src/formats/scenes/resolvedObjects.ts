import type { Pose } from '../../core/kinematics/robotModel.ts';
import { normalizedQuaternion } from '../../core/math/quaternion.ts';
import type { Path } from '../text/sourceText.ts';
import type { MassDraft } from './loads/readMass.ts';
import type { ObjectDraft } from './objectDraft.ts';
import type { WrittenQuantity } from './valueReader.ts';

/** Plain data of a resolved scene. */
export type PlainData = Record<string, unknown>;

/** Returns a copy of data in which the given places have these values. */
export function withQuantities(data: unknown, quantities: readonly WrittenQuantity[]): PlainData {
  const copy = structuredClone(data) as PlainData;
  for (const { path, value } of quantities) setAt(copy, path, value);
  return copy;
}

function setAt(data: PlainData, path: Path, value: number): void {
  let at: PlainData | undefined = data;
  for (const key of path.slice(0, -1)) at = at?.[key] as PlainData | undefined;
  const last = path[path.length - 1];
  if (at !== undefined && Object.hasOwn(at, last)) at[last] = value;
}

/**
 * Returns an object of an included file as a scene states it, in the world frame of the scene. Poses are written with
 * the numbers that are read as the same pose.
 */
export function writtenObject(draft: ObjectDraft): PlainData {
  const { name, pose, motion, shape, mesh, cloud, field, link, touches, free, mass } = draft;
  const rounded = (margin: number) => (margin > 0 ? { margin } : {});
  const placed = motion
    ? { motion: { times: motion.times, poses: motion.poses.map(written) } }
    : { pose: written(pose) };
  return {
    name,
    ...(shape && { ...shape }),
    ...(mesh && { type: 'mesh', ...mesh, margin: undefined, ...rounded(mesh.margin) }),
    ...(cloud && { type: 'cloud', ...cloud }),
    ...(field && { type: 'heightfield', ...field, margin: undefined, ...rounded(field.margin) }),
    ...placed,
    ...(link === undefined ? {} : { link, touches }),
    ...(free === undefined ? {} : { free }),
    ...(mass && writtenMass(mass)),
  };
}

const writtenMass = ({ amount, isDensity, center, inertia }: MassDraft): PlainData => ({
  [isDensity ? 'density' : 'mass']: amount,
  center,
  inertia,
});

/** Number of lengths that are tried for a quaternion. */
const MAX_LENGTHS = 4096;

/**
 * Returns a pose whose quaternion is read as the given one. Readers divide quaternions by their length, which may
 * change the last digit of one of length 1: then it is written with another length that reproduces it.
 */
function written({ xyz, quat_wxyz: q }: Pose): Pose {
  for (let k = 0; k < MAX_LENGTHS; k++) {
    const scaled = q.map((part) => part * (1 + k * 2 ** -24)) as unknown as Pose['quat_wxyz'];
    if (normalizedQuaternion(scaled).every((part, i) => part === q[i])) return { xyz, quat_wxyz: scaled };
  }
  return { xyz, quat_wxyz: q }; // the comparison of the resolved scene with its original refuses it
}
