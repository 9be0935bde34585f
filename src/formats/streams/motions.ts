import { jsonText, notJson } from '../../errors.ts';
import type { Configuration } from '../../math/configuration.ts';
import { jointValueProblem } from '../../math/magnitudes.ts';
import type { ReaderPlace } from './states.ts';

/** One line of a list of motions: the straight motion, or what keeps it from being read. */
export interface MotionLine {
  /** JSON text of the motion's own id, or its line number where it has none; `null` where the line could not be read that far. */
  readonly id: string;
  readonly line: number;
  /** Valid until the next line is read. */
  readonly qFrom: Configuration;
  readonly qTo: Configuration;
  readonly error: string | undefined;
}

/** Reads straight motions line by line, as JSON: `{"from": […], "to": […], "id": …}`, or a bare `[[…], […]]`. */
export class MotionReader {
  private readonly qFrom: Float64Array;
  private readonly qTo: Float64Array;
  private lines = 0;

  /** @param jointNames the joints in the order of q */
  constructor(private readonly jointNames: readonly string[]) {
    this.qFrom = new Float64Array(jointNames.length);
    this.qTo = new Float64Array(jointNames.length);
  }

  /** Where it stands in its list; see `StateReader`. */
  get place(): ReaderPlace {
    return { lines: this.lines, form: 'json', columns: [], idColumn: -1, width: 0 };
  }

  goOn({ lines }: ReaderPlace): void {
    this.lines = lines;
  }

  /** The motion on the next line, or undefined for a blank one. */
  read(text: string): MotionLine | undefined {
    const line = ++this.lines;
    const trimmed = text.trim();
    if (trimmed === '' || trimmed[0] === '#') return undefined;
    let given: unknown;
    try {
      given = JSON.parse(trimmed);
    } catch {
      return this.answer('null', line, notJson(trimmed));
    }
    if (typeof given !== 'object' || given === null)
      return this.answer('null', line, 'not a motion: {"from": […], "to": […]} is asked');
    const pair = given as { id?: unknown; from?: unknown; to?: unknown };
    const [from, to] = Array.isArray(given) ? (given as unknown[]) : [pair.from, pair.to];
    const id = pair.id === undefined || Array.isArray(given) ? String(line) : jsonText(pair.id);
    const error = this.fault('from', this.qFrom, from) ?? this.fault('to', this.qTo, to);
    return this.answer(id, line, error);
  }

  /** Fills one end; says what is wrong with it. */
  private fault(end: string, out: Configuration, given: unknown): string | undefined {
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

  private answer(id: string, line: number, error: string | undefined): MotionLine {
    return { id, line, qFrom: this.qFrom, qTo: this.qTo, error };
  }
}
