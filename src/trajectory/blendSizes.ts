import { type BlendedPath, SHORTEST_BLEND } from './blendedPath.ts';

/** Sizes are tried larger and smaller by these factors, from bold to careful. */
const FACTORS = [4, 2, 1.3, 1.07, 1 / 1.07, 1 / 1.3, 1 / 2, 1 / 4];
/** Relative: what a change must save to be made. */
const WORTHWHILE = 1e-5;
/** Rounds over all corners, each with every factor; and how many segments may be looked at altogether, for paths of hundreds of corners. */
const MOST_ROUNDS = 40;
const MOST_LOOKS = 4e6;
/** The least share of itself that a blend is pushed back to at once. */
const LEAST_PUSHED = 0.02;

/** What corners may take of the segments on either side, at most; a corner that may take nothing is a stop. */
export interface BlendCaps {
  readonly entry: Float64Array;
  readonly exit: Float64Array;
}

/**
 * Blends to begin with: as long in time before the corner as after, long enough to be passed at full speed, or what leaves each segment to
 * its two corners in equal parts.
 */
export function setFirstBlends(path: BlendedPath, caps: BlendCaps): void {
  const { entry, exit, segments } = path;
  for (let i = 0; i < segments - 1; i++) {
    const [before, after] = [typicalSpeed(path, i), typicalSpeed(path, i + 1)];
    const roomBefore = i === 0 ? room(path, i) : room(path, i) / 2;
    const roomAfter = i + 1 === segments - 1 ? room(path, i + 1) : room(path, i + 1) / 2;
    const time = Math.min(path.turningTime(i, before, after) / 2, roomBefore / before, roomAfter / after);
    entry[i] = Math.min(caps.entry[i], time * before);
    exit[i] = Math.min(caps.exit[i], time * after);
  }
}

/**
 * Changes the sizes of the blends, one corner after the other, while that makes the motion faster: larger and smaller, and longer on one side
 * than on the other (then the corner is where it speeds up or slows down). A blend that grows pushes its neighbours back.
 */
export function improveBlends(path: BlendedPath, caps: BlendCaps): void {
  const count = path.segments - 1;
  let best = path.setRates();
  let looks = 0;
  for (let round = 0; round < MOST_ROUNDS && looks < MOST_LOOKS; round++) {
    const before = best;
    for (let i = 0; i < count; i++) {
      if (path.entry[i] === 0) continue;
      for (const factor of FACTORS) {
        for (const [onEntry, onExit] of [
          [factor, factor],
          [factor, 1],
          [1, factor],
        ]) {
          best = tryBlend(path, caps, i, onEntry, onExit, best);
          looks += count;
        }
      }
    }
    if (best > before * (1 - 10 * WORTHWHILE)) break;
  }
  path.setRates();
}

/** Corner i with its size changed, where that is faster: returns the better duration. */
function tryBlend(
  path: BlendedPath,
  caps: BlendCaps,
  i: number,
  onEntry: number,
  onExit: number,
  best: number,
): number {
  const { entry, exit } = path;
  const [from, to] = [Math.max(0, i - 1), Math.min(entry.length - 1, i + 1)];
  const oldEntry = entry.slice(from, to + 1);
  const oldExit = exit.slice(from, to + 1);
  entry[i] = Math.min(entry[i] * onEntry, caps.entry[i], room(path, i));
  exit[i] = Math.min(exit[i] * onExit, caps.exit[i], room(path, i + 1));
  const fits =
    (i === 0 || pushBack(path, i - 1, (room(path, i) - entry[i]) / exit[i - 1])) &&
    (i === entry.length - 1 || pushBack(path, i + 1, (room(path, i + 1) - exit[i]) / entry[i + 1]));
  const duration = fits ? path.setRates() : Number.POSITIVE_INFINITY;
  if (duration < best * (1 - WORTHWHILE)) return duration;
  entry.set(oldEntry, from);
  exit.set(oldExit, from);
  return best;
}

/** Makes a neighbour smaller where less is left for it, if it is not all but gone then. */
function pushBack({ entry, exit }: BlendedPath, i: number, factor: number): boolean {
  if (entry[i] === 0 || factor >= 1) return true;
  if (!(factor >= LEAST_PUSHED)) return false;
  entry[i] *= factor;
  exit[i] *= factor;
  return true;
}

/** What corners may take of segment i altogether: the rest is straight, and not so short that its time is a few nanoseconds. */
function room({ speed }: BlendedPath, i: number): number {
  return 1 - Math.min(0.5, speed[i] * SHORTEST_BLEND);
}

/** The rate of the share of segment i that speeding up all along it comes to, or the greatest. */
function typicalSpeed({ speed, acceleration }: BlendedPath, i: number): number {
  return Math.min(speed[i], Math.sqrt(2 * acceleration[i]));
}
