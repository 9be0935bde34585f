import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Trajectory } from '../../../core/trajectory/trajectory.ts';
import { InputError } from '../../../errors.ts';
import type { AnyWriter } from '../../../formats/trajectories/index.ts';
import { otherGoals } from '../../../formats/trajectories/rosGoals.ts';
import { GOALS_FILE } from '../../../formats/trajectories/trajectoryFormat.ts';
import type { Io } from '../io.ts';

/**
 * Returns the file by which the output of a motion is examined: that of a folder of goals is `goals.json`. Throws
 * `InputError` if the format is a folder and none is named.
 */
export function motionFile(writer: AnyWriter, output: string | undefined): string | undefined {
  if (!('files' in writer)) return output;
  if (output === undefined)
    throw new InputError('this format is a folder of files, but no output is given', 'Give -o FOLDER.');
  return join(output, GOALS_FILE);
}

/**
 * Writes a motion to its file or folder, or to stdout. Throws `InputError` if the folder would keep goals of another
 * one.
 * @param content its content as one text or as bytes
 */
export async function saveMotion(
  io: Io,
  writer: AnyWriter,
  output: string | undefined,
  trajectory: Trajectory,
  content: string | Uint8Array,
): Promise<void> {
  if (output === undefined || !('files' in writer)) return io.put(output, content);
  const files = writer.files(trajectory);
  const [other] = otherGoals(existsSync(output) ? readdirSync(output) : [], files);
  if (other !== undefined)
    throw new InputError(`${join(output, other)}: a goal of another motion`, 'Remove it, or name another folder.');
  for (const [name, text] of files) io.save(join(output, name), text);
}
