import { cos, PI, sin } from '../../core/math/trigonometry.ts';
import type { BoundingSphere, View } from './camera.ts';
import { planarHull } from './facets.ts';
import { number, pathOf } from './pathData.ts';

/**
 * Approximate number of grid lines from the centre to the edge of the floor; the spacing is 1 m for large machines, 10
 * cm for small ones.
 */
const LINES = 8;

/** Radius of the floor, in radii of the bounding sphere. */
const REACH = 1.5;

/** Height of the light that casts shadows, per unit of horizontal distance. */
const STEEPNESS = 2.4;

/**
 * Returns the floor grid as SVG, faded out towards the edge. `id` makes the gradients of several pictures on one page
 * unique.
 */
export function gridText(view: View, { center, radius }: BoundingSphere, height: number, id: string): string {
  const reach = REACH * radius;
  const step = [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10].find((size) => reach / size <= LINES) ?? reach / LINES;
  const [cx, cy] = center;
  const lines: string[] = [];
  for (const along of [0, 1]) {
    const middle = along === 0 ? cx : cy;
    for (let k = Math.ceil((middle - reach) / step); k * step <= middle + reach; k++) {
      const off = k * step - middle;
      const half = Math.sqrt(Math.max(0, reach * reach - off * off));
      const ends = [-half, half].map((end) =>
        along === 0 ? view.project(k * step, cy + end, height) : view.project(cx + end, k * step, height),
      );
      lines.push(pathOf(ends.flat(), false));
    }
  }
  const rim = Array.from({ length: 48 }, (_, i) => {
    const angle = (2 * PI * i) / 48;
    return view.project(cx + reach * cos(angle), cy + reach * sin(angle), height);
  });
  const xs = rim.map(([x]) => x);
  const ys = rim.map(([, y]) => y);
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)];
  const [y0, y1] = [Math.min(...ys), Math.max(...ys)];
  const squeeze = Math.max((y1 - y0) / (x1 - x0), 1e-3);
  const place = `translate(${number((x0 + x1) / 2)} ${number((y0 + y1) / 2)}) scale(1 ${number(squeeze, 4)})`;
  return (
    `<g class="grid"><defs><radialGradient id="${id}-fade" gradientUnits="userSpaceOnUse" cx="0" cy="0" ` +
    `r="${number((x1 - x0) / 2)}" gradientTransform="${place}"><stop offset="0" stop-opacity=".42"/><stop ` +
    'offset=".55" stop-opacity=".24"/><stop offset="1" stop-opacity="0"/></radialGradient></defs><path ' +
    `stroke="url(#${id}-fade)" d="${lines.join('')}"/></g>`
  );
}

/**
 * Returns the shadow of the bodies on the floor as SVG: one path, however many shadows overlap.
 * @param clouds vertices of each convex body, x, y, z each, in the world frame
 */
export function shadowText(view: View, clouds: readonly (readonly number[])[], height: number, id: string): string {
  const outlines = clouds.map((points) => {
    const fallen: { x: number; y: number }[] = [];
    for (let k = 0; k < points.length; k += 3) {
      const drop = Math.max(0, points[k + 2] - height) / STEEPNESS;
      const [x, y] = view.project(
        points[k] + drop * (view.right[0] * 0.8 - view.toViewer[0] * 0.5),
        points[k + 1] + drop * (view.right[1] * 0.8 - view.toViewer[1] * 0.5),
        height,
      );
      fallen.push({ x, y });
    }
    return pathOf(
      planarHull(fallen).flatMap(({ x, y }) => [x, y, 0]),
      true,
    );
  });
  return (
    `<filter id="${id}-soft" x="-5%" y="-5%" width="110%" height="110%"><feGaussianBlur ` +
    `stdDeviation="3"/></filter><path class="shadow" filter="url(#${id}-soft)" d="${outlines.join('')}"/>`
  );
}
