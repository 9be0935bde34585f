import type { Configuration } from '../math/configuration.ts';
import type { Random } from '../math/random.ts';
import { Components } from './components.ts';
import { ConnectionCount } from './connectionCount.ts';
import type { Budget, MotionValidator, PlannerDefinition, PlanningProblem, PlanResult } from './planner.ts';
import { Roadmap, validityOf } from './roadmap.ts';

const options = {
  points: { value: 0, unit: 'points', meaning: 'size of the roadmap before the query' },
  reach: { value: 5, unit: 'rad', meaning: 'longest edge (L2 over the joints)' },
};

/**
 * Roadmap size at which start and goals are connected again for the first time, and the factor from one time to the
 * next.
 */
const FIRST_RECONNECTION = 10;
const RECONNECTION_FACTOR = 1.25;

export const prm: PlannerDefinition = {
  summary: 'probabilistic roadmap, extended until start and goal are connected (multi-query)',
  source: 'Kavraki96',
  options,
  iterations: 20_000,
  roadmap: true,
  plan,
};

/**
 * Construction and query of the paper in one: start and goals are nodes from the beginning, and the search ends when
 * they are connected. A given roadmap may contain unchecked edges: as long as they allow a path, the shortest such path
 * is checked first.
 */
function plan(
  problem: PlanningProblem,
  values: Readonly<Record<string, number>>,
  random: Random,
  budget: Budget,
): PlanResult {
  const { space, motions, start, goals } = problem;
  const map = new EagerRoadmap(problem, values.reach);
  const startNode = map.nodeFor(start);
  const goalNodes = goals.map((goal) => map.nodeFor(goal));
  const qSample = new Float64Array(space.dof);
  let nextReconnection = FIRST_RECONNECTION;
  let hasUncheckedPath = map.checkShortestPath(startNode, goalNodes);
  let iterations = 0;

  while (map.roadmap.size < values.points || !goalNodes.some((goal) => map.components.areJoined(startNode, goal))) {
    if (budget.isSpent()) break;
    iterations++;
    if (hasUncheckedPath) {
      hasUncheckedPath = map.checkShortestPath(startNode, goalNodes);
      continue;
    }
    space.sample(qSample, random);
    if (!motions.isStateValid(qSample)) continue;
    map.nodeFor(qSample);
    // As the roadmap becomes denser, start and goals may have nearer neighbors than at first.
    if (map.roadmap.size >= nextReconnection) {
      for (const end of [startNode, ...goalNodes]) map.connect(end);
      hasUncheckedPath = map.checkShortestPath(startNode, goalNodes);
      nextReconnection = RECONNECTION_FACTOR * map.roadmap.size;
    }
  }
  const path = map.roadmap.shortestPath(startNode, goalNodes, (validity) => validity === 'free');
  return {
    status: path ? 'solved' : 'budget-spent',
    path: path ? path.nodes.map((node) => map.roadmap.read(node)) : [],
    iterations,
    nodes: map.roadmap.size,
    roadmap: map.roadmap.toData(),
  };
}

/** Roadmap whose edges are checked when they are added. */
class EagerRoadmap {
  readonly roadmap: Roadmap;
  readonly components = new Components();
  private readonly motions: MotionValidator;
  private readonly connections: ConnectionCount;

  constructor(
    { space, motions, roadmap }: PlanningProblem,
    private readonly reach: number,
  ) {
    this.motions = motions;
    this.connections = new ConnectionCount(space.dof);
    this.roadmap = roadmap ? Roadmap.fromData(roadmap, space) : new Roadmap(space);
    for (let i = 0; i < this.roadmap.size; i++) this.components.add();
    const { ofEdge } = this.roadmap;
    for (let edge = 0; edge < ofEdge.length; edge++)
      if (ofEdge[edge] === 'free') this.components.join(...this.roadmap.nodesOf(edge));
  }

  /** Checks the unchecked edges of the shortest path until one is invalid. Returns false if there are none. */
  checkShortestPath(start: number, goals: readonly number[]): boolean {
    const { roadmap, components } = this;
    if (!roadmap.ofEdge.includes('unchecked')) return false;
    const path = roadmap.shortestPath(start, goals, (validity) => validity !== 'blocked');
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
    for (const node of roadmap.nodesOf(edge)) {
      if (roadmap.ofNode[node] === 'unchecked')
        roadmap.ofNode[node] = validityOf(motions.isStateValid(roadmap.read(node)), motions);
      if (roadmap.ofNode[node] !== 'free') return false;
    }
    return motions.isMotionValid(...roadmap.ends(edge));
  }

  /** The node at q, which is valid; if there is none, adds one and connects it to its neighbors. */
  nodeFor(q: Configuration): number {
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
    const { roadmap, motions, components, reach } = this;
    const q = roadmap.read(node);
    for (const other of roadmap.newNeighbors(node, this.connections.of(roadmap.size), reach)) {
      const isValid = motions.isMotionValid(q, roadmap.read(other));
      roadmap.addEdge(node, other, validityOf(isValid, motions));
      if (isValid) components.join(node, other);
    }
  }
}
