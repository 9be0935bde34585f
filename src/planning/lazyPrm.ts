import type { Configuration } from '../math/configuration.ts';
import type { Random } from '../math/random.ts';
import { ConnectionCount } from './connectionCount.ts';
import { metricOf, withinHalfTurn } from './metric.ts';
import type { Budget, JointSpace, MotionValidator, PlannerDefinition, PlanningProblem, PlanResult } from './planner.ts';
import { Roadmap, type Way } from './roadmap.ts';
import { UnitBall } from './unitBall.ts';

const options = {
  points: { value: 200, unit: 'points', meaning: 'drawn before the first search, where there is no roadmap yet' },
  morePoints: { value: 100, unit: 'points', meaning: 'points added each time the roadmap holds no way any more' },
  reach: { value: 5, unit: 'rad', meaning: 'longest motion between two points (L2 over the joints)' },
};

export const lazyPrm: PlannerDefinition = {
  summary: 'a roadmap of motions that are checked only where the shortest way takes them; it serves further questions',
  source: 'BohlinKavraki00',
  options,
  iterations: 20_000,
  roadmap: true,
  plan,
};

/** The paper's loop: search, check, take out what is blocked, search again. An iteration is one search with what follows from it. */
function plan(
  problem: PlanningProblem,
  values: Readonly<Record<string, number>>,
  random: Random,
  budget: Budget,
): PlanResult {
  const { start, goals } = problem;
  const map = new LazyMap(problem, values.reach);
  const startNode = map.endFor(start);
  const goalNodes = goals.map((goal) => map.endFor(goal));
  const ends = [startNode, ...goalNodes];
  if (!problem.roadmap) map.addPoints(values.points, ends, random);
  let way: Way | undefined;
  let iterations = 0;
  let isSolved = false;

  while (!isSolved && !budget.isSpent()) {
    iterations++;
    way = map.roadmap.shortestWay(startNode, goalNodes, (knowledge) => knowledge !== 'blocked');
    if (way) isSolved = map.isFree(way);
    else map.addPoints(values.morePoints, ends, random);
  }
  return {
    status: isSolved ? 'solved' : 'budget-spent',
    path: isSolved ? way!.nodes.map((node) => map.roadmap.read(node)) : [],
    iterations,
    nodes: map.roadmap.size,
    roadmap: map.roadmap.toData(),
  };
}

/** A roadmap of which nothing is known until it is asked. */
class LazyMap {
  readonly roadmap: Roadmap;
  private readonly space: JointSpace;
  private readonly motions: MotionValidator;
  private readonly connections: ConnectionCount;
  private readonly ball: UnitBall;
  private readonly blockedEdges: number[] = [];
  private readonly qMiddle: Configuration;

  constructor(
    { space, motions, roadmap }: PlanningProblem,
    private readonly reach: number,
  ) {
    this.space = space;
    this.motions = motions;
    this.connections = new ConnectionCount(space.dof);
    this.ball = new UnitBall(space.dof);
    this.qMiddle = new Float64Array(space.dof);
    this.roadmap = roadmap ? Roadmap.fromData(roadmap, space) : new Roadmap(space);
  }

  /** The node of a start or goal: known to be free, whatever was known before. */
  endFor(q: Configuration): number {
    const known = this.roadmap.nodeAt(q);
    const node = known >= 0 ? known : this.add(q);
    this.roadmap.ofNode[node] = 'free';
    return node;
  }

  /**
   * Half of them anywhere; the others where motions were found blocked, for there the ways are narrow: the paper's enhancement. The ends
   * of the question look around again, lest they hang on to the few that were near them when they came.
   */
  addPoints(count: number, ends: readonly number[], random: Random): void {
    const q = new Float64Array(this.space.dof);
    for (let i = 0; i < count; i++) {
      if (i % 2 === 0 || this.blockedEdges.length === 0) this.space.sample(q, random);
      else this.sampleNear(q, this.blockedEdges[random.below(this.blockedEdges.length)], random);
      this.add(q);
    }
    for (const end of ends) this.connect(end);
  }

  /** Nodes first, for they cost less and rule out more; then edges until one is blocked. Both from the ends towards the middle. */
  isFree({ nodes, edges }: Way): boolean {
    const { roadmap, motions } = this;
    let isFree = true;
    for (const node of fromBothEnds(nodes)) {
      if (roadmap.ofNode[node] === 'unchecked')
        roadmap.ofNode[node] = motions.isStateValid(roadmap.read(node)) ? 'free' : 'blocked';
      if (roadmap.ofNode[node] === 'blocked') isFree = false;
    }
    if (!isFree) return false;
    for (const edge of fromBothEnds(edges)) {
      if (roadmap.ofEdge[edge] === 'unchecked')
        roadmap.ofEdge[edge] = motions.isMotionValid(...roadmap.ends(edge)) ? 'free' : 'blocked';
      if (roadmap.ofEdge[edge] === 'free') continue;
      this.blockedEdges.push(edge);
      return false;
    }
    return true;
  }

  private add(q: Configuration): number {
    const node = this.roadmap.addNode(q, 'unchecked');
    this.connect(node);
    return node;
  }

  private connect(node: number): void {
    const { roadmap } = this;
    for (const other of roadmap.newNeighbors(node, this.connections.of(roadmap.size), this.reach))
      roadmap.addEdge(node, other, 'unchecked');
  }

  /** A point of the ball that has the edge for a diameter, drawn back to within limits. */
  private sampleNear(out: Configuration, edge: number, random: Random): void {
    const { space, qMiddle } = this;
    const { weights, halfTurns } = metricOf(space);
    const [a, b] = this.roadmap.ends(edge);
    const radius = space.distance(a, b) / 2;
    this.ball.sample(out, random);
    space.interpolate(qMiddle, a, b, 0.5);
    for (let i = 0; i < space.dof; i++) {
      const value = withinHalfTurn(qMiddle[i] + (radius * out[i]) / weights[i], halfTurns[i]);
      out[i] = Math.min(space.upper[i], Math.max(space.lower[i], value));
    }
  }
}

/** The first, the last, the second, the last but one, … */
function fromBothEnds(items: readonly number[]): number[] {
  return items.map((_, i) => items[i % 2 === 0 ? i / 2 : items.length - (i + 1) / 2]);
}
