import { type ClippingBudget, clipEars, clippingBudget } from './earClipping.ts';
import type { Triangles } from './triangleCut.ts';

/** A corner of a section: in its plane, and in space. */
interface Corner {
  readonly x: number;
  readonly y: number;
  readonly at: readonly [number, number, number];
  readonly key: string;
}

/**
 * Fills the section of a surface with triangles. `rim` lists its directed edges, six numbers each, in any order, along the surface that
 * is to be closed; the triangles walk them the other way. Rims that do not close are closed by a straight line.
 * @param direction unit normal of the plane of the section
 * @param tolerance metres: ends of edges this near to each other meet
 */
export type FillSection = (rim: readonly number[], direction: Float64Array, tolerance: number) => Triangles;

/** Fills the sections of one mesh: the time that all of them take is bounded. */
export function createFillSection(budget = clippingBudget()): FillSection {
  return (rim, direction, tolerance) => {
    const filling: number[] = [];
    for (const outline of outlinesOf(closedLoops(rim, direction, tolerance))) {
      for (const corner of trianglesOf(outline, budget)) filling.push(...corner.at);
    }
    return Float64Array.from(filling);
  };
}

/**
 * Triangles of an outline with holes, three vertices each, with the orientation of the outline. Outlines that cannot be clipped (they cross
 * themselves, or the budget is used up) and their holes become a fan each: the boundary of the triangles is the rim in both cases, so what
 * is closed with them is closed.
 */
function trianglesOf({ corners, area, holes }: Outline, budget: ClippingBudget): Corner[] {
  const loops = area > 0 ? [corners, ...holes] : [corners, ...holes].map((loop) => loop.toReversed());
  const all = loops.flat();
  const starts = holes.map((_, i) => loops.slice(0, i + 1).flat().length);
  const flat = all.flatMap(({ x, y }) => [x, y]);
  const faces = clipEars(flat, starts, budget)?.map((i) => all[i]) ?? loops.flatMap(fanOf);
  if (area > 0) return faces;
  return faces.map((_, i) => faces[i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1]);
}

const fanOf = (loop: readonly Corner[]): Corner[] =>
  loop.slice(2).flatMap((corner, i) => [loop[0], loop[i + 1], corner]);

interface Outline {
  readonly corners: Corner[];
  /** Twice the signed area. */
  readonly area: number;
  readonly holes: Corner[][];
}

/**
 * Outlines with their holes, by orientation: that of the largest loop is an outline's. Loops without area, and holes in no outline, become
 * outlines: every edge of the rim bounds triangles.
 */
function outlinesOf(loops: readonly Corner[][]): Outline[] {
  const measured = loops.map((corners) => ({ corners, area: areaOf(corners), holes: [] as Corner[][] }));
  const largest = measured.reduce((best, { area }) => (Math.abs(area) > Math.abs(best) ? area : best), 0);
  const outlines = measured.filter(({ area }) => area * largest > 0);
  const single: Outline[] = [];
  for (const loop of measured) {
    if (loop.area * largest > 0) continue;
    const around = loop.area === 0 ? [] : outlines.filter(({ corners }) => isAround(corners, loop.corners[0]));
    const nearest = around.reduce((a, b) => (Math.abs(b.area) < Math.abs(a.area) ? b : a), around[0]);
    if (nearest === undefined) single.push(loop);
    else nearest.holes.push(loop.corners);
  }
  return [...outlines, ...single];
}

/** The edges, reversed, hung together into loops. Edges that are walked both ways bound nothing. */
function closedLoops(rim: readonly number[], direction: Float64Array, tolerance: number): Corner[][] {
  const cornerAt = plotter(direction);
  const open = new Map<string, { readonly start: Corner; readonly ends: Corner[] }>();
  for (let e = 0; e < rim.length; e += 6) {
    const [end, start] = [cornerAt(rim, e), cornerAt(rim, e + 3)];
    if (end.key === start.key) continue;
    const opposite = open.get(end.key)?.ends ?? [];
    const back = opposite.findIndex(({ key }) => key === start.key);
    if (back >= 0) opposite.splice(back, 1);
    else if (open.has(start.key)) open.get(start.key)!.ends.push(end);
    else open.set(start.key, { start, ends: [end] });
  }
  const loops: Corner[][] = [];
  for (const { start, ends } of open.values()) {
    while (ends.length > 0) {
      const loop: Corner[] = [];
      for (let at: Corner | undefined = ends.pop(); at !== undefined; ) {
        loop.push(at);
        if (at.key === start.key) break;
        at = (open.get(at.key)?.ends.pop() ?? nearestOpen(at, start, open.values(), tolerance)) as Corner | undefined;
      }
      if (loop.length > 2) loops.push(loop);
    }
  }
  return loops;
}

/** Where a walk goes on that rounding has cut short: along an edge that begins close by, unless it is home. */
function nearestOpen(
  at: Corner,
  home: Corner,
  open: Iterable<{ readonly start: Corner; readonly ends: Corner[] }>,
  tolerance: number,
): Corner | undefined {
  const square = (b: Corner) => (b.x - at.x) * (b.x - at.x) + (b.y - at.y) * (b.y - at.y);
  if (square(home) <= tolerance * tolerance) return undefined;
  let nearest: Corner[] | undefined;
  let least = tolerance * tolerance;
  for (const { start, ends } of open) {
    if (ends.length === 0 || square(start) > least) continue;
    least = square(start);
    nearest = ends;
  }
  return nearest?.pop();
}

/** Puts points of a plane with normal d into two coordinates, turned so that d points at the reader. */
function plotter(d: Float64Array): (numbers: readonly number[], at: number) => Corner {
  const least = [0, 1, 2].reduce((a, k) => (Math.abs(d[k]) < Math.abs(d[a]) ? k : a), 0);
  const [j, k] = [(least + 1) % 3, (least + 2) % 3];
  const u = [0, 0, 0];
  const length = Math.sqrt(d[j] * d[j] + d[k] * d[k]);
  u[j] = -d[k] / length; // least axis × d
  u[k] = d[j] / length;
  const v = [d[1] * u[2] - d[2] * u[1], d[2] * u[0] - d[0] * u[2], d[0] * u[1] - d[1] * u[0]];
  return (numbers, i) => {
    const at = [numbers[i], numbers[i + 1], numbers[i + 2]] as const;
    return {
      x: at[0] * u[0] + at[1] * u[1] + at[2] * u[2],
      y: at[0] * v[0] + at[1] * v[1] + at[2] * v[2],
      at,
      key: at.join(),
    };
  };
}

/** Twice the area of an outline, positive if counter-clockwise. */
function areaOf(corners: readonly Corner[]): number {
  const [{ x: x0, y: y0 }] = corners;
  let sum = 0;
  for (let i = 1; i + 1 < corners.length; i++) {
    const [a, b] = [corners[i], corners[i + 1]];
    sum += (a.x - x0) * (b.y - y0) - (b.x - x0) * (a.y - y0);
  }
  return sum;
}

/** True if the outline goes around the point: crossings of the ray to the right. */
function isAround(corners: readonly Corner[], { x, y }: Corner): boolean {
  let inside = false;
  for (const [i, a] of corners.entries()) {
    const b = corners[(i + 1) % corners.length];
    if (a.y > y !== b.y > y && x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x)) inside = !inside;
  }
  return inside;
}
