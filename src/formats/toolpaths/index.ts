import { InputError } from '../../errors.ts';
import { readCsvPath } from './csvPath.ts';
import { readGcode } from './gcode.ts';
import type { WayPoint } from './wayPoint.ts';

/** Readers of tool paths by the ending of the file, with the metres per unit where the file states none. */
const readers: Readonly<Record<string, readonly [typeof readGcode, number]>> = {
  csv: [readCsvPath, 1],
  nc: [readGcode, 1e-3],
  gcode: [readGcode, 1e-3],
  ngc: [readGcode, 1e-3],
};

/** True for names of files with tool paths. */
export const isToolPathName = (name: string) => Object.hasOwn(readers, endingOf(name));

/**
 * Reads the way points of a tool path. Throws `InputError` with line and column.
 * @param scale metres per unit of lengths whose unit the file does not state; default: 1 for CSV, 0.001 for G-code
 */
export function readToolPath(text: string, file: string, scale?: number): WayPoint[] {
  const ending = endingOf(file);
  if (!Object.hasOwn(readers, ending))
    throw new InputError(`${file}: unknown ending of a tool path`, `Use one of: ${Object.keys(readers).join(', ')}.`);
  const [read, unit] = readers[ending];
  return read(text, file, scale ?? unit);
}

const endingOf = (name: string) => /\.([^./\\]+)$/.exec(name)?.[1].toLowerCase() ?? '';
