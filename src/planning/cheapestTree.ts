import type { Configuration } from '../math/configuration.ts';
import type { Random } from '../math/random.ts';
import { BestSolution } from './bestSolution.ts';
import { ConnectionCount } from './connectionCount.ts';
import { CostTree } from './costTree.ts';
import { NearestNeighbors } from './nearestNeighbors.ts';
import type { Budget, JointSpace, MotionValidator, PlanningProblem, PlanResult } from './planner.ts';

/** A tree of valid configurations in which each node hangs where its way from the root is the cheapest known [KaramanFrazzoli11 alg. 6]. */
class CheapestTree {
  readonly tree = new CostTree();
  private readonly nodes: NearestNeighbors;
  private readonly connections: ConnectionCount;
  private readonly qNear: Configuration;
  private readonly qNew: Configuration;
  /** Of the neighbours at hand: numbers, distances to the new node, costs of the way over them. */
  private near = new Int32Array(0);
  private readonly distances: number[] = [];
  private readonly costsOver: number[] = [];

  constructor(
    private readonly space: JointSpace,
    private readonly motions: MotionValidator,
    private readonly stepSize: number,
    root: Configuration,
  ) {
    this.nodes = new NearestNeighbors(space);
    this.connections = new ConnectionCount(space.dof);
    this.qNear = new Float64Array(space.dof);
    this.qNew = new Float64Array(space.dof);
    this.nodes.add(root);
    this.tree.add(0);
  }

  get size(): number {
    return this.nodes.count;
  }

  /** One step from a node, the nearest by default, towards q, and the tree put right around it. The new node; −1 if something is in the way. */
  grow(q: Configuration, from = this.nodes.nearest(q)): number {
    const { space, motions, nodes, tree, stepSize, qNear, qNew } = this;
    nodes.read(qNear, from);
    const distance = space.distance(qNear, q);
    space.interpolate(qNew, qNear, q, distance <= stepSize ? 1 : stepSize / distance);
    if (!motions.isMotionValid(qNear, qNew)) return -1;

    this.lookAround(from);
    const chosen = this.chooseParent(from);
    const node = nodes.add(qNew);
    tree.add();
    tree.attach(node, this.near[chosen], this.distances[chosen]);
    this.rewire(node);
    return node;
  }

  /** CONNECT from a node: step after step towards q. The node at q; −1 if something is in the way. */
  connect(q: Configuration, from: number): number {
    let node = from;
    do node = this.grow(q, node);
    while (node >= 0 && !this.isAt(q));
    return node;
  }

  /** Was q reached by the last step? */
  private isAt(q: Configuration): boolean {
    return this.qNew.every((value, i) => value === q[i]);
  }

  /** Configurations from the root to a node. */
  pathTo(node: number): Configuration[] {
    return this.tree.fromRoot(node).map((i) => {
      const q = new Float64Array(this.space.dof);
      this.nodes.read(q, i);
      return q;
    });
  }

  /** Near, of the paper, in its k-nearest form; the node that the step came from is always among them. */
  private lookAround(origin: number): void {
    const { space, nodes, qNear, qNew, distances } = this;
    const size = nodes.near(qNew, this.connections.of(nodes.count));
    this.near = nodes.found.slice(0, size);
    if (!this.near.includes(origin)) this.near[size - 1] = origin;
    for (let i = 0; i < size; i++) {
      nodes.read(qNear, this.near[i]);
      distances[i] = space.distance(qNear, qNew);
    }
  }

  /** Place, among the neighbours, of the one over which the way is cheapest; the motion from the origin has been found valid. */
  private chooseParent(origin: number): number {
    const { motions, nodes, tree, near, distances, costsOver, qNear, qNew } = this;
    for (let i = 0; i < near.length; i++) costsOver[i] = tree.costs[near[i]] + distances[i];
    for (;;) {
      let cheapest = 0;
      for (let i = 1; i < near.length; i++) if (costsOver[i] < costsOver[cheapest]) cheapest = i;
      if (near[cheapest] === origin) return cheapest;
      nodes.read(qNear, near[cheapest]);
      if (motions.isMotionValid(qNear, qNew)) return cheapest;
      costsOver[cheapest] = Number.POSITIVE_INFINITY;
    }
  }

  /** Neighbours that are reached at less cost over the new node move to it. */
  private rewire(node: number): void {
    const { motions, nodes, tree, near, distances, qNear, qNew } = this;
    const cost = tree.costs[node];
    for (let i = 0; i < near.length; i++) {
      if (cost + distances[i] >= tree.costs[near[i]]) continue;
      nodes.read(qNear, near[i]);
      if (motions.isMotionValid(qNew, qNear)) tree.attach(near[i], node, distances[i]);
    }
  }
}

/** Fills `out` with a point to grow towards; `cost` is that of the best path so far, infinite before there is one. */
export type Sampler = (out: Configuration, cost: number) => void;

/** RRT* with its points drawn by `sample`: grows one tree from the start, as long as the budget lasts, and gives the best path. */
export function growCheapestTree(
  { space, motions, start, goals, onBetter }: PlanningProblem,
  { stepSize, goalBias }: Readonly<Record<string, number>>,
  random: Random,
  budget: Budget,
  sample: Sampler,
): PlanResult {
  const tree = new CheapestTree(space, motions, stepSize, start);
  const qSample = new Float64Array(space.dof);
  const goalNodes: number[] = [];
  const goalsLeft = [...goals];
  const best = new BestSolution({ space, start, goals, onBetter });
  let iterations = 0;

  while (!best.isShortest && !budget.isSpent()) {
    iterations++;
    sample(qSample, best.cost);
    const node = tree.grow(qSample);
    if (node < 0) continue;
    if (goalsLeft.length > 0 && random.next() < goalBias) {
      const goal = random.below(goalsLeft.length);
      const reached = tree.connect(goalsLeft[goal], node);
      if (reached >= 0) {
        goalNodes.push(reached);
        goalsLeft.splice(goal, 1);
      }
    }
    best.update(tree.tree, goalNodes, iterations);
  }
  const { size: nodes } = tree;
  if (best.node < 0) return { status: 'budget-spent', path: [], iterations, nodes };
  return { status: 'solved', path: tree.pathTo(best.node), iterations, nodes };
}
