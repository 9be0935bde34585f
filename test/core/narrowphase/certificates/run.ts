import { Certifier } from './certify.ts';
import { CHUNK, drawChunk } from './draw.ts';

export interface CertifyOptions {
  readonly seed: number;
  /** At least this many pairs, in whole chunks. */
  readonly pairs: number;
  /** First chunk: a long run can be split. */
  readonly first: number;
  /** Also the baselines of the papers, or those that are quick. */
  readonly baselines?: 'none' | 'quick' | 'all';
  /** Returns milliseconds; without a clock no times are measured. */
  readonly clock?: () => number;
  readonly onChunk?: (certifier: Certifier) => void;
}

/** Generates pairs and proves the results of every solver. */
export function certifyPairs({ seed, pairs, first, baselines = 'none', clock, onChunk }: CertifyOptions): Certifier {
  const certifier = new Certifier(clock, baselines);
  for (let chunk = first; chunk < first + Math.ceil(pairs / CHUNK); chunk++) {
    for (const pair of drawChunk(seed, chunk)) certifier.certify(pair);
    onChunk?.(certifier);
  }
  return certifier;
}
