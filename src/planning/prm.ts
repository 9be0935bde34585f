import type { Configuration } from '../math/configuration.ts';
import type { Random } from '../math/random.ts';
import { Components } from './components.ts';
import { ConnectionCount } from './connectionCount.ts';
import type { Budget, MotionValidator, PlannerDefinition, PlanningProblem, PlanResult } from './planner.ts';
import { Roadmap } from './roadmap.ts';

const options = {
  points: { value: 0, unit: 'points', meaning: 'size that the roadmap is grown to before the question is asked' },
  reach: { value: 3, unit: 'rad', meaning: 'longest motion tried between two points (L2 over the joints)' },
};

export const prm: PlannerDefinition = {
  summary: 'a roadmap of free motions, grown until it joins the ends; it serves further questions about the same scene',
  source: 'Kavraki96',
  options,
  iterations: 20_000,
  plan,
};

/** Construction and query of the paper in one: the ends are nodes from the beginning, and it is over when they hang together. */
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
  let iterations = 0;

  while (map.roadmap.size < values.points || !goalNodes.some((goal) => map.components.areJoined(startNode, goal))) {
    if (budget.isSpent()) break;
    iterations++;
    space.sample(qSample, random);
    if (motions.isStateValid(qSample)) map.nodeFor(qSample);
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
    for (const [from, to] of roadmap?.free ?? []) this.components.join(from, to);
  }

  /** The node at q; where there was none, a new one joined to its neighbours by all motions that are free. q is valid. */
  nodeFor(q: Configuration): number {
    const { roadmap, motions, components } = this;
    const known = roadmap.nodeAt(q);
    if (known >= 0) return known;
    const node = roadmap.addNode(q, 'free');
    components.add();
    for (const other of roadmap.neighbors(node, this.connections.of(roadmap.size), this.reach)) {
      if (!motions.isMotionValid(q, roadmap.read(other))) continue;
      roadmap.addEdge(node, other, 'free');
      components.join(node, other);
    }
    return node;
  }
}
