import { InputError } from '../errors.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import type { TrajectoryFormat } from './trajectoryFormat.ts';

/** The reader that a table of formats makes: the first that recognises the text reads it. */
export function createTrajectoryReader(formats: Readonly<Record<string, TrajectoryFormat>>) {
  return async (text: string, file: string, joints: readonly string[] = []): Promise<Trajectory> => {
    const content = text.replace(/^\uFEFF/, ''); // the byte order mark that some editors write
    const note = `Use one of: ${Object.keys(formats).join(', ')}.`;
    if (content.trim() === '') throw new InputError(`${file}: the file is empty`, note);
    const format = Object.values(formats).find((entry) => entry.recognises(content.trimStart(), file));
    if (format === undefined) throw new InputError(`${file}: not a trajectory in any form that is known here`, note);
    return format.read(content, file, joints);
  };
}
