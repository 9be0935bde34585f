import { join } from 'node:path';
import { certificateText } from '../../certificate/certificate.ts';
import { InputError } from '../../errors.ts';
import type { AnyWriter } from '../../formats/trajectories/index.ts';
import { writeWhole } from '../../node/files.ts';
import { checkOutput } from '../../node/outputTarget.ts';
import type { FailureExplanation } from '../../tasks/planning/explainFailure.ts';
import type { PlanAnswer } from '../../tasks/planning/planMotion.ts';
import type { Io } from '../io.ts';

interface Destinations {
  /** `-o`: a file; of a suite a folder. */
  readonly output: string | undefined;
  /** `--certificate`: a file; of a suite a folder. */
  readonly certificate: string | undefined;
  /** `--svg`: a file; of a suite a folder. */
  readonly svg: string | undefined;
  /** `--report`: a file; of a suite a folder. */
  readonly report: string | undefined;
  /** `--stats`: a file, or `-`. */
  readonly stats: string | undefined;
}

/** An answer with what else was asked for: where it is no motion, why; where it is one, its file and its picture. */
export interface ExplainedAnswer extends PlanAnswer {
  /** What the file of the trajectory holds. */
  readonly content: string | Uint8Array | undefined;
  readonly explanation: FailureExplanation | undefined;
  /** SVG. */
  readonly picture: string | undefined;
  /** HTML. */
  readonly report: string | undefined;
}

/** Where the answers of `plan` go: trajectories to a file, a folder or stdout, a line of stats each to a file or stdout. */
export class PlanOutput {
  private readonly lines: string[] = [];

  /** @param suite whether all problems of a suite are coming, or a single one. Throws InputError for places that cannot take what is coming. */
  constructor(
    private readonly io: Io,
    private readonly writer: AnyWriter,
    private readonly to: Destinations,
    private readonly wholeSuite: boolean,
  ) {
    if (wholeSuite && to.output === undefined && to.stats === undefined) {
      throw new InputError(
        'a suite has many answers, and they have nowhere to go',
        'Give -o FOLDER for trajectories, --stats FILE (or -) for the figures.',
      );
    }
    if ('encode' in writer && to.output === undefined && to.stats !== '-' && io.isTerminal) {
      throw new InputError('this format is no text, and stdout is a terminal', 'Give -o FILE, or redirect stdout.');
    }
    for (const file of [to.output, to.certificate, to.svg, to.report])
      if (file !== undefined && !wholeSuite) checkOutput(file);
    if (to.stats !== undefined) checkOutput(to.stats);
  }

  /** @param suite that the problem is of; `loadMs`: what reading the files took, told with the first problem */
  async add(
    suite: string | undefined,
    { status, content, certificate, stats, explanation, picture, report }: ExplainedAnswer,
    loadMs: number,
  ): Promise<void> {
    const { io, writer, to } = this;
    if (content !== undefined && to.output !== undefined) {
      await writeWhole(this.fileOf(to.output, stats.scene, writer.ending), content);
    } else if (content !== undefined && to.stats !== '-') await io.write(content);
    if (certificate && to.certificate !== undefined) {
      await writeWhole(this.fileOf(to.certificate, stats.scene, '.json'), certificateText(certificate));
    }
    if (picture !== undefined && to.svg !== undefined) {
      await writeWhole(this.fileOf(to.svg, stats.scene, '.svg'), picture);
    }
    if (report !== undefined && to.report !== undefined) {
      await writeWhole(this.fileOf(to.report, stats.scene, '.html'), report);
    }
    const { scene, ...rest } = stats;
    const names = suite === undefined ? { scene, problem: null } : { scene: suite, problem: scene };
    const line = `${JSON.stringify(rounded({ ...names, ...rest, status, load_ms: loadMs, explanation }))}\n`;
    if (to.stats === '-') await io.write(line);
    else this.lines.push(line);
  }

  /** The file named; of a suite one in the folder named. */
  private fileOf(named: string, problem: string, ending: string): string {
    return this.wholeSuite ? join(named, `${pathOf(problem)}${ending}`) : named;
  }

  /** The file of stats is whole now, and written; it is not kept open while problems are planned. */
  async finish(): Promise<void> {
    if (this.to.stats !== undefined && this.to.stats !== '-') await writeWhole(this.to.stats, this.lines.join(''));
  }
}

/** A `/` in a problem's name makes a folder; nothing in it leads out of the one that was asked for. */
function pathOf(name: string): string {
  return name
    .split('/')
    .map((part) =>
      part === '' || part === '.' || part === '..' ? '_' : part.replaceAll('\\', '_').replaceAll('\0', '_'),
    )
    .join('/');
}

/** Times with as many digits as a clock has. */
const rounded = (stats: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(stats).map(([key, value]) => [
      key,
      key.endsWith('_ms') ? Number((value as number).toFixed(3)) : value,
    ]),
  );
