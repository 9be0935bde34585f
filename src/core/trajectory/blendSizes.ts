import { type Interrupt, never } from '../math/interrupt.ts';
import { type BlendedPath, MIN_BLEND_DURATION } from './blendedPath.ts';

/** Factors by which blend sizes are changed, in the order they are tried. */
const FACTORS = [4, 2, 1.3, 1.07, 1 / 1.07, 1 / 1.3, 1 / 2, 1 / 4];
/** Relative: a change is accepted only if it shortens the motion by at least this. */
const MIN_IMPROVEMENT = 1e-5;
/**
 * Maximum number of rounds over all corners, each with every factor; and of segments evaluated in total, which limits
 * the run time on paths of hundreds of corners.
 */
const MAX_ROUNDS = 40;
const MAX_EVALUATIONS = 4e6;
/** A blend is reduced to make space for its neighbor by at most this factor in one step. */
const MIN_REDUCTION = 0.02;

/**
 * Upper bounds on the size of each blend, as fractions of the segments before and after its corner; 0: the motion stops
 * at the corner.
 */
interface BlendCaps {
  readonly entry: Float64Array;
  readonly exit: Float64Array;
}

/**
 * Sets initial blends: equally long in time before and after the corner, and as long as a blend at full speed takes; at
 * most so large that the two blends of a segment get equal parts of it.
 */
export function setInitialBlends(path: BlendedPath, caps: BlendCaps): void {
  const { entry, exit, segments } = path;
  for (let i = 0; i < segments - 1; i++) {
    const [before, after] = [typicalSpeed(path, i), typicalSpeed(path, i + 1)];
    const fractionBefore = i === 0 ? availableFraction(path, i) : availableFraction(path, i) / 2;
    const fractionAfter = i + 1 === segments - 1 ? availableFraction(path, i + 1) : availableFraction(path, i + 1) / 2;
    const time = Math.min(path.blendDuration(i, before, after) / 2, fractionBefore / before, fractionAfter / after);
    entry[i] = Math.min(caps.entry[i], time * before);
    exit[i] = Math.min(caps.exit[i], time * after);
  }
}

/**
 * Improves the blend sizes by coordinate descent on the duration of the motion, corner by corner: enlarges or reduces
 * both sides or one side (then the speed changes along the blend). Neighboring blends are reduced where a blend needs
 * their space.
 * @param interrupt ends the improvement; the sizes are then those found so far
 */
export function improveBlends(path: BlendedPath, caps: BlendCaps, interrupt: Interrupt = never): void {
  const count = path.segments - 1;
  let best = path.setRates();
  let evaluations = 0;
  for (let round = 0; round < MAX_ROUNDS && evaluations < MAX_EVALUATIONS && !interrupt(); round++) {
    const before = best;
    for (let i = 0; i < count && !interrupt(); i++) {
      if (path.entry[i] === 0) continue;
      for (const factor of FACTORS) {
        best = tryBlend(path, caps, i, factor, factor, best);
        best = tryBlend(path, caps, i, factor, 1, best);
        best = tryBlend(path, caps, i, 1, factor, best);
        evaluations += 3 * count;
      }
    }
    if (best > before * (1 - 10 * MIN_IMPROVEMENT)) break;
  }
  path.setRates();
}

/**
 * Changes the size of blend i if that shortens the motion; returns the duration, which is `best` if the change was
 * rejected.
 */
function tryBlend(
  path: BlendedPath,
  caps: BlendCaps,
  i: number,
  entryFactor: number,
  exitFactor: number,
  best: number,
): number {
  const { entry, exit } = path;
  const last = entry.length - 1;
  const from = Math.max(0, i - 1);
  const to = Math.min(last, i + 1);
  const oldEntry = entry[i];
  const entryBefore = entry[from];
  const entryAfter = entry[to];
  const oldExit = exit[i];
  const exitBefore = exit[from];
  const exitAfter = exit[to];
  const before = availableFraction(path, i);
  const after = availableFraction(path, i + 1);
  entry[i] = Math.min(oldEntry * entryFactor, caps.entry[i], before);
  exit[i] = Math.min(oldExit * exitFactor, caps.exit[i], after);
  const fits =
    (i === 0 || reduceBlend(path, i - 1, (before - entry[i]) / exit[i - 1])) &&
    (i === last || reduceBlend(path, i + 1, (after - exit[i]) / entry[i + 1]));
  const isSame =
    entry[i] === oldEntry &&
    exit[i] === oldExit &&
    entry[from] === entryBefore &&
    exit[from] === exitBefore &&
    entry[to] === entryAfter &&
    exit[to] === exitAfter;
  if (fits && !isSame) {
    path.storeRates();
    const duration = path.updateRates(from, to);
    if (duration < best * (1 - MIN_IMPROVEMENT)) return duration;
    path.restoreRates();
  }
  entry[from] = entryBefore;
  exit[from] = exitBefore;
  entry[to] = entryAfter;
  exit[to] = exitAfter;
  entry[i] = oldEntry;
  exit[i] = oldExit;
  return best;
}

