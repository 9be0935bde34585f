import { type HullSketch, loadSketchVolume, type SketchVolume, sketchOf, union } from './coarseHull.ts';
import { bestCut, type Cut, cutDirections } from './cutSearch.ts';
import { convexHull, type Hull } from './hull.ts';
import { hullGap } from './hullGap.ts';
import { boundsOf } from './pointCloud.ts';
import { createFillSection, type FillSection } from './sectionCap.ts';
import { coarsened, coneVolume, connectedPieces, enclosedVolume } from './solid.ts';
import { cutTriangles, type Plane, type Triangles } from './triangleCut.ts';

/** Convex parts that cover a mesh. */
export interface Decomposition {
  /** A single part, the hull, if several are not worthwhile. */
  readonly parts: readonly Hull[];
  /** m³: sum of the volumes of the parts; overlaps count once per part. */
  readonly volume: number;
  /** m³ of the convex hull of the mesh. */
  readonly hullVolume: number;
  /** m³ enclosed by the mesh; undefined if it is open. `volume` minus this is the excess. */
  readonly solidVolume: number | undefined;
}

export interface DecompositionOptions {
  /** Maximum number of parts of one mesh: each part adds to the time of every collision check. */
  readonly maxParts?: number;
  /** Share of the hull's volume that each part must save to be worth its time. */
  readonly partCost?: number;
  /**
   * The parts are used only if their volume is at most this share of the hull's volume; for an open mesh, also if their
   * gap is at most this share of the hull's gap.
   */
  readonly worthwhile?: number;
}

const decompositionDefaults = { maxParts: 8, partCost: 0.05, worthwhile: 0.85 };

/** Maximum number of pieces that a mesh is cut into before pieces are merged. */
const MAX_PIECES = 20;
/**
 * Up to this many pieces are cut even if no single cut saves volume: a ring needs two cuts before any volume is saved.
 */
const BLIND_PIECES = 8;
/** A mesh of more connected components than this (screws, labels) is cut as a whole, not per component. */
const MAX_COMPONENTS = 12;
/**
 * A hull is kept as the only part if its volume is at most this factor times the volume that the closed mesh encloses.
 */
const LEAN = 1.3;
/**
 * A hull of an open mesh is kept as the only part if its greatest distance from the mesh, relative to the size of the
 * mesh, is at most this.
 */
const LEAN_GAP = 0.02;
/**
 * Vertices nearer to a cut than this, relative to the size of the mesh, lie on it: single precision causes deviations
 * of 1e-7 in a flat face.
 */
const ON_PLANE = 1e-6;
/**
 * Cuts of meshes of more triangles are searched on a coarser copy, with this many grid cells along the longest side, or
 * half as many, and so on.
 */
const FINE = 2000;
const CELLS = 64;

/**
 * Decomposes a mesh into few convex parts whose union covers it. The surface is cut along planes chosen by the volume
 * that the hulls of both sides save, into more pieces than wanted; then the pairs of pieces whose common hull adds
 * least volume are merged, as in [Wei22] but without its tree search; each part is the hull of its pieces.
 *
 * The pieces tile every triangle, so every triangle lies in the union of the parts (to 1e-12 of the size, the tolerance
 * of `convexHull`), for every mesh: open, of several components, self-intersecting. Sections are filled, so the pieces
 * of a closed mesh are closed: the winding number of the mesh is the sum of those of the pieces, so a point that the
 * mesh encloses is enclosed by a piece and lies in its hull. Hence the union covers the enclosed volume, too.
 * Uses only sums, products, square roots and comparisons: the parts are identical on every machine.
 * @param triangles metres, nine numbers each
 */
export async function decompose(triangles: Triangles, options: DecompositionOptions = {}): Promise<Decomposition> {
  const { maxParts, partCost, worthwhile } = { ...decompositionDefaults, ...options };
  const hull = await convexHull(triangles);
  const solidVolume = enclosedVolume(triangles);
  const single = { parts: [hull], volume: hull.volume, hullVolume: hull.volume, solidVolume };
  if (maxParts < 2 || hull.volume === 0) return single;
  // The volume of an open mesh is undefined: the greatest distance from the hull to the mesh decides instead.
  const gap = solidVolume === undefined ? hullGap(triangles, [hull.points]) : 0;
  const isLean = solidVolume === undefined ? gap <= LEAN_GAP * sizeOf(triangles) : hull.volume <= LEAN * solidVolume;
  if (isLean) return single;

  const volumeOf = await loadSketchVolume();
  const fill = createFillSection();
  const pieces = cutIntoPieces(triangles, { partCost, isClosed: solidVolume !== undefined, volumeOf, fill });
  const groups = mergePieces(pieces, { maxParts, partCost }, volumeOf);
  if (groups.length === 1) return single;
  const parts: Hull[] = [];
  for (const group of groups) parts.push(await convexHull(concatenated(group.map((piece) => piece.triangles))));
  const volume = parts.reduce((sum, part) => sum + part.volume, 0);
  const isNearer = () => {
    const points = parts.map((part) => part.points);
    return solidVolume === undefined && hullGap(triangles, points) <= worthwhile * gap;
  };
  const isWorthwhile = volume <= worthwhile * hull.volume || isNearer();
  return isWorthwhile ? { parts, volume, hullVolume: hull.volume, solidVolume } : single;
}

interface Piece {
  readonly triangles: Triangles;
  /** The same triangles, or a coarser copy if there are too many to evaluate many cuts. */
  readonly outline: Triangles;
  readonly sketch: HullSketch;
  readonly volume: number;
  /** m³ of the hull minus the enclosed volume; m³ of the hull if the mesh is open. */
  readonly excess: number;
  /** The best cut of the piece. */
  readonly cut: Cut | undefined;
}

