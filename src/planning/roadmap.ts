import { InputError } from '../errors.ts';
import type { Configuration } from '../math/configuration.ts';
import { MAX_JOINT_VALUE } from '../math/magnitudes.ts';
import { MinHeap } from './minHeap.ts';
import { NearestNeighbors } from './nearestNeighbors.ts';
import type { JointSpace, RoadmapData } from './planner.ts';

/** What is known of a node or of the motion along an edge. */
export type Knowledge = 'unchecked' | 'free' | 'blocked';

/** A way over a roadmap: nodes, and the edges between them. */
export interface Way {
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
}

/** Configurations joined by straight motions, for as many questions about one scene as you like. Nodes and edges count up from 0. */
export class Roadmap {
  readonly ofNode: Knowledge[] = [];
  readonly ofEdge: Knowledge[] = [];
  private readonly points: NearestNeighbors;
  private readonly from: number[] = [];
  private readonly to: number[] = [];
  private readonly lengths: number[] = [];
  /** Edges of each node. */
  private readonly edges: number[][] = [];

  constructor(private readonly space: JointSpace) {
    this.points = new NearestNeighbors(space);
  }

  /** The roadmap that was saved; points beyond the limits are blocked. Throws InputError for data that is none, or of another robot. */
  static fromData(data: RoadmapData, space: JointSpace): Roadmap {
    const roadmap = new Roadmap(space);
    const { dof } = space;
    if (data.dof !== dof)
      throw new InputError(
        `the roadmap has ${data.dof} values a point, the robot ${dof} joints`,
        'Use the robot and joints it was made for.',
      );
    for (const [i, point] of data.points.entries()) {
      if (point.length !== dof || !point.every((value) => Math.abs(value) <= MAX_JOINT_VALUE))
        throw new InputError(
          `the roadmap's points[${i}] is [${point}]`,
          `Each point has ${dof} finite numbers, from -1e6 to 1e6.`,
        );
      const isWithin = point.every((value, k) => value >= space.lower[k] && value <= space.upper[k]);
      roadmap.addNode(Float64Array.from(point), isWithin ? 'unchecked' : 'blocked');
    }
    for (const kind of ['free', 'unchecked'] as const) {
      for (const [i, [from, to]] of data[kind].entries()) {
        if (
          from === to ||
          ![from, to].every((node) => Number.isInteger(node) && node >= 0 && node < data.points.length)
        )
          throw new InputError(
            `the roadmap's ${kind}[${i}] is [${from}, ${to}]`,
            `An edge joins two of its ${data.points.length} points.`,
          );
        const isBlocked = roadmap.ofNode[from] === 'blocked' || roadmap.ofNode[to] === 'blocked';
        roadmap.addEdge(from, to, isBlocked ? 'blocked' : kind);
      }
    }
    return roadmap;
  }

  get size(): number {
    return this.points.count;
  }

  /** As plain data, without what is blocked. */
  toData(): RoadmapData {
    const { size, space, points, ofNode, ofEdge } = this;
    const kept = Array.from({ length: size }, (_, i) => i).filter((i) => ofNode[i] !== 'blocked');
    const place = new Map(kept.map((node, i) => [node, i]));
    const edges = (kind: Knowledge) =>
      ofEdge.flatMap((knowledge, edge): [number, number][] => {
        const ends = [place.get(this.from[edge]), place.get(this.to[edge])];
        return knowledge === kind && ends[0] !== undefined && ends[1] !== undefined ? [[ends[0], ends[1]]] : [];
      });
    return {
      dof: space.dof,
      points: kept.map((i) => Array.from(points.points.subarray(i * space.dof, (i + 1) * space.dof))),
      free: edges('free'),
      unchecked: edges('unchecked'),
    };
  }

  addNode(q: Configuration, knowledge: Knowledge): number {
    this.ofNode.push(knowledge);
    this.edges.push([]);
    return this.points.add(q);
  }

  /** A free edge makes its ends free. */
  addEdge(from: number, to: number, knowledge: Knowledge): number {
    const edge = this.ofEdge.push(knowledge) - 1;
    this.from.push(from);
    this.to.push(to);
    this.lengths.push(this.space.distance(this.read(from), this.read(to)));
    this.edges[from].push(edge);
    this.edges[to].push(edge);
    if (knowledge === 'free') this.ofNode[from] = this.ofNode[to] = 'free';
    return edge;
  }

  /** The node that is at q; −1 if there is none. */
  nodeAt(q: Configuration): number {
    return this.points.near(q, 1, 0) > 0 ? this.points.found[0] : -1;
  }

  /** Of the `count` nodes nearest to a node, none farther than `reach`, those that it has no edge to and that are not known to be blocked. */
  newNeighbors(node: number, count: number, reach: number): number[] {
    const size = this.points.near(this.read(node), count + 1, reach);
    const known = new Set(this.edges[node].map((edge) => this.otherEnd(edge, node)));
    return [...this.points.found.subarray(0, size)].filter(
      (i) => i !== node && !known.has(i) && this.ofNode[i] !== 'blocked',
    );
  }

  /** A node's configuration, in memory of its own. */
  read(node: number): Configuration {
    const q = new Float64Array(this.space.dof);
    this.points.read(q, node);
    return q;
  }

  /** The two ends of an edge. */
  nodesOf(edge: number): [number, number] {
    return [this.from[edge], this.to[edge]];
  }

  /** Configurations of the two ends of an edge. */
  ends(edge: number): [Configuration, Configuration] {
    return [this.read(this.from[edge]), this.read(this.to[edge])];
  }

  /** The shortest way to the nearest goal over nodes and edges that `mayUse` allows, if there is any: A* [HartNilssonRaphael68]. */
  shortestWay(start: number, goals: readonly number[], mayUse: (knowledge: Knowledge) => boolean): Way | undefined {
    const { space, edges, lengths, ofNode, ofEdge } = this;
    const costs = new Float64Array(this.size).fill(Number.POSITIVE_INFINITY);
    const edgeTo = new Int32Array(this.size).fill(-1);
    const isDone = new Uint8Array(this.size);
    const queue = new MinHeap();
    const targets = goals.map((goal) => this.read(goal));
    const q = new Float64Array(space.dof);
    const toGo = (node: number) => {
      this.points.read(q, node);
      return targets.reduce((least, goal) => Math.min(least, space.distance(q, goal)), Number.POSITIVE_INFINITY);
    };
    costs[start] = 0;
    queue.push(toGo(start), start);
    for (let node = queue.pop(); node >= 0; node = queue.pop()) {
      if (goals.includes(node)) return this.wayTo(node, edgeTo);
      if (isDone[node]) continue;
      isDone[node] = 1;
      for (const edge of edges[node]) {
        const other = this.otherEnd(edge, node);
        const cost = costs[node] + lengths[edge];
        if (cost >= costs[other] || !mayUse(ofEdge[edge]) || !mayUse(ofNode[other])) continue;
        costs[other] = cost;
        edgeTo[other] = edge;
        queue.push(cost + toGo(other), other);
      }
    }
    return undefined;
  }

  private otherEnd(edge: number, node: number): number {
    return this.from[edge] === node ? this.to[edge] : this.from[edge];
  }

  private wayTo(goal: number, edgeTo: Int32Array): Way {
    const nodes = [goal];
    const edges: number[] = [];
    for (let edge = edgeTo[goal]; edge >= 0; edge = edgeTo[nodes[nodes.length - 1]]) {
      const node = nodes[nodes.length - 1];
      edges.push(edge);
      nodes.push(this.otherEnd(edge, node));
    }
    return { nodes: nodes.reverse(), edges: edges.reverse() };
  }
}
