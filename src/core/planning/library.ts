import type { Configuration } from '../math/configuration.ts';
import { LazyPath, type LazyProblem } from './lazy/lazyPath.ts';
import type { Budget, PlannerDefinition, PlanResult } from './planner.ts';
import { type Roadmap, type RoadmapPath, RoadmapQuery, reachOption, type Validity, validityOf } from './roadmap.ts';
import { rrtConnect } from './rrtConnect.ts';

/** A roadmap of edges that were certified among other obstacles. */
export interface EdgeLibrary {
  /** Its edges are unchecked; a planner copies it. */
  readonly roadmap: Roadmap;
  /** Returns true if an edge of the roadmap is proved valid in the scene of the query. */
  isKept(edge: number): boolean;
  /** Called for each edge that the query proves. */
  repaired(): void;
}

/** What became of the edges of a library in one query. */
export interface LibraryStats {
  /** Tested edges that hold in the scene: by the planes of their boxes, or because no obstacle has changed. */
  readonly kept: number;
  /** Tested edges that do not, and are proved again before they are used. */
  readonly dropped: number;
  /** Edges that this query proved, those from start and to goals included. */
  readonly repaired: number;
}

/** Problem of a planner that may use a library. */
export interface LibraryProblem extends LazyProblem {
  readonly library?: EdgeLibrary | undefined;
}

const options = { ...rrtConnect.options, reach: reachOption };

/**
 * Factor of the length of an edge that has to be proved: its proof takes longer than the search, and may fail. Paths
 * that are longer by this factor are preferred, if all of their edges are kept.
 */
const DOUBT = 2;
/** Number of edges that are not valid, or not proved so, after which RRT-Connect is likely to be faster. */
const MOST_FAILURES = 12;

const factors = { free: 1, doubtful: DOUBT, blocked: Number.POSITIVE_INFINITY };

const plan: PlannerDefinition['plan'] = (problem: LibraryProblem, { stepSize, reach }, random, budget) => {
  const found = problem.library && new LibraryQuery(problem, reach, problem.library).solve(budget);
  if (found !== undefined) return found;
  const { library: _, ...alone } = problem;
  return { ...rrtConnect.plan(alone, { stepSize }, random, budget), isShort: problem.finish !== undefined };
};

/**
 * Lazy search [BohlinKavraki00]: the search tests each edge that it uses by the boxes of the library; other proofs are
 * made only on the path found.
 */
export const library: PlannerDefinition = {
  summary: 'path in a library of motions (plan --library); RRT-Connect if it has none',
  source: 'BohlinKavraki00',
  options,
  iterations: rrtConnect.iterations,
  plan,
};

/** One query of a library. */
class LibraryQuery extends RoadmapQuery {
  private readonly known: number;
  private failures = 0;
  private isWhole = true;

  constructor(
    private readonly problem: LibraryProblem,
    reach: number,
    private readonly library: EdgeLibrary,
  ) {
    super(problem, reach, library.roadmap);
    this.known = this.roadmap.ofEdge.length;
    this.addEnds(problem);
  }

  /** Returns undefined if the library has no path, or none that is soon proved. */
  solve(budget: Budget): PlanResult | undefined {
    const { roadmap, problem } = this;
    const factorOf = (validity: Validity, edge: number) =>
      factors[validity === 'unchecked' ? this.test(edge) : validity];
    for (let iterations = 1; this.failures < MOST_FAILURES && !budget.isSpent(); iterations++) {
      const found = this.shortestPath(factorOf);
      if (found === undefined) return undefined;
      if (!this.isPathProved(found)) continue;
      const states = found.nodes.map((node) => roadmap.read(node));
      const path = this.isWhole ? states : this.shortened(states);
      if (path !== undefined)
        return { status: 'solved', path, iterations, nodes: roadmap.size, isShort: problem.finish !== undefined };
      return undefined;
    }
    return undefined;
  }

  override nodeFor(q: Configuration): number {
    const { roadmap } = this;
    const known = roadmap.nodeAt(q);
    const node = known >= 0 ? known : roadmap.addNode(q, 'free');
    roadmap.ofNode[node] = 'free';
    if (known < 0) for (const other of this.newNeighbors(node)) roadmap.addEdge(node, other, 'doubtful');
    return node;
  }

  /** Tests an edge by the boxes of the library, which knows none that was added. */
  private test(edge: number): 'free' | 'doubtful' {
    const { roadmap, library, known } = this;
    const validity = edge < known && library.isKept(edge) ? 'free' : 'doubtful';
    roadmap.ofEdge[edge] = validity;
    if (validity === 'free') for (const node of roadmap.nodesOf(edge)) roadmap.ofNode[node] = 'free';
    return validity;
  }

  /** Proves the doubtful edges of a path; returns false if one of them, or a node of it, is not valid. */
  private isPathProved({ edges }: RoadmapPath): boolean {
    const { roadmap, motions, library } = this;
    for (const edge of edges) {
      if (roadmap.ofEdge[edge] === 'free') continue;
      this.isWhole = false;
      const isValid =
        roadmap.nodesOf(edge).every((node) => this.isNodeValid(node)) &&
        motions.isMotionValid(...roadmap.ends(edge), true);
      roadmap.ofEdge[edge] = validityOf(isValid, motions);
      if (!isValid) {
        this.failures++;
        return false;
      }
      library.repaired();
    }
    return true;
  }

  /** Shortens a path with edges that the library does not have. */
  private shortened(states: readonly Configuration[]): readonly Configuration[] | undefined {
    const { finish } = this.problem;
    if (finish === undefined) return states;
    const path = new LazyPath(states, this.space, this.motions);
    return finish(path) === 'certified' ? path.states : undefined;
  }
}
