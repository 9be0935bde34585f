import type { Configuration } from '../math/configuration.ts';
import { doubled } from './growArrays.ts';
import { shortestDifference } from './metric.ts';
import { NearestNeighbors } from './nearestNeighbors.ts';
import type { JointSpace } from './planner.ts';

/**
 * Result of an extension towards a target: the target was added, a state nearer to it was added, or the edge is
 * invalid.
 */
export type Extension = 'reached' | 'advanced' | 'trapped';

/** Tree of states and edges with EXTEND and CONNECT of the RRT family [KuffnerLaValle00 fig. 2, 5]. */
export class Tree {
  private readonly nodes: NearestNeighbors;
  private parents = new Int32Array(64);
  private readonly steer: Steer;
  private readonly qNear: Configuration;
  private readonly qNew: Configuration;
  /** Copies that `at` returned, by node. */
  private readonly copies = new Map<number, Configuration>();
  /** Index of the node added last. */
  newest = -1;

  /**
   * @param isEdgeValid checks an edge before it is added
   * @param stepSize longest edge, in the metric of the space
   */
  constructor(
    private readonly space: JointSpace,
    private readonly isEdgeValid: (qFrom: Configuration, qTo: Configuration) => boolean,
    stepSize: number,
    private readonly roots: readonly Configuration[],
  ) {
    this.nodes = new NearestNeighbors(space);
    this.steer = new Steer(space, stepSize);
    this.qNear = new Float64Array(space.dof);
    this.qNew = new Float64Array(space.dof);
    for (const root of roots) this.add(root, -1);
  }

  get size(): number {
    return this.nodes.count;
  }

  /** Number of nodes without the roots. */
  get grown(): number {
    return this.size - this.roots.length;
  }

  /** Adds a node below `parent`; returns its index. */
  add(q: Configuration, parent: number): number {
    this.newest = this.nodes.add(q);
    if (this.newest >= this.parents.length) this.parents = doubled(this.parents);
    this.parents[this.newest] = parent;
    return this.newest;
  }

  /** Copies node i to `out`. */
  read(out: Configuration, i: number): void {
    this.nodes.read(out, i);
  }

  /** EXTEND: one step from the nearest node towards q. */
  extend(q: Configuration): Extension {
    return this.step(this.nodes.nearest(q), q);
  }

  /** CONNECT: extends towards q until it is reached or an edge is invalid. */
  connect(q: Configuration): Extension {
    const extension = this.extend(q);
    return extension === 'advanced' ? this.connectNewest(q) : extension;
  }

  /** CONNECT from the newest node. */
  connectNewest(q: Configuration): Extension {
    let extension = this.step(this.newest, q);
    while (extension === 'advanced') extension = this.step(this.newest, q);
    return extension;
  }

  private step(from: number, q: Configuration): Extension {
    const { qNear, qNew } = this;
    this.read(qNear, from);
    const steering = this.steer.step(qNew, qNear, q);
    if (steering === 'failed' || !this.isEdgeValid(qNear, qNew)) return 'trapped';
    this.add(qNew, from);
    return steering;
  }

  /** Indices of the nodes from the newest up to its root. */
  newestToRoot(): number[] {
    const nodes: number[] = [];
    for (let i = this.newest; i >= 0; i = this.parents[i]) nodes.push(i);
    return nodes;
  }

  /** Returns a copy of node i, the same one at each call. */
  at(i: number): Configuration {
    const known = this.copies.get(i);
    if (known) return known;
    const q = new Float64Array(this.space.dof);
    this.read(q, i);
    this.copies.set(i, q);
    return q;
  }

  /** Removes a node and its descendants, because the edge to it is invalid. */
  prune(node: number): void {
    const isPruned = new Set([node]);
    this.nodes.remove(node);
    for (let i = node + 1; i < this.size; i++) {
      if (!isPruned.has(this.parents[i])) continue; // parents have smaller indices
      isPruned.add(i);
      this.nodes.remove(i);
    }
  }
}

/** Result of a step towards a target: it is the target, a state nearer to it, or there is none. */
export type Steering = 'reached' | 'advanced' | 'failed';

/** Share of the step by which a projected step must approach its target. */
const MIN_PROGRESS = 0.1;

/**
 * STEER of the RRT family: a step of at most `stepSize` towards a target. With path constraints the step is taken in
 * the tangent space of thin ones [Jaillet13], and projected onto all of them [Berenson09]. One per planner.
 */
export class Steer {
  private readonly direction: Float64Array;

  constructor(
    private readonly space: JointSpace,
    private readonly stepSize: number,
  ) {
    this.direction = new Float64Array(space.dof);
  }

  /** Writes the state after the step into `out`. */
  step(out: Configuration, qFrom: Configuration, qTarget: Configuration): Steering {
    const { space, stepSize } = this;
    const distance = space.distance(qFrom, qTarget);
    const reaches = distance <= stepSize;
    space.interpolate(out, qFrom, qTarget, reaches ? 1 : stepSize / distance);
    if (reaches) return 'reached';
    if (space.constraints && !this.isProjected(out, qFrom, qTarget, distance)) return 'failed';
    return 'advanced';
  }

  /** Projects the step onto the constraints; returns false if that fails or does not approach the target. */
  private isProjected(out: Configuration, qFrom: Configuration, qTarget: Configuration, distance: number): boolean {
    const { space, stepSize, direction } = this;
    const { halfTurns } = space;
    for (let j = 0; j < space.dof; j++)
      direction[j] = halfTurns ? shortestDifference(qFrom[j], out[j], halfTurns[j]) : out[j] - qFrom[j];
    space.constraints!.makeTangent(direction, qFrom);
    for (let j = 0; j < space.dof; j++) out[j] = qFrom[j] + direction[j];
    if (!space.constraints!.project(out)) return false;
    const moved = space.distance(qFrom, out);
    return moved <= 2 * stepSize && space.distance(out, qTarget) <= distance - MIN_PROGRESS * stepSize;
  }
}
