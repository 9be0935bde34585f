import { InputError, InputErrors, jsonText } from '../../errors.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Trajectory, TrajectoryPoint } from '../../trajectory/trajectory.ts';

/** One row of the table of trajectory formats. */
export interface TrajectoryWriter {
  readonly summary: string;
  /** Of its files, with the dot. */
  readonly ending: string;
  readonly write: (trajectory: Trajectory) => string;
}

/** A format that is read as well as written. */
export interface TrajectoryFormat extends TrajectoryWriter {
  /** Does the text look like it? It may still be broken. */
  readonly recognises: (text: string, file: string) => boolean;
  /**
   * @param file what errors begin with
   * @param joints the planned joints in order: their names are taken where the format has none
   * @throws InputError for a text that is not a trajectory, one line for each problem
   */
  readonly read: (text: string, file: string, joints: readonly string[]) => Trajectory | Promise<Trajectory>;
}

/** What moves and what stands around it: for formats that show more than the motion. */
export interface MotionSetting {
  readonly robot: RobotModel;
  readonly scene: Scene;
}

/** One row of the table of formats that are no text. */
export interface BinaryFormat {
  readonly summary: string;
  /** Of its files, with the dot. */
  readonly ending: string;
  /** Throws InputError where a package that it needs is not installed. */
  readonly encode: (trajectory: Trajectory, setting: MotionSetting) => Promise<Uint8Array>;
  /** Do the bytes begin like it? They may still be broken. */
  readonly recognises: (bytes: Uint8Array) => boolean;
  /** @param file what errors begin with */
  readonly decode: (bytes: Uint8Array, file: string) => Promise<Trajectory>;
}

/** Problems beyond these say nothing new. */
export const MOST_PROBLEMS = 20;

/** Collects what is wrong with a file, to be told all at once. */
export class Problems {
  private readonly list: InputError[] = [];

  constructor(private readonly file: string) {}

  add(line: number | undefined, place: string, what: string, note = ''): void {
    const at = line === undefined ? this.file : `${this.file}:${line}`;
    if (this.list.length < MOST_PROBLEMS)
      this.list.push(new InputError(`${at}: ${place === '' ? '' : `${place}: `}${what}`, note));
  }

  get isEmpty(): boolean {
    return this.list.length === 0;
  }

  get isFull(): boolean {
    return this.list.length === MOST_PROBLEMS;
  }

  throwIfAny(): void {
    if (this.list.length === 1) throw this.list[0];
    if (this.list.length > 1) throw new InputErrors(this.list);
  }
}

/**
 * For formats in which every point has the same values.
 * @throws InputError if some points have velocities or accelerations and others do not: segments of several kinds
 */
export function requireUniform(points: readonly TrajectoryPoint[], format: string): void {
  const hasSame = (key: 'velocities' | 'accelerations') =>
    points.every((point) => (point[key] === undefined) === (points[0][key] === undefined));
  if (hasSame('velocities') && hasSame('accelerations')) return;
  throw new InputError(
    `${format} cannot carry a motion whose segments are of several kinds`,
    'Use --format json or ros-yaml: their points have velocities and accelerations of their own.',
  );
}

/** Of a value that cannot be used, enough to find it. */
export function shown(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : jsonText(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** A decimal number, or NaN: `Number` alone takes blanks for 0 and 0x10 for 16. Too large ones become infinite. */
export function numberOf(text: string): number {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}
