import type { Configuration } from '../math/configuration.ts';
import type { Random } from '../math/random.ts';
import { ConnectionCount } from './connectionCount.ts';
import { BestSolution, CostTree } from './costTree.ts';
import { InformedSet } from './informed/informedSet.ts';
import { MinHeap } from './minHeap.ts';
import { NearestNeighbors } from './nearestNeighbors.ts';
import type { JointSpace, MotionValidator, PlannerDefinition, PlanningProblem } from './planner.ts';

const options = {
  batchSize: {
    value: 100,
    unit: 'points',
    meaning: 'valid samples per batch; the tree is then extended over them, best first',
  },
};

/** Algorithm 1 of the paper. An iteration processes one edge of the queue, or samples one batch. */
const plan: PlannerDefinition['plan'] = (problem, { batchSize }, random, budget) => {
  const tree = new BatchTree(problem);
  let iterations = 0;

  while (!tree.best.isShortest && !budget.isSpent()) {
    iterations++;
    if (tree.isExhausted) tree.sampleBatch(batchSize, random);
    tree.expandBestVertices();
    tree.processBestEdge(iterations);
  }
  const path = tree.bestPath();
  return { status: path.length > 0 ? 'solved' : 'budget-spent', path, iterations, nodes: tree.size };
};

export const bitStar: PlannerDefinition = {
  summary: 'batch informed trees: best-first search over batches of samples (anytime)',
  source: 'Gammell15',
  options,
  iterations: 20_000,
  improves: true,
  plan,
};

/** Limit of the samples per valid sample of a batch; if few states are valid, the batch is smaller. */
const SAMPLES_PER_POINT = 20;

/**
 * The tree, the samples that are not in it and the two queues of BIT* [Gammell15 alg. 1–3]. Points are numbered: the
 * start, the goals, then the samples. A point that is not in the tree has infinite cost.
 *
 * A sample is connected to its k nearest vertices when it is sampled; a vertex to its k nearest points, vertices or
 * samples, when it is added to the tree. An old vertex therefore has edges only to new samples of which it is a nearest
 * neighbor. Most samples never join the tree, and a search among vertices alone costs a fraction of a search among all
 * points and gives more edges into the tree.
 *
 * Keys of the queues are those of the time of insertion. A vertex or edge may have become cheaper since: this affects
 * the order only.
 */
class BatchTree {
  readonly best: BestSolution;
  private readonly space: JointSpace;
  private readonly motions: MotionValidator;
  private readonly informed: InformedSet;
  private readonly connections: ConnectionCount;
  private readonly goals: readonly number[];
  private points: NearestNeighbors;
  /** Nearest-neighbor structure of the vertices, and the point index of each. */
  private vertices: NearestNeighbors;
  private vertexPoints: number[] = [];
  private tree = new CostTree();
  /**
   * By point: lower bounds on cost-to-come and cost-to-go; the batches in which it was sampled and added to the tree.
   */
  private toCome: number[] = [];
  private toGo: number[] = [];
  private sampledIn: number[] = [];
  private addedIn: number[] = [];
  private batch = 0;
  private neighbors = 0;
  private prunedAt = Number.POSITIVE_INFINITY;
  /** By vertex: the new samples and goals of which it is a nearest neighbor, if a better path could contain both. */
  private readonly newNeighbors = new Map<number, number[]>();
  private readonly vertexQueue = new MinHeap();
  /** Queue of edges, by index into `edgeFrom` and `edgeTo`. */
  private readonly edgeQueue = new MinHeap();
  private readonly edgeFrom: number[] = [];
  private readonly edgeTo: number[] = [];
  private readonly qFrom: Configuration;
  private readonly qTo: Configuration;

  constructor(problem: PlanningProblem) {
    const { space, motions, start, goals } = problem;
    this.best = new BestSolution(problem);
    this.space = space;
    this.motions = motions;
    this.informed = new InformedSet(problem);
    this.connections = new ConnectionCount(space.dof);
    this.points = new NearestNeighbors(space);
    this.vertices = new NearestNeighbors(space);
    this.qFrom = new Float64Array(space.dof);
    this.qTo = new Float64Array(space.dof);
    this.batch = 1;
    this.addPoint(start, 0);
    this.goals = goals.map((goal) => this.addPoint(goal));
    this.batch = 0;
  }

