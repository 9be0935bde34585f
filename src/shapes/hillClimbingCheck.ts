import type { Polytope } from './shape.ts';

/**
 * Maximum deviation of hill climbing from the true support value when the edges are checked at construction, relative
 * to size; beyond it the edges are not used.
 */
const HILL_CLIMBING_TOLERANCE = 1e-11;

/**
 * Follows climbs, each only to a vertex that an earlier climb along the same direction visited: together they visit
 * each vertex once per direction.
 */
export class HillClimbingCheck {
  private readonly size: number;
  private readonly visitedRound: Int32Array;
  private round = 0;
  private direction: ArrayLike<number> = [0, 0, 1];
  private top = 0;

  constructor(private readonly polytope: Polytope) {
    const { vertices } = polytope;
    let size = 0;
    for (let k = 3; k < vertices.length; k++) size = Math.max(size, Math.abs(vertices[k] - vertices[k % 3]));
    this.size = size;
    this.visitedRound = new Int32Array(vertices.length / 3);
  }

  /**
   * Sets the direction of the next climbs.
   * @param top offset of the support vertex along the direction
   */
  setDirection(direction: ArrayLike<number>, top: number): void {
    this.direction = direction;
    this.top = top;
    this.round++;
  }

  /**
   * Returns true if `hillClimb` from that vertex reaches the support value. After a false the check has failed and must
   * not be continued.
   */
  reachesSupportFrom(start: number): boolean {
    const { visitedRound, round, polytope, direction } = this;
    for (let at = start; ; ) {
      if (visitedRound[at / 3] === round) return true;
      visitedRound[at / 3] = round;
      const next = bestNeighbor(polytope, direction, at);
      if (next === at) return this.isSupport(at);
      at = next;
    }
  }

  private isSupport(end: number): boolean {
    const { polytope, direction, top, size } = this;
    const { vertices } = polytope;
    const shortfall =
      (vertices[top] - vertices[end]) * direction[0] +
      (vertices[top + 1] - vertices[end + 1]) * direction[1] +
      (vertices[top + 2] - vertices[end + 2]) * direction[2];
    return shortfall <= HILL_CLIMBING_TOLERANCE * size;
  }
}

/** Returns the neighbor of a vertex that is farthest along d, or the vertex itself if none is farther. */
function bestNeighbor({ vertices, neighborStart, neighbors }: Polytope, d: ArrayLike<number>, at: number): number {
  const x = d[0],
    y = d[1],
    z = d[2];
  let best = at;
  let maxHeight = vertices[at] * x + vertices[at + 1] * y + vertices[at + 2] * z;
  for (let i = neighborStart[at]; i < neighborStart[at + 1]; i++) {
    const k = neighbors[i];
    const along = vertices[k] * x + vertices[k + 1] * y + vertices[k + 2] * z;
    if (along > maxHeight) {
      maxHeight = along;
      best = k;
    }
  }
  return best;
}
