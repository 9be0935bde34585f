import { InputError } from '../../errors.ts';
import { decodeText, linesOf } from '../text/fileText.ts';
import { coordinate } from './pcd.ts';

/**
 * Reads the coordinates of a text with one point per line: x y z, separated by blanks, commas or semicolons. Further
 * columns (colours, normals), blank lines, and comments that begin with # or // are ignored. Returns x, y, z of each
 * point, NaN if the file has NaN or an infinity.
 */
export function readXyz(bytes: Uint8Array, file: string, mostPoints: number): Float64Array {
  const out: number[] = [];
  for (const [number, line] of linesOf(decodeText(bytes, file))) {
    if (line.startsWith('#') || line.startsWith('//')) continue;
    const place = `${file}:${number}`;
    const words = line.split(/\s*[\s,;]\s*/);
    if (words.length < 3)
      throw new InputError(`${place}: a point of ${words.length} numbers, it must have 3`, 'Write: x y z.');
    for (let k = 0; k < 3; k++) out.push(coordinate(words[k], place));
    if (out.length > 3 * mostPoints)
      throw new InputError(
        `${place}: it has more than ${mostPoints} points, which is the limit`,
        'Downsample the cloud.',
      );
  }
  return Float64Array.from(out);
}
