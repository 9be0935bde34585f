import type { Configuration } from '../math/configuration.ts';
import { doubled } from './growing.ts';
import { NearestNeighbors } from './nearestNeighbors.ts';
import type { JointSpace } from './planner.ts';

/** What came of growing a tree towards a target: it got there, it came nearer, or it hit something. */
export type Extension = 'reached' | 'advanced' | 'trapped';

/** A tree of valid configurations joined by motions; `extend` and `connect` of the RRT family [KuffnerLaValle00 fig. 2, 5]. */
export class Tree {
  private readonly nodes: NearestNeighbors;
  private parents = new Int32Array(64);
  private readonly qNear: Configuration;
  private readonly qNew: Configuration;
  /** Index of the node added last. */
  newest = -1;

  /**
   * @param isFree judges the motions that the tree is made of
   * @param stepSize longest motion added at once, in the metric of the space
   */
  constructor(
    private readonly space: JointSpace,
    private readonly isFree: (qFrom: Configuration, qTo: Configuration) => boolean,
    private readonly stepSize: number,
    private readonly roots: readonly Configuration[],
  ) {
    this.nodes = new NearestNeighbors(space);
    this.qNear = new Float64Array(space.dof);
    this.qNew = new Float64Array(space.dof);
    for (const root of roots) this.add(root, -1);
  }

  get size(): number {
    return this.nodes.count;
  }

  /** Nodes besides the roots. */
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

  /** CONNECT: step after step towards q, until it is reached or something is in the way. */
  connect(q: Configuration): Extension {
    const extension = this.extend(q);
    return extension === 'advanced' ? this.connectNewest(q) : extension;
  }

  /** CONNECT from the node added last. */
  connectNewest(q: Configuration): Extension {
    let extension = this.step(this.newest, q);
    while (extension === 'advanced') extension = this.step(this.newest, q);
    return extension;
  }

  private step(from: number, q: Configuration): Extension {
    const { space, stepSize, qNear, qNew } = this;
    this.read(qNear, from);
    const distance = space.distance(qNear, q);
    const reaches = distance <= stepSize;
    space.interpolate(qNew, qNear, q, reaches ? 1 : stepSize / distance);
    if (!this.isFree(qNear, qNew)) return 'trapped';
    this.add(qNew, from);
    return reaches ? 'reached' : 'advanced';
  }

  /** Indices of the nodes from the newest up to its root. */
  newestToRoot(): number[] {
    const way: number[] = [];
    for (let i = this.newest; i >= 0; i = this.parents[i]) way.push(i);
    return way;
  }

  /** A copy of node i. */
  at(i: number): Configuration {
    const q = new Float64Array(this.space.dof);
    this.read(q, i);
    return q;
  }

  /** Takes a node out of the tree with all that hangs on it: it is not reached after all. */
  cut(node: number): void {
    const isCut = new Set([node]);
    this.nodes.remove(node);
    for (let i = node + 1; i < this.size; i++) {
      if (!isCut.has(this.parents[i])) continue; // children come after their parents
      isCut.add(i);
      this.nodes.remove(i);
    }
  }
}
