/** What the harmonic numbers exceed the logarithm by, in the limit. */
const EULER_MASCHERONI = 0.5772156649015329;

/**
 * How many of n points a new one is joined to, so that the shortest way over them comes ever nearer to the shortest way there is:
 * e (1 + 1/d) ln n, rounded up [KaramanFrazzoli11 §3.3]. In place of ln n stands 1 + 1/2 + … + 1/n − γ, which is never below it and
 * at most 1/(2n) above; it needs no logarithm.
 */
export class ConnectionCount {
  private harmonic = 0;
  private upTo = 0;

  constructor(private readonly dof: number) {}

  of(n: number): number {
    if (n < this.upTo) this.harmonic = this.upTo = 0;
    while (this.upTo < n) this.harmonic += 1 / ++this.upTo;
    return Math.max(1, Math.ceil(Math.E * (1 + 1 / this.dof) * (this.harmonic - EULER_MASCHERONI)));
  }
}
