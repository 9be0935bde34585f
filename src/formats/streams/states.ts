import type { Configuration } from '../../core/math/configuration.ts';
import { jointValueProblem } from '../../core/math/magnitudes.ts';
import { InputError, jsonText, ownValue, parseJson, suggestion } from '../../errors.ts';
import { numberOf } from '../trajectories/trajectoryFormat.ts';

/** One line of a list of states: the state or its error. */
export interface StateLine {
  /** JSON text of the id of the state, or its line number if it has none; `null` if the line cannot be parsed. */
  readonly id: string;
  readonly line: number;
  /** The state (rad, m). Overwritten when the next line is read. */
  readonly q: Configuration;
  /** Time of the scene, seconds; 0 if none is stated. */
  readonly t: number;
  /** Undefined if `q` is valid input; otherwise the content of `q` is undefined. */
  readonly error: string | undefined;
}

/** Position and format of a reader in its list, as plain data, so that another reader can continue from it. */
export interface ReaderPlace {
  /** Number of lines already read. */
  readonly lines: number;
  readonly form: 'json' | 'csv';
  readonly columns: readonly number[];
  readonly idColumn: number;
  readonly timeColumn: number;
  readonly width: number;
}

/** Latest time of a state, seconds: as in scenes. */
const MAX_TIME = 1e6;

/** Names that other formats give the time of a state. */
const OTHER_TIMES = ['time', 'time_from_start'];

/** Names that other formats give the joints of a list of values. */
const OTHER_NAMES = ['joint_names', 'joint_name', 'joints', 'names', 'name'];

/**
 * Returns a message if a state or motion lists the names of joints, and they are not the planned joints in their order:
 * its values would be those of other joints.
 */
export function otherOrder(given: object, jointNames: readonly string[]): string | undefined {
  const isSame = (names: readonly unknown[]) =>
    names.length === jointNames.length && names.every((name, i) => name === jointNames[i]);
  const key = OTHER_NAMES.find((one) => {
    const names = ownValue(given as Readonly<Record<string, unknown>>, one);
    return Array.isArray(names) && !isSame(names);
  });
  return key && `${key} differs from the planned joints, whose order is ${jointNames.join(', ')}`;
}

/** Characters of an invalid value that messages quote. */
const SHOWN = 60;

/**
 * Reads states, one per line: JSON (`{"q": […], "id": …, "t": …}`, q as an object by joint name, or a bare array) or
 * CSV (values in the order of the joints; with a header, columns named by joint, `id` and `t`).
 * The first line that is neither
 * blank nor a comment determines the format.
 */
export class StateReader {
  private readonly q: Float64Array;
  private lines = 0;
  private form: 'json' | 'csv' | undefined;
  /** CSV: column of each joint value, of the id and of the time (−1: none). */
  private columns: number[];
  private idColumn = -1;
  private timeColumn = -1;
  private width: number;

  /**
   * @param jointNames names of the planned joints in the order of q
   * @param name of the list, for errors
   * @param timed true if the validity of a state depends on its time: a time by another name than `t` is an error
   */
  constructor(
    private readonly jointNames: readonly string[],
    private readonly name: string,
    private readonly timed = false,
  ) {
    this.q = new Float64Array(jointNames.length);
    this.columns = jointNames.map((_, i) => i);
    this.width = jointNames.length;
  }

  /** Position in the list; undefined until the format is known. */
  get place(): ReaderPlace | undefined {
    const { lines, form, columns, idColumn, timeColumn, width } = this;
    return form === undefined ? undefined : { lines, form, columns, idColumn, timeColumn, width };
  }

  /** Continues from the position of another reader. */
  resumeAt({ lines, form, columns, idColumn, timeColumn, width }: ReaderPlace): void {
    this.lines = lines;
    this.form = form;
    this.columns = [...columns];
    this.idColumn = idColumn;
    this.timeColumn = timeColumn;
    this.width = width;
  }

  /** Counts a line that was read by `StateScanner`. */
  countLine(): number {
    return ++this.lines;
  }

  /**
   * Reads the state on the next line. Returns undefined for a blank line, a comment or the header. Throws `InputError`
   * for an invalid header.
   */
  read(text: string): StateLine | undefined {
    const line = ++this.lines;
    const trimmed = text.trim();
    if (trimmed === '' || trimmed[0] === '#') return undefined;
    if (this.form === undefined) {
      this.form = isJson(trimmed) ? 'json' : 'csv';
      if (this.form === 'csv' && this.readHeader(trimmed)) return undefined;
    }
    return this.form === 'json' ? this.readJson(trimmed, line) : this.readCsv(trimmed, line);
  }

