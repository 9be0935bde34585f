import { Certifier } from './certify.ts';
import { CHUNK, drawChunk } from './draw.ts';

export interface CertifyOptions {
  readonly seed: number;
  /** At least this many pairs, in whole chunks. */
  readonly pairs: number;
  /** Chunk to begin with: parts of a long run can be done apart. */
  readonly first: number;
  /** Milliseconds; without one nothing is timed. */
  readonly clock?: () => number;
  readonly onChunk?: (certifier: Certifier) => void;
}

/** Draws pairs and has every solver's answers proved. */
export function certifyPairs({ seed, pairs, first, clock, onChunk }: CertifyOptions): Certifier {
  const certifier = new Certifier(clock);
  for (let chunk = first; chunk < first + Math.ceil(pairs / CHUNK); chunk++) {
    for (const pair of drawChunk(seed, chunk)) certifier.certify(pair);
    onChunk?.(certifier);
  }
  return certifier;
}
