/** Limit of Hₙ − ln n. */
const EULER_MASCHERONI = 0.5772156649015329;

/**
 * Number of nearest neighbors k(n) = ⌈e (1 + 1/d) ln n⌉ that makes a roadmap asymptotically optimal [KaramanFrazzoli11
 * §3.3]. ln n is replaced by Hₙ − γ = 1 + 1/2 + … + 1/n − γ, which exceeds it by at most 1/(2n) and needs no logarithm.
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
