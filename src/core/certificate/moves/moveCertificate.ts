import { InputError } from '../../../errors.ts';
import type { MoveProgram } from '../../scene/moves/moveProgram.ts';
import { hashOfPoints } from '../../trajectory/trajectoryHash.ts';
import { CERTIFICATE_FORMAT, isRecord } from '../certificate.ts';

/**
 * Cell of the states of one part of a program, and the normal of a plane that separates the pair in it: [part, the one
 * to four parameters of its middle, as many half widths, nx, ny, nz], unit vector from a to b in the frame of b.
 */
export type CertifiedCell = readonly number[];

/** Separating planes that prove all motions by which a controller may execute a program of moves. */
export interface MoveCertificate {
  readonly format: typeof CERTIFICATE_FORMAT;
  /** It is about a set of motions. */
  readonly set: true;
  /** Hash of the moves and their start. */
  readonly trajectory: string;
  /** Hashes of the scene and of its robot, as of `Certificate`. */
  readonly scene_hash?: string;
  readonly robot_hash?: string;
  readonly pairs: readonly {
    readonly a: string;
    readonly partA: number;
    readonly b: string;
    readonly partB: number;
    readonly cells: readonly CertifiedCell[];
  }[];
}

/** Numbers of a cell of one to four parameters. */
const CELL_SIZES = [6, 8, 10, 12];

/** Returns the hash by which a certificate identifies a program that begins at a state. */
export const programHash = ({ moves }: MoveProgram, start: ArrayLike<number>): string =>
  hashOfPoints(
    moves.map(({ kind }) => kind),
    [Array.from(start), ...moves].map((one) =>
      JSON.stringify(one, (key, value) =>
        key === 'line' ? undefined : ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value,
      ),
    ),
  );

/** True for parsed JSON that states to be a certificate of a program of moves. */
export const isMoveCertificate = (data: unknown): boolean => isRecord(data) && data.set === true;

/** Reads a certificate of a program of moves from parsed JSON. Throws `InputError` if its form is another. */
export function moveCertificateOf(data: unknown, file: string): MoveCertificate {
  const isCell = (cell: unknown) =>
    Array.isArray(cell) && CELL_SIZES.includes(cell.length) && cell.every(Number.isFinite);
  const isPair = (pair: unknown) =>
    isRecord(pair) &&
    typeof pair.a === 'string' &&
    typeof pair.b === 'string' &&
    Number.isInteger(pair.partA) &&
    Number.isInteger(pair.partB) &&
    Array.isArray(pair.cells) &&
    pair.cells.every(isCell);
  const isWhole =
    isRecord(data) &&
    data.format === CERTIFICATE_FORMAT &&
    data.set === true &&
    typeof data.trajectory === 'string' &&
    [data.scene_hash, data.robot_hash].every((hash) => hash === undefined || typeof hash === 'string') &&
    Array.isArray(data.pairs) &&
    data.pairs.every(isPair);
  if (isWhole) return data as unknown as MoveCertificate;
  throw new InputError(
    `${file}: no certificate of a program of moves`,
    `It has format ${CERTIFICATE_FORMAT}, set, trajectory, pairs (a, partA, b, partB, cells of 6 to 12 numbers).`,
  );
}

/** Writes a certificate as JSON, one line per pair. */
export const moveCertificateText = ({ pairs, ...head }: MoveCertificate): string =>
  `${JSON.stringify(head).slice(0, -1)},"pairs":[\n${pairs.map((pair) => JSON.stringify(pair)).join(',\n')}\n]}\n`;
