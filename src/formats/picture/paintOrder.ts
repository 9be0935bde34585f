/** A flat polygon on the screen, or a line of two points: vertices as x, y, z (towards the viewer), px each. */
export interface Patch {
  readonly points: readonly number[];
  /** Class of the line along the side from vertex i to the next one; empty for none. Sides made by cuts have none. */
  readonly sides: readonly string[];
  /** Class of the fill. */
  readonly fill: string;
  /** Index of the convex body that it belongs to: visible patches of one body do not hide each other. */
  readonly body: number;
  /** Whether its plane may cut others: not for translucent patches. */
  readonly opaque: boolean;
}

/** px: vertices nearer to a plane count as in it. A smaller value causes slivers, a larger one visibly wrong orders. */
const THIN = 0.02;

/** Number of planes evaluated for each cut. */
const CANDIDATES = 14;

/** Cost of cutting one patch, in patches of imbalance. */
const CUT_COST = 8;

/**
 * Sorts patches from back to front: a patch may hide earlier patches, but not later ones. For intersecting bodies no
 * order of whole patches is correct, so patches are cut: a binary space partition on the screen.
 */
export function paintOrder(patches: readonly Patch[]): Patch[] {
  const out: Patch[] = [];
  paint(patches, true, out);
  return out;
}

function paint(patches: readonly Patch[], mayPart: boolean, out: Patch[]): void {
  if (patches.every((patch) => patch.body === patches[0].body)) {
    out.push(...patches);
    return;
  }
  const parted = mayPart ? apart(patches) : undefined;
  if (parted !== undefined) {
    paint(parted[0], true, out);
    paint(parted[1], true, out);
    return;
  }
  const plane = bestPlane(patches);
  if (plane === undefined) {
    out.push(...[...patches].sort((a, b) => middleDepth(a) - middleDepth(b)));
    return;
  }
  const behind: Patch[] = [];
  const inside: Patch[] = [];
  const before: Patch[] = [];
  for (const patch of patches) place(patch, plane, behind, inside, before);
  const worthParting = Math.min(behind.length, before.length) > 0 || inside.length > 2;
  paint(behind, worthParting, out);
  out.push(...inside.filter(({ opaque }) => opaque), ...inside.filter(({ opaque }) => !opaque));
  paint(before, worthParting, out);
}

/**
 * Splits the patches into two groups with a straight gap between them, without a cut, the farther group first; chooses
 * the most balanced gap. Undefined if there is none.
 */
function apart(patches: readonly Patch[]): [Patch[], Patch[]] | undefined {
  let best: { rest: number; behind: Patch[]; before: Patch[] } | undefined;
  for (const axis of [2, 0, 1]) {
    const spans = patches.map((patch) => ({ patch, span: spanOf(patch, axis) }));
    spans.sort((a, b) => a.span[0] - b.span[0]);
    let end = Number.NEGATIVE_INFINITY;
    for (const [i, { span }] of spans.entries()) {
      const rest = Math.max(i, spans.length - i);
      if (i > 0 && span[0] >= end - THIN && rest < (best?.rest ?? spans.length)) {
        const sides = spans.map(({ patch }) => patch);
        best = { rest, behind: sides.slice(0, i), before: sides.slice(i) };
      }
      end = Math.max(end, span[1]);
    }
  }
  return best && [best.behind, best.before];
}

function spanOf({ points }: Patch, axis: number): [number, number] {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let k = axis; k < points.length; k += 3) {
    min = Math.min(min, points[k]);
    max = Math.max(max, points[k]);
  }
  return [min, max];
}

/** Normal towards the viewer and offset: n · p = offset in the plane. */
type Plane = readonly [number, number, number, number];