/**
 * Reduces blend i by a factor; returns false, without a change, if it would become smaller than MIN_REDUCTION of its
 * size.
 */
function reduceBlend({ entry, exit }: BlendedPath, i: number, factor: number): boolean {
  if (entry[i] === 0 || factor >= 1) return true;
  if (!(factor >= MIN_REDUCTION)) return false;
  entry[i] *= factor;
  exit[i] *= factor;
  return true;
}

/**
 * Returns the fraction of segment i that blends may use together; the rest is straight, and long enough not to round to
 * a few nanoseconds.
 */
function availableFraction({ speed }: BlendedPath, i: number): number {
  return 1 - Math.min(0.5, speed[i] * MIN_BLEND_DURATION);
}

/**
 * Returns the speed (fraction of segment i per second) reached by accelerating over the whole segment, limited by its
 * maximum speed.
 */
function typicalSpeed({ speed, acceleration }: BlendedPath, i: number): number {
  return Math.min(speed[i], Math.sqrt(2 * acceleration[i]));
}

/** Returns true if the motion at corner i is certified. */
export type CornerTest = (i: number) => boolean;

/** Factor by which a blend that was halved is enlarged again, if it stays certified. */
const GROWTH = 1.5;

/**
 * Sets blends that make the motion fast and are certified at every corner. Blends that are not are halved, finally to a
 * stop, and the others are adapted, until all are certified.
 * @param cornerTest called after sizes changed; returns the test of the current blends, which is not called for stops
 * @param maxHalvings number of halvings after which the motion stops at a corner
 * @param interrupt ends the computation before the blends are certified; the motion then stops at every corner
 * @returns the number of times that a blend was reduced
 */
export function setCertifiedBlends(
  path: BlendedPath,
  cornerTest: () => CornerTest,
  maxHalvings: number,
  interrupt: Interrupt,
): number {
  const { entry, exit, rate } = path;
  const count = rate.length;
  const caps: BlendCaps = { entry: new Float64Array(count).fill(1), exit: new Float64Array(count).fill(1) };
  const halvings = new Uint8Array(count);
  let shrunk = 0;
  setInitialBlends(path, caps);
  for (;;) {
    improveBlends(path, caps, interrupt);
    const isFree = cornerTest();
    const isRejected = Array.from(entry, (size, i) => size > 0 && !isFree(i));
    if (!isRejected.includes(true)) {
      enlargeBlends(path, caps, halvings, cornerTest, interrupt);
      return shrunk;
    }
    if (interrupt()) {
      entry.fill(0);
      exit.fill(0);
      return shrunk;
    }
    for (let i = 0; i < count; i++) {
      if (!isRejected[i]) continue;
      shrunk++;
      const factor = ++halvings[i] > maxHalvings || rate[i] * MIN_BLEND_DURATION >= 1 ? 0 : 0.5;
      caps.entry[i] = entry[i] = factor * entry[i];
      caps.exit[i] = exit[i] = factor * exit[i];
    }
  }
}

/**
 * Tries once for each halved blend to enlarge its upper bound by GROWTH; keeps the result if it is faster and
 * certified.
 */
function enlargeBlends(
  path: BlendedPath,
  caps: BlendCaps,
  halvings: Uint8Array,
  cornerTest: () => CornerTest,
  interrupt: Interrupt,
): void {
  const { entry, exit } = path;
  for (let i = 0; i < entry.length; i++) {
    if (halvings[i] === 0 || entry[i] === 0) continue;
    if (interrupt()) return;
    const [oldEntry, oldExit, before] = [entry.slice(), exit.slice(), path.setRates()];
    const [capEntry, capExit] = [caps.entry[i], caps.exit[i]];
    caps.entry[i] = GROWTH * capEntry;
    caps.exit[i] = GROWTH * capExit;
    improveBlends(path, caps, interrupt);
    const isFree = path.setRates() < before ? cornerTest() : () => false;
    if (entry.every((size, k) => size === 0 || isFree(k))) continue;
    entry.set(oldEntry);
    exit.set(oldExit);
    caps.entry[i] = capEntry;
    caps.exit[i] = capExit;
    path.setRates();
  }
}
