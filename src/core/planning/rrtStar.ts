import type { Configuration } from '../math/configuration.ts';
import type { Random } from '../math/random.ts';
import { ConnectionCount } from './connectionCount.ts';
import { BestSolution, CostTree } from './costTree.ts';
import { NearestNeighbors } from './nearestNeighbors.ts';
import type { Budget, JointSpace, MotionValidator, PlannerDefinition, PlanningProblem, PlanResult } from './planner.ts';
import { Steer } from './tree.ts';

/** Tree of RRT*: each node is connected to the parent of least known cost [KaramanFrazzoli11 alg. 6]. */
class OptimalTree {
  readonly tree = new CostTree();
  private readonly nodes: NearestNeighbors;
  private readonly connections: ConnectionCount;
  private readonly steer: Steer;
  private readonly qNear: Configuration;
  private readonly qNew: Configuration;
  /** Neighbors of the new node: indices, distances, costs of the paths through them. */
  private near = new Int32Array(0);
  private readonly distances: number[] = [];
  private readonly costsThrough: number[] = [];

  constructor(
    private readonly space: JointSpace,
    private readonly motions: MotionValidator,
    stepSize: number,
    root: Configuration,
  ) {
    this.nodes = new NearestNeighbors(space);
    this.steer = new Steer(space, stepSize);
    this.connections = new ConnectionCount(space.dof);
    this.qNear = new Float64Array(space.dof);
    this.qNew = new Float64Array(space.dof);
    this.nodes.add(root);
    this.tree.add(0);
  }

  get size(): number {
    return this.nodes.count;
  }

  /**
   * Extends the tree from a node (default: the nearest) towards q and rewires it. Returns the new node; −1 if the edge
   * is invalid.
   */
  extend(q: Configuration, from = this.nodes.nearest(q)): number {
    const { motions, nodes, tree, qNear, qNew } = this;
    nodes.read(qNear, from);
    if (this.steer.step(qNew, qNear, q) === 'failed' || !motions.isMotionValid(qNear, qNew)) return -1;

    this.findNeighbors(from);
    const chosen = this.chooseParent(from);
    const node = nodes.add(qNew);
    tree.add();
    tree.attach(node, this.near[chosen], this.distances[chosen]);
    this.rewire(node);
    return node;
  }

  /** CONNECT: extends from a node towards q until it is reached. Returns the node at q; −1 if an edge is invalid. */
  connect(q: Configuration, from: number): number {
    let node = from;
    do node = this.extend(q, node);
    while (node >= 0 && !this.isAt(q));
    return node;
  }

  /** True if the last extension reached q. */
  private isAt(q: Configuration): boolean {
    return this.qNew.every((value, i) => value === q[i]);
  }

  /** States from the root to a node. */
  pathTo(node: number): Configuration[] {
    return this.tree.fromRoot(node).map((i) => {
      const q = new Float64Array(this.space.dof);
      this.nodes.read(q, i);
      return q;
    });
  }

  /** Near of the paper, k-nearest variant; always contains the node that was extended. */
  private findNeighbors(origin: number): void {
    const { space, nodes, qNear, qNew, distances } = this;
    const size = nodes.near(qNew, this.connections.of(nodes.count));
    this.near = nodes.found.slice(0, size);
    if (!this.near.includes(origin)) this.near[size - 1] = origin;
    for (let i = 0; i < size; i++) {
      nodes.read(qNear, this.near[i]);
      distances[i] = space.distance(qNear, qNew);
    }
  }

  /** Index in `near` of the parent of least cost with a valid edge; the edge from `origin` is valid. */
  private chooseParent(origin: number): number {
    const { motions, nodes, tree, near, distances, costsThrough, qNear, qNew } = this;
    for (let i = 0; i < near.length; i++) costsThrough[i] = tree.costs[near[i]] + distances[i];
    for (;;) {
      let cheapest = 0;
      for (let i = 1; i < near.length; i++) if (costsThrough[i] < costsThrough[cheapest]) cheapest = i;
      if (near[cheapest] === origin) return cheapest;
      nodes.read(qNear, near[cheapest]);
      if (motions.isMotionValid(qNear, qNew)) return cheapest;
      costsThrough[cheapest] = Number.POSITIVE_INFINITY;
    }
  }

  /** Connects neighbors to the new node if this reduces their cost. */
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

/** Writes a sample into `out`; `cost` is the cost of the best path, infinite before the first. */
export type Sampler = (out: Configuration, cost: number) => void;

/**
 * RRT* with samples from `sample`: extends the tree from the start until the budget is spent and returns the best path.
 */
export function growOptimalTree(
  { space, motions, start, goals, onBetter }: PlanningProblem,
  { stepSize, goalBias }: Readonly<Record<string, number>>,
  random: Random,
  budget: Budget,
  sample: Sampler,
): PlanResult {
  const tree = new OptimalTree(space, motions, stepSize, start);
  const qSample = new Float64Array(space.dof);
  const goalNodes: number[] = [];
  const goalsLeft = [...goals];
  const best = new BestSolution({ space, start, goals, onBetter });
  let iterations = 0;

  while (!best.isShortest && !budget.isSpent()) {
    iterations++;
    sample(qSample, best.cost);
    const node = tree.extend(qSample);
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

const options = {
  stepSize: {
    value: 0.75,
    unit: 'rad',
    meaning: 'longest edge added to the tree (L2 over the joints)',
  },
  goalBias: {
    value: 0.2,
    unit: 'share',
    meaning: 'probability that a new node is connected towards a goal that is not in the tree yet',
  },
};

/** RRT* of the paper (algorithm 6), k-nearest variant, with uniform samples. */
const plan: PlannerDefinition['plan'] = (problem, values, random, budget) => {
  return growOptimalTree(problem, values, random, budget, (out) => problem.space.sample(out, random));
};

export const rrtStar: PlannerDefinition = {
  summary: 'asymptotically optimal RRT with rewiring (anytime)',
  source: 'KaramanFrazzoli11',
  options,
  iterations: 20_000,
  improves: true,
  plan,
};
