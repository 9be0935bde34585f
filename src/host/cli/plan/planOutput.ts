import { join } from 'node:path';
import { infeasibilityText } from '../../../core/certificate/cells/infeasibility.ts';
import { InputError } from '../../../errors.ts';
import type { AnyWriter } from '../../../formats/trajectories/index.ts';
import type { FailureExplanation } from '../../../tasks/planning/explanation/explainFailure.ts';
import type { PlanMotionResult } from '../../../tasks/planning/planMotion.ts';
import type { ProgramExplanation } from '../../../tasks/programs/failures/explainProgram.ts';
import { checkOutput, checkOutputs, refuseSameOutputs } from '../../node/outputTarget.ts';
import { certificateTextFor, sceneIdentity } from '../../node/scenes/resolved/resolvedScene.ts';
import type { Io } from '../io.ts';
import { motionFile, saveMotion } from './motionFiles.ts';

const CERTIFICATE_ENDING = '.json';

/** Output options of `plan`. */
interface Destinations {
  /** `-o`: a file; for a suite, a folder. */
  readonly output: string | undefined;
  /** `--certificate`: a file; for a suite, a folder. */
  readonly certificate: string | undefined;
  /** `--svg`: a file; for a suite, a folder. */
  readonly svg: string | undefined;
  /** `--report`: a file; for a suite, a folder. */
  readonly report: string | undefined;
  /** `--stats`: a file, or `-` for stdout. */
  readonly stats: string | undefined;
}

/**
 * A plan with the requested outputs: file content, picture and report of its motion, or the explanation of a failure.
 */
export interface ExplainedAnswer extends PlanMotionResult {
  /** Content of the trajectory file. */
  readonly content: string | Uint8Array | undefined;
  readonly explanation: FailureExplanation | ProgramExplanation | undefined;
  /** SVG text. */
  readonly picture: string | undefined;
  /** HTML text. */
  readonly report: string | undefined;
}

/**
 * Writes the results of `plan`: trajectories to a file, a folder or stdout, and one line of statistics each to a file
 * or stdout.
 */
export class PlanOutput {
  private readonly lines: string[] = [];

  /**
   * Throws `InputError` if a destination cannot be written.
   * @param wholeSuite true if all problems of a suite are planned, false for a single problem
   */
  constructor(
    private readonly io: Io,
    private readonly writer: AnyWriter,
    private readonly to: Destinations,
    private readonly wholeSuite: boolean,
  ) {
    if (wholeSuite && to.output === undefined && to.stats === undefined) {
      throw new InputError(
        'a suite has many results, but no output is given',
        'Give -o FOLDER for trajectories, --stats FILE (or -) for statistics.',
      );
    }
    const file = motionFile(writer, to.output);
    if ('encode' in writer && to.output === undefined && to.stats !== '-' && io.isTerminal) {
      throw new InputError('this format is binary, and stdout is a terminal', 'Give -o FILE, or redirect stdout.');
    }
    const statsFile = to.stats === '-' ? undefined : to.stats;
    if (!wholeSuite) checkOutputs([file, to.certificate, to.svg, to.report, statsFile]);
    else if (statsFile !== undefined) checkOutput(statsFile);
    if (wholeSuite && writer.ending === CERTIFICATE_ENDING)
      refuseSameOutputs([to.output, to.certificate].filter((folder) => folder !== undefined));
  }

  /**
   * Writes the files of one result and its line of statistics.
   * @param suite name of the suite of the problem; undefined for a single scene
   * @param path scene or problem, which the certificate names by its hash
   * @param loadMs milliseconds for reading the files; reported with the first problem
   */
  async add(
    suite: string | undefined,
    path: string,
    { status, trajectory, content, certificate, infeasibility, stats, explanation, picture, report }: ExplainedAnswer,
    loadMs: number,
  ): Promise<void> {
    const { io, writer, to } = this;
    if (content !== undefined && to.output !== undefined) {
      const path = this.fileOf(to.output, stats.scene, writer.ending);
      await saveMotion(io, writer, path, trajectory!, content);
    } else if (content !== undefined && to.stats !== '-') await io.write(content);
    if (certificate && to.certificate !== undefined) {
      const file = this.fileOf(to.certificate, stats.scene, CERTIFICATE_ENDING);
      io.save(file, await certificateTextFor(certificate, path));
    }
    if (infeasibility && to.certificate !== undefined) {
      const identity = await sceneIdentity(path);
      const file = this.fileOf(to.certificate, stats.scene, CERTIFICATE_ENDING);
      io.save(file, infeasibilityText({ ...infeasibility, ...identity }));
    }
    if (picture !== undefined && to.svg !== undefined) {
      io.save(this.fileOf(to.svg, stats.scene, '.svg'), picture);
    }
    if (report !== undefined && to.report !== undefined) {
      io.save(this.fileOf(to.report, stats.scene, '.html'), report);
    }
    const { scene, ...rest } = stats;
    const names = suite === undefined ? { scene, problem: null } : { scene: suite, problem: scene };
    const line = `${JSON.stringify(rounded({ ...names, ...rest, status, load_ms: loadMs, explanation }))}\n`;
    if (to.stats === '-') await io.write(line);
    else this.lines.push(line);
  }

  /** Returns the path of an output: the path given, or for a suite a file in that folder. */
  private fileOf(named: string, problem: string, ending: string): string {
    return this.wholeSuite ? join(named, `${pathOf(problem)}${ending}`) : named;
  }

  /** Writes the file of statistics; it is not kept open while problems are planned. */
  async finish(): Promise<void> {
    if (this.to.stats !== undefined && this.to.stats !== '-') this.io.save(this.to.stats, this.lines.join(''));
  }
}

/**
 * Returns the relative path of a problem's file. A `/` in the name creates a folder; `..` and other special parts are
 * replaced, so the path stays inside the output folder.
 */
export function pathOf(name: string): string {
  return name
    .split('/')
    .map((part) =>
      part === '' || part === '.' || part === '..' ? '_' : part.replaceAll('\\', '_').replaceAll('\0', '_'),
    )
    .join('/');
}

/** Rounds times to the resolution of the clock, 1 µs. */
const rounded = (stats: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(stats).map(([key, value]) => [
      key,
      key.endsWith('_ms') ? Number((value as number).toFixed(3)) : value,
    ]),
  );
