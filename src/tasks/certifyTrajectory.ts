import type { Certificate, CertificatePair, Span } from '../certificate/certificate.ts';
import type { CollisionModel } from '../collision/collisionModel.ts';
import { CubicMotion } from '../collision/motion.ts';
import { MotionProver, type ProofRecorder } from '../collision/motionProver.ts';
import type { PosedBodies } from '../collision/posedBodies.ts';
import { rotate } from '../math/transform.ts';
import { durationOf, type Trajectory } from '../trajectory/trajectory.ts';
import { TrajectoryCurve } from '../trajectory/trajectoryCurve.ts';
import { trajectoryHash } from '../trajectory/trajectoryHash.ts';
import { proofDefaults } from './checkTrajectory.ts';

/**
 * The certificate of a trajectory whose joints are in the robot's order: for each pair of convex parts that may not touch, the
 * separating directions that the prover found, from beginning to end. Undefined where the motion cannot be proved free.
 */
export function certifyTrajectory(posed: PosedBodies, trajectory: Trajectory): Certificate | undefined {
  const prover = new MotionProver(posed, proofDefaults);
  const spans = new SpanRecorder(posed.model);
  const curve = new TrajectoryCurve(trajectory);
  for (let k = 0; k < curve.pieces; k++) {
    const coefficients = curve.cubics.subarray(curve.place(k, 0), curve.place(k + 1, 0));
    const motion = new CubicMotion(curve.times[k], curve.times[k + 1], coefficients);
    if (prover.prove(motion, spans) !== 'certified') return undefined;
  }
  return {
    format: 'elbowroom-certificate/1',
    trajectory: trajectoryHash(trajectory),
    duration: curve.end,
    pairs: spans.pairs(curve.start, curve.end),
  };
}

/** Collects what the prover proves, pair by pair. */
class SpanRecorder implements ProofRecorder {
  private readonly proofs: Span[][];
  private readonly n = new Float64Array(3);

  constructor(private readonly model: CollisionModel) {
    this.proofs = Array.from({ length: model.pairCount }, () => []);
  }

  record(pair: number, from: number, to: number, nx: number, ny: number, nz: number): void {
    this.proofs[pair].push([from, to, nx, ny, nz]);
  }

  pairs(start: number, end: number): CertificatePair[] {
    const { model, proofs } = this;
    return proofs.map((found, pair) => {
      const a = model.moving[model.pairA[pair]];
      const b = model.bodyOf(model.pairB[pair]);
      const spans = chained(found, start, end).map((span) => this.inBodyFrame(pair, span));
      return { a: a.name, partA: a.part, b: b.name, partB: b.part, spans };
    });
  }

  /** The prover speaks the frame of part B; a certificate that of the body: the world for obstacles, the link, the carried body. */
  private inBodyFrame(pair: number, [from, to, nx, ny, nz]: Span): Span {
    const { model, n } = this;
    const b = model.bodyOf(model.pairB[pair]);
    n.set([nx, ny, nz]);
    rotate(n, 'T_world_part' in b ? b.T_world_part : b.T_body_part, n);
    return [from, to, n[0], n[1], n[2]];
  }
}

/** As few of the spans as cover [start, end], end to end: always the one that reaches farthest of those that begin in time. */
function chained(spans: readonly Span[], start: number, end: number): Span[] {
  const sorted = spans.toSorted((one, other) => one[0] - other[0]);
  const chain: Span[] = [];
  let at = start;
  for (let i = 0; at < end || chain.length === 0; ) {
    let farthest: Span | undefined;
    for (; i < sorted.length && sorted[i][0] <= at; i++)
      if (!farthest || sorted[i][1] > farthest[1]) farthest = sorted[i];
    // Spans passed over while looking reach less far than the one chosen, so they are never needed again.
    if (!farthest || (farthest[1] <= at && chain.length > 0)) throw new Error(`certificate: a hole at t = ${at}`);
    chain.push([at, farthest[1], farthest[2], farthest[3], farthest[4]]);
    at = farthest[1];
  }
  return chain;
}
