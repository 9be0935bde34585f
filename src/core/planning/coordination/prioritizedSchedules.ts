import { firstIndex } from '../../math/firstIndex.ts';
import { earliestArrival } from './earliestArrival.ts';
import type { FreeRectangles } from './freeRectangles.ts';
import { makespanOf, type Schedule, schedulesAlong } from './schedule.ts';
import { type ScheduledRobot, scheduleAgainst } from './scheduleAgainst.ts';

/** Free rectangles of the diagram of two robots, by their indices: x is the time of a, y that of b. */
export interface PairRectangles {
  readonly a: number;
  readonly b: number;
  readonly free: FreeRectangles;
}

/**
 * Maximum number of nodes that are expanded by their bounds: the orders of six robots have fewer. As many again are
 * expanded depth first.
 */
const MAX_NODES = 2000;

/** The first robots of an order of priority. */
interface Node {
  readonly order: readonly number[];
  /** Schedules of these robots, by index of the robot; undefined: not computed yet. */
  readonly schedules: readonly Schedule[] | undefined;
  /** Lower bound on the makespan of every order that begins with these robots, seconds. */
  readonly bound: number;
  /** The lexicographically first of these orders. */
  readonly completed: readonly number[];
  /** True if the first two robots follow the optimal schedules of the two alone. */
  readonly isOfPair: boolean;
}

/**
 * Computes schedules of three robots or more: in the order of priority, each robot is scheduled as early as possible
 * against those before it [ErdmannLozanoPerez87]; the first two may also follow the optimal schedule of the two alone.
 * Returns the schedules of least makespan over all orders, of equals the first; with seven robots or more, the best of
 * the orders that are searched. Undefined if no order succeeds, which does not prove that there is no schedule.
 */
export const prioritizedSchedules = (pairs: readonly PairRectangles[], durations: readonly number[]) =>
  new OrderSearch(pairs, durations).search();

/**
 * Searches the tree of orders by their bounds [HartNilssonRaphael68]: no robot ends earlier if more robots are given,
 * so that the latest end of any robot against the first ones is a lower bound. Orders with the same begin share its
 * schedules, and the search ends when no other order can be better.
 */
class OrderSearch {
  /** Nodes to be expanded, the next one last. */
  private readonly open: Node[] = [];
  private isDepthFirst = false;

  constructor(
    private readonly pairs: readonly PairRectangles[],
    private readonly durations: readonly number[],
  ) {}

  search(): readonly Schedule[] | undefined {
    const { durations, open } = this;
    let best: Node | undefined;
    const robots = durations.map((_, i) => i);
    open.push({ order: [], schedules: [], bound: 0, completed: robots, isOfPair: false });
    for (let count = 0; count < 2 * MAX_NODES && open.length > 0; count++) {
      if (count === MAX_NODES) {
        this.isDepthFirst = true;
        open.sort((a, b) => (this.isBefore(a, b) ? 1 : -1));
      }
      const node = open.pop()!;
      if (best && node.bound >= best.bound) continue;
      if (node.schedules === undefined) this.addPair(node);
      else if (node.order.length < durations.length) this.expand(node, node.schedules);
      else if (this.isDepthFirst) best = node;
      else return node.schedules;
    }
    return best?.schedules;
  }

  /** Adds the orders with one robot more, unless a robot cannot be scheduled. */
  private expand({ order, bound, completed, isOfPair }: Node, schedules: readonly Schedule[]): void {
    const rest = completed.slice(order.length);
    const added = rest.map((robot) => this.scheduled(robot, order, schedules));
    if (!added.every((one) => one !== undefined)) return;
    const latest = Math.max(bound, makespanOf(added));
    const beginWith = (...robots: readonly number[]) => [
      ...order,
      ...robots,
      ...rest.filter((i) => !robots.includes(i)),
    ];
    for (const [k, robot] of rest.entries()) {
      const longer = [...schedules];
      longer[robot] = added[k];
      const begin = { order: [...order, robot], completed: beginWith(robot) };
      this.add({ ...begin, schedules: longer, bound: latest, isOfPair });
    }
    if (order.length > 0) return;
    for (const { a, b } of this.pairs)
      this.add({ order: [a, b], schedules: undefined, bound: latest, completed: beginWith(a, b), isOfPair: true });
  }

  /** Adds the orders that begin with the optimal schedules of two robots alone. */
  private addPair(node: Node): void {
    const [a, b] = node.order;
    const path = earliestArrival(this.between(a, b).free, this.durations[a], this.durations[b]);
    if (path === undefined) return;
    const schedules: Schedule[] = [];
    const both = schedulesAlong(path);
    [schedules[a], schedules[b]] = both;
    this.add({ ...node, schedules, bound: Math.max(node.bound, makespanOf(both)) });
  }

  /** Returns the earliest schedule of a robot against others. */
  private scheduled(robot: number, others: readonly number[], schedules: readonly Schedule[]): Schedule | undefined {
    const given = others.map((other): ScheduledRobot => {
      const { a, free } = this.between(robot, other);
      return { schedule: schedules[other], free, givenIsX: a === other };
    });
    return scheduleAgainst(given, this.durations[robot]);
  }

  private between(one: number, other: number): PairRectangles {
    return this.pairs.find(({ a, b }) => (a === one && b === other) || (a === other && b === one))!;
  }

  private add(node: Node): void {
    const { open } = this;
    const place = firstIndex(open.length, (i) => !this.isBefore(node, open[i]));
    open.splice(place, 0, node);
  }

  /** True if a node is expanded before another one. */
  private isBefore(a: Node, b: Node): boolean {
    if (this.isDepthFirst && a.order.length !== b.order.length) return a.order.length > b.order.length;
    if (a.bound !== b.bound) return a.bound < b.bound;
    const k = a.completed.findIndex((robot, i) => robot !== b.completed[i]);
    return k < 0 ? !a.isOfPair : a.completed[k] < b.completed[k];
  }
}
