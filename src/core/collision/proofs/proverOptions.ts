/** Where only the boxes of pairs are checked. */
export const boxLimits = {
  /**
   * Number of open pairs of an interval from which only their boxes are checked: pairs that the boxes separate at the
   * middle, but not throughout, stay open for its halves, in which most are out of reach. Among 10,000 boxes,
   * distances of such pairs took nearly all of the time of a proof.
   */
  from: 1024,
  /**
   * Only in intervals longer than this (L2 in joint space; rad and m), over which few distances prove anything. In
   * shorter ones they may be needed: where a plane separates a pair for long, but at the ends of the bisection its
   * parts are nearest along another direction, the pair would stay unresolved.
   */
  length: 0.2,
};

/** Default limits of the bisection. */
export const proverDefaults = {
  /**
   * Intervals shorter than this in joint space (L2; rad and m) are not bisected: a pair that is open there is
   * unresolved.
   */
  resolution: 0.002,
  /** Maximum number of intervals of one motion; a motion that needs more is unresolved. */
  intervals: 20_000,
};

/** Options of a `MotionProver`: its limits, `proverDefaults` by default. */
export type ProverOptions = Readonly<typeof proverDefaults> & {
  /** Number of open pairs from which on only the boxes of long intervals are checked; default 1024. */
  readonly boxesOnlyFrom?: number;
  /** False: self-collision pairs are proved without `SelfPairTables`. */
  readonly usesTables?: boolean;
};

/** Returns true if both are the same options with the same values. */
export function areEqualOptions(a: ProverOptions, b: ProverOptions): boolean {
  const names = Object.keys({ ...a, ...b }) as (keyof ProverOptions)[];
  return names.every((name) => Object.is(a[name], b[name]));
}
