import type { Witness } from '../../../core/certificate/cells/cellPartition.ts';
import { insideDepth, type JointCellProver } from '../../../core/certificate/cells/jointCells.ts';
import type { CertifiedPart } from '../../../core/certificate/convexParts.ts';
import { composed, inverted, type Transform, transformedPoint } from '../../../core/math/transform.ts';
import type { Vec3 } from '../../../core/math/vec3.ts';
import { Gjk } from '../../../core/narrowphase/gjk/gjk.ts';
import { type PairCache, SEPARATED } from '../../../core/narrowphase/solver.ts';

/** Two parts that may overlap, their index in the list of a tree, and the warm start of their checks. */
export interface CandidatePair {
  readonly a: CertifiedPart;
  readonly b: CertifiedPart;
  readonly index: number;
  readonly cache: PairCache;
}

/** How deep a point is in two parts: negative outside. */
interface Depths {
  readonly ofA: number;
  readonly ofB: number;
}

/** The search ends at this share of its first step. */
const LAST_STEP = 1 / 256;

/** Result for one cell: a witness, or whether a pair overlaps in the middle at all. */
export interface CellVerdict {
  readonly witness: Witness | undefined;
  readonly collides: boolean;
}

/**
 * Searches a cell for a pair that overlaps throughout: of the pairs that are not separated in the middle of the cell,
 * the deepest common point is searched by steps in 26 directions.
 */
export class WitnessSearch {
  private last: CandidatePair | undefined;
  private readonly checker = new Gjk();

  /**
   * @param pairs of which the one that the last cell had a witness of is tried first
   * @param poseOf pose of the link of a part in the middle of the cell
   * @param proves whether a point, in the world there, proves that a pair overlaps throughout; returns the point as a
   *   witness states it
   */
  search(
    pairs: readonly CandidatePair[],
    poseOf: (part: CertifiedPart) => Transform,
    proves: (pair: CandidatePair, p: Vec3) => Vec3 | undefined,
  ): CellVerdict {
    let collides = false;
    const { last } = this;
    const ordered = last !== undefined && pairs.includes(last) ? [last, ...pairs] : pairs;
    for (const pair of ordered) {
      if (this.isApart(pair, poseOf)) continue;
      const p = commonPoint(pair, poseOf);
      if (p === undefined) continue;
      collides = true;
      const stated = proves(pair, p);
      if (stated === undefined) continue;
      this.last = pair;
      return { witness: [pair.index, stated[0], stated[1], stated[2]], collides };
    }
    return { witness: undefined, collides };
  }

  private isApart({ a, b, cache }: CandidatePair, poseOf: (part: CertifiedPart) => Transform): boolean {
    const T_b_world = partFromWorld(b, poseOf(b));
    const T_b_a = composed(T_b_world, composed(poseOf(a), a.T_link_part));
    return this.checker.check(a.shape, T_b_a, b.shape, 0, cache) === SEPARATED;
  }
}

/** Returns the point in the frame of the link of b if it proves that the pair overlaps throughout the cell. */
export function provedOverlap(
  prover: JointCellProver,
  { a, b }: CandidatePair,
  p: Vec3,
  T_world_b: Transform,
): Vec3 | undefined {
  const stated = transformedPoint(inverted(T_world_b), p);
  prover.setPair(a, b);
  return prover.overlap(stated) > 0 ? stated : undefined;
}

/** Returns a point deep in both parts; undefined if none is found. */
function commonPoint({ a, b }: CandidatePair, poseOf: (part: CertifiedPart) => Transform): Vec3 | undefined {
  const [T_a, T_b] = [poseOf(a), poseOf(b)];
  const [centerA, centerB] = [transformedPoint(T_a, a.center), transformedPoint(T_b, b.center)];
  const isPlane = b.shape.type === 'halfspace';
  const away = Math.sqrt(
    (centerA[0] - centerB[0]) ** 2 + (centerA[1] - centerB[1]) ** 2 + (centerA[2] - centerB[2]) ** 2,
  );
  if (!isPlane && away > a.radius + b.radius) return undefined;
  const [fromA, fromB] = [partFromWorld(a, T_a), partFromWorld(b, T_b)];
  const depths = (p: Vec3): Depths => ({ ofA: depthAt(a, fromA, p), ofB: depthAt(b, fromB, p) });
  const share = isPlane ? 0 : a.radius / (a.radius + b.radius);
  const between = centerA.map((x, k) => x + share * (centerB[k] - x));
  const first = [between, centerA, ...(isPlane ? [] : [centerB])];
  let best = first[0];
  let value = worthOf(depths(best));
  for (const p of first.slice(1)) {
    const other = worthOf(depths(p));
    if (other > value) [best, value] = [p, other];
  }
  const size = isPlane ? a.radius : Math.min(a.radius, b.radius);
  for (let step = 0.5 * size; step > LAST_STEP * size; ) {
    const next = bestNeighbor(best, step, (p) => worthOf(depths(p)));
    if (next.value > value) [best, value] = [next.p, next.value];
    else step *= 0.5;
  }
  const { ofA, ofB } = depths(best);
  return ofA >= 0 && ofB >= 0 ? best : undefined;
}

/** Points that are outside of a part count as far worse than shallow ones. */
const worthOf = ({ ofA, ofB }: Depths): number => ofA + ofB + 10 * (Math.min(ofA, 0) + Math.min(ofB, 0));

function bestNeighbor(
  p: Vec3,
  step: number,
  valueAt: (p: Vec3) => number,
): { readonly p: Vec3; readonly value: number } {
  let best = p;
  let value = Number.NEGATIVE_INFINITY;
  for (let code = 0; code < 27; code++) {
    if (code === 13) continue;
    const [x, y, z] = [(code % 3) - 1, (Math.floor(code / 3) % 3) - 1, Math.floor(code / 9) - 1];
    const q = Float64Array.of(p[0] + step * x, p[1] + step * y, p[2] + step * z);
    const other = valueAt(q);
    if (other > value) [best, value] = [q, other];
  }
  return { p: best, value };
}

function partFromWorld({ T_link_part }: CertifiedPart, T_world_link: Transform): Transform {
  return inverted(composed(T_world_link, T_link_part));
}

function depthAt({ shape }: CertifiedPart, T_part_world: Transform, p: Vec3): number {
  const local = transformedPoint(T_part_world, p);
  const depth = insideDepth(shape, local[0], local[1], local[2]);
  return Number.isFinite(depth) ? depth : -1e9;
}
