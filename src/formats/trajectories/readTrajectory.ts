import { jointValueProblem, timeProblem } from '../../core/math/magnitudes.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { InputError } from '../../errors.ts';
import { decodeText } from '../text/fileText.ts';
import type { BinaryFormat, GivenRobot, TrajectoryFormat } from './trajectoryFormat.ts';

/**
 * Creates a reader from tables of formats. The first format that recognises the content reads it; bytes that no binary
 * format recognises are decoded as UTF-8.
 */
export function createTrajectoryReader(
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
