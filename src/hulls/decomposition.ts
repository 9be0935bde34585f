import { type HullSketch, loadSketchVolume, type SketchVolume, sketchOf, union } from './coarseHull.ts';
import { bestCut, type Cut, cutDirections } from './cutSearch.ts';
import { convexHull, type Hull } from './hull.ts';
import { hullGap } from './hullGap.ts';
import { boundsOf } from './pointCloud.ts';
import { createFillSection, type FillSection } from './sectionCap.ts';
import { coarsened, coneVolume, connectedPieces, enclosedVolume } from './solid.ts';
import { cutTriangles, type Plane, type Triangles } from './triangleCut.ts';

/** A mesh as convex parts that cover it. */
export interface Decomposition {
  /** One, its hull, where several would not be worth it. */
  readonly parts: readonly Hull[];
  /** m³ of the parts; what several of them share counts as often. */
  readonly volume: number;
  /** m³ of the one hull of the mesh. */
  readonly hullVolume: number;
  /** m³ that the mesh encloses; undefined where it is open. `volume` less this is the excess. */
  readonly solidVolume: number | undefined;
}

export interface DecompositionOptions {
  /** Most parts of one mesh: each costs time in every state that is checked. */
  readonly maxParts?: number;
  /** Share of the hull's volume that every part must save to be worth its time. */
  readonly partCost?: number;
  /** Parts are taken only if they hold at most this share of what the one hull holds; of an open mesh, also if their gap is that share. */
  readonly worthwhile?: number;
}

export const decompositionDefaults = { maxParts: 8, partCost: 0.05, worthwhile: 0.85 };

/** Changes whenever other parts come out for the same mesh: caches ask for it. */
export const DECOMPOSITION_VERSION = 6;

/** Pieces to cut a mesh into before they are put together again. */
const MOST_PIECES = 20;
/** Up to so many pieces are cut even where a single cut saves nothing: a ring must be cut twice before it pays. */
const BLIND_PIECES = 8;
/** More pieces than this that hang together nowhere are screws and labels: cut as one. */
const MOST_COMPONENTS = 12;
/** A hull that holds at most so many times what the closed mesh encloses is left alone. */
const LEAN = 1.3;
/** A hull of an open mesh that is nowhere farther from it than this, relative to the size of the mesh, is left alone. */
const LEAN_GAP = 0.02;
/** Corners nearer to a cut than this, relative to the size of the mesh, lie on it: single precision makes 1e-7 of a flat face. */
const ON_PLANE = 1e-6;
/** Meshes of more triangles are cut by a coarser copy: of this many cells along the longest side, or half as many, and so on. */
const FINE = 2000;
const CELLS = 64;

/**
 * Decomposes a mesh into few convex parts whose union covers it. The surface is cut along planes chosen for the volume that the hulls of
 * both sides save, into more pieces than are wanted; then pairs of them whose common hull adds least are put together again, as in
 * [Wei22] without its search; each part is the hull of its pieces.
 *
 * The pieces tile every triangle, so every triangle lies in the union of the parts (to the 1e-12 of the size to which `convexHull` holds
 * its points), whatever the mesh: open, in several components, crossing itself. Sections are filled, so the pieces of a closed mesh are
 * closed: a point that it goes around is gone around by one of them, and lies in the hull of that one. So what a mesh encloses lies in the
 * union, too.
 * Only sums, products, square roots and comparisons: the same parts on every machine.
 * @param triangles metres, nine numbers each
 */
export async function decompose(triangles: Triangles, options: DecompositionOptions = {}): Promise<Decomposition> {
  const { maxParts, partCost, worthwhile } = { ...decompositionDefaults, ...options };
  const hull = await convexHull(triangles);
  const solidVolume = enclosedVolume(triangles);
  const single = { parts: [hull], volume: hull.volume, hullVolume: hull.volume, solidVolume };
  if (maxParts < 2 || hull.volume === 0) return single;
  // The volume of an open mesh means nothing: there the greatest distance from the hull to the mesh decides.
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
  /** The same, or a coarser copy where that is too fine to try many cuts on. */
  readonly outline: Triangles;
  readonly sketch: HullSketch;
  readonly volume: number;
  /** m³ of its hull beyond what it encloses; of the hull, where the mesh is open. */
  readonly excess: number;
  /** The best cut of it. */
  readonly cut: Cut | undefined;
}

