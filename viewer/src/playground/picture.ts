import type { TracedStep } from 'elbowroom/collision';
import { drawn } from '../dom.ts';
import { type Body, cornersOf, differenceOf, kinds, type Point, type State } from './model.ts';

/** Half of the height of both pictures, metres; y points up. */
const HEIGHT = 3;
/** Room for the label right of the end of the ray, metres. */
const LABEL = 0.8;

/** Creates an empty picture about the origin, or about a point. */
export function emptyPicture(label: string): SVGSVGElement {
  const viewBox = `${-1.25 * HEIGHT} ${-HEIGHT} ${2.5 * HEIGHT} ${2 * HEIGHT}`;
  return drawn('svg', { viewBox, role: 'group', 'aria-label': label }) as SVGSVGElement;
}

const at = ([x, y]: Point) => `${x.toFixed(4)},${(-y).toFixed(4)}`;
const polygon = (points: readonly Point[], name: string) =>
  drawn('polygon', { points: points.map(at).join(' '), class: name });
const line = ([x1, y1]: Point, [x2, y2]: Point, name: string) =>
  drawn('line', { x1, y1: -y1, x2, y2: -y2, class: name });
const dot = ([cx, cy]: Point, name: string, r = 0.06) => drawn('circle', { cx, cy: -cy, r, class: name });
const text = ([x, y]: Point, words: string, name = 'name') => {
  const made = drawn('text', { x, y: -y, class: name });
  made.textContent = words;
  return made;
};

/** Draws a body into its group, which stays the same so that it keeps focus and pointer. */
export function drawBody(group: SVGElement, body: Body, name: 'A' | 'B'): void {
  const { radius } = kinds[body.kind];
  const outline = radius > 0 ? dot([body.x, body.y], 'body', radius) : polygon(cornersOf(body), 'body');
  group.replaceChildren(outline, text([body.x, body.y], name));
}

/** Witness points and the segment between them. */
export function drawWitnesses(
  group: SVGElement,
  a: readonly number[] | undefined,
  b: readonly number[] | undefined,
): void {
  group.replaceChildren();
  if (a === undefined || b === undefined) return;
  const [p, q] = [a, b].map(([x, y]): Point => [x, y]);
  group.replaceChildren(line(p, q, 'witness'), dot(p, 'witness'), dot(q, 'witness'));
}

/** Draws the Minkowski difference with simplex, direction, support line and ray of one step. */
export function drawDifference(
  svg: SVGSVGElement,
  state: State,
  step: TracedStep | undefined,
  isGrowth: boolean,
): void {
  const { a, b } = state;
  const radius = kinds[a.kind].radius + kinds[b.kind].radius;
  const between: Point = [b.x - a.x, b.y - a.y];
  const shift: Point = isGrowth ? [-between[0], -between[1]] : [0, 0];
  const whole = differenceOf(state, shift, radius);
  const parts: Node[] = [polygon(whole, 'difference')];
  if (!isGrowth && radius > 0) parts.push(polygon(differenceOf(state, shift, 0), 'core'));
  parts.push(line([-9, 0], [9, 0], 'axis'), line([0, -9], [0, 9], 'axis'));
  if (isGrowth)
    parts.push(
      line([0, 0], between, 'ray'),
      dot(between, 'goal'),
      text([between[0] + 0.1, between[1] + 0.1], 'cB − cA'),
    );
  if (step !== undefined) {
    const simplex = step.simplex.map(([x, y]): Point => [x, y]);
    const [dx, dy] = step.direction;
    const point: Point = [step.point[0], step.point[1]];
    const side: Point = [-dy * 9, dx * 9];
    parts.push(
      line([point[0] - side[0], point[1] - side[1]], [point[0] + side[0], point[1] + side[1]], 'support'),
      simplex.length > 2
        ? polygon(simplex, 'simplex')
        : line(simplex[0] ?? point, simplex[1] ?? simplex[0] ?? point, 'simplex'),
    );
    const start = isGrowth ? ([0, 0] as Point) : nearest(simplex);
    if (start !== undefined) {
      if (!isGrowth) parts.push(line([0, 0], start, 'ray'), dot(start, 'nearest'));
      parts.push(arrow(start, [start[0] + 0.7 * dx, start[1] + 0.7 * dy]));
    }
    parts.push(...simplex.map((p) => dot(p, 'simplex')), dot(point, 'support', 0.09));
    parts.push(text([point[0] + 0.28 * dx, point[1] + 0.28 * dy], 'w', 'label'));
  }
  // Beside the arrow, which starts at 0 for growth distance and ends near it for GJK.
  const [dx, dy] = step?.direction ?? [-1, 1];
  const aside = isGrowth ? -0.28 : 0.28;
  parts.push(dot([0, 0], 'origin', 0.07), text([aside * dx, aside * dy], '0', 'label'));
  svg.replaceChildren(...parts);
  frame(svg, [...whole, [0, 0], ...(isGrowth ? [[between[0] + LABEL, between[1]] as const] : [])]);
}

