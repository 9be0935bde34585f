import type { Configuration } from '../math/configuration.ts';
import type { Random } from '../math/random.ts';
import { BestSolution } from './bestSolution.ts';
import { ConnectionCount } from './connectionCount.ts';
import { CostTree } from './costTree.ts';
import { InformedSet } from './informedSet.ts';
import { MinHeap } from './minHeap.ts';
import { NearestNeighbors } from './nearestNeighbors.ts';
import type { JointSpace, MotionValidator, PlanningProblem } from './planner.ts';

/** Draws for each free point wanted: where hardly anything is free, a batch comes out smaller. */
const DRAWS_PER_POINT = 20;

/**
 * The tree, the points not yet in it and the two queues of BIT* [Gammell15 alg. 1–3]. Points are numbered in one row: the start, the goals,
 * then what is drawn. A point that is not in the tree has infinite cost.
 *
 * A point is joined to the k vertices nearest to it as it is drawn, a vertex to the k points nearest to it, vertices or not, as it joins the
 * tree. So an old vertex has nothing to try but those points that saw it. Most points drawn never join, and to look for vertices alone costs
 * them a fraction of a look at all points, and shows them more ways in.
 *
 * The place of a motion or vertex in a queue is from when it was put there. It may since have become cheaper: that costs order, not truth.
 */
export class BatchTree {
  readonly best: BestSolution;
  private readonly space: JointSpace;
  private readonly motions: MotionValidator;
  private readonly informed: InformedSet;
  private readonly connections: ConnectionCount;
  private readonly goals: readonly number[];
  private points: NearestNeighbors;
  /** Points in the tree, once more by themselves, and which of all they are. */
  private vertices: NearestNeighbors;
  private vertexPoints: number[] = [];
  private tree = new CostTree();
  /** By point: bounds from below for the ways to and from it; batches in which it was drawn and in which it joined the tree. */
  private toCome: number[] = [];
  private toGo: number[] = [];
  private drawn: number[] = [];
  private joined: number[] = [];
  private batch = 0;
  private neighbors = 0;
  private prunedAt = Number.POSITIVE_INFINITY;
  /** By vertex: those new points and goals of which it is among the nearest, where a better path could pass both. */
  private readonly seenBy = new Map<number, number[]>();
  private readonly vertexQueue = new MinHeap();
  /** Of numbers of motions. */
  private readonly motionQueue = new MinHeap();
  private readonly motionFrom: number[] = [];
  private readonly motionTo: number[] = [];
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

  /** Nothing is left to try: it takes new points to go on. */
  get isExhausted(): boolean {
    return this.vertexQueue.size === 0 && this.motionQueue.size === 0;
  }

  /** From the start to the best goal; empty if none has been reached. */
  bestPath(): Configuration[] {
    if (this.best.node < 0) return [];
    return this.tree.fromRoot(this.best.node).map((i) => this.point(i));
  }

  /** A batch of points that a better path could pass; vertices near them are to be looked at again. */
  drawBatch(batchSize: number, random: Random): void {
    const { best, informed, motions, qTo, vertexQueue, toGo } = this;
    if (best.cost < this.prunedAt) this.prune();
    this.motionFrom.length = this.motionTo.length = 0;
    this.batch++;
    for (let draw = 0, wanted = batchSize; wanted > 0 && draw < DRAWS_PER_POINT * batchSize; draw++) {
      informed.sample(qTo, best.cost, random);
      if (!motions.isStateValid(qTo)) continue;
      this.addPoint(qTo);
      wanted--;
    }
    this.neighbors = this.connections.of(this.size);
    this.lookAround();
    const { costs } = this.tree;
    for (const i of this.seenBy.keys())
      if (costs[i] < Number.POSITIVE_INFINITY) vertexQueue.push(costs[i] + toGo[i], i);
  }

  /** Algorithm 2: vertices that promise no worse than the best motion give their motions to the queue. */
  expandPromising(): void {
    const { vertexQueue, motionQueue } = this;
    while (vertexQueue.size > 0 && vertexQueue.leastKey <= motionQueue.leastKey) this.expand(vertexQueue.pop());
  }

