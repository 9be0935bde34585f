import { InputError } from '../../errors.ts';

/** A way point of a file, in the frame of the path. */
export interface WayPoint {
  /** Position of the TCP, metres. */
  readonly xyz: readonly [number, number, number];
  /** Orientation of the TCP: unit quaternion. */
  readonly quat_wxyz?: readonly [number, number, number, number];
  /** Outward normal of the surface, of any length: the z axis of the TCP is against it. */
  readonly normal?: readonly [number, number, number];
  /** Upper limit of the TCP speed on the way to this point, m/s. */
  readonly speed?: number;
  /** Signal from this point on. */
  readonly on?: boolean;
}

/** Limit of the way points of one file. */
export const MAX_WAY_POINTS = 1_000_000;

/** Returns an error about a place of a file: `FILE:LINE:COLUMN: what`. Columns count characters from 1. */
export const placed = (file: string, line: number, column: number, what: string, note = '') =>
  new InputError(`${file}:${line}:${column}: ${what}`, note);

/** Quotes a part of a file for a message: at most 40 characters. */
export const quoted = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** A decimal number, as files write it. */
export const DECIMAL = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;
