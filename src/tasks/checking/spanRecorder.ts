import type { CertificatePair, Span } from '../../core/certificate/certificate.ts';
import type { CollisionModel } from '../../core/collision/model/collisionModel.ts';
import type { ProofRecorder } from '../../core/collision/motions/pairProver.ts';
import { rotate } from '../../core/math/transform.ts';
import type { Vec3 } from '../../core/math/vec3.ts';

/**
 * Maximum number of spans that are recorded for one certificate, of all pairs and motions: about as many as the largest
 * certificate that `verify` reads. At absurd speeds each motion of each pair would need hundreds of thousands.
 */
export const MAX_SPANS = 2_500_000;

/**
 * Records the separating directions that the prover finds for one motion, and converts them to the form of
 * certificates.
 */
export class SpanRecorder implements ProofRecorder {
  private readonly proofs: [...Span][][];
  private readonly n = new Float64Array(3);
  private spans = 0;

  constructor(
    private readonly model: CollisionModel,
    private readonly maxSpans = MAX_SPANS,
  ) {
    this.proofs = Array.from({ length: model.pairCount }, () => []);
  }

  /** True if the maximum is reached: the motion then cannot be certified. */
  get isFull(): boolean {
    return this.spans >= this.maxSpans;
  }

  /** Records an interval; one that continues the last of its pair with the same plane becomes part of it. */
  record(pair: number, from: number, to: number, nx: number, ny: number, nz: number): void {
    const proofs = this.proofs[pair];
    const last = proofs.at(-1);
    if (last !== undefined && last[1] === from && last[2] === nx && last[3] === ny && last[4] === nz) {
      last[1] = to;
      return;
    }
    this.spans++;
    proofs.push([from, to, nx, ny, nz]);
  }

  /**
   * Returns the proof of one pair that the prover has certified from `start` to `end`. A certificate begins at time 0:
   * before its first point the robot is at rest, so the direction that separates the pair at `start` separates it until
   * then. Times too close to be halved leave a gap at the end, with which no certificate is proved.
   * @param first beginning of the first span: 0, or `start` for a later interval of a program
   */
  pair(pair: number, start: number, end: number, first = 0): CertificatePair {
    const { model } = this;
    const a = model.robotParts[model.pairA[pair]];
    const b = model.partOf(model.pairB[pair]);
    const spans = minimalCover(this.proofs[pair], start, end);
    if (spans.length > 0) spans[0] = [first, spans[0][1], spans[0][2], spans[0][3], spans[0][4]];
    return {
      a: a.name,
      partA: a.part,
      b: b.name,
      partB: b.part,
      spans: spans.map((span) => this.inObjectFrame(pair, span)),
    };
  }

  private inObjectFrame(pair: number, [from, to, nx, ny, nz]: Span): Span {
    normalInObjectFrame(this.n, this.model, pair, nx, ny, nz);
    return [from, to, this.n[0], this.n[1], this.n[2]];
  }
}

/**
 * Rotates a direction from the frame of part B (prover) to that of its object (certificate): world for obstacles, link,
 * attached object.
 */
export function normalInObjectFrame(
  out: Vec3,
  model: CollisionModel,
  pair: number,
  nx: number,
  ny: number,
  nz: number,
): void {
  const b = model.partOf(model.pairB[pair]);
  out.set([nx, ny, nz]);
  rotate(out, 'T_world_part' in b ? b.T_world_part : b.T_object_part, out);
}

/**
 * Returns the fewest spans that cover [start, end] without gaps: greedily, of those that begin in time, the one that
 * ends last. The last ends before `end` if intervals had no middle: times that differ by the smallest numbers only.
 */
function minimalCover(spans: readonly Span[], start: number, end: number): Span[] {
  const sorted = spans.toSorted((one, other) => one[0] - other[0]);
  const chain: Span[] = [];
  let at = start;
  for (let i = 0; at < end || chain.length === 0; ) {
    let farthest: Span | undefined;
    for (; i < sorted.length && sorted[i][0] <= at; i++)
      if (!farthest || sorted[i][1] > farthest[1]) farthest = sorted[i];
    // Spans that were skipped end before the one chosen, so they are not needed again.
    if (!farthest || (farthest[1] <= at && chain.length > 0)) return chain;
    chain.push([at, farthest[1], farthest[2], farthest[3], farthest[4]]);
    at = farthest[1];
  }
  return chain;
}
