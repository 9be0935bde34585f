import type { TracedStep } from 'elbowroom/collision';
import { drawn } from '../dom.ts';
import {
  add,
  cross,
  differenceFacets,
  dot,
  type Facet,
  facetsOf,
  minus,
  nearestToOrigin,
  outlineOf,
  type Point,
  pointOf,
  scaled,
  sidesOf,
  type View,
} from './geometry.ts';
import { type Body, betweenCenters, centerOf, cornersOf, kinds, radiiOf, type State, spaceOf } from './model.ts';

/** Half of the height of both pictures, metres; y points up. */
const HEIGHT = 3;
/** Room for the label right of the end of the ray, metres. */
const LABEL = 0.8;
/** Polytopes of more points are drawn as points: most of their faces would be too small to distinguish. */
const MAX_POINTS = 40;

/** Creates an empty picture about the origin, or about a point. */
export function emptyPicture(label: string): SVGSVGElement {
  const viewBox = `${-1.25 * HEIGHT} ${-HEIGHT} ${2.5 * HEIGHT} ${2 * HEIGHT}`;
  return drawn('svg', { viewBox, role: 'group', 'aria-label': label }) as SVGSVGElement;
}

/** Projects points of space along the direction of the view. */
class Pencil {
  constructor(readonly view: View) {}

  /** Position of a point in the picture, metres; y points down, as in SVG. */
  at(p: Point): [number, number] {
    return [dot(p, this.view.right), -dot(p, this.view.up)];
  }

  polygon(points: readonly Point[], name: string): SVGElement {
    const places = points.map((p) => this.at(p).map((x) => x.toFixed(4)));
    return drawn('polygon', { points: places.map((place) => place.join(',')).join(' '), class: name });
  }

  line(p: Point, q: Point, name: string): SVGElement {
    const [[x1, y1], [x2, y2]] = [this.at(p), this.at(q)];
    return drawn('line', { x1, y1, x2, y2, class: name });
  }

  dot(p: Point, name: string, r = 0.06): SVGElement {
    const [cx, cy] = this.at(p);
    return drawn('circle', { cx, cy, r, class: name });
  }

  text(p: Point, words: string, name = 'name'): SVGElement {
    const [x, y] = this.at(p);
    const made = drawn('text', { x, y, class: name });
    made.textContent = words;
    return made;
  }

  /** Edges of faces that point to the reader, or of those that point away. */
  edges(facets: readonly Facet[], name: 'near' | 'far'): SVGElement[] {
    const sign = name === 'near' ? 1 : -1;
    return facets
      .filter(({ normal }) => sign * dot(normal, this.view.front) > 0)
      .map(({ corners }) => this.polygon(corners, `edges ${name}`));
  }

  outline(points: readonly Point[], radius: number, name: string): SVGElement {
    return this.polygon(outlineOf(points, this.view.right, this.view.up, radius), name);
  }

  arrow(from: Point, to: Point): SVGElement {
    const u = minus(to, from);
    const across = cross(this.view.front, u);
    const foot = minus(to, scaled(u, 0.25));
    const head = [to, add(foot, scaled(across, 0.17)), minus(foot, scaled(across, 0.17))];
    return drawn('g', { class: 'direction' }, this.line(from, to, ''), this.polygon(head, ''));
  }
}

/** Draws a body into its group, which stays the same so that it keeps focus and pointer. */
export function drawBody(group: SVGElement, body: Body, name: 'A' | 'B', view: View): void {
  const pencil = new Pencil(view);
  const { radius, space } = kinds[body.kind];
  const corners = cornersOf(body);
  const facets = space === 3 ? facetsOf(corners) : [];
  const outline = radius > 0 ? pencil.dot(corners[0], 'body', radius) : pencil.outline(corners, 0, 'body');
  const label = pencil.text(centerOf(body), name);
  group.replaceChildren(...pencil.edges(facets, 'far'), outline, ...pencil.edges(facets, 'near'), label);
}

/** Witness points and the segment between them. */
export function drawWitnesses(
  group: SVGElement,
  a: readonly number[] | undefined,
  b: readonly number[] | undefined,
  view: View,
): void {
  group.replaceChildren();
  if (a === undefined || b === undefined) return;
  const pencil = new Pencil(view);
  const [p, q] = [a, b].map(pointOf);
  group.replaceChildren(pencil.line(p, q, 'witness'), pencil.dot(p, 'witness'), pencil.dot(q, 'witness'));
}

