import type { Configuration } from '../math/configuration.ts';
import type { Random } from '../math/random.ts';
import { UnitBall } from './informed/informedSet.ts';
import { metricOf, withinHalfTurn } from './metric.ts';
import type { PlannerDefinition, PlanningProblem } from './planner.ts';
import { type RoadmapPath, RoadmapQuery, reachOption, unlessBlocked, validityOf } from './roadmap.ts';

const options = {
  points: { value: 200, unit: 'points', meaning: 'samples before the first search, if no roadmap is given' },
  morePoints: { value: 100, unit: 'points', meaning: 'samples added when the roadmap contains no path' },
  reach: reachOption,
};

/**
 * The paper's loop: search, check, remove invalid nodes and edges, search again. An iteration is one search with its
 * checks.
 */
const plan: PlannerDefinition['plan'] = (problem, values, random, budget) => {
  const map = new LazyRoadmap(problem, values.reach);
  map.addEnds(problem);
  if (!problem.roadmap) map.addPoints(values.points, random);
  let path: RoadmapPath | undefined;
  let iterations = 0;
  let isSolved = false;

  while (!isSolved && !budget.isSpent()) {
    iterations++;
    path = map.shortestPath(unlessBlocked);
    if (path) isSolved = map.isPathValid(path);
    else map.addPoints(values.morePoints, random);
  }
  return map.resultOf(isSolved ? path : undefined, iterations);
};

export const lazyPrm: PlannerDefinition = {
  summary: 'lazy PRM: only edges of the shortest path are checked (multi-query)',
  source: 'BohlinKavraki00',
  options,
  iterations: 20_000,
  plan,
};

/** Roadmap whose nodes and edges are checked on demand. */
class LazyRoadmap extends RoadmapQuery {
  private readonly ball: UnitBall;
  private readonly blockedEdges: number[] = [];
  private readonly qMiddle: Configuration;

  constructor(problem: PlanningProblem, reach: number) {
    super(problem, reach);
    this.ball = new UnitBall(this.space.dof);
    this.qMiddle = new Float64Array(this.space.dof);
  }

  override nodeFor(q: Configuration): number {
    const known = this.roadmap.nodeAt(q);
    const node = known >= 0 ? known : this.add(q);
    this.roadmap.ofNode[node] = 'free';
    return node;
  }

  /**
   * Adds samples: half of them uniform, the others near invalid edges, where passages are narrow (the paper's
   * enhancement). Start and goals are connected again, because the new nodes may be nearer than their first neighbors.
   */
  addPoints(count: number, random: Random): void {
    const q = new Float64Array(this.space.dof);
    for (let i = 0; i < count; i++) {
      if (i % 2 === 0 || this.blockedEdges.length === 0) this.space.sample(q, random);
      else this.sampleNear(q, this.blockedEdges[random.below(this.blockedEdges.length)], random);
      this.add(q);
    }
    for (const end of [this.startNode, ...this.goalNodes]) this.connect(end);
  }

  /** Checks nodes first, which are cheaper, then edges until one is invalid; both from the ends towards the middle. */
  isPathValid({ nodes, edges }: RoadmapPath): boolean {
    const { roadmap, motions } = this;
    let areNodesValid = true;
    for (const node of fromBothEnds(nodes)) if (!this.isNodeValid(node)) areNodesValid = false;
    if (!areNodesValid) return false;
    for (const edge of fromBothEnds(edges)) {
      if (roadmap.ofEdge[edge] === 'unchecked')
        roadmap.ofEdge[edge] = validityOf(motions.isMotionValid(...roadmap.ends(edge)), motions);
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
    for (const other of this.newNeighbors(node)) this.roadmap.addEdge(node, other, 'unchecked');
  }

  /** Sample of the ball whose diameter is the edge, clamped to the limits and projected onto the constraints. */
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
    space.constraints?.project(out);
  }
}

/** The first, the last, the second, the last but one, … */
function fromBothEnds(items: readonly number[]): number[] {
  return items.map((_, i) => items[i % 2 === 0 ? i / 2 : items.length - (i + 1) / 2]);
}
