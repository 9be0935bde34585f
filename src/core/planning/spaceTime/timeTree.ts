import type { Configuration } from '../../math/configuration.ts';
import { roundedDown, type SpaceTimeProblem, type Visit } from './spaceTime.ts';

/** A node of a tree. */
export interface TimeNode {
  readonly q: Configuration;
  /**
   * In the tree from the start: time of arrival at q. In the tree from the goals: time of departure from q at which a
   * valid motion to the goal begins.
   */
  readonly time: number;
  /** Node towards the root; undefined for roots. */
  readonly parent: TimeNode | undefined;
  /** Departure of the motion between the node and its parent, in the direction of time. */
  readonly departure: number;
}

/** Share of the waiting time in the cost of an extension: nodes from which the robot need not wait are preferred. */
const WAITING_COST = 0.3;
/** Fractions of an extension that are tried in turn. */
const FRACTIONS = [1, 0.5, 0.25];

/**
 * Tree in joints and time. `forward`: rooted in the start; each node is reached from its parent after an optional wait.
 * Otherwise rooted in goals, and time runs from a node to its parent.
 */
export class TimeTree {
  readonly nodes: TimeNode[] = [];

  constructor(
    private readonly problem: SpaceTimeProblem,
    readonly forward: boolean,
  ) {}

  addRoot(q: Configuration, time: number): TimeNode {
    return this.add({ q, time, parent: undefined, departure: time });
  }

  /** Extends the tree towards a state at a time; returns the new node, undefined if no motion is valid. */
  extend(target: Configuration, time: number, waitsFirst: boolean): TimeNode | undefined {
    const { problem, forward } = this;
    const near = this.nearest(target, time, 1)[0];
    if (near === undefined) return undefined;
    const q = target.slice();
    problem.towards(q, near.q, target);
    const slack = Math.abs(time - near.time) - problem.duration(near.q, q);
    for (const fraction of FRACTIONS) {
      const to = near.q.map((x, i) => x + fraction * (q[i] - x));
      for (const waits of waitsFirst ? [true, false] : [false, true]) {
        const wait = waits ? roundedDown(Math.max(0, fraction * slack), problem.tick) : 0;
        const node = forward ? this.after(near, to, wait) : this.before(near, to, wait);
        if (node !== undefined) return this.add(node);
        if (!(slack > 0)) break;
      }
    }
    return undefined;
  }

  /** Returns nodes from which a state is reachable at a time, those of the least cost first. */
  nearest(target: Configuration, time: number, count: number): TimeNode[] {
    const { problem, forward } = this;
    const found: { readonly node: TimeNode; readonly cost: number }[] = [];
    for (const node of this.nodes) {
      const span = forward ? time - node.time : node.time - time;
      if (!(span >= 0)) continue;
      const least = forward ? problem.leastDuration(node.q, target) : problem.leastDuration(target, node.q);
      if (least > span) continue;
      const cost = least + WAITING_COST * (span - least);
      if (found.length === count && cost >= found[count - 1].cost) continue;
      if (found.length === count) found.pop();
      const at = found.findIndex((one) => one.cost > cost);
      found.splice(at < 0 ? found.length : at, 0, { node, cost });
    }
    return found.map(({ node }) => node);
  }

  private add(node: TimeNode): TimeNode {
    this.nodes.push(node);
    return node;
  }

  /** Returns a node that is reached from `parent` after a wait; undefined if that is not valid. */
  private after(parent: TimeNode, q: Configuration, wait: number): TimeNode | undefined {
    const { problem } = this;
    const departure = parent.time + wait;
    if (wait > 0 && !problem.isHoldValid(parent.q, parent.time, departure)) return undefined;
    if (!problem.isMoveValid(parent.q, q, departure)) return undefined;
    return { q, time: departure + problem.duration(parent.q, q), parent, departure };
  }

  /** Returns a node from which `parent` is reached, where the robot then waits; undefined if that is not valid. */
  private before(parent: TimeNode, q: Configuration, wait: number): TimeNode | undefined {
    const { problem } = this;
    const departure = roundedDown(parent.time - wait - problem.duration(q, parent.q), problem.tick);
    if (departure < 0) return undefined;
    const arrival = departure + problem.duration(q, parent.q);
    if (!problem.isMoveValid(q, parent.q, departure)) return undefined;
    if (arrival < parent.time && !problem.isHoldValid(parent.q, arrival, parent.time)) return undefined;
    return { q, time: departure, parent, departure };
  }
}

/** A motion that joins the trees: from a node of the tree from the start to one of the tree from the goals. */
export interface Connection {
  readonly from: TimeNode;
  readonly to: TimeNode;
  /** Departure from `from`. */
  readonly departure: number;
}

/** Departures that are tried, as a share of the time that can be waited: at once, as late as possible, between. */
const DEPARTURES = [0, 1, 0.5];

/** Returns a valid motion between two nodes; undefined if there is none. */
export function connection(problem: SpaceTimeProblem, from: TimeNode, to: TimeNode): Connection | undefined {
  const q = to.q.slice();
  problem.towards(q, from.q, to.q);
  const duration = problem.duration(from.q, q);
  const slack = roundedDown(to.time - from.time - duration, problem.tick);
  if (slack < 0) return undefined;
  for (const share of slack > 0 ? DEPARTURES : [0]) {
    const departure = from.time + roundedDown(share * slack, problem.tick);
    const arrival = departure + duration;
    if (departure > from.time && !problem.isHoldValid(from.q, from.time, departure)) continue;
    if (!problem.isMoveValid(from.q, q, departure)) continue;
    if (arrival < to.time && !problem.isHoldValid(q, arrival, to.time)) continue;
    return { from, to, departure };
  }
  return undefined;
}

/** Returns the waypoints of a connection from the start to the goal, with unwrapped joint values. */
export function visitsOf(problem: SpaceTimeProblem, { from, to, departure }: Connection): Visit[] {
  const before: TimeNode[] = [];
  for (let node: TimeNode | undefined = from; node; node = node.parent) before.unshift(node);
  const after: TimeNode[] = [];
  for (let node: TimeNode | undefined = to; node; node = node.parent) after.push(node);
  const departures = [
    ...before.slice(1).map((node) => node.departure),
    departure,
    ...after.slice(0, -1).map((node) => node.departure),
  ];
  const visits: Visit[] = [];
  let arrival = 0;
  for (const [i, node] of [...before, ...after].entries()) {
    const q = node.q.slice();
    const last = visits.at(-1);
    if (last) {
      problem.towards(q, last.q, node.q);
      arrival = last.departure + problem.duration(last.q, q);
    }
    visits.push({ q, arrival, departure: departures[i] ?? Number.POSITIVE_INFINITY });
  }
  return visits;
}
