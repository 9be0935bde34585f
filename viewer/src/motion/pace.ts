/** Period of the texts beside a replay, ms: faster ones cannot be read, and cost a layout in each frame. */
const PERIOD = 100;

/** Decides in which frames of a replay texts are updated. */
export class Pace {
  private last = Number.NEGATIVE_INFINITY;

  /** Returns true if the last update is a period ago, or if nothing is played. */
  isDue(isPlaying: boolean): boolean {
    const now = performance.now();
    if (isPlaying && now - this.last < PERIOD) return false;
    this.last = now;
    return true;
  }
}