interface Cutting {
  readonly partCost: number;
  readonly isClosed: boolean;
  readonly volumeOf: SketchVolume;
  readonly fill: FillSection;
}

/** Cuts the piece where most is saved, again and again. */
function cutIntoPieces(triangles: Triangles, { partCost, isClosed, volumeOf, fill }: Cutting): Piece[] {
  const box = boundsOf(triangles)!;
  const tolerance = ON_PLANE * Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  const directions = cutDirections(triangles);
  const total = volumeOf(sketchOf(triangles));
  const pieceOf = (own: Triangles, outline: Triangles): Piece => {
    const sketch = sketchOf(outline);
    const volume = volumeOf(sketch);
    const excess = isClosed ? volume - Math.abs(coneVolume(outline)) : volume;
    const worthATry = excess > (partCost / 4) * total;
    const cut = worthATry ? bestCut(outline, volume, directions, tolerance, volumeOf) : undefined;
    return { triangles: own, outline, sketch, volume, excess, cut };
  };

  const components = connectedPieces(triangles);
  const pieces = (components.length > MOST_COMPONENTS ? [triangles] : components).map((piece) =>
    pieceOf(piece, outlineOf(piece)),
  );
  while (pieces.length < MOST_PIECES) {
    const at = nextToCut(pieces, (partCost / 10) * total);
    if (at < 0) break;
    const { triangles: own, outline, cut } = pieces[at];
    const whole = cutAndFill(own, cut!, tolerance, fill);
    const coarse = outline === own ? whole : cutAndFill(outline, cut!, tolerance, fill);
    pieces.splice(at, 1, pieceOf(whole.below, coarse.below), pieceOf(whole.above, coarse.above));
  }
  return pieces;
}

/** Both sides of a cut, each with the section as a face of its own. */
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

/** A copy that is coarse enough to try many cuts on. */
function outlineOf(triangles: Triangles): Triangles {
  let outline = triangles;
  for (let cells = CELLS; outline.length > 9 * FINE && cells >= 8; cells /= 2) outline = coarsened(triangles, cells);
  return outline;
}

/** The piece whose cut saves most; while there are few, else the largest. −1: none is worth it. */
function nextToCut(pieces: readonly Piece[], leastGain: number): number {
  const by = (measure: (piece: Piece) => number): number =>
    pieces.reduce(
      (best, piece, i) => (piece.cut && (best < 0 || measure(piece) > measure(pieces[best])) ? i : best),
      -1,
    );
  const saving = by(({ cut }) => cut?.gain ?? 0);
  if (saving < 0 || pieces[saving].cut!.gain >= leastGain) return saving;
  return pieces.length < BLIND_PIECES ? by(({ excess }) => excess) : -1;
}

interface Group {
  readonly pieces: readonly Piece[];
  readonly sketch: HullSketch;
  readonly volume: number;
}

/** Puts together the two groups whose common hull adds least, while there are too many or it adds less than a part is worth. */
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
    let [bestI, bestJ, least] = [0, 0, Number.POSITIVE_INFINITY];
    for (let i = 1; i < groups.length; i++) {
      for (let j = 0; j < i; j++) {
        const added = merged[i][j].volume - groups[i].volume - groups[j].volume;
        if (added < least) [bestI, bestJ, least] = [i, j, added];
      }
    }
    if (groups.length <= maxParts && least > partCost * total) break;
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

/** The longest side of the mesh's box, metres. */
function sizeOf(triangles: Triangles): number {
  const box = boundsOf(triangles)!;
  return Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
}