/** Sets the view to show all points, with a margin, in the shape of the other picture. */
function frame(svg: SVGSVGElement, points: readonly Point[]): void {
  const ends = [0, 1].map((k) => [Math.min(...points.map((p) => p[k])), Math.max(...points.map((p) => p[k]))]);
  const half = Math.max(
    HEIGHT * 0.75,
    (ends[1][1] - ends[1][0]) / 2 + 0.4,
    ((ends[0][1] - ends[0][0]) / 2 + 0.7) / 1.25,
  );
  const [x, y] = ends.map(([low, high]) => (low + high) / 2);
  svg.setAttribute('viewBox', [x - 1.25 * half, -y - half, 2.5 * half, 2 * half].join(' '));
}

function arrow(from: Point, to: Point): SVGElement {
  const [ux, uy] = [to[0] - from[0], to[1] - from[1]];
  const head: Point[] = [
    to,
    [to[0] - 0.25 * ux - 0.12 * uy, to[1] - 0.25 * uy + 0.12 * ux],
    [to[0] - 0.25 * ux + 0.12 * uy, to[1] - 0.25 * uy - 0.12 * ux],
  ];
  return drawn('g', { class: 'direction' }, line(from, to, ''), polygon(head, ''));
}

/** The point of a vertex or an edge nearest to the origin; undefined if there is none. */
function nearest(simplex: readonly Point[]): Point | undefined {
  let best = simplex[0];
  for (const [i, p] of simplex.entries()) {
    const q = simplex[(i + 1) % simplex.length];
    const [ex, ey] = [q[0] - p[0], q[1] - p[1]];
    const length = ex * ex + ey * ey;
    const t = length > 0 ? Math.max(0, Math.min(1, -(p[0] * ex + p[1] * ey) / length)) : 0;
    const x: Point = [p[0] + t * ex, p[1] + t * ey];
    if (x[0] * x[0] + x[1] * x[1] < best[0] * best[0] + best[1] * best[1]) best = x;
  }
  return best;
}

/** Draws both bounds over the iterations; bounds that are not known have no point. */
export function drawBounds(svg: SVGSVGElement, steps: readonly TracedStep[], shown: number): void {
  const known = steps
    .flatMap(({ lower, upper }) => [lower, upper])
    .filter((v): v is number => v !== null && Math.abs(v) < 20);
  const [low, high] = [Math.min(...known), Math.max(...known) + 1e-9];
  const x = (k: number) => 0.6 + (6.2 * k) / Math.max(1, steps.length - 1);
  const y = (v: number) => -0.3 - (1.6 * (v - low)) / (high - low);
  const curve = (name: 'lower' | 'upper') => {
    const points = steps.flatMap((step, k) => {
      const value = step[name];
      return value === null || Math.abs(value) >= 20 ? [] : [`${x(k).toFixed(3)},${y(value).toFixed(3)}`];
    });
    return [
      drawn('polyline', { points: points.join(' '), class: name }),
      ...points.map((p) => drawn('circle', { cx: p.split(',')[0], cy: p.split(',')[1], r: 0.05, class: name })),
    ];
  };
  const k = Math.min(shown, steps.length) - 1;
  const labels = [high, low].map((v) => text([0.5, -y(v) - 0.05], v.toPrecision(3), 'number'));
  const marker = drawn('line', { x1: x(k), y1: -0.2, x2: x(k), y2: -2, class: 'marker' });
  svg.setAttribute('viewBox', '-0.2 -2.1 7.2 2.1');
  svg.replaceChildren(...(steps.length > 0 ? [marker, ...curve('lower'), ...curve('upper'), ...labels] : []));
}
