/**
 * Number of vertex and edge tests that are left: shared by all polygons of a mesh, so that their total time is bounded.
 */
export interface ClippingBudget {
  tests: number;
}

/** Returns the budget of one mesh: at most about 0.6 s. */
export const clippingBudget = (): ClippingBudget => ({ tests: 1e8 });

/**
 * Triangulates a polygon with holes by ear clipping; three's Earcut does not terminate on some degenerate input.
 * Quadratic time for most outlines, cubic time in the worst case; the budget bounds it over all polygons of a mesh.
 * @param flat x, y of each vertex: the outline first, counterclockwise, then the holes
 * @param starts index of the first vertex of each hole
 * @param budget reduced by the number of vertices and edges that are tested
 * @returns three vertex indices per triangle, counterclockwise: n − 2 + 2 h triangles for n vertices and h holes;
 * undefined if no ear is left, as for self-intersecting outlines, or if the budget is exhausted. The caller checks the
 * area.
 */
export function clipEars(
  flat: readonly number[],
  starts: readonly number[],
  budget: ClippingBudget,
): number[] | undefined {
  const count = flat.length / 2;
  let loop = range(0, starts[0] ?? count);
  const holes = starts.map((start, i) => orient(flat, range(start, starts[i + 1] ?? count)));
  while (holes.length > 0) {
    const joined = joinNearest(flat, loop, holes, budget);
    if (joined === undefined) return undefined;
    loop = joined;
  }
  const faces: number[] = [];
  while (loop.length > 3) {
    const at = earOf(flat, loop, budget);
    if (at === undefined) return undefined;
    faces.push(before(loop, at), loop[at], after(loop, at));
    loop.splice(at, 1);
  }
  return loop.length === 3 ? [...faces, ...loop] : undefined;
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
const before = (loop: readonly number[], i: number): number => loop[(i + loop.length - 1) % loop.length];
const after = (loop: readonly number[], i: number): number => loop[(i + 1) % loop.length];

/** Computes twice the signed area of a triangle: positive if it is counterclockwise. */
function turn(flat: readonly number[], a: number, b: number, c: number): number {
  const [x, y] = [flat[2 * a], flat[2 * a + 1]];
  return (flat[2 * b] - x) * (flat[2 * c + 1] - y) - (flat[2 * b + 1] - y) * (flat[2 * c] - x);
}

/** Returns the hole in clockwise order. */
function orient(flat: readonly number[], hole: number[]): number[] {
  let area = 0;
  for (let i = 2; i < hole.length; i++) area += turn(flat, hole[0], hole[i - 1], hole[i]);
  return area > 0 ? hole.toReversed() : hole;
}

/** Removes a hole from the list and connects it to the loop by the first bridge that crosses no edge. */
function joinNearest(
  flat: readonly number[],
  loop: readonly number[],
  holes: number[][],
  budget: ClippingBudget,
): number[] | undefined {
  for (const [k, hole] of holes.entries()) {
    for (const [h, from] of hole.entries()) {
      if (budget.tests < 0) return undefined;
      const i = loop.findIndex((to) => ![loop, ...holes].some((edges) => isCrossed(flat, from, to, edges, budget)));
      if (i < 0 || budget.tests < 0) continue;
      holes.splice(k, 1);
      return [...loop.slice(0, i + 1), ...hole.slice(h), ...hole.slice(0, h + 1), ...loop.slice(i)];
    }
  }
  return undefined;
}

/**
 * Returns true if an edge of the loop crosses or touches the segment anywhere but at its ends, or if the budget is
 * exhausted.
 */
function isCrossed(
  flat: readonly number[],
  a: number,
  b: number,
  loop: readonly number[],
  budget: ClippingBudget,
): boolean {
  if (budget.tests < 0) return true;
  budget.tests -= loop.length;
  for (let i = 0; i < loop.length; i++) {
    const [c, d] = [loop[i], after(loop, i)];
    if (c === a || c === b || d === a || d === b) continue;
    if (turn(flat, a, b, c) * turn(flat, a, b, d) <= 0 && turn(flat, c, d, a) * turn(flat, c, d, b) <= 0) return true;
  }
  return false;
}

/**
 * Returns the position of an ear: a convex vertex if there is one, else a collinear one; undefined if there is none or
 * the budget is exhausted.
 */
function earOf(flat: readonly number[], loop: readonly number[], budget: ClippingBudget): number | undefined {
  let straight: number | undefined;
  for (let i = 0; i < loop.length; i++) {
    const [a, b, c] = [before(loop, i), loop[i], after(loop, i)];
    const area = turn(flat, a, b, c);
    if (area === 0) straight ??= i;
    if (area <= 0) continue;
    if (budget.tests < 0) return undefined;
    budget.tests -= loop.length;
    if (!loop.some((p) => isInside(flat, a, b, c, p))) return i;
  }
  return straight;
}

/** Returns true if a point is in the triangle or on its boundary, vertices excluded. */
function isInside(flat: readonly number[], a: number, b: number, c: number, p: number): boolean {
  for (const vertex of [a, b, c])
    if (p === vertex || (flat[2 * p] === flat[2 * vertex] && flat[2 * p + 1] === flat[2 * vertex + 1])) return false;
  return turn(flat, a, b, p) >= 0 && turn(flat, b, c, p) >= 0 && turn(flat, c, a, p) >= 0;
}
