import type { Cell } from '../../../core/cartesian/moves/moveSet.ts';
import type { CellPair, CertifiedCell } from '../../../core/certificate/moves/moveCertificate.ts';
import type { CollisionModel } from '../../../core/collision/model/collisionModel.ts';
import { normalInObjectFrame } from '../spanRecorder.ts';

/** Records the cells in which pairs of one world are proved, and the directions that separate them. */
export class CellRecords {
  private readonly cells: CertifiedCell[][];
  private readonly n = new Float64Array(3);
  private isComplete = true;

  constructor(private readonly model: CollisionModel) {
    this.cells = Array.from({ length: model.pairCount }, () => []);
  }

  /** Records a cell of a part of the program; without a normal, there is no certificate. */
  add(part: number, { at, half }: Cell, pair: number, normal: ArrayLike<number> | undefined): void {
    if (normal === undefined) this.isComplete = false;
    else {
      normalInObjectFrame(this.n, this.model, pair, normal[0], normal[1], normal[2]);
      this.cells[pair].push([part, ...at, ...half, ...this.n]);
    }
  }

  /** Returns the pairs with their cells, as a segment of a certificate; undefined if no plane separates a pair. */
  segment(): { readonly pairs: CellPair[] } | undefined {
    const { model } = this;
    if (!this.isComplete) return undefined;
    const pairs = model.certifiedPairs().map((pair) => {
      const a = model.robotParts[model.pairA[pair]];
      const b = model.partOf(model.pairB[pair]);
      return { a: a.name, partA: a.part, b: b.name, partB: b.part, cells: this.cells[pair] };
    });
    return { pairs };
  }
}