/** The quantity that an algorithm computes: it determines how a step is drawn. */
type What = 'growth' | 'distance' | 'depth' | 'collide';

/** Draws the Minkowski difference with simplex, direction, support plane and ray of one step. */
export function drawDifference(
  svg: SVGSVGElement,
  state: State,
  view: View,
  step: TracedStep | undefined,
  what: What,
): void {
  const pencil = new Pencil(view);
  const isSolid = spaceOf(state) === 3;
  const between = betweenCenters(state);
  const shift = what === 'growth' ? between : ([0, 0, 0] as const);
  const radius = radiiOf(state);
  const [a, b] = [cornersOf(state.a).map((p) => add(p, shift)), cornersOf(state.b)];
  const points = a.flatMap((p) => b.map((q) => minus(p, q)));
  const facets = isSolid ? differenceFacets(a, b) : [];
  const parts: Node[] = [pencil.outline(points, radius, 'difference'), ...pencil.edges(facets, 'far')];
  if (radius > 0 && (what === 'distance' || what === 'depth')) parts.push(pencil.outline(points, 0, 'core'));
  const axes: Point[] = [[9, 0, 0], [0, 9, 0], ...(isSolid ? [[0, 0, 9] as const] : [])];
  parts.push(...axes.map((end) => pencil.line(scaled(end, -1), end, 'axis')));
  if (what === 'growth')
    parts.push(
      pencil.line([0, 0, 0], between, 'ray'),
      pencil.dot(between, 'goal'),
      pencil.text(add(between, scaled(add(view.right, view.up), 0.1)), 'cB − cA'),
    );
  if (step !== undefined) parts.push(...drawStep(pencil, step, what, isSolid, radius));
  parts.push(...pencil.edges(facets, 'near'));
  // Beside the arrow, which starts at 0 for growth distance and ends near it for GJK; above the ray of a portal.
  const along = scaled(step ? pointOf(step.direction) : [-1, 1, 0], what === 'distance' ? 0.28 : -0.28);
  const aside = what === 'collide' ? scaled(view.up, 0.3) : along;
  parts.push(pencil.dot([0, 0, 0], 'origin', 0.07), pencil.text(aside, '0', 'label'));
  svg.replaceChildren(...parts);
  const outline = outlineOf(points, view.right, view.up, radius);
  const label = what === 'growth' ? [add(between, scaled(view.right, LABEL))] : [];
  frame(
    svg,
    [...outline, [0, 0, 0] as const, ...label].map((p) => pencil.at(p)),
  );
}

/** Draws the known part of A ⊖ B at a step, and its support plane. */
function drawStep(pencil: Pencil, step: TracedStep, what: What, isSolid: boolean, radius: number): Node[] {
  const simplex = step.simplex.map(pointOf);
  const direction = pointOf(step.direction);
  const point = pointOf(step.point);
  const [u, v] = sidesOf(direction);
  const plane = isSolid
    ? outlineOf([point], u, v, 0.9)
    : [add(point, scaled(cross(direction, [0, 0, 1]), 9)), add(point, scaled(cross([0, 0, 1], direction), 9))];
  const parts = [pencil.polygon(plane, 'support'), ...drawSimplex(pencil, simplex, point)];
  if (what === 'depth') parts.push(pencil.polygon(faceAlong(simplex, direction), 'simplex'));
  const start = startOf(step, what, simplex, radius);
  if (start !== undefined) {
    if (what === 'distance') parts.push(pencil.dot(start, 'nearest'));
    if (what === 'collide') parts.push(pencil.dot(simplex[0], 'nearest'), pencil.line(simplex[0], [0, 0, 0], 'ray'));
    else if (what !== 'growth') parts.push(pencil.line([0, 0, 0], start, 'ray'));
    parts.push(pencil.arrow(start, add(start, scaled(direction, 0.7))));
  }
  if (what === 'collide' && simplex.length > 1) {
    const corners = simplex.slice(1);
    parts.push(...corners.map((p) => pencil.line(simplex[0], p, 'side')));
  }
  parts.push(...simplex.map((p) => pencil.dot(p, 'simplex')), pencil.dot(point, 'support', 0.09));
  parts.push(pencil.text(add(point, scaled(direction, 0.28)), 'w', 'label'));
  return parts;
}

