import { csv } from './csv.ts';
import { json } from './json.ts';
import { klampt } from './klampt.ts';
import { createTrajectoryReader } from './readTrajectory.ts';
import { rosYaml } from './rosYaml.ts';
import type { TrajectoryFormat, TrajectoryWriter } from './trajectoryFormat.ts';
import { urscript } from './urscript.ts';

export type { TrajectoryWriter } from './trajectoryFormat.ts';

/** In the order in which they look at a text of unknown form: what is sure of itself first, the table last. */
const readable: Readonly<Record<string, TrajectoryFormat>> = { 'ros-yaml': rosYaml, urscript, json, klampt, csv };

/** The forms in which a trajectory is written, by the name that `--format` takes. */
export const writers: Readonly<Record<string, TrajectoryWriter>> = { json, csv, 'ros-yaml': rosYaml, urscript, klampt };

/**
 * The motion in a text of any form in `writers`, whoever wrote it.
 * @param file what errors begin with; its ending helps to tell the form
 * @param joints the planned joints in order, for forms that name none (klampt, scripts of others) and to make sense of a table's titles
 * @throws InputError with a line for each problem. The joints need not be those of a robot: see `inJointOrder`.
 */
export const readTrajectory = createTrajectoryReader(readable);
