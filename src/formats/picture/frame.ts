import type { View } from './camera.ts';

/** px around the contents, and below for the first line of text. */
const BORDER = 26;
const CAPTION = 22;
/** Height of each line below the first, px. */
export const LINE = 18;

/** Maximum height of a picture, relative to its inner width. */
const HIGHEST = 0.8;

/**
 * Scales the contents to the width, or less if the height would exceed its maximum; returns the height of the picture,
 * px.
 * @param lines number of lines of text below
 */
export function fitView(view: View, clouds: readonly (readonly number[])[], width: number, lines: number): number {
  let [x0, x1] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [y0, y1] = [x0, x1];
  for (const points of clouds) {
    for (let k = 0; k < points.length; k += 3) {
      const [x, y] = view.project(points[k], points[k + 1], points[k + 2]);
      [x0, x1, y0, y1] = [Math.min(x0, x), Math.max(x1, x), Math.min(y0, y), Math.max(y1, y)];
    }
  }
  if (!(x0 <= x1)) [x0, x1, y0, y1] = [-1, 1, -1, 1]; // no contents
  const room = width - 2 * BORDER;
  const scale = Math.min(room / Math.max(x1 - x0, 1e-9), (HIGHEST * room) / Math.max(y1 - y0, 1e-9));
  view.fit(scale, [width / 2 - (scale * (x0 + x1)) / 2, BORDER - scale * y0]);
  return Math.ceil(scale * (y1 - y0) + 2 * BORDER + (lines > 0 ? CAPTION + LINE * (lines - 1) : 0));
}
