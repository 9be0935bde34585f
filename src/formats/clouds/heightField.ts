import { firstBeyond, lengthProblem } from '../../core/math/magnitudes.ts';
import type { CollisionObjectPart } from '../../core/scene/scene.ts';
import { InputError } from '../../errors.ts';
import { decodeText, linesOf } from '../text/fileText.ts';
import { coordinate } from './pcd.ts';

/** Limit of the number of heights of a field. */
const MAX_HEIGHTS = 100_000;
/**
 * Limit of the number of convex parts of a field. A flat rectangle is one part, so a coarser or flatter grid has fewer
 * parts.
 */
const MAX_FIELD_PARTS = 16_384;

/**
 * A grid of heights: `heights[j][i]` is z at x = i · dx, y = j · dy, shifted so that the grid is centred at the origin;
 * solid down to `base`.
 */
export interface HeightField {
  /** Metres. Rows along y; within a row along x. */
  readonly heights: readonly (readonly number[])[];
  /** Metres. Spacing dx, dy of neighbouring heights. */
  readonly cell: readonly [number, number];
  /** Metres. z of the bottom; no height is below it. */
  readonly base: number;
  /** Metres. Rounding radius of the convex parts. */
  readonly margin: number;
}

/**
 * Reads heights (metres) from a text with one row per line, numbers separated by blanks, commas or semicolons. Throws
 * `InputError` if it is invalid.
 */
export function readHeights(bytes: Uint8Array, file: string): number[][] {
  const rows: number[][] = [];
  let count = 0;
  for (const [number, line] of linesOf(decodeText(bytes, file))) {
    const place = `${file}:${number}`;
    if (line.startsWith('#')) continue;
    const row = line.split(/\s*[\s,;]\s*/).map((word) => coordinate(word, place));
    if (!row.every(Number.isFinite)) throw new InputError(`${place}: a height is not finite`);
    const beyond = firstBeyond(row);
    if (beyond >= 0) throw new InputError(`${place}: ${row[beyond]} ${lengthProblem(row[beyond])}`);
    if (row.length !== (rows[0] ?? row).length)
      throw new InputError(
        `${place}: it has ${row.length} heights, the rows above have ${rows[0].length}`,
        'Give every row the same number of heights.',
      );
    rows.push(row);
    count += row.length;
    if (count > MAX_HEIGHTS)
      throw new InputError(
        `${place}: it has more than ${MAX_HEIGHTS} heights, which is the limit`,
        'Use a coarser grid.',
      );
  }
  return rows;
}

/** Returns a message that states why heights are not a valid field, undefined if they are valid. */
export function heightFieldProblem(heights: HeightField['heights'], base: number): string | undefined {
  const [first = []] = heights;
  if (heights.length < 2 || first.length < 2) {
    return `it has ${heights.length} rows of ${first.length} heights, at least two rows of two are required`;
  }
  const odd = heights.findIndex((row) => row.length !== first.length);
  if (odd >= 0) return `row ${odd} has ${heights[odd].length} heights, row 0 has ${first.length}`;
  const count = heights.length * first.length;
  if (count > MAX_HEIGHTS) return `it has ${count} heights, the limit is ${MAX_HEIGHTS}`;
  const low = minHeight(heights);
  if (low < base) return `its lowest height is ${low}, below its base at ${base}`;
  const { length } = fieldParts({ heights, cell: [1, 1], base, margin: 0 });
  return length > MAX_FIELD_PARTS ? `it requires ${length} convex parts, the limit is ${MAX_FIELD_PARTS}` : undefined;
}

/** Returns the minimum height. */
export function minHeight(heights: HeightField['heights']): number {
  return heights.reduce((low, row) => row.reduce((min, z) => Math.min(min, z), low), Number.POSITIVE_INFINITY);
}

/**
 * Decomposes the solid between base and surface exactly into convex parts. The surface consists of two triangles per
 * cell, which share the diagonal from (i, j) to (i + 1, j + 1). There is one prism below each triangle, and one box
 * below each rectangle of level cells of equal height, which are merged greedily: first along x, then along y.
 */
export function fieldParts({ heights, cell, base, margin }: HeightField): CollisionObjectPart[] {
  const columns = heights[0].length - 1;
  const rows = heights.length - 1;
  const taken = new Uint8Array(rows * columns);
  const parts: CollisionObjectPart[] = [];
  const addColumn = (vertices: readonly (readonly [number, number])[]) => {
    const top = vertices.map(([i, j]): [number, number, number] => [
      (i - columns / 2) * cell[0],
      (j - rows / 2) * cell[1],
      heights[j][i],
    ]);
    const bottom = top.filter(([, , z]) => z > base).map(([x, y]): [number, number, number] => [x, y, base]);
    parts.push({ shape: { type: 'convex', points: [...top, ...bottom], ...(margin > 0 ? { margin } : {}) } });
  };
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      if (taken[j * columns + i] === 1) continue;
      if (!isLevel(heights, i, j)) {
        addColumn([
          [i, j],
          [i + 1, j],
          [i + 1, j + 1],
        ]);
        addColumn([
          [i, j],
          [i + 1, j + 1],
          [i, j + 1],
        ]);
        continue;
      }
      const fits = (x: number, y: number) =>
        taken[y * columns + x] === 0 && isLevel(heights, x, y) && heights[y][x] === heights[j][i];
      let right = i + 1;
      while (right < columns && fits(right, j)) right++;
      let up = j + 1;
      while (up < rows && allBetween(i, right, (x) => fits(x, up))) up++;
      for (let y = j; y < up; y++) taken.fill(1, y * columns + i, y * columns + right);
      addColumn([
        [i, j],
        [right, j],
        [right, up],
        [i, up],
      ]);
    }
  }
  return parts;
}

function isLevel(heights: HeightField['heights'], i: number, j: number): boolean {
  const z = heights[j][i];
  return heights[j][i + 1] === z && heights[j + 1][i] === z && heights[j + 1][i + 1] === z;
}

function allBetween(from: number, to: number, holds: (x: number) => boolean): boolean {
  for (let x = from; x < to; x++) if (!holds(x)) return false;
  return true;
}
