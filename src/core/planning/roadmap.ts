import { InputError } from '../../errors.ts';
import type { Configuration } from '../math/configuration.ts';
import { MAX_JOINT_VALUE } from '../math/magnitudes.ts';
import { ConnectionCount } from './connectionCount.ts';
import { MinHeap } from './minHeap.ts';
import { NearestNeighbors } from './nearestNeighbors.ts';
import type {
  JointSpace,
  MotionValidator,
  PlannerOption,
  PlanningProblem,
  PlanResult,
  RoadmapData,
} from './planner.ts';

/**
 * Validity of a node or an edge, as far as it has been checked. `doubtful`: an edge of a library that its boxes do not
 * prove valid.
 */
export type Validity = 'unchecked' | 'doubtful' | 'free' | 'blocked';

/** Factor of the length of an edge in the cost of a path, at least 1; infinite: the edge is not used. */
type CostFactor = (validity: Validity, edge: number) => number;

/** Uses everything that is not known to be invalid. */
export const unlessBlocked: CostFactor = (validity) => (validity === 'blocked' ? Number.POSITIVE_INFINITY : 1);

/** Uses only what is valid. */
export const ifFree: CostFactor = (validity) => (validity === 'free' ? 1 : Number.POSITIVE_INFINITY);

/** Converts the result of a check to a validity: `unchecked` if the check was interrupted. */
export function validityOf(isValid: boolean, { isInterrupted }: MotionValidator): Validity {
  if (isValid) return 'free';
  return isInterrupted ? 'unchecked' : 'blocked';
}

/** Path in a roadmap: nodes, and the edges between them. */
export type RoadmapPath = Readonly<Record<'nodes' | 'edges', readonly number[]>>;

/** Graph of states and straight edges for several queries in one scene. Nodes and edges are numbered from 0. */
export class Roadmap {
  readonly ofNode: Validity[];
  readonly ofEdge: Validity[];
  private readonly points: NearestNeighbors;
  private readonly from: number[];
  private readonly to: number[];
  private readonly lengths: number[];
  /** Edges of each node. */
  private readonly edges: (readonly number[])[];
  private toGoals: { readonly goals: readonly number[]; readonly distances: Float64Array } | undefined;

  /** @param base which the roadmap extends: a copy of it, if it is given */
  constructor(
    private readonly space: JointSpace,
    base?: Roadmap,
  ) {
    this.points = base ? base.points.copy() : new NearestNeighbors(space);
    this.ofNode = base?.ofNode.slice() ?? [];
    this.ofEdge = base?.ofEdge.slice() ?? [];
    this.from = base?.from.slice() ?? [];
    this.to = base?.to.slice() ?? [];
    this.lengths = base?.lengths.slice() ?? [];
    this.edges = base?.edges.slice() ?? [];
  }

