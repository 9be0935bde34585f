/** One table of a bench; the runner prints it. */
export interface Table {
  readonly title: string;
  readonly rows: readonly Readonly<Record<string, string | number>>[];
  readonly notes?: readonly string[];
  /** What the page shows of the rows; without it, all. */
  readonly inDocs?: (rows: Table['rows']) => Table['rows'];
  /** Figures of the page, which `--docs` writes. */
  readonly figures?: readonly { readonly file: string; readonly svg: string }[];
}

/**
 * Nanoseconds per call, least and median over rounds; `calls` says how many one round makes. The first rounds warm up
 * and do not count.
 */
export function nanosecondsPerCall(calls: number, round: () => void, rounds = 21): { least: number; median: number } {
  const times: number[] = [];
  for (let i = 0; i < rounds + 5; i++) {
    const before = process.hrtime.bigint();
    round();
    const elapsed = Number(process.hrtime.bigint() - before);
    if (i >= 5) times.push(elapsed / calls);
  }
  return { least: Math.min(...times), median: quantile(times, 0.5) };
}

/** The middle value; of an even count, the mean of the two middle values. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return 0.5 * (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]);
}

/** The value that a share p of the numbers does not exceed; for p = 0.5 the lower one of two middle values. */
export function quantile(numbers: readonly number[], p: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(p * sorted.length) - 1))];
}
