import { InputError } from '../errors.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { decodeText } from './fileText.ts';
import type { BinaryFormat, TrajectoryFormat } from './trajectoryFormat.ts';

/** The reader that tables of formats make: the first that recognises the content reads it. Bytes that no binary format knows are UTF-8. */
export function createTrajectoryReader(
  formats: Readonly<Record<string, TrajectoryFormat>>,
  binaryFormats: Readonly<Record<string, BinaryFormat>>,
) {
  return async (given: string | Uint8Array, file: string, joints: readonly string[] = []): Promise<Trajectory> => {
    if (typeof given !== 'string') {
      const binary = Object.values(binaryFormats).find((entry) => entry.recognises(given));
      if (binary !== undefined) return binary.decode(given, file);
    }
    const text = typeof given === 'string' ? given : decodeText(given, file);
    const content = text.replace(/^\uFEFF/, ''); // the byte order mark that some editors write
    const note = `Use one of: ${Object.keys({ ...formats, ...binaryFormats }).join(', ')}.`;
    if (content.trim() === '') throw new InputError(`${file}: the file is empty`, note);
    const format = Object.values(formats).find((entry) => entry.recognises(content.trimStart(), file));
    if (format === undefined) throw new InputError(`${file}: not a trajectory in any form that is known here`, note);
    return format.read(content, file, joints);
  };
}
