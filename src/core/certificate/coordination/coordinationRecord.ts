import { InputError, InputErrors, parseJson, suggestion } from '../../../errors.ts';
import { isRecord, MAX_ERRORS, shown } from '../certificate.ts';

/** Value of `format` in the results of `coordinate`. */
export const COORDINATION_FORMAT = 'elbowroom-coordination/1';

/** Two numbers: [time, time along the trajectory] or [time, tolerated delay], seconds. */
export type RecordPoint = readonly [number, number];
/** [a0, a1, b0, b1], seconds along the trajectories of two robots. */
export type DiagramCell = readonly [number, number, number, number];

/** Piecewise linear function of the time of one robot. */
export interface RecordCurve {
  /** Name of the robot. */
  readonly robot: string;
  /** In the order of time. */
  readonly points: readonly RecordPoint[];
}

/** Free and undecided cells of two robots. */
export interface RecordDiagram {
  /** Name of the first robot. */
  readonly a: string;
  /** Name of the second robot. */
  readonly b: string;
  /** Cells that are certified free. */
  readonly free: readonly DiagramCell[];
  /** Cells that are not decided. */
  readonly undecided: readonly DiagramCell[];
}

/** Result of `coordinate` as it is written: docs/coordinate.md. */
export interface CoordinationRecord {
  /** Names of the robots. */
  readonly robots: readonly string[];
  /** One per pair of robots. */
  readonly diagrams: readonly RecordDiagram[];
  /** One per robot; none: there is no schedule. */
  readonly schedule: readonly RecordCurve[];
  /** End of the last schedule, seconds; null without a schedule. */
  readonly makespan: number | null;
  /** Tolerated delay of each robot; none without a schedule. */
  readonly delay: readonly RecordCurve[];
}

const NOTE = `A coordination is what "elbowroom coordinate" writes, of format ${COORDINATION_FORMAT}.`;
const KEYS = ['format', 'robots', 'free', 'undecided', 'pairs', 'schedule', 'makespan', 'delay'];

/** Parses the result of `coordinate`. Throws `InputErrors` that name file and place of each error. */
export function readCoordination(text: string, file: string): CoordinationRecord {
  const data = parseJson(text.replace(/^\uFEFF/, ''), file, 'not JSON', NOTE);
  if (!isRecord(data) || data.format !== COORDINATION_FORMAT) {
    const format = isRecord(data) ? data.format : data;
    throw new InputError(`${file}: format: ${shown(format ?? null)} is not ${COORDINATION_FORMAT}`, NOTE);
  }
  return new RecordReader(file).record(data);
}

type Keyed = Readonly<Record<string, unknown>>;

/** Reads a record, collecting its errors. */
class RecordReader {
  private readonly errors: InputError[] = [];

  constructor(private readonly file: string) {}

  record(data: Keyed): CoordinationRecord {
    this.keys(data, KEYS, '');
    const robots = this.list(data.robots, 'robots', (name, place) => this.text(name, place));
    const { pairs, free, undecided } = data;
    const record: CoordinationRecord = {
      robots,
      diagrams:
        pairs === undefined
          ? [this.diagram({ a: robots[0], b: robots[1], free, undecided }, '')]
          : this.list(pairs, 'pairs', (pair, place) => {
              this.keys(pair, ['a', 'b', 'free', 'undecided'], `${place}.`);
              return this.diagram(isRecord(pair) ? pair : {}, `${place}.`);
            }),
      schedule: this.list(data.schedule, 'schedule', (curve, place) => this.curve(curve, place)),
      makespan: data.makespan === null ? null : this.number(data.makespan, 'makespan'),
      delay: this.list(data.delay, 'delay', (curve, place) => this.curve(curve, place)),
    };
    if (pairs !== undefined && (free ?? undecided) !== undefined)
      this.report(free === undefined ? 'undecided' : 'free', free ?? undecided, 'used beside pairs');
    if (this.errors.length > 0) throw new InputErrors(this.errors);
    return record;
  }

  private diagram({ a, b, free, undecided }: Keyed, place: string): RecordDiagram {
    const cells = (value: unknown, key: string) =>
      this.list(value, place + key, (cell, at) => this.numbers<DiagramCell>(cell, 4, at));
    return {
      a: this.text(a, `${place}a`),
      b: this.text(b, `${place}b`),
      free: cells(free, 'free'),
      undecided: cells(undecided, 'undecided'),
    };
  }

  private curve(value: unknown, place: string): RecordCurve {
    this.keys(value, ['robot', 'points'], `${place}.`);
    const { robot, points } = isRecord(value) ? value : ({} as Keyed);
    return {
      robot: this.text(robot, `${place}.robot`),
      points: this.list(points, `${place}.points`, (point, at) => this.numbers<RecordPoint>(point, 2, at)),
    };
  }

  private list<T>(value: unknown, place: string, read: (one: unknown, place: string) => T): T[] {
    if (Array.isArray(value)) return value.map((one, i) => read(one, `${place}[${i}]`));
    this.report(place, value, 'a list');
    return [];
  }

  private text(value: unknown, place: string): string {
    if (typeof value !== 'string') this.report(place, value, 'a name');
    return String(value);
  }

  private number(value: unknown, place: string): number {
    if (!Number.isFinite(value)) this.report(place, value, 'a finite number');
    return Number(value);
  }

  private numbers<T extends readonly number[]>(value: unknown, count: number, place: string): T {
    if (!Array.isArray(value) || value.length !== count || !value.every(Number.isFinite))
      this.report(place, value, `${count === 2 ? 'two' : 'four'} finite numbers`);
    return value as unknown as T;
  }

  private keys(value: unknown, known: readonly string[], place: string): void {
    for (const key of isRecord(value) ? Object.keys(value) : [])
      if (!known.includes(key)) this.add(`${place}${key}: unknown key`, suggestion(key, known));
  }

  private report(place: string, value: unknown, wanted: string): void {
    const what = value === undefined ? 'missing' : `${shown(value)} is not ${wanted}`;
    this.add(`${place}: ${what}`, NOTE);
  }

  /** Adds an error. Throws all of them if they are as many as are reported. */
  private add(message: string, note: string): void {
    this.errors.push(new InputError(`${this.file}: ${message}`, note));
    if (this.errors.length === MAX_ERRORS) throw new InputErrors(this.errors);
  }
}
