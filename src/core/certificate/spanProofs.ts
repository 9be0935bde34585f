import type { Interrupt } from '../math/interrupt.ts';
import type { Span } from './certificate.ts';
import type { CertifiedPart } from './convexParts.ts';
import type { PlaneProver } from './planeProver.ts';

/** Two parts, and the planes that separate them. */
export interface SeparatedPair {
  readonly a: CertifiedPart;
  readonly b: CertifiedPart;
  readonly spans: readonly Span[];
}

/** The part of a span within a window of time. */
export interface SpanPart<T extends SeparatedPair> {
  readonly pair: T;
  readonly span: Span;
  readonly from: number;
  readonly to: number;
}

/**
 * Pieces of a motion in one window. The poses of all of them, with those of their bisections, fit into the cache of the
 * prover: pair by pair over the whole motion, each pose of a long motion would be computed anew for each pair.
 */
const WINDOW = 256;

/**
 * Visits every span of all pairs, window by window of the motion, within a window pair by pair; spans that reach into
 * several windows are cut there. Sets each pair in the prover.
 * @param isDone pairs whose later spans are left out
 */
export function* spanParts<T extends SeparatedPair>(
  prover: PlaneProver,
  pairs: readonly T[],
  isDone: (pair: T) => boolean = () => false,
): Generator<SpanPart<T>> {
  const { pieces } = prover;
  const sorted = pairs.map(({ spans }) => spans.toSorted((one, other) => one[0] - other[0]));
  const next = new Int32Array(pairs.length); // the first span of each pair that reaches beyond the windows so far
  for (let first = 0; first < pieces.length; first += WINDOW) {
    const begin = first === 0 ? Number.NEGATIVE_INFINITY : pieces[first].start;
    const end = first + WINDOW < pieces.length ? pieces[first + WINDOW].start : Number.POSITIVE_INFINITY;
    for (const [k, pair] of pairs.entries()) {
      const spans = sorted[k];
      if (next[k] === spans.length || isDone(pair)) continue;
      prover.setPair(pair.a, pair.b);
      for (let i = next[k]; i < spans.length && spans[i][0] <= end && !isDone(pair); i++) {
        const span = spans[i];
        const [from, to] = [Math.max(begin, span[0]), Math.min(end, span[1])];
        if (to > from || (span[1] === span[0] && from === to)) yield { pair, span, from, to };
      }
      while (next[k] < spans.length && spans[next[k]][1] <= end) next[k]++;
    }
  }
}

/** Where a plane is not proved: its span, and a time at which the proof fails, with a lower bound on the gap there. */
export interface SpanFailure {
  readonly span: Span;
  readonly time: number;
  readonly gap: number;
}

/**
 * Proves that each span separates its pair; returns the first failure of each pair that is not proved.
 * @param interrupt ends the proof: undefined
 * @param most failures after which the other pairs are not proved any more
 */
export function spanFailures<T extends SeparatedPair>(
  prover: PlaneProver,
  pairs: readonly T[],
  interrupt: Interrupt,
  most = Number.POSITIVE_INFINITY,
): Map<T, SpanFailure> | undefined {
  const failures = new Map<T, SpanFailure>();
  const isDone = (pair: T) => failures.has(pair) || failures.size >= most;
  let current: T | undefined;
  for (const { pair, span, from, to } of spanParts(prover, pairs, isDone)) {
    if (pair !== current && interrupt()) return undefined;
    current = pair;
    const [, , ...n] = span;
    if (!prover.provesSpan(from, to, Float64Array.from(n)))
      failures.set(pair, { span, time: prover.time, gap: prover.gap });
  }
  return interrupt() ? undefined : failures;
}
