import type { Packages } from './meshFiles.ts';
import type { Observations } from './packages/observations.ts';
import { robotFileAccess } from './packages/robotFileAccess.ts';
import { readInputText } from './readFiles.ts';

/** Text and name of a file. */
export interface TextFile {
  readonly file: string;
  readonly text: string;
}

/** Packages and arguments of the robot. */
interface StatedFiles {
  readonly packages?: Packages | undefined;
  readonly args?: Readonly<Record<string, string>> | undefined;
}

/**
 * Reads an SRDF. One with the extension `.xacro` is expanded with the arguments and packages of the robot; lines of
 * messages are then those of the expanded text, and its name says so.
 * @param observed notes all that is read
 */
export async function readSrdfFile(file: string, files: StatedFiles, observed: Observations): Promise<TextFile> {
  observed.file(file);
  const text = await readInputText(file);
  if (!/\.xacro$/i.test(file)) return { file, text };
  const { expandXacro } = await import('../../formats/robots/xacro/xacro.ts');
  const { packages = {}, args = {} } = files;
  const expansion = await expandXacro(text, file, { args, files: robotFileAccess(file, packages, observed) });
  return { file: `${file} (expanded)`, text: expansion.text };
}