  private readJson(text: string, line: number): StateLine {
    let given: unknown;
    try {
      given = parseJson(text, '');
    } catch (error) {
      return this.failed('null', line, (error as Error).message);
    }
    if (Array.isArray(given)) return this.fill(String(line), line, given);
    if (typeof given !== 'object' || given === null) {
      return this.failed('null', line, 'not a state: {"q": […]} or […] is expected');
    }
    const { id, q, t } = given as { id?: unknown; q?: unknown; t?: unknown };
    const name = id === undefined ? String(line) : jsonText(id);
    const other = t === undefined && this.timed ? OTHER_TIMES.find((key) => Object.hasOwn(given, key)) : undefined;
    if (other !== undefined) return this.failed(name, line, `it has the key ${other}; the time of a state is t`);
    const order = Array.isArray(q) ? otherOrder(given, this.jointNames) : undefined;
    if (order !== undefined) return this.failed(name, line, order);
    if (Array.isArray(q)) return this.fill(name, line, q, t);
    if (typeof q === 'object' && q !== null) return this.fillByName(name, line, q as Record<string, unknown>, t);
    return this.failed(
      name,
      line,
      q === undefined ? 'q is missing' : `q is ${shown(jsonText(q))}, not a list of numbers`,
    );
  }

  private readCsv(text: string, line: number): StateLine {
    const fields = text.split(',').map(unquoted);
    const id = this.idColumn < 0 ? String(line) : JSON.stringify(fields[this.idColumn] ?? null);
    if (fields.length !== this.width) {
      return this.failed(id, line, `${fields.length} columns, ${this.width} are expected`);
    }
    return this.fill(
      id,
      line,
      this.columns.map((column) => numberOf(fields[column])),
      this.timeColumn < 0 ? undefined : numberOf(fields[this.timeColumn]),
    );
  }

  private fill(id: string, line: number, values: readonly unknown[], t: unknown = 0): StateLine {
    const { q, jointNames } = this;
    if (typeof t !== 'number' || !(Math.abs(t) <= MAX_TIME))
      return this.failed(id, line, `t is ${shown(jsonText(t))}, not a time in seconds between -1e6 and 1e6`);
    if (values.length !== q.length) {
      return this.failed(id, line, `q has ${values.length} values, the robot has ${q.length} planned joints`);
    }
    for (let i = 0; i < q.length; i++) {
      const value = values[i];
      if (typeof value !== 'number' || !Number.isFinite(value)) {
        return this.failed(id, line, `q[${i}] (${jointNames[i]}) is ${shown(jsonText(value))}, not a finite number`);
      }
      const problem = jointValueProblem(value);
      if (problem !== undefined)
        return this.failed(id, line, `q[${i}] (${jointNames[i]}) is ${value}, which ${problem}`);
      q[i] = value;
    }
    return { id, line, q, t, error: undefined };
  }

  private fillByName(id: string, line: number, values: Readonly<Record<string, unknown>>, t: unknown): StateLine {
    const { jointNames } = this;
    const unknown = Object.keys(values).find((name) => !jointNames.includes(name));
    if (unknown !== undefined)
      return this.failed(id, line, `q names the joint "${unknown}". ${suggestion(unknown, jointNames)}`);
    const missing = jointNames.find((name) => ownValue(values, name) === undefined);
    if (missing !== undefined) return this.failed(id, line, `q has no value for ${missing}`);
    return this.fill(
      id,
      line,
      jointNames.map((name) => values[name]),
      t,
    );
  }

  private failed(id: string, line: number, error: string): StateLine {
    return { id, line, q: this.q, t: 0, error };
  }

  /**
   * Reads a line as the header. Returns false if it is none: all its fields are numbers, or none is `id` or a joint
   * name.
   */
  private readHeader(text: string): boolean {
    const names = text.split(',').map(unquoted);
    if (names.every((name) => name === '' || !Number.isNaN(numberOf(name)))) return false;
    if (!names.some((name) => name === 'id' || this.jointNames.includes(name))) return false;
    const missing = this.jointNames.filter((name) => !names.includes(name));
    if (missing.length > 0) {
      throw new InputError(
        `${this.name}:${this.lines}: the CSV header has no column ${missing.join(', ')}`,
        `Name the columns id (if any), ${this.jointNames.join(', ')}.`,
      );
    }
    const twice = names.find((name, i) => this.jointNames.includes(name) && names.indexOf(name) !== i);
    if (twice !== undefined)
      throw new InputError(`${this.name}:${this.lines}: the CSV header has the column ${twice} twice`);
    const other = this.timed && !names.includes('t') ? OTHER_TIMES.find((name) => names.includes(name)) : undefined;
    if (other !== undefined) {
      throw new InputError(
        `${this.name}:${this.lines}: the CSV header has the column ${other}, and no column t`,
        'Something else moves in the scene: name the column of the time t.',
      );
    }
    this.columns = this.jointNames.map((name) => names.indexOf(name));
    this.idColumn = names.indexOf('id');
    this.timeColumn = names.indexOf('t');
    this.width = names.length;
    return true;
  }
}

const isJson = (text: string) => text[0] === '{' || text[0] === '[' || text[0] === '"';
const unquoted = (field: string) => field.trim().replace(/^"(.*)"$/, '$1');
const shown = (text: string) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
