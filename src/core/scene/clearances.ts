/** Least distance of two links or objects. */
export interface PairClearance {
  /** Name of a link or object. */
  readonly a: string;
  /** Name of the other one. */
  readonly b: string;
  /** Metres; if the padding of the scene is larger, that is required. */
  readonly distance: number;
}

/** Distances that the pairs of a scene must be apart. */
export interface RequiredDistances {
  /** Of every pair, metres. */
  readonly padding: number;
  /** Of single pairs. */
  readonly clearances?: readonly PairClearance[];
}

/** Name of a clearance in results. */
export const clearanceLabel = ({ a, b }: PairClearance) => `clearance:${a}:${b}`;

/** Returns the distance that a pair must be apart, metres: the largest clearance that names it, or the padding. */
export function requiredDistance({ clearances = [], padding }: RequiredDistances, one: string, other: string): number {
  const own = clearances.filter((clearance) => isSamePair(clearance, { a: one, b: other }));
  return Math.max(0, padding, ...own.map(({ distance }) => distance));
}

type Pair = Pick<PairClearance, 'a' | 'b'>;

/** Returns true if two clearances are of the same pair, in either order. */
export const isSamePair = (one: Pair, other: Pair) =>
  (one.a === other.a && one.b === other.b) || (one.a === other.b && one.b === other.a);
