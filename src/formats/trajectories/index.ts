import type { Trajectory } from '../../trajectory/trajectory.ts';
import { csv } from './csv.ts';
import { json } from './json.ts';
import { klampt } from './klampt.ts';
import { mcap } from './mcap.ts';
import { createTrajectoryReader } from './readTrajectory.ts';
import { rosYaml } from './rosYaml.ts';
import type { BinaryFormat, MotionSetting, TrajectoryFormat, TrajectoryWriter } from './trajectoryFormat.ts';
import { urscript } from './urscript.ts';

export type { BinaryFormat, MotionSetting, TrajectoryWriter } from './trajectoryFormat.ts';

/** In the order in which they look at a text of unknown form: what is sure of itself first, the table last. */
const readable: Readonly<Record<string, TrajectoryFormat>> = { 'ros-yaml': rosYaml, urscript, json, klampt, csv };

/** The forms in which a trajectory is written, by the name that `--format` takes. */
export const writers: Readonly<Record<string, TrajectoryWriter>> = { json, csv, 'ros-yaml': rosYaml, urscript, klampt };

/** Forms that are no text, by the name that `--format` takes. They show robot and scene as well. */
export const binaryFormats: Readonly<Record<string, BinaryFormat>> = { mcap };

/** Any of them, whose content is text or bytes. */
export type AnyWriter = TrajectoryWriter | BinaryFormat;

/** The content of a file in any of these forms. */
export async function contentOf(writer: AnyWriter, trajectory: Trajectory, setting: MotionSetting) {
  return 'encode' in writer ? writer.encode(trajectory, setting) : writer.write(trajectory);
}

/**
 * The motion in a text of any form in `writers`, whoever wrote it, or in bytes of those or of `binaryFormats`.
 * @param file what errors begin with; its ending helps to tell the form
 * @param joints the planned joints in order, for forms that name none (klampt, scripts of others) and to make sense of a table's titles
 * @throws InputError with a line for each problem. The joints need not be those of a robot: see `inJointOrder`.
 */
export const readTrajectory = createTrajectoryReader(readable, binaryFormats);