  /** The most promising motion, if it can still make anything better, is checked and joins the tree. */
  tryBestMotion(iterations: number): void {
    const { motionQueue, best, tree, points, space, motions, toGo, qFrom, qTo } = this;
    const motion = motionQueue.pop();
    if (motion < 0) return;
    const from = this.motionFrom[motion];
    const to = this.motionTo[motion];
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
      this.joined[to] = this.batch;
      this.addVertex(to, qTo);
      this.vertexQueue.push(tree.costs[to] + toGo[to], to);
    }
    best.update(tree, this.goals, iterations);
  }

  /** Motions of a vertex to points that saw it; those of a new one to all around it, other vertices too. */
  private expand(vertex: number): void {
    const { points, joined, qFrom } = this;
    const isNew = joined[vertex] === this.batch;
    points.read(qFrom, vertex);
    for (const other of this.seenBy.get(vertex) ?? []) this.offer(vertex, other, isNew);
    if (!isNew) return;
    const size = points.near(qFrom, this.neighbors + 1); // one of them is the vertex itself
    for (let i = 0; i < size; i++) this.offer(vertex, points.found[i], true);
  }

  private offer(from: number, to: number, rewires: boolean): void {
    const { space, points, tree, best, toCome, toGo, qFrom, qTo } = this;
    const isVertex = tree.costs[to] < Number.POSITIVE_INFINITY;
    if (from === to || (isVertex && (!rewires || tree.parents[to] === from))) return;
    points.read(qTo, to);
    const length = space.distance(qFrom, qTo);
    if (toCome[from] + length + toGo[to] >= best.cost) return;
    const cost = tree.costs[from] + length;
    if (cost >= tree.costs[to]) return;
    this.motionFrom.push(from);
    this.motionTo.push(to);
    this.motionQueue.push(cost + toGo[to], this.motionFrom.length - 1);
  }

  /** Drops what no better path can pass, and lets go of vertices that a better path would reach more cheaply. */
  private prune(): void {
    const { best, points: old, toCome, toGo, drawn, joined, goals, qTo: q } = this;
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
    this.drawn = [];
    this.joined = [];
    const place = new Map<number, number>();
    for (const i of kept) {
      old.read(q, i);
      const node = this.addPoint(q, i === 0 ? 0 : undefined);
      place.set(i, node);
      // What falls out of the tree is as good as drawn anew; the other points old vertices have tried.
      this.drawn[node] = costs[i] < Number.POSITIVE_INFINITY ? this.batch + 1 : drawn[i];
    }
    // Parents first. Costs plus what is to go at least never fall along the tree, so a vertex that stays has a parent that stays.
    for (const i of kept.filter(inTree).sort((a, b) => costs[a] - costs[b] || a - b)) {
      const parent = place.get(parents[i]);
      if (parent === undefined || this.tree.costs[parent] === Number.POSITIVE_INFINITY) continue;
      this.tree.attach(place.get(i)!, parent, lengths[i]);
      this.joined[place.get(i)!] = joined[i];
      old.read(q, i);
      this.addVertex(place.get(i)!, q);
    }
    this.prunedAt = best.cost;
  }

  private addPoint(q: Configuration, cost?: 0): number {
    this.toCome.push(this.informed.costToCome(q));
    this.toGo.push(this.informed.costToGo(q));
    this.drawn.push(this.batch);
    this.joined.push(cost === 0 ? this.batch : 0);
    this.tree.add(cost);
    const point = this.points.add(q);
    if (cost === 0) this.addVertex(point, q);
    return point;
  }

  private addVertex(point: number, q: Configuration): void {
    this.vertices.add(q);
    this.vertexPoints.push(point);
  }

  private lookAround(): void {
    const { goals, drawn, batch } = this;
    this.seenBy.clear();
    for (let i = 1; i < this.size; i++) if (drawn[i] === batch || i <= goals.length) this.lookFrom(i);
  }

  private lookFrom(point: number): void {
    const { space, best, points, vertices, toCome, toGo, seenBy, qFrom, qTo } = this;
    points.read(qTo, point);
    const size = vertices.near(qTo, this.neighbors);
    for (let k = 0; k < size; k++) {
      vertices.read(qFrom, vertices.found[k]);
      const vertex = this.vertexPoints[vertices.found[k]];
      if (toCome[vertex] + space.distance(qFrom, qTo) + toGo[point] >= best.cost) continue;
      const by = seenBy.get(vertex);
      if (by) by.push(point);
      else seenBy.set(vertex, [point]);
    }
  }

  private clearQueues(): void {
    this.vertexQueue.clear();
    this.motionQueue.clear();
  }

  private point(i: number): Configuration {
    const q = new Float64Array(this.space.dof);
    this.points.read(q, i);
    return q;
  }
}