/** Draws the convex hull of the known points. */
function drawSimplex(pencil: Pencil, simplex: readonly Point[], point: Point): SVGElement[] {
  if (simplex.length < 3) return [pencil.line(simplex[0] ?? point, simplex[1] ?? simplex[0] ?? point, 'simplex')];
  if (simplex.length === 3) return [pencil.polygon(simplex, 'simplex')];
  const facets = simplex.length > MAX_POINTS ? [] : facetsOf(simplex);
  return facets.map(({ corners }) => pencil.polygon(corners, 'facet'));
}

/** Vertices of the face of the polytope that is expanded along its normal. */
function faceAlong(points: readonly Point[], normal: Point): Point[] {
  const height = Math.max(...points.map((p) => dot(p, normal)));
  const [u, v] = sidesOf(normal);
  return outlineOf(
    points.filter((p) => dot(p, normal) > height - 1e-9),
    u,
    v,
  );
}

/** The point that the search direction starts at. */
function startOf(step: TracedStep, what: What, simplex: readonly Point[], radius: number): Point | undefined {
  if (what === 'distance') return nearestToOrigin(simplex);
  if (what === 'depth') return scaled(pointOf(step.direction), Math.max(0, (step.lower ?? 0) - radius));
  return [0, 0, 0];
}

/** Sets the view box to contain all positions, with a margin, in the aspect ratio of the other picture. */
function frame(svg: SVGSVGElement, places: readonly (readonly [number, number])[]): void {
  const ends = [0, 1].map((k) => [Math.min(...places.map((p) => p[k])), Math.max(...places.map((p) => p[k]))]);
  const half = Math.max(
    HEIGHT * 0.75,
    (ends[1][1] - ends[1][0]) / 2 + 0.4,
    ((ends[0][1] - ends[0][0]) / 2 + 0.7) / 1.25,
  );
  const [x, y] = ends.map(([low, high]) => (low + high) / 2);
  svg.setAttribute('viewBox', [x - 1.25 * half, y - half, 2.5 * half, 2 * half].join(' '));
}

/**
 * Draws both bounds over the iterations; unknown bounds have no point. The known inner part of A ⊖ B bounds depths from
 * below, all other quantities from above.
 */
export function drawBounds(svg: SVGSVGElement, steps: readonly TracedStep[], shown: number, what: What): void {
  const isShown = (value: number | null): value is number => value !== null && Math.abs(value) < 20;
  const known = steps.flatMap(({ lower, upper }) => [lower, upper]).filter(isShown);
  svg.replaceChildren();
  if (known.length === 0) return;
  const [low, high] = [Math.min(...known), Math.max(...known) + 1e-9];
  const x = (k: number) => 0.6 + (6.2 * k) / Math.max(1, steps.length - 1);
  const y = (v: number) => -0.3 - (1.6 * (v - low)) / (high - low);
  const curve = (bound: 'lower' | 'upper') => {
    const name = (bound === 'upper') === (what === 'depth') ? 'outer' : 'inner';
    const points = steps.flatMap((step, k) => {
      const value = step[bound];
      return isShown(value) ? [`${x(k).toFixed(3)},${y(value).toFixed(3)}`] : [];
    });
    return [
      drawn('polyline', { points: points.join(' '), class: name }),
      ...points.map((p) => drawn('circle', { cx: p.split(',')[0], cy: p.split(',')[1], r: 0.05, class: name })),
    ];
  };
  const k = Math.min(shown, steps.length) - 1;
  const labels = (high - low > 1e-6 ? [high, low] : [low]).map((v) => {
    const made = drawn('text', { x: 0.5, y: y(v) + 0.05, class: 'number' });
    made.textContent = v.toFixed(Math.abs(v) < 1 ? 3 : 2);
    return made;
  });
  const marker = drawn('line', { x1: x(k), y1: -0.2, x2: x(k), y2: -2, class: 'marker' });
  svg.setAttribute('viewBox', '-0.2 -2.1 7.2 2.1');
  svg.append(marker, ...curve('lower'), ...curve('upper'), ...labels);
}
