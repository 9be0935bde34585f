import type { Random } from '../../../../src/core/math/random.ts';
import type { TimeRectangle } from '../../../../src/core/planning/coordination/freeRectangles.ts';

/**
 * Rectangles from random bisection of a square of `size` whole seconds, `share` of them free; sides at whole seconds.
 */
export function randomRectangles(random: Random, size: number, share: number): TimeRectangle[] {
  const out: TimeRectangle[] = [];
  const divide = ([x0, x1, y0, y1]: TimeRectangle): void => {
    const [w, h] = [x1 - x0, y1 - y0];
    if ((w > 1 || h > 1) && random.next() < 0.93) {
      const middle = (from: number, to: number) => (from + to) / 2;
      if (h === 1 || (w > 1 && random.next() < 0.5)) {
        divide([x0, middle(x0, x1), y0, y1]);
        divide([middle(x0, x1), x1, y0, y1]);
      } else {
        divide([x0, x1, y0, middle(y0, y1)]);
        divide([x0, x1, middle(y0, y1), y1]);
      }
    } else if (random.next() < share) out.push([x0, x1, y0, y1]);
  };
  divide([0, size, 0, size]);
  return out;
}

/** Unit squares of the lattice by [x][y]: whether they are free. */
export function freeSquares(rectangles: readonly TimeRectangle[], size: number): boolean[][] {
  const squares = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  for (const [x0, x1, y0, y1] of rectangles)
    for (let x = x0; x < x1; x++) for (let y = y0; y < y1; y++) squares[x][y] = true;
  return squares;
}

/** Whether a point lies in a closed free rectangle. */
export const isFree = (rectangles: readonly TimeRectangle[], x: number, y: number): boolean =>
  rectangles.some(([x0, x1, y0, y1]) => x0 <= x && x <= x1 && y0 <= y && y <= y1);

/**
 * Whether two free squares touch in a corner, one to the lower right of the other, between two that are not free: paths
 * that pass there are left out by the search.
 */
export const hasKnifeEdge = (squares: readonly (readonly boolean[])[]): boolean =>
  squares.some((column, x) =>
    column.some(
      (free, y) =>
        free && x > 0 && y < column.length - 1 && squares[x - 1][y + 1] && !column[y + 1] && !squares[x - 1][y],
    ),
  );

/**
 * Least duration by dynamic programming over the lattice points, with steps to the right, upwards and diagonal; exact,
 * because the optimum bends at lattice points only.
 */
export function latticeMakespan(squares: readonly (readonly boolean[])[]): number {
  const n = squares.length;
  const free = (x: number, y: number) => x >= 0 && y >= 0 && x < n && y < n && squares[x][y];
  const best = Array.from({ length: n + 1 }, () => new Array<number>(n + 1).fill(Number.POSITIVE_INFINITY));
  for (let x = 0; x <= n; x++) {
    for (let y = 0; y <= n; y++) {
      if (x === 0 && y === 0) best[0][0] = free(0, 0) ? 0 : Number.POSITIVE_INFINITY;
      if (free(x - 1, y - 1)) best[x][y] = Math.min(best[x][y], best[x - 1][y - 1] + 1);
      if (free(x - 1, y - 1) || free(x - 1, y)) best[x][y] = Math.min(best[x][y], (best[x - 1]?.[y] ?? Infinity) + 1);
      if (free(x - 1, y - 1) || free(x, y - 1)) best[x][y] = Math.min(best[x][y], (best[x][y - 1] ?? Infinity) + 1);
    }
  }
  return best[n][n];
}
