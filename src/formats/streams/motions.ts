import type { Configuration } from '../../core/math/configuration.ts';
import { jointValueProblem } from '../../core/math/magnitudes.ts';
import { jsonText, parseJson } from '../../errors.ts';
import { otherOrder, type ReaderPlace } from './states.ts';

/** One line of a list of motions: the motion, a straight line in joint space, or its error. */
export interface MotionLine {
  /** JSON text of the id of the motion, or its line number if it has none; `null` if the line cannot be parsed. */
  readonly id: string;
  readonly line: number;
  /**
   * Both ends of the motion (rad, m). Overwritten when the next line is read; undefined content if there is an error.
   */
  readonly qFrom: Configuration;
  readonly qTo: Configuration;
  /** Undefined if the motion is valid input. */
  readonly error: string | undefined;
}

/**
 * Reads straight-line motions, one JSON value per line: `{"from": […], "to": […], "id": …}`, or a bare `[[…], […]]`.
 */
export class MotionReader {
  private readonly qFrom: Float64Array;
  private readonly qTo: Float64Array;
  private lines = 0;

  /** @param jointNames names of the planned joints in the order of q */
  constructor(private readonly jointNames: readonly string[]) {
    this.qFrom = new Float64Array(jointNames.length);
    this.qTo = new Float64Array(jointNames.length);
  }

  /** Position in the list; see `StateReader`. */
  get place(): ReaderPlace {
    return { lines: this.lines, form: 'json', columns: [], idColumn: -1, timeColumn: -1, width: 0 };
  }

  /** Continues from the position of another reader. */
  resumeAt({ lines }: ReaderPlace): void {
    this.lines = lines;
  }

  /** Reads the motion on the next line. Returns undefined for a blank line or a comment. */
  read(text: string): MotionLine | undefined {
    const line = ++this.lines;
    const trimmed = text.trim();
    if (trimmed === '' || trimmed[0] === '#') return undefined;
    let given: unknown;
    try {
      given = parseJson(trimmed, '');
    } catch (error) {
      return this.lineOf('null', line, (error as Error).message);
    }
    if (typeof given !== 'object' || given === null)
      return this.lineOf('null', line, 'not a motion: {"from": […], "to": […]} is expected');
    const pair = given as { id?: unknown; from?: unknown; to?: unknown };
    const [from, to] = Array.isArray(given) ? (given as unknown[]) : [pair.from, pair.to];
    const id = pair.id === undefined || Array.isArray(given) ? String(line) : jsonText(pair.id);
    const error =
      otherOrder(given, this.jointNames) ?? this.readEnd('from', this.qFrom, from) ?? this.readEnd('to', this.qTo, to);
    return this.lineOf(id, line, error);
  }

  /** Reads one end of the motion into `out`. Returns a message if it is invalid. */
  private readEnd(end: string, out: Configuration, given: unknown): string | undefined {
    const { jointNames } = this;
    if (!Array.isArray(given)) return given === undefined ? `${end} is missing` : `${end} is not a list of numbers`;
    if (given.length !== out.length)
      return `${end} has ${given.length} values, the robot has ${out.length} planned joints`;
    const bad = given.findIndex((value) => typeof value !== 'number' || !Number.isFinite(value));
    if (bad >= 0) return `${end}[${bad}] (${jointNames[bad]}) is ${jsonText(given[bad])}, not a finite number`;
    const beyond = given.findIndex((value) => jointValueProblem(value) !== undefined);
    if (beyond >= 0) {
      return `${end}[${beyond}] (${jointNames[beyond]}) is ${given[beyond]}, which ${jointValueProblem(given[beyond])}`;
    }
    out.set(given as number[]);
    return undefined;
  }

  private lineOf(id: string, line: number, error: string | undefined): MotionLine {
    return { id, line, qFrom: this.qFrom, qTo: this.qTo, error };
  }
}