  get size(): number {
    return this.points.count;
  }

  /** Both queues are empty: a new batch is needed. */
  get isExhausted(): boolean {
    return this.vertexQueue.size === 0 && this.edgeQueue.size === 0;
  }

  /** Waypoints from the start to the best goal; empty if no goal has been reached. */
  bestPath(): Configuration[] {
    if (this.best.node < 0) return [];
    return this.tree.fromRoot(this.best.node).map((i) => this.point(i));
  }

  /** Prunes, samples a batch from the informed set, and queues the vertices near new samples. */
  sampleBatch(batchSize: number, random: Random): void {
    const { best, informed, motions, qTo, vertexQueue, toGo } = this;
    if (best.cost < this.prunedAt) this.prune();
    this.edgeFrom.length = this.edgeTo.length = 0;
    this.batch++;
    for (let sample = 0, missing = batchSize; missing > 0 && sample < SAMPLES_PER_POINT * batchSize; sample++) {
      informed.sample(qTo, best.cost, random);
      if (!motions.isStateValid(qTo)) continue;
      this.addPoint(qTo);
      missing--;
    }
    this.neighbors = this.connections.of(this.size);
    this.findNewNeighbors();
    const { costs } = this.tree;
    for (const i of this.newNeighbors.keys())
      if (costs[i] < Number.POSITIVE_INFINITY) vertexQueue.push(costs[i] + toGo[i], i);
  }

  /** Algorithm 2: expands the vertices whose key is not greater than the key of the best edge. */
  expandBestVertices(): void {
    const { vertexQueue, edgeQueue } = this;
    while (vertexQueue.size > 0 && vertexQueue.leastKey <= edgeQueue.leastKey) this.expand(vertexQueue.pop());
  }

  /** Removes the best edge from the queue; if it can improve the solution and is valid, adds it to the tree. */
  processBestEdge(iterations: number): void {
    const { edgeQueue, best, tree, points, space, motions, toGo, qFrom, qTo } = this;
    const edge = edgeQueue.pop();
    if (edge < 0) return;
    const from = this.edgeFrom[edge];
    const to = this.edgeTo[edge];
    points.read(qFrom, from);
    points.read(qTo, to);
    const length = space.distance(qFrom, qTo);
    const cost = tree.costs[from] + length;
    if (cost + toGo[to] >= best.cost) {
      this.clearQueues();
      return;
    }
    if (cost >= tree.costs[to] || !motions.isMotionValid(qFrom, qTo)) return;
    const isNew = tree.costs[to] === Number.POSITIVE_INFINITY;
    tree.attach(to, from, length);
    if (isNew) {
      this.addedIn[to] = this.batch;
      this.addVertex(to, qTo);
      this.vertexQueue.push(tree.costs[to] + toGo[to], to);
    }
    best.update(tree, this.goals, iterations);
  }

  /** Queues the edges of a vertex to its new neighbors; of a new vertex to all its neighbors, vertices included. */
  private expand(vertex: number): void {
    const { points, addedIn, qFrom } = this;
    const isNew = addedIn[vertex] === this.batch;
    points.read(qFrom, vertex);
    for (const other of this.newNeighbors.get(vertex) ?? []) this.enqueueEdge(vertex, other, isNew);
    if (!isNew) return;
    const size = points.near(qFrom, this.neighbors + 1); // includes the vertex itself
    for (let i = 0; i < size; i++) this.enqueueEdge(vertex, points.found[i], true);
  }

