import type { Configuration } from '../math/configuration.ts';
import type { Random } from '../math/random.ts';
import { Components } from './components.ts';
import { ConnectionCount } from './connectionCount.ts';
import type { Budget, MotionValidator, PlannerDefinition, PlanningProblem, PlanResult } from './planner.ts';
import { Roadmap } from './roadmap.ts';

const options = {
  points: { value: 0, unit: 'points', meaning: 'size that the roadmap is grown to before the question is asked' },
  reach: { value: 5, unit: 'rad', meaning: 'longest motion tried between two points (L2 over the joints)' },
};

/** Nodes at which the ends look around again for the first time, and how much larger the roadmap is the next time. */
const FIRST_LOOK = 10;
const LOOK_AGAIN = 1.25;

export const prm: PlannerDefinition = {
  summary: 'a roadmap of free motions, grown until it joins the ends; it serves further questions about the same scene',
  source: 'Kavraki96',
  options,
  iterations: 20_000,
  roadmap: true,
  plan,
};

/**
 * Construction and query of the paper in one: the ends are nodes from the beginning, and it is over when they hang together. A roadmap that
 * comes along may hold motions that nobody has looked at: as long as they promise a way, the ways are looked at first.
 */
function plan(
  problem: PlanningProblem,
  values: Readonly<Record<string, number>>,
  random: Random,
  budget: Budget,
): PlanResult {
  const { space, motions, start, goals } = problem;
  const map = new FreeMap(problem, values.reach);
  const startNode = map.nodeFor(start);
  const goalNodes = goals.map((goal) => map.nodeFor(goal));
  const qSample = new Float64Array(space.dof);
  let nextLook = FIRST_LOOK;
  let mayHope = map.checkWay(startNode, goalNodes);
  let iterations = 0;

  while (map.roadmap.size < values.points || !goalNodes.some((goal) => map.components.areJoined(startNode, goal))) {
    if (budget.isSpent()) break;
    iterations++;
    if (mayHope) {
      mayHope = map.checkWay(startNode, goalNodes);
      continue;
    }
    space.sample(qSample, random);
    if (!motions.isStateValid(qSample)) continue;
    map.nodeFor(qSample);
    // As the roadmap gets denser, the ends may have got nearer neighbours than those they found when they came.
    if (map.roadmap.size >= nextLook) {
      for (const end of [startNode, ...goalNodes]) map.connect(end);
      mayHope = map.checkWay(startNode, goalNodes);
      nextLook = LOOK_AGAIN * map.roadmap.size;
    }
  }
  const way = map.roadmap.shortestWay(startNode, goalNodes, (knowledge) => knowledge === 'free');
  return {
    status: way ? 'solved' : 'budget-spent',
    path: way ? way.nodes.map((node) => map.roadmap.read(node)) : [],
    iterations,
    nodes: map.roadmap.size,
    roadmap: map.roadmap.toData(),
  };
}

/** A roadmap in which every edge is checked as it is made. */
class FreeMap {
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

  /** Looks at the unchecked motions of the shortest way, until one is blocked. False where there is none to look at. */
  checkWay(start: number, goals: readonly number[]): boolean {
    const { roadmap, components } = this;
    if (!roadmap.ofEdge.includes('unchecked')) return false;
    const way = roadmap.shortestWay(start, goals, (knowledge) => knowledge !== 'blocked');
    const unchecked = way?.edges.filter((edge) => roadmap.ofEdge[edge] === 'unchecked') ?? [];
    for (const edge of unchecked) {
      roadmap.ofEdge[edge] = this.isFree(edge) ? 'free' : 'blocked';
      if (roadmap.ofEdge[edge] === 'blocked') break;
      components.join(...roadmap.nodesOf(edge));
    }
    return unchecked.length > 0;
  }

  /** Looks at the ends of a motion, then at the motion. */
  private isFree(edge: number): boolean {
    const { roadmap, motions } = this;
    for (const node of roadmap.nodesOf(edge)) {
      if (roadmap.ofNode[node] === 'unchecked')
        roadmap.ofNode[node] = motions.isStateValid(roadmap.read(node)) ? 'free' : 'blocked';
      if (roadmap.ofNode[node] === 'blocked') return false;
    }
    return motions.isMotionValid(...roadmap.ends(edge));
  }

  /** The node at q; where there was none, a new one joined to its neighbours by all motions that are free. q is valid. */
  nodeFor(q: Configuration): number {
    const { roadmap, components } = this;
    const known = roadmap.nodeAt(q);
    if (known >= 0) return known;
    const node = roadmap.addNode(q, 'free');
    components.add();
    this.connect(node);
    return node;
  }

  /** Tries the motions to those neighbours that have not been tried yet. */
  connect(node: number): void {
    const { roadmap, motions, components, reach } = this;
    const q = roadmap.read(node);
    for (const other of roadmap.newNeighbors(node, this.connections.of(roadmap.size), reach)) {
      const isFree = motions.isMotionValid(q, roadmap.read(other));
      roadmap.addEdge(node, other, isFree ? 'free' : 'blocked');
      if (isFree) components.join(node, other);
    }
  }
}
