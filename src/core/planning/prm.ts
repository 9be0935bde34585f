import type { Configuration } from '../math/configuration.ts';
import type { PlannerDefinition, PlanningProblem } from './planner.ts';
import { ifFree, RoadmapQuery, reachOption, unlessBlocked, validityOf } from './roadmap.ts';

const options = {
  points: { value: 0, unit: 'points', meaning: 'size of the roadmap before the query' },
  reach: reachOption,
};

/**
 * Roadmap size at which start and goals are connected again for the first time, and the factor from one time to the
 * next.
 */
const FIRST_RECONNECTION = 10;
const RECONNECTION_FACTOR = 1.25;

/**
 * Construction and query of the paper in one: start and goals are nodes from the beginning, and the search ends when
 * they are connected. A given roadmap may contain unchecked edges: as long as they allow a path, the shortest such path
 * is checked first.
 */
const plan: PlannerDefinition['plan'] = (problem, values, random, budget) => {
  const { space, motions } = problem;
  const map = new EagerRoadmap(problem, values.reach);
  map.addEnds(problem);
  const qSample = new Float64Array(space.dof);
  let nextReconnection = FIRST_RECONNECTION;
  let hasUncheckedPath = map.checkShortestPath();
  let iterations = 0;

  while (map.roadmap.size < values.points || !map.isConnected()) {
    if (budget.isSpent()) break;
    iterations++;
    if (hasUncheckedPath) {
      hasUncheckedPath = map.checkShortestPath();
      continue;
    }
    space.sample(qSample, random);
    if (!motions.isStateValid(qSample)) continue;
    map.nodeFor(qSample);
    // As the roadmap becomes denser, start and goals may have nearer neighbors than at first.
    if (map.roadmap.size >= nextReconnection) {
      for (const end of [map.startNode, ...map.goalNodes]) map.connect(end);
      hasUncheckedPath = map.checkShortestPath();
      nextReconnection = RECONNECTION_FACTOR * map.roadmap.size;
    }
  }
  const path = map.shortestPath(ifFree);
  return map.resultOf(path, iterations);
};

export const prm: PlannerDefinition = {
  summary: 'probabilistic roadmap, extended until start and goal are connected (multi-query)',
  source: 'Kavraki96',
  options,
  iterations: 20_000,
  plan,
};

/** Roadmap whose edges are checked when they are added. */
class EagerRoadmap extends RoadmapQuery {
  private readonly components = new Components();

  constructor(problem: PlanningProblem, reach: number) {
    super(problem, reach);
    for (let i = 0; i < this.roadmap.size; i++) this.components.add();
    const { ofEdge } = this.roadmap;
    for (let edge = 0; edge < ofEdge.length; edge++)
      if (ofEdge[edge] === 'free') this.components.join(...this.roadmap.nodesOf(edge));
  }

  /** Returns true if valid edges connect the start to a goal. */
  isConnected(): boolean {
    return this.goalNodes.some((goal) => this.components.areJoined(this.startNode, goal));
  }

  /** Checks the unchecked edges of the shortest path until one is invalid. Returns false if there are none. */
  checkShortestPath(): boolean {
    const { roadmap, components } = this;
    if (!roadmap.ofEdge.includes('unchecked')) return false;
    const path = this.shortestPath(unlessBlocked);
    const unchecked = path?.edges.filter((edge) => roadmap.ofEdge[edge] === 'unchecked') ?? [];
    for (const edge of unchecked) {
      roadmap.ofEdge[edge] = validityOf(this.isEdgeValid(edge), this.motions);
      if (roadmap.ofEdge[edge] !== 'free') break;
      components.join(...roadmap.nodesOf(edge));
    }
    return unchecked.length > 0;
  }

  /** Checks the ends of an edge, then the edge. */
  private isEdgeValid(edge: number): boolean {
    const { roadmap, motions } = this;
    return (
      roadmap.nodesOf(edge).every((node) => this.isNodeValid(node)) && motions.isMotionValid(...roadmap.ends(edge))
    );
  }

  override nodeFor(q: Configuration): number {
    const { roadmap, components } = this;
    const known = roadmap.nodeAt(q);
    if (known >= 0) return known;
    const node = roadmap.addNode(q, 'free');
    components.add();
    this.connect(node);
    return node;
  }

  /** Checks and adds the edges to neighbors that have not been tried yet. */
  connect(node: number): void {
    const { roadmap, motions, components } = this;
    const q = roadmap.read(node);
    for (const other of this.newNeighbors(node)) {
      const isValid = motions.isMotionValid(q, roadmap.read(other));
      roadmap.addEdge(node, other, validityOf(isValid, motions));
      if (isValid) components.join(node, other);
    }
  }
}

/** Connected components: disjoint sets with path halving [Tarjan75]. */
export class Components {
  private readonly parents: number[] = [];

  /** Adds a node as a component of its own. */
  add(): void {
    this.parents.push(this.parents.length);
  }

  join(a: number, b: number): void {
    this.parents[this.find(a)] = this.find(b);
  }

  areJoined(a: number, b: number): boolean {
    return this.find(a) === this.find(b);
  }

  private find(node: number): number {
    const { parents } = this;
    let i = node;
    while (parents[i] !== i) i = parents[i] = parents[parents[i]];
    return i;
  }
}