function bestPlane(patches: readonly Patch[]): Plane | undefined {
  const able = patches.filter(({ opaque, points }) => opaque && points.length > 6);
  const step = Math.max(1, able.length / CANDIDATES);
  let best: Plane | undefined;
  let minCost = Number.POSITIVE_INFINITY;
  for (let at = step / 2; at < able.length; at += step) {
    const plane = planeOf(able[Math.floor(at)]);
    if (plane === undefined) continue;
    let [behind, before, cuts] = [0, 0, 0];
    for (const patch of patches) {
      const [low, high] = heights(patch, plane);
      if (high > THIN && low < -THIN) cuts++;
      else if (high > THIN) before++;
      else if (low < -THIN) behind++;
    }
    const cost = CUT_COST * cuts + Math.abs(before - behind);
    if (cost < minCost) [best, minCost] = [plane, cost];
  }
  return best ?? able.map(planeOf).find((plane) => plane !== undefined);
}

/**
 * Computes the plane by Newell's normal, which is robust for collinear vertices; undefined if the patch is seen
 * edge-on.
 */
function planeOf({ points }: Patch): Plane | undefined {
  const n = [0, 0, 0];
  const middle = [0, 0, 0];
  const size = points.length;
  for (let k = 0; k < size; k += 3) {
    const next = (k + 3) % size;
    for (let i = 0; i < 3; i++) {
      const [j, l] = [(i + 1) % 3, (i + 2) % 3];
      n[i] += (points[k + j] - points[next + j]) * (points[k + l] + points[next + l]);
      middle[i] += (3 * points[k + i]) / size;
    }
  }
  const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  if (length < THIN * THIN || Math.abs(n[2]) < 1e-6 * length) return undefined;
  const factor = (n[2] < 0 ? -1 : 1) / length;
  const [a, b, c] = [n[0] * factor, n[1] * factor, n[2] * factor];
  return [a, b, c, a * middle[0] + b * middle[1] + c * middle[2]];
}

const heightOf = (points: readonly number[], k: number, [a, b, c, d]: Plane): number =>
  a * points[k] + b * points[k + 1] + c * points[k + 2] - d;

function heights({ points }: Patch, plane: Plane): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < points.length; k += 3) {
    const height = heightOf(points, k, plane);
    low = Math.min(low, height);
    high = Math.max(high, height);
  }
  return [low, high];
}

function place(patch: Patch, plane: Plane, behind: Patch[], inside: Patch[], before: Patch[]): void {
  const [low, high] = heights(patch, plane);
  if (high <= THIN && low >= -THIN) inside.push(patch);
  else if (low >= -THIN) before.push(patch);
  else if (high <= THIN) behind.push(patch);
  else {
    push(before, clip(patch, plane, 1));
    push(behind, clip(patch, plane, -1));
  }
}

function push(list: Patch[], patch: Patch): void {
  if (patch.points.length >= 6) list.push(patch);
}

/** Clips the patch to one side of the plane; the new side has no line. */
function clip(patch: Patch, plane: Plane, side: 1 | -1): Patch {
  const { points, sides } = patch;
  const count = points.length / 3;
  const isLine = count === 2;
  const out: number[] = [];
  const outSides: string[] = [];
  for (let i = 0; i < count; i++) {
    const [k, next] = [3 * i, 3 * ((i + 1) % count)];
    const h = side * heightOf(points, k, plane);
    const g = side * heightOf(points, next, plane);
    if (h >= 0) {
      out.push(points[k], points[k + 1], points[k + 2]);
      outSides.push(h > 0 || g > 0 ? sides[i] : '');
    }
    if (h * g >= 0 || (isLine && i === 1)) continue;
    const t = h / (h - g);
    for (let j = 0; j < 3; j++) out.push(points[k + j] + t * (points[next + j] - points[k + j]));
    outSides.push(h < 0 ? sides[i] : '');
  }
  return { ...patch, points: out, sides: outSides };
}

function middleDepth({ points }: Patch): number {
  let sum = 0;
  for (let k = 2; k < points.length; k += 3) sum += points[k];
  return (3 * sum) / points.length;
}
