import { type ClippingBudget, clipEars, clippingBudget } from './earClipping.ts';
import type { Triangles } from './triangleCut.ts';

/** A vertex of a section: its coordinates in the plane and in space. */
interface Vertex {
  readonly x: number;
  readonly y: number;
  readonly at: readonly [number, number, number];
  readonly key: string;
}

/**
 * Triangulates the section of a surface. `rim` lists its directed edges, six numbers each, in any order, in the
 * direction of the surface that is to be closed; the triangles have them in the opposite direction. Open rims are
 * closed by a straight edge.
 * @param direction unit normal of the plane of the section
 * @param tolerance metres: ends of edges at most this far apart are connected
 */
export type FillSection = (rim: readonly number[], direction: Float64Array, tolerance: number) => Triangles;

/** Creates a function that fills the sections of one mesh; the budget bounds their total time. */
export function createFillSection(budget = clippingBudget()): FillSection {
  return (rim, direction, tolerance) => {
    const filling: number[] = [];
    for (const outline of outlinesOf(closedLoops(rim, direction, tolerance))) {
      for (const vertex of trianglesOf(outline, budget)) filling.push(...vertex.at);
    }
    return Float64Array.from(filling);
  };
}

/**
 * Triangulates an outline with holes: three vertices per triangle, with the orientation of the outline. If ear clipping
 * fails (the outline is self-intersecting, or the budget is exhausted), the outline and each hole become a fan. In both
 * cases the boundary of the triangles is the rim, so a surface that is closed with them is closed.
 */
function trianglesOf({ vertices, area, holes }: Outline, budget: ClippingBudget): Vertex[] {
  const loops = area > 0 ? [vertices, ...holes] : [vertices, ...holes].map((loop) => loop.toReversed());
  const all = loops.flat();
  const starts = holes.map((_, i) => loops.slice(0, i + 1).flat().length);
  const flat = all.flatMap(({ x, y }) => [x, y]);
  const faces = clipEars(flat, starts, budget)?.map((i) => all[i]) ?? loops.flatMap(fanOf);
  if (area > 0) return faces;
  return faces.map((_, i) => faces[i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1]);
}

const fanOf = (loop: readonly Vertex[]): Vertex[] =>
  loop.slice(2).flatMap((vertex, i) => [loop[0], loop[i + 1], vertex]);

interface Outline {
  readonly vertices: Vertex[];
  /** Twice the signed area. */
  readonly area: number;
  readonly holes: Vertex[][];
}

/**
 * Groups loops into outlines with their holes by orientation: the largest loop has that of an outline. Loops of zero
 * area, and holes in no outline, become outlines, so that every edge of the rim bounds a triangle.
 */
function outlinesOf(loops: readonly Vertex[][]): Outline[] {
  const measured = loops.map((vertices) => ({ vertices, area: areaOf(vertices), holes: [] as Vertex[][] }));
  const largest = measured.reduce((best, { area }) => (Math.abs(area) > Math.abs(best) ? area : best), 0);
  const outlines = measured.filter(({ area }) => area * largest > 0);
  const single: Outline[] = [];
  for (const loop of measured) {
    if (loop.area * largest > 0) continue;
    const around = loop.area === 0 ? [] : outlines.filter(({ vertices }) => isAround(vertices, loop.vertices[0]));
    const nearest = around.reduce((a, b) => (Math.abs(b.area) < Math.abs(a.area) ? b : a), around[0]);
    if (nearest === undefined) single.push(loop);
    else nearest.holes.push(loop.vertices);
  }
  return [...outlines, ...single];
}

/** Reverses the edges and connects them to loops. Edges that occur in both directions cancel. */
function closedLoops(rim: readonly number[], direction: Float64Array, tolerance: number): Vertex[][] {
  const vertexAt = projector(direction);
  const open = new Map<string, { readonly start: Vertex; readonly ends: Vertex[] }>();
  for (let e = 0; e < rim.length; e += 6) {
    const [end, start] = [vertexAt(rim, e), vertexAt(rim, e + 3)];
    if (end.key === start.key) continue;
    const opposite = open.get(end.key)?.ends ?? [];
    const back = opposite.findIndex(({ key }) => key === start.key);
    if (back >= 0) opposite.splice(back, 1);
    else if (open.has(start.key)) open.get(start.key)!.ends.push(end);
    else open.set(start.key, { start, ends: [end] });
  }
  const loops: Vertex[][] = [];
  for (const { start, ends } of open.values()) {
    while (ends.length > 0) {
      const loop: Vertex[] = [];
      for (let at: Vertex | undefined = ends.pop(); at !== undefined; ) {
        loop.push(at);
        if (at.key === start.key) break;
        at = (open.get(at.key)?.ends.pop() ?? nearestOpen(at, start, open.values(), tolerance)) as Vertex | undefined;
      }
      if (loop.length > 2) loops.push(loop);
    }
  }
  return loops;
}

/**
 * Finds the continuation of a loop that rounding errors have interrupted: an edge that begins within the tolerance.
 * Undefined if the loop has returned to its start.
 */
function nearestOpen(
  at: Vertex,
  start: Vertex,
  open: Iterable<{ readonly start: Vertex; readonly ends: Vertex[] }>,
  tolerance: number,
): Vertex | undefined {
  const square = (b: Vertex) => (b.x - at.x) * (b.x - at.x) + (b.y - at.y) * (b.y - at.y);
  if (square(start) <= tolerance * tolerance) return undefined;
  let nearest: Vertex[] | undefined;
  let minSquare = tolerance * tolerance;
  for (const { start, ends } of open) {
    if (ends.length === 0 || square(start) > minSquare) continue;
    minSquare = square(start);
    nearest = ends;
  }
  return nearest?.pop();
}

/**
 * Returns a function that projects points onto a plane with normal d, as right-handed coordinates seen from the tip of
 * d.
 */
function projector(d: Float64Array): (numbers: readonly number[], at: number) => Vertex {
  const minAxis = [0, 1, 2].reduce((a, k) => (Math.abs(d[k]) < Math.abs(d[a]) ? k : a), 0);
  const [j, k] = [(minAxis + 1) % 3, (minAxis + 2) % 3];
  const u = [0, 0, 0];
  const length = Math.sqrt(d[j] * d[j] + d[k] * d[k]);
  u[j] = -d[k] / length; // axis of the smallest component × d
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

/** Computes twice the signed area of an outline: positive if counterclockwise. */
function areaOf(vertices: readonly Vertex[]): number {
  const [{ x: x0, y: y0 }] = vertices;
  let sum = 0;
  for (let i = 1; i + 1 < vertices.length; i++) {
    const [a, b] = [vertices[i], vertices[i + 1]];
    sum += (a.x - x0) * (b.y - y0) - (b.x - x0) * (a.y - y0);
  }
  return sum;
}

/** Returns true if the outline encloses the point: counts crossings of the ray to the right. */
function isAround(vertices: readonly Vertex[], { x, y }: Vertex): boolean {
  let inside = false;
  for (const [i, a] of vertices.entries()) {
    const b = vertices[(i + 1) % vertices.length];
    if (a.y > y !== b.y > y && x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x)) inside = !inside;
  }
  return inside;
}