interface Cutting {
  readonly partCost: number;
  readonly isClosed: boolean;
  readonly volumeOf: SketchVolume;
  readonly fill: FillSection;
}

/** Cuts the mesh repeatedly, each time the piece whose cut saves most volume. */
function cutIntoPieces(triangles: Triangles, { partCost, isClosed, volumeOf, fill }: Cutting): Piece[] {
  const box = boundsOf(triangles)!;
  const tolerance = ON_PLANE * Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  const directions = cutDirections(triangles);
  const total = volumeOf(sketchOf(triangles));
  const pieceOf = (own: Triangles, outline: Triangles): Piece => {
    const sketch = sketchOf(outline);
    const volume = volumeOf(sketch);
    const excess = isClosed ? volume - Math.abs(coneVolume(outline)) : volume;
    const isCandidate = excess > (partCost / 4) * total;
    const cut = isCandidate ? bestCut(outline, volume, directions, tolerance, volumeOf) : undefined;
    return { triangles: own, outline, sketch, volume, excess, cut };
  };

  const components = connectedPieces(triangles);
  const pieces = (components.length > MAX_COMPONENTS ? [triangles] : components).map((piece) =>
    pieceOf(piece, outlineOf(piece)),
  );
  while (pieces.length < MAX_PIECES) {
    const at = nextToCut(pieces, (partCost / 10) * total);
    if (at < 0) break;
    const { triangles: own, outline, cut } = pieces[at];
    const whole = cutAndFill(own, cut!, tolerance, fill);
    const coarse = outline === own ? whole : cutAndFill(outline, cut!, tolerance, fill);
    pieces.splice(at, 1, pieceOf(whole.below, coarse.below), pieceOf(whole.above, coarse.above));
  }
  return pieces;
}

/** Cuts the triangles and adds the section as a face to both sides. */
function cutAndFill(triangles: Triangles, plane: Plane, tolerance: number, fill: FillSection) {
  const { below, above, rim } = cutTriangles(triangles, plane, tolerance);
  const section = fill(rim, plane.direction, tolerance);
  const reversed = section.slice();
  for (let t = 0; t < section.length; t += 9) {
    reversed.copyWithin(t, t + 6, t + 9);
    reversed.set(section.subarray(t, t + 3), t + 6);
  }
  return { below: concatenated([below, section]), above: concatenated([above, reversed]) };
}

/** Returns a copy that is coarse enough to evaluate many cuts, or the triangles themselves if there are few. */
function outlineOf(triangles: Triangles): Triangles {
  let outline = triangles;
  for (let cells = CELLS; outline.length > 9 * FINE && cells >= 8; cells /= 2) outline = coarsened(triangles, cells);
  return outline;
}

/**
 * Returns the index of the piece whose cut saves most volume; if that is too little and there are few pieces, of the
 * piece with the largest excess. −1 if no cut is worthwhile.
 */
function nextToCut(pieces: readonly Piece[], minGain: number): number {
  const by = (measure: (piece: Piece) => number): number =>
    pieces.reduce(
      (best, piece, i) => (piece.cut && (best < 0 || measure(piece) > measure(pieces[best])) ? i : best),
      -1,
    );
  const saving = by(({ cut }) => cut?.gain ?? 0);
  if (saving < 0 || pieces[saving].cut!.gain >= minGain) return saving;
  return pieces.length < BLIND_PIECES ? by(({ excess }) => excess) : -1;
}

interface Group {
  readonly pieces: readonly Piece[];
  readonly sketch: HullSketch;
  readonly volume: number;
}

/**
 * Merges the two groups whose common hull adds least volume, while there are more than `maxParts` or it adds less than
 * the cost of a part.
 */
function mergePieces(
  pieces: readonly Piece[],
  { maxParts, partCost }: Required<Pick<DecompositionOptions, 'maxParts' | 'partCost'>>,
  volumeOf: SketchVolume,
): (readonly Piece[])[] {
  const total = volumeOf(pieces.map(({ sketch }) => sketch).reduce(union));
  const groups: Group[] = pieces.map((piece) => ({ pieces: [piece], sketch: piece.sketch, volume: piece.volume }));
  const together = (a: Group, b: Group): Group => {
    const sketch = union(a.sketch, b.sketch);
    return { pieces: [...a.pieces, ...b.pieces], sketch, volume: volumeOf(a.sketch, b.sketch) };
  };
  const merged = groups.map((a, i) => groups.slice(0, i).map((b) => together(a, b))); // merged[i][j], j < i
  while (groups.length > 1) {
    let [bestI, bestJ, minAdded] = [0, 0, Number.POSITIVE_INFINITY];
    for (let i = 1; i < groups.length; i++) {
      for (let j = 0; j < i; j++) {
        const added = merged[i][j].volume - groups[i].volume - groups[j].volume;
        if (added < minAdded) [bestI, bestJ, minAdded] = [i, j, added];
      }
    }
    if (groups.length <= maxParts && minAdded > partCost * total) break;
    groups[bestJ] = merged[bestI][bestJ];
    groups.splice(bestI, 1);
    merged.splice(bestI, 1);
    for (const row of merged.slice(bestI)) row.splice(bestI, 1);
    for (let k = 0; k < groups.length; k++) {
      if (k !== bestJ) merged[Math.max(k, bestJ)][Math.min(k, bestJ)] = together(groups[bestJ], groups[k]);
    }
  }
  return groups.map((group) => group.pieces);
}

function concatenated(lists: readonly Triangles[]): Triangles {
  const all = new Float64Array(lists.reduce((sum, list) => sum + list.length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}

/** Computes the longest side of the mesh's bounding box, metres. */
function sizeOf(triangles: Triangles): number {
  const box = boundsOf(triangles)!;
  return Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
}
