import { jointValueProblem, timeProblem } from '../../core/math/magnitudes.ts';
import { durationOf, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { InputError, requireOneOf } from '../../errors.ts';
import { decodeText } from '../text/fileText.ts';
import { csv } from './csv.ts';
import { json } from './json.ts';
import { klampt } from './klampt.ts';
import { mcap } from './mcap.ts';
import { rosGoal } from './rosGoals.ts';
import { rosYaml } from './rosYaml.ts';
import { tcpCsv } from './tcpCsv.ts';
import type {
  BinaryFormat,
  FolderFormat,
  GivenRobot,
  MotionSetting,
  TrajectoryFormat,
  TrajectoryWriter,
} from './trajectoryFormat.ts';
import { urscript } from './urscript.ts';

export type { BinaryFormat, GivenRobot, MotionSetting, TrajectoryWriter } from './trajectoryFormat.ts';

/** Text formats in the order in which they are tried: unambiguous ones first, the table last. */
const readable: Readonly<Record<string, TrajectoryFormat>> = { 'ros-yaml': rosYaml, urscript, json, klampt, csv };

/** Text formats in which trajectories are written, by their `--format` name. */
export const writers: Readonly<Record<string, TrajectoryWriter>> = { json, csv, 'ros-yaml': rosYaml, urscript, klampt };

/** Binary formats, by their `--format` name. They contain robot and scene as well. */
export const binaryFormats: Readonly<Record<string, BinaryFormat>> = { mcap };

/** Formats that are folders of files, by their `--format` name. */
const folderFormats: Readonly<Record<string, FolderFormat>> = { 'ros-goal': rosGoal };

/** A writer of any format, text or binary. */
export type AnyWriter = TrajectoryWriter | FolderFormat | BinaryFormat;

/** All formats in which commands write motions, by their `--format` name. */
export const motionFormats: Readonly<Record<string, AnyWriter>> = {
  ...writers,
  ...folderFormats,
  ...binaryFormats,
  'tcp-csv': tcpCsv,
};

/**
 * Returns the file content of a trajectory: text or, for a binary format, bytes. Throws `InputError` if the format
 * cannot represent it, or if it takes longer than readers accept.
 */
export async function contentOf(writer: AnyWriter, trajectory: Trajectory, setting: MotionSetting) {
  const duration = durationOf(trajectory) ?? 0;
  const problem = timeProblem(duration);
  if (problem) throw new InputError(`the motion takes ${duration} s, which ${problem}`, 'State higher speed limits.');
  return 'encode' in writer ? writer.encode(trajectory, setting) : writer.write(trajectory, setting);
}

/**
 * Reads the trajectory in a text of any format in `writers`, including files of other programs, or in bytes of those or
 * of `binaryFormats`. The joints are not matched with a robot: see `inJointOrder`.
 * @param file prefix of error messages; its extension helps to detect the format
 * @param robot the robot, or the names of its planned joints in order: for formats without names (klampt, scripts of
 *   other programs), to interpret the titles of a table, and to compare the start state of a message of MoveIt
 * @throws InputError with a line for each problem
 */
export const readTrajectory = createTrajectoryReader(readable, binaryFormats);

/**
 * Reads a trajectory in a text of the named format; otherwise as `readTrajectory`. Throws `InputError` if the format is
 * unknown.
 */
export async function readTrajectoryAs(
  format: string,
  text: string,
  place: string,
  robot: GivenRobot,
): Promise<Trajectory> {
  const only = requireOneOf(readable, 'format', format);
  return createTrajectoryReader({ [format]: { ...only, recognises: () => true } }, {})(text, place, robot);
}

/**
 * Creates a reader from tables of formats. The first format that recognises the content reads it; bytes that no binary
 * format recognises are decoded as UTF-8.
 */
function createTrajectoryReader(
  formats: Readonly<Record<string, TrajectoryFormat>>,
  binaryFormats: Readonly<Record<string, BinaryFormat>>,
) {
  return async (given: string | Uint8Array, file: string, robot: GivenRobot = []): Promise<Trajectory> => {
    if (typeof given !== 'string') {
      const binary = Object.values(binaryFormats).find((entry) => entry.recognises(given));
      if (binary !== undefined) return withinBounds(await binary.decode(given, file, robot), file);
    }
    const text = typeof given === 'string' ? given : decodeText(given, file);
    const content = text.replace(/^\uFEFF/, ''); // byte order mark
    const note = `Use one of: ${Object.keys({ ...formats, ...binaryFormats }).join(', ')}.`;
    if (content.trim() === '') throw new InputError(`${file}: the file is empty`, note);
    const format = Object.values(formats).find((entry) => entry.recognises(content.trimStart(), file));
    if (format === undefined) throw new InputError(`${file}: not a trajectory in a known format`, note);
    return withinBounds(await format.read(content, file, robot), file);
  };
}

/**
 * Returns the trajectory. Throws `InputError` if a position or a time exceeds its bound. Text formats report this
 * themselves, with the line.
 */
function withinBounds(trajectory: Trajectory, file: string): Trajectory {
  for (const [i, { positions, time_from_start: time }] of trajectory.points.entries()) {
    const late = time === undefined ? undefined : timeProblem(time);
    if (late !== undefined)
      throw new InputError(`${file}: points[${i}].time_from_start: ${time} ${late}`, 'Times are seconds.');
    const j = positions.findIndex((value) => jointValueProblem(value) !== undefined);
    if (j < 0) continue;
    const place = `points[${i}].positions[${j}] (${trajectory.jointNames[j]})`;
    throw new InputError(`${file}: ${place}: ${positions[j]} ${jointValueProblem(positions[j])}`);
  }
  return trajectory;
}
