import type { PeerRow } from './peerTable.ts';
import type { planarRows } from './planar.ts';
import type { booleanRows, growthRows } from './targets.ts';

/** Rows from which the table of targets is computed; empty for sections that were not run. */
export interface Measured {
  boolean: Awaited<ReturnType<typeof booleanRows>>;
  growth: Awaited<ReturnType<typeof growthRows>>;
  planar: ReturnType<typeof planarRows>;
  peers: PeerRow[];
}
