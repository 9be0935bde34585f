import { InputError } from '../../../errors.ts';
import type { MoveProgram } from '../../scene/moves/moveProgram.ts';
import { hashOfPoints } from '../../trajectory/trajectoryHash.ts';
import { CERTIFICATE_FORMAT, isRecord } from '../certificate.ts';

/**
 * Cell of the states of one part of a program, and the normal of a plane that separates the pair in it: [part, the one
 * to four parameters of its middle, as many half widths, nx, ny, nz], unit vector from a to b in the frame of b. The
 * rests in the scenes of a program of steps are numbered after its parts.
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
  /** Empty for a program of steps, whose pairs are those of its segments. */
  readonly pairs: readonly CellPair[];
  /** Of a program of steps: one per scene between events in which the arm moves or rests, in order. */
  readonly segments?: readonly { readonly pairs: readonly CellPair[] }[];
}

/** A pair of convex parts, named as in `CertificatePair`, and its cells. */
export interface CellPair {
  readonly a: string;
  readonly partA: number;
  readonly b: string;
  readonly partB: number;
  readonly cells: readonly CertifiedCell[];
}

/** Numbers of a cell of one to four parameters. */
const CELL_SIZES = [6, 8, 10, 12];

/** Returns the hash by which a certificate identifies a program that begins at a state. */
export const programHash = ({ moves, stepCalls = [] }: MoveProgram, start: ArrayLike<number>): string =>
  hashOfPoints(
    [...moves.map(({ kind }) => kind), ...stepCalls],
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
  const arePairs = (pairs: unknown) => Array.isArray(pairs) && pairs.every(isPair);
  const isWhole =
    isRecord(data) &&
    data.format === CERTIFICATE_FORMAT &&
    data.set === true &&
    typeof data.trajectory === 'string' &&
    [data.scene_hash, data.robot_hash].every((hash) => hash === undefined || typeof hash === 'string') &&
    (data.segments === undefined
      ? arePairs(data.pairs)
      : data.pairs === undefined &&
        Array.isArray(data.segments) &&
        data.segments.every((segment) => isRecord(segment) && arePairs(segment.pairs)));
  if (isWhole) return { pairs: [], ...data } as unknown as MoveCertificate;
  throw new InputError(
    `${file}: no certificate of a program of moves`,
    `It has format ${CERTIFICATE_FORMAT}, set, trajectory, pairs (a, partA, b, partB, cells of 6 to 12 numbers) ` +
      'or segments of pairs.',
  );
}

/** Writes a certificate as JSON, one line per pair. */
export function moveCertificateText({ pairs, segments, ...head }: MoveCertificate): string {
  const textOf = (own: readonly CellPair[]) => `"pairs":[\n${own.map((pair) => JSON.stringify(pair)).join(',\n')}\n]`;
  const body = segments ? `"segments":[${segments.map((one) => `{${textOf(one.pairs)}}`).join(',')}]` : textOf(pairs);
  return `${JSON.stringify(head).slice(0, -1)},${body}}\n`;
}
