import { InputError } from '../../../errors.ts';
import { writeReport } from '../../experiments/report/writeReport.ts';
import { readResults } from '../../experiments/storedResults.ts';
import { type tableFormats, writeTable } from '../../experiments/tables.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import type { ExperimentValues } from './experimentOptions.ts';

/**
 * Runs `experiment report DIR`: writes the page, its charts and, with `--format`, a table; prints the path of the page
 * to stdout.
 */
export async function reportExperiment(io: Io, folder: string | undefined, given: ExperimentValues): Promise<ExitCode> {
  if (folder === undefined) {
    throw new InputError(
      'experiment report: DIR is missing',
      'Name the folder that experiment FILE -o DIR has written.',
    );
  }
  io.progress(`${folder}: writing the report …`);
  const { page, figures, summary, runs, warnings } = await writeReport(folder, given.ompl?.split(',') ?? []);
  io.warn(warnings);
  io.say(`${summary.name}: ${runs} of ${summary.runs} runs, ${figures.length} pictures`);
  if (given.format !== undefined) {
    io.say(await writeTable((await readResults(folder)).records, folder, given.format as keyof typeof tableFormats));
  }
  await io.write(`${page}\n`);
  return ExitCode.Ok;
}
