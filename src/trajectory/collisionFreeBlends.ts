import { type BlendedPath, SHORTEST_BLEND } from './blendedPath.ts';
import { type BlendCaps, improveBlends, setFirstBlends } from './blendSizes.ts';

/** Whether what the motion does at corner i is free. */
export type CornerTest = (i: number) => boolean;

/** Times the size that was free after a halving. */
const GROWTH = 1.5;

/**
 * Sets blends that make the motion fast and are free at every corner: whatever is not free is halved, in the end to a stop, and the others
 * change to suit; until all are free.
 * @param cornerTest called whenever sizes have changed, gives the test of the corners as they are then; stops are not asked about
 * @param mostHalvings after which a corner becomes a stop
 * @returns how often a blend was made smaller
 */
export function setFreeBlends(path: BlendedPath, cornerTest: () => CornerTest, mostHalvings: number): number {
  const { entry, exit, rate } = path;
  const count = rate.length;
  const caps: BlendCaps = { entry: new Float64Array(count).fill(1), exit: new Float64Array(count).fill(1) };
  const halvings = new Uint8Array(count);
  let shrunk = 0;
  setFirstBlends(path, caps);
  for (;;) {
    improveBlends(path, caps);
    const isFree = cornerTest();
    const taken = Array.from(entry, (size, i) => size > 0 && !isFree(i));
    if (!taken.includes(true)) {
      growAgain(path, caps, halvings, cornerTest);
      return shrunk;
    }
    for (let i = 0; i < count; i++) {
      if (!taken[i]) continue;
      shrunk++;
      const kept = ++halvings[i] > mostHalvings || rate[i] * SHORTEST_BLEND >= 1 ? 0 : 0.5;
      caps.entry[i] = entry[i] = kept * entry[i];
      caps.exit[i] = exit[i] = kept * exit[i];
    }
  }
}

/** What was halved may be larger by half again: tries that once, corner by corner. */
function growAgain(path: BlendedPath, caps: BlendCaps, halvings: Uint8Array, cornerTest: () => CornerTest): void {
  const { entry, exit } = path;
  for (let i = 0; i < entry.length; i++) {
    if (halvings[i] === 0 || entry[i] === 0) continue;
    const [oldEntry, oldExit, before] = [entry.slice(), exit.slice(), path.setRates()];
    const [capEntry, capExit] = [caps.entry[i], caps.exit[i]];
    caps.entry[i] = GROWTH * capEntry;
    caps.exit[i] = GROWTH * capExit;
    improveBlends(path, caps);
    const isFree = path.setRates() < before ? cornerTest() : () => false;
    if (entry.every((size, k) => size === 0 || isFree(k))) continue;
    entry.set(oldEntry);
    exit.set(oldExit);
    caps.entry[i] = capEntry;
    caps.exit[i] = capExit;
    path.setRates();
  }
}
