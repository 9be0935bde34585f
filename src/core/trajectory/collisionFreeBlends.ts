import type { Interrupt } from '../math/interrupt.ts';
import { type BlendedPath, MIN_BLEND_DURATION } from './blendedPath.ts';
import { type BlendCaps, improveBlends, setInitialBlends } from './blendSizes.ts';

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
