import type { TimeRectangle } from '../../planning/coordination/freeRectangles.ts';
import type { CollisionModel } from '../model/collisionModel.ts';
import { PosedParts } from '../model/posedParts.ts';
import { PairProver, PROVED, type ProofRecorder } from '../motions/pairProver.ts';
import { CellBounds } from './cellBounds.ts';
import { CellMotion } from './cellMotion.ts';
import type { DyadicMotion } from './dyadicMotion.ts';
import { WHOLE } from './memberIntervals.ts';

/** Receives a rectangle of times and a direction (unit, from A to B, in the frame of B) that separates a pair in it. */
export type PlaneVisitor = (rectangle: TimeRectangle, nx: number, ny: number, nz: number) => void;

/** Bisections of each side of a cell after which no plane is expected to be found. */
const MAX_DEPTH = 20;
/** Relative gap of the bounds on distances: looser bounds may leave nothing of a distance beyond the padding. */
const RELATIVE_GAP = 1e-6;

/**
 * Finds the separating planes of pairs in cells. A plane of a certificate is fixed in the frame of part B, which may
 * turn within a cell that a direction fixed in the world proves: such cells are bisected.
 */
export class CellPlanes implements ProofRecorder {
  readonly takesKnownPlanes = true;
  private readonly bounds: CellBounds;
  private readonly prover: PairProver;
  private readonly motion: CellMotion;
  private visit: PlaneVisitor | undefined;
  private rectangle: TimeRectangle = [0, 0, 0, 0];

  /** @param model of a composite robot of two members, without obstacles */
  constructor(
    model: CollisionModel,
    private readonly motionA: DyadicMotion,
    private readonly motionB: DyadicMotion,
  ) {
    const posed = new PosedParts(model);
    this.bounds = new CellBounds(posed);
    this.prover = new PairProver(posed, this.bounds, RELATIVE_GAP);
    this.motion = new CellMotion(motionA, motionB);
  }

  /** Visits planes of a pair that cover a cell, given by an interval of each robot, in which it is separated. */
  find(pair: number, nodeA: number, nodeB: number, visit: PlaneVisitor, depth = 2 * MAX_DEPTH): void {
    const { motionA, motionB, motion, bounds, prover } = this;
    motion.select(nodeA, nodeB);
    bounds.evaluateInterval(motion, WHOLE);
    this.visit = visit;
    this.rectangle = [motionA.from[nodeA], motionA.to[nodeA], motionB.from[nodeB], motionB.to[nodeB]];
    if (prover.check(pair, WHOLE, this) === PROVED || depth === 0) return;
    const isA = motionA.length(nodeA) >= motionB.length(nodeB);
    const half = isA ? motionA.bisect(nodeA) : motionB.bisect(nodeB);
    for (const next of [half, half + 1]) this.find(pair, isA ? next : nodeA, isA ? nodeB : next, visit, depth - 1);
  }

  record(_pair: number, from: number, to: number, nx: number, ny: number, nz: number): void {
    if (from > -1 || to < 1) return; // a part of the cell only
    this.visit?.(this.rectangle, nx, ny, nz);
  }
}
