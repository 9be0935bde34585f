import type { Configuration } from '../math/configuration.ts';
import { ConnectionCount } from './nearestNeighbors.ts';
import type { JointSpace, MotionValidator, PlannerOption, PlanningProblem, PlanResult } from './planner.ts';
import { Roadmap, type RoadmapPath, type Validity, validityOf } from './roadmap.ts';

/** Option that all PRM planners have. */
export const reachOption: PlannerOption = { value: 5, unit: 'rad', meaning: 'longest edge (L2 over the joints)' };

/** One query of a PRM planner: the roadmap, new or given, with the nodes of start and goals. */
export abstract class RoadmapQuery {
  readonly roadmap: Roadmap;
  startNode = -1;
  goalNodes: readonly number[] = [];
  protected readonly space: JointSpace;
  protected readonly motions: MotionValidator;
  private readonly connections: ConnectionCount;

  /** @param reach longest edge, in the metric of the space */
  constructor(
    { space, motions, roadmap }: PlanningProblem,
    private readonly reach: number,
  ) {
    this.space = space;
    this.motions = motions;
    this.connections = new ConnectionCount(space.dof);
    this.roadmap = roadmap ? Roadmap.fromData(roadmap, space) : new Roadmap(space);
  }

  /** Returns the node at a valid state; adds it and connects it to its neighbors if there is none. */
  protected abstract nodeFor(q: Configuration): number;

  /** Adds the nodes of start and goals. */
  addEnds({ start, goals }: PlanningProblem): void {
    this.startNode = this.nodeFor(start);
    this.goalNodes = goals.map((goal) => this.nodeFor(goal));
  }

  /** Returns the shortest path from start to a goal over nodes and edges that `mayUse` accepts. */
  shortestPath(mayUse: (validity: Validity) => boolean): RoadmapPath | undefined {
    return this.roadmap.shortestPath(this.startNode, this.goalNodes, mayUse);
  }

  /** Returns the result of the query; without a path, the budget was spent. */
  resultOf(path: RoadmapPath | undefined, iterations: number): PlanResult {
    const { roadmap } = this;
    return {
      status: path ? 'solved' : 'budget-spent',
      path: path ? path.nodes.map((node) => roadmap.read(node)) : [],
      iterations,
      nodes: roadmap.size,
      roadmap: roadmap.toData(),
    };
  }

  /** Checks a node that is unchecked. Returns false if it is blocked, or if the check was interrupted. */
  protected isNodeValid(node: number): boolean {
    const { roadmap, motions } = this;
    if (roadmap.ofNode[node] === 'unchecked')
      roadmap.ofNode[node] = validityOf(motions.isStateValid(roadmap.read(node)), motions);
    return roadmap.ofNode[node] === 'free';
  }

  /** Returns the nearest neighbors of a node within reach to which no edge has been tried. */
  protected newNeighbors(node: number): number[] {
    const { roadmap, connections, reach } = this;
    return roadmap.newNeighbors(node, connections.of(roadmap.size), reach);
  }
}
