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