  /**
   * Restores a roadmap; nodes beyond the limits are blocked. Throws `InputError` for malformed data or another number
   * of joints.
   */
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
    const isNode = (node: number) => Number.isInteger(node) && node >= 0 && node < data.points.length;
    for (const kind of ['free', 'unchecked'] as const) {
      for (const [i, [from, to]] of data[kind].entries()) {
        if (from === to || !isNode(from) || !isNode(to))
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

  /** Converts to plain data, without blocked nodes and edges. */
  toData(): RoadmapData {
    const { size, space, points, ofNode, ofEdge } = this;
    const kept = Array.from({ length: size }, (_, i) => i).filter((i) => ofNode[i] !== 'blocked');
    const indexOf = new Map(kept.map((node, i) => [node, i]));
    const edges = (kind: Validity) =>
      ofEdge.flatMap((validity, edge): [number, number][] => {
        const ends = [indexOf.get(this.from[edge]), indexOf.get(this.to[edge])];
        return validity === kind && ends[0] !== undefined && ends[1] !== undefined ? [[ends[0], ends[1]]] : [];
      });
    return {
      dof: space.dof,
      points: kept.map((i) => Array.from(points.points.subarray(i * space.dof, (i + 1) * space.dof))),
      free: edges('free'),
      unchecked: edges('unchecked'),
    };
  }

  addNode(q: Configuration, validity: Validity): number {
    this.ofNode.push(validity);
    this.edges.push([]);
    return this.points.add(q);
  }

  /** Adds an edge; a free edge makes its ends free. */
  addEdge(from: number, to: number, validity: Validity): number {
    const edge = this.ofEdge.push(validity) - 1;
    this.from.push(from);
    this.to.push(to);
    this.lengths.push(this.space.distance(this.read(from), this.read(to)));
    for (const node of [from, to]) this.edges[node] = [...this.edges[node], edge]; // copies share the lists
    if (validity === 'free') this.ofNode[from] = this.ofNode[to] = 'free';
    return edge;
  }

  /** The node at q; −1 if there is none. */
  nodeAt(q: Configuration): number {
    return this.points.near(q, 1, 0) > 0 ? this.points.found[0] : -1;
  }

  /** The nodes among the `count` nearest neighbors within `reach` that have no edge to the node and are not blocked. */
  newNeighbors(node: number, count: number, reach: number): number[] {
    const size = this.points.near(this.read(node), count + 1, reach);
    const known = new Set(this.edges[node].map((edge) => this.otherEnd(edge, node)));
    return [...this.points.found.subarray(0, size)].filter(
      (i) => i !== node && !known.has(i) && this.ofNode[i] !== 'blocked',
    );
  }

  /** Returns a copy of a node's state. */
  read(node: number): Configuration {
    const q = new Float64Array(this.space.dof);
    this.points.read(q, node);
    return q;
  }

  /** Nodes of an edge. */
  nodesOf(edge: number): [number, number] {
    return [this.from[edge], this.to[edge]];
  }

  /** States of the two ends of an edge. */
  ends(edge: number): [Configuration, Configuration] {
    return [this.read(this.from[edge]), this.read(this.to[edge])];
  }

  /** Path of least cost to any goal, by A* [HartNilssonRaphael68]; undefined if there is none. */
  shortestPath(start: number, goals: readonly number[], factorOf: CostFactor): RoadmapPath | undefined {
    const { edges, from, to, lengths, ofNode, ofEdge } = this;
    const costs = new Float64Array(this.size).fill(Number.POSITIVE_INFINITY);
    const edgeTo = new Int32Array(this.size).fill(-1);
    const isDone = new Uint8Array(this.size);
    const queue = new MinHeap();
    const toGo = this.distancesTo(goals);
    costs[start] = 0;
    queue.push(toGo(start), start);
    for (let node = queue.pop(); node >= 0; node = queue.pop()) {
      if (goals.includes(node)) return this.pathTo(node, edgeTo);
      if (isDone[node]) continue;
      isDone[node] = 1;
      const before = costs[node];
      for (const edge of edges[node]) {
        const other = from[edge] === node ? to[edge] : from[edge];
        if (before + lengths[edge] >= costs[other] || ofNode[other] === 'blocked') continue;
        const cost = before + lengths[edge] * factorOf(ofEdge[edge], edge);
        if (!(cost < costs[other])) continue;
        costs[other] = cost;
        edgeTo[other] = edge;
        queue.push(cost + toGo(other), other);
      }
    }
    return undefined;
  }

  /** Returns the distance of a node to the nearest goal; kept for the next search with the same list of goals. */
  private distancesTo(goals: readonly number[]): (node: number) => number {
    const { space, points } = this;
    const q = new Float64Array(space.dof);
    const targets = goals.map((goal) => this.read(goal));
    if (this.toGoals?.goals !== goals || this.toGoals.distances.length !== this.size)
      this.toGoals = { goals, distances: new Float64Array(this.size).fill(Number.NaN) };
    const { distances } = this.toGoals;
    return (node) => {
      if (Number.isNaN(distances[node])) {
        points.read(q, node);
        distances[node] = Number.POSITIVE_INFINITY;
        for (const goal of targets) distances[node] = Math.min(distances[node], space.distance(q, goal));
      }
      return distances[node];
    };
  }

  private otherEnd(edge: number, node: number): number {
    return this.from[edge] === node ? this.to[edge] : this.from[edge];
  }

  private pathTo(goal: number, edgeTo: Int32Array): RoadmapPath {
    const nodes = [goal];
    const edges: number[] = [];
    for (let edge = edgeTo[goal]; edge >= 0; edge = edgeTo[nodes[0]]) {
      edges.unshift(edge);
      nodes.unshift(this.otherEnd(edge, nodes[0]));
    }
    return { nodes, edges };
  }
}

/** Option that all PRM planners have. */
export const reachOption: PlannerOption = { value: 5, unit: 'rad', meaning: 'longest edge (L2 over the joints)' };

/** One query of a PRM planner: the roadmap, new or given, with the nodes of start and goals. */
export abstract class RoadmapQuery {
  readonly roadmap: Roadmap;
  startNode = -1;
  goalNodes: readonly number[] = [];
  protected readonly space: JointSpace;
  protected readonly motions: MotionValidator;
  private readonly connections: ConnectionCount;

  /**
   * @param reach longest edge, in the metric of the space
   * @param base roadmap that is extended; default: that of the problem
   */
  constructor(
    { space, motions, roadmap }: PlanningProblem,
    private readonly reach: number,
    base?: Roadmap,
  ) {
    this.space = space;
    this.motions = motions;
    this.connections = new ConnectionCount(space.dof);
    this.roadmap = !base && roadmap ? Roadmap.fromData(roadmap, space) : new Roadmap(space, base);
  }

  /** Returns the node at a valid state; adds it and connects it to its neighbors if there is none. */
  protected abstract nodeFor(q: Configuration): number;

  /** Adds the nodes of start and goals. */
  addEnds({ start, goals }: PlanningProblem): void {
    this.startNode = this.nodeFor(start);
    this.goalNodes = goals.map((goal) => this.nodeFor(goal));
  }

  /** Returns the path of least cost from start to a goal. */
  shortestPath(factorOf: CostFactor): RoadmapPath | undefined {
    return this.roadmap.shortestPath(this.startNode, this.goalNodes, factorOf);
  }

  /** Returns the result of the query; without a path, the budget was spent. */
  resultOf(path: RoadmapPath | undefined, iterations: number): PlanResult {
    const { roadmap } = this;
    return {
      status: path ? 'solved' : 'budget-spent',
      path: path ? path.nodes.map((node) => roadmap.read(node)) : [],
      iterations,
      nodes: roadmap.size,
      roadmap: roadmap.toData(),
    };
  }

  /** Checks a node that is unchecked. Returns false if it is blocked, or if the check was interrupted. */
  protected isNodeValid(node: number): boolean {
    const { roadmap, motions } = this;
    if (roadmap.ofNode[node] === 'unchecked')
      roadmap.ofNode[node] = validityOf(motions.isStateValid(roadmap.read(node)), motions);
    return roadmap.ofNode[node] === 'free';
  }

  /** Returns the nearest neighbors of a node within reach to which no edge has been tried. */
  protected newNeighbors(node: number): number[] {
    const { roadmap, connections, reach } = this;
    return roadmap.newNeighbors(node, connections.of(roadmap.size), reach);
  }
}
