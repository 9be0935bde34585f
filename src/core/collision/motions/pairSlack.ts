/**
 * Distance beyond the padding that pairs must keep, metres, as a function of the time of the motion: of obstacles that
 * may have moved since they were seen, or of a robot that deviates from its motion.
 */
export interface PairSlack {
  /** Returns the distance of a pair at t; does not decrease with t. */
  at(pair: number, t: number): number;
  /** Returns the greatest distance of any pair at t. */
  most(t: number): number;
  /** Greatest increase of any pair, m/s. */
  readonly rate: number;
}
