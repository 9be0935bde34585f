import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Scene } from '../../core/scene/scene.ts';
import type { Trajectory, TrajectoryPoint } from '../../core/trajectory/trajectory.ts';
import { InputError, InputErrors, jsonText } from '../../errors.ts';

/** The robot that a file is read for: its model, or only the names of its planned joints, in their order. */
export type GivenRobot = RobotModel | readonly string[];

/** Returns the names of the planned joints, in their order. */
export const plannedNames = (robot: GivenRobot): readonly string[] =>
  'variables' in robot ? robot.variables.map(({ name }) => name) : robot;

/** A text format in which trajectories are written. */
export interface TrajectoryWriter {
  /** One line of help. */
  readonly summary: string;
  /** File extension with the dot. */
  readonly ending: string;
  /**
   * Returns the text of a trajectory or path, with the segments and events of a program. Throws `InputError` if the
   * format cannot represent it.
   * @param setting robot and scene, for formats that contain data about them
   */
  readonly write: (trajectory: Trajectory, setting?: MotionSetting) => string;
  /** True if the text has no joint values, so that no motion can be read from it. */
  readonly isWriteOnly?: true;
}

/** A text format that is read and written. */
export interface TrajectoryFormat extends TrajectoryWriter {
  /** Checks whether the text is likely to be of this format; it may still be invalid. */
  readonly recognises: (text: string, file: string) => boolean;
  /**
   * Parses a trajectory.
   * @param file prefix of error messages
   * @param robot the robot that the text is read for: its planned joints are used if the text has no joint names, and
   *   its other joints are compared with a start state
   * @throws InputError if the text is not a valid trajectory, with one line for each problem
   */
  readonly read: (text: string, file: string, robot: GivenRobot) => Trajectory | Promise<Trajectory>;
}

/** A format that is a folder of text files. */
export interface FolderFormat extends TrajectoryWriter {
  /** Returns the text of each file by its name. */
  readonly files: (trajectory: Trajectory) => ReadonlyMap<string, string>;
}

/** Of a folder of goals: the file with the order of goals and events. */
export const GOALS_FILE = 'goals.json';

/** Robot and scene of a motion, for formats that contain them. */
export interface MotionSetting {
  /** Robot of the motion. */
  readonly robot: RobotModel;
  /** Scene of the motion. */
  readonly scene: Scene;
}

/** Limit of the states of a motion in formats that sample it. */
const MAX_SAMPLES = 2_000_000;

/** Returns a number of samples of a motion. Throws `InputError` if they are more than a file may have. */
export function requireSamples(count: number, interval: number): number {
  if (count <= MAX_SAMPLES) return count;
  throw new InputError(
    `the motion takes ${count} samples of ${interval} s, the limit of this format is ${MAX_SAMPLES}`,
    'Write it in a format of points: json, csv.',
  );
}

/** Returns the names of the planned joints, in the order of the robot: that of formats without names. */
export const jointNamesOf = ({ robot }: MotionSetting): string[] => robot.variables.map(({ name }) => name);

/** A binary format that is read and written. */
export interface BinaryFormat {
  /** One line of help. */
  readonly summary: string;
  /** File extension with the dot. */
  readonly ending: string;
  /**
   * Encodes a trajectory, with the segments and events of a program. Throws `InputError` if a required package is not
   * installed.
   */
  readonly encode: (trajectory: Trajectory, setting: MotionSetting) => Promise<Uint8Array>;
  /** Checks the magic bytes; the content may still be invalid. */
  readonly recognises: (bytes: Uint8Array) => boolean;
  /** Decodes a trajectory. @param file prefix of error messages */
  readonly decode: (bytes: Uint8Array, file: string, robot: GivenRobot) => Promise<Trajectory>;
}

/** Limit of the number of problems that are reported for one file. */
export const MAX_PROBLEMS = 20;

/** Collects the problems of a file, so that they are reported in one error. */
export class Problems {
  private readonly list: InputError[] = [];

  constructor(private readonly file: string) {}

  add(line: number | undefined, place: string, what: string, note = ''): void {
    const at = line === undefined ? this.file : `${this.file}:${line}`;
    if (this.list.length < MAX_PROBLEMS)
      this.list.push(new InputError(`${at}: ${place === '' ? '' : `${place}: `}${what}`, note));
  }

  get isEmpty(): boolean {
    return this.list.length === 0;
  }

  get isFull(): boolean {
    return this.list.length === MAX_PROBLEMS;
  }

  throwIfAny(): void {
    if (this.list.length === 1) throw this.list[0];
    if (this.list.length > 1) throw new InputErrors(this.list);
  }
}

/**
 * Checks that all points have the same kinds of values, which some formats require.
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

/** Returns the text of an invalid value for a message, shortened to 40 characters. */
export function shown(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : jsonText(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/**
 * Parses a decimal number; NaN if the text is none. Unlike `Number` it rejects blanks (which `Number` reads as 0) and
 * 0x10. Overflow gives an infinity.
 */
export function numberOf(text: string): number {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}