  private enqueueEdge(from: number, to: number, rewires: boolean): void {
    const { space, points, tree, best, toCome, toGo, qFrom, qTo } = this;
    const isVertex = tree.costs[to] < Number.POSITIVE_INFINITY;
    if (from === to || (isVertex && (!rewires || tree.parents[to] === from))) return;
    points.read(qTo, to);
    const length = space.distance(qFrom, qTo);
    if (toCome[from] + length + toGo[to] >= best.cost) return;
    const cost = tree.costs[from] + length;
    if (cost >= tree.costs[to]) return;
    this.edgeFrom.push(from);
    this.edgeTo.push(to);
    this.edgeQueue.push(cost + toGo[to], this.edgeFrom.length - 1);
  }

  /**
   * Removes points that no better path can contain, and disconnects vertices that a better path would reach at lower
   * cost.
   */
  private prune(): void {
    const { best, points: old, toCome, toGo, sampledIn, addedIn, goals, qTo: q } = this;
    const { costs, parents, lengths } = this.tree;
    const inTree = (i: number) => costs[i] < Number.POSITIVE_INFINITY && costs[i] + toGo[i] <= best.cost;
    const kept = Array.from({ length: old.count }, (_, i) => i).filter(
      (i) => i <= goals.length || inTree(i) || toCome[i] + toGo[i] < best.cost,
    );
    this.points = new NearestNeighbors(this.space);
    this.vertices = new NearestNeighbors(this.space);
    this.vertexPoints = [];
    this.tree = new CostTree();
    this.toCome = [];
    this.toGo = [];
    this.sampledIn = [];
    this.addedIn = [];
    const indexOf = new Map<number, number>();
    for (const i of kept) {
      old.read(q, i);
      const node = this.addPoint(q, i === 0 ? 0 : undefined);
      indexOf.set(i, node);
      // Vertices that leave the tree count as new samples; old vertices have tried their edges to the others.
      this.sampledIn[node] = costs[i] < Number.POSITIVE_INFINITY ? this.batch + 1 : sampledIn[i];
    }
    // Parents first. Cost plus cost-to-go never decreases along the tree, so the parent of a kept vertex is kept.
    for (const i of kept.filter(inTree).sort((a, b) => costs[a] - costs[b] || a - b)) {
      const parent = indexOf.get(parents[i]);
      if (parent === undefined || this.tree.costs[parent] === Number.POSITIVE_INFINITY) continue;
      this.tree.attach(indexOf.get(i)!, parent, lengths[i]);
      this.addedIn[indexOf.get(i)!] = addedIn[i];
      old.read(q, i);
      this.addVertex(indexOf.get(i)!, q);
    }
    this.prunedAt = best.cost;
  }

  private addPoint(q: Configuration, cost?: 0): number {
    this.toCome.push(this.informed.costToCome(q));
    this.toGo.push(this.informed.costToGo(q));
    this.sampledIn.push(this.batch);
    this.addedIn.push(cost === 0 ? this.batch : 0);
    this.tree.add(cost);
    const point = this.points.add(q);
    if (cost === 0) this.addVertex(point, q);
    return point;
  }

  private addVertex(point: number, q: Configuration): void {
    this.vertices.add(q);
    this.vertexPoints.push(point);
  }

  private findNewNeighbors(): void {
    const { goals, sampledIn, batch } = this;
    this.newNeighbors.clear();
    for (let i = 1; i < this.size; i++) if (sampledIn[i] === batch || i <= goals.length) this.findNearestVertices(i);
  }

  private findNearestVertices(point: number): void {
    const { space, best, points, vertices, toCome, toGo, newNeighbors, qFrom, qTo } = this;
    points.read(qTo, point);
    const size = vertices.near(qTo, this.neighbors);
    for (let k = 0; k < size; k++) {
      vertices.read(qFrom, vertices.found[k]);
      const vertex = this.vertexPoints[vertices.found[k]];
      if (toCome[vertex] + space.distance(qFrom, qTo) + toGo[point] >= best.cost) continue;
      const neighbors = newNeighbors.get(vertex);
      if (neighbors) neighbors.push(point);
      else newNeighbors.set(vertex, [point]);
    }
  }

  private clearQueues(): void {
    this.vertexQueue.clear();
    this.edgeQueue.clear();
  }

  private point(i: number): Configuration {
    const q = new Float64Array(this.space.dof);
    this.points.read(q, i);
    return q;
  }
}
