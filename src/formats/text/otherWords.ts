import { nearestName, ownValue } from '../../errors.ts';
import type { Path } from './sourceText.ts';

/** Keys of other programs, and their equivalents here: a key, and the text to write if it is more than the key. */
const otherWords: Readonly<Record<string, readonly (readonly [key: string, text?: string])[]>> = {
  position: [['xyz'], ['pose', 'pose: {xyz: [x, y, z]}']],
  orientation: [
    ['quat_wxyz', 'quat_wxyz or rpy'],
    ['pose', 'pose: {rpy: [roll, pitch, yaw]}'],
  ],
  diameter: [['radius', 'radius, half of it']],
  dimensions: [['size'], ['length']],
  height: [['length']],
  filename: [['file']],
  pose: [['xyz', 'xyz: [x, y, z]']],
  xyz: [['pose', 'pose: {xyz: [x, y, z]}']],
  rpy: [['pose', 'pose: {rpy: [roll, pitch, yaw]}']],
  quat_wxyz: [['pose', 'pose: {quat_wxyz: [w, x, y, z]}']],
};
const synonyms: Readonly<Record<string, string>> = {
  ...{ translation: 'position', location: 'position', origin: 'position', center: 'position', centre: 'position' },
  ...{ rotation: 'orientation', quaternion: 'orientation', quat: 'orientation', euler: 'orientation' },
  ...{ extents: 'dimensions', dims: 'dimensions', path: 'filename', mesh: 'filename', uri: 'filename' },
};

type Meant = readonly [key: string, text?: string] | undefined;

/** Returns the key of `choices` to which a key of other programs corresponds. */
export const otherWord = (key: string, choices: readonly string[]): Meant =>
  ownValue(otherWords, ownValue(synonyms, key) ?? key)?.find(([one]) => choices.includes(one));

/** Returns the key of `choices` that an unknown one means, and the text to write if it is more than the key. */
export function meantKey(key: string, choices: readonly string[]): Meant {
  const near = nearestName(key, choices);
  return otherWord(key, choices) ?? (near === undefined ? undefined : [near]);
}

/** Returns the note on a list of joint values under a key, as other programs write it, or on one goal as `goals`. */
export function jointNote(path: Path, value: unknown): { note?: string } {
  const [over, key] = path.slice(-2);
  if (over === 'goals' && key === 0 && typeof value === 'number') return { note: 'Write one goal as goal: [...].' };
  if (!Array.isArray(value) || !/^(q|joints?|positions?|values)$/.test(String(key))) return {};
  return { note: `Write the list without this key${typeof over === 'string' ? `: ${over}: [...]` : ''}.` };
}
