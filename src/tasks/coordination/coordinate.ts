import { type CellDiagram, diagramDefaults } from '../../core/collision/cells/cellDiagram.ts';
import type { CollisionModel } from '../../core/collision/model/collisionModel.ts';
import { delayedRectangles } from '../../core/planning/coordination/delayedRectangles.ts';
import { type DelayPoint, delayTolerance } from '../../core/planning/coordination/delayTolerance.ts';
import { type DiagramPoint, earliestArrival } from '../../core/planning/coordination/earliestArrival.ts';
import { FreeRectangles, type TimeRectangle } from '../../core/planning/coordination/freeRectangles.ts';
import { prioritizedSchedules } from '../../core/planning/coordination/prioritizedSchedules.ts';
import { makespanOf, type Schedule, schedulesAlong } from '../../core/planning/coordination/schedule.ts';
import type { ScheduledRobot } from '../../core/planning/coordination/scheduleAgainst.ts';
import { type CoordinatedRobot, createPairDiagram, createPairModel, type SharedScene } from './pairDiagram.ts';

/** Defaults of `coordinateRobots`. */
export const coordinationDefaults = {
  ...diagramDefaults,
  /** Minimum delay that each robot may have at every time of the schedule, seconds. */
  delay: 0,
};

/** Coordination diagram of two robots, by their indices, a before b. */
export interface PairDiagram {
  /** Index of the first robot. */
  readonly a: number;
  /** Index of the second robot. */
  readonly b: number;
  /** Cells in which no part of a touches a part of b. */
  readonly free: readonly TimeRectangle[];
  /** Cells in which some part of a collides with a part of b at every point. */
  readonly colliding: readonly TimeRectangle[];
  /** All other cells. */
  readonly undecided: readonly TimeRectangle[];
  /** Number of cells that were checked. */
  readonly cells: number;
}

/** Result of `coordinateRobots`. */
export interface Coordination {
  /** Names of the robots. */
  readonly robots: readonly string[];
  /** Duration of the trajectory of each robot, seconds. */
  readonly durations: readonly number[];
  /** One diagram for each pair of robots. */
  readonly pairs: readonly PairDiagram[];
  /** Schedule of each robot; undefined if none was found that stays in free cells. */
  readonly schedules?: readonly Schedule[];
  /** End of the last schedule, seconds. */
  readonly makespan?: number;
  /** Of two robots: lower bound on the makespan of any schedule, seconds; Infinity if every schedule collides. */
  readonly leastMakespan?: number;
  /** Tolerated delay of each robot over the time of the schedule. */
  readonly delays?: readonly (readonly DelayPoint[])[];
}

/** Receives each finished diagram, with the planes of its pairs. */
export interface DiagramRecorder {
  /** @param model the collision model of both robots, whose pairs the planes refer to */
  add(a: number, b: number, model: CollisionModel, diagram: CellDiagram): void;
}

/**
 * Computes the coordination diagram of each pair of robots, and the schedule of least makespan that stays in free
 * cells: for two robots the optimum of their diagram; for more robots, the best of the prioritized schedules. Each
 * trajectory must be collision-free by itself.
 */
export const coordinateRobots = (
  robots: readonly CoordinatedRobot[],
  scene: SharedScene,
  options: Partial<typeof coordinationDefaults> = {},
): Coordination => recordedCoordination(robots, scene, options);

/**
 * As `coordinateRobots`.
 * @param recorder receives the separating planes, for a certificate
 */
export function recordedCoordination(
  robots: readonly CoordinatedRobot[],
  scene: SharedScene,
  options: Partial<typeof coordinationDefaults>,
  recorder?: DiagramRecorder,
): Coordination {
  const { delay, ...limits } = { ...coordinationDefaults, ...options };
  const names = robots.map(({ name }) => name);
  const durations = robots.map(({ trajectory }) => trajectory.points.at(-1)!.time_from_start!);
  const pairs: PairDiagram[] = [];
  let best: BestPath | undefined;
  for (let a = 0; a < robots.length; a++) {
    for (let b = a + 1; b < robots.length; b++) {
      const model = createPairModel(robots[a], robots[b], scene);
      const diagram = createPairDiagram(robots[a], robots[b], scene, limits, model, recorder !== undefined);
      best = bestPath(diagram, durations[a], durations[b]);
      recorder?.add(a, b, model, diagram);
      const [free, colliding, undecided] = [diagram.free(), diagram.colliding(), diagram.undecided()];
      pairs.push({ a, b, free, colliding, undecided, cells: diagram.checked });
    }
  }
  const isPair = pairs.length === 1;
  const found = { robots: names, durations, pairs, ...(isPair && { leastMakespan: best!.lowerBound }) };
  const free = pairs.map((pair) => new FreeRectangles(pair.free));
  const diagrams = pairs.map(({ a, b, ...cells }, k) => ({
    a,
    b,
    free: delay > 0 ? withDelay(cells, delay) : free[k],
  }));
  const pathOfPair = () => (delay > 0 ? earliestArrival(diagrams[0].free, durations[0], durations[1]) : best!.path);
  const schedules = isPair ? scheduled(pathOfPair()) : prioritizedSchedules(diagrams, durations);
  if (schedules === undefined) return found;
  const makespan = makespanOf(schedules);
  const delays = schedules.map((late, i) => {
    const others = pairs.flatMap(({ a, b }, k): ScheduledRobot[] =>
      a === i || b === i ? [{ schedule: schedules[a === i ? b : a], free: free[k], givenIsX: b === i }] : [],
    );
    return delayTolerance(late, others, makespan);
  });
  return { ...found, schedules, makespan, delays };
}

const scheduled = (path: readonly DiagramPoint[] | undefined) => path && schedulesAlong(path);

/** Returns the points of the free cells that stay collision-free if either robot is late by up to `delay`. */
const withDelay = ({ free, colliding, undecided }: Omit<PairDiagram, 'a' | 'b'>, delay: number): FreeRectangles =>
  new FreeRectangles(delayedRectangles(free, [...colliding, ...undecided], delay));

/** Path of least duration through the free cells, and a lower bound on that of any path. */
interface BestPath {
  readonly path: readonly DiagramPoint[] | undefined;
  /** Duration of the best path through free and undecided cells, seconds; Infinity: the goal cannot be reached. */
  readonly lowerBound: number;
}

/** Relative: a path this close to the lower bound is not improved further. */
const RELATIVE_GAP = 0.005;

/**
 * Computes the path of least duration through the free cells. The best path through free and undecided cells is a lower
 * bound: the undecided cells that it crosses are bisected until both are about equal, or no cell can be bisected.
 */
function bestPath(diagram: CellDiagram, endA: number, endB: number): BestPath {
  const pathThrough = (cells: readonly TimeRectangle[], bound: number) =>
    earliestArrival(new FreeRectangles(cells), endA, endB, bound);
  const durationOf = (path: readonly DiagramPoint[] | undefined) =>
    path ? makespanOf(schedulesAlong(path)) : Number.POSITIVE_INFINITY;
  let duration = Number.POSITIVE_INFINITY;
  for (;;) {
    const free = diagram.free();
    const path = pathThrough(free, duration);
    duration = durationOf(path);
    const optimistic = pathThrough([...free, ...diagram.undecided()], duration);
    const lowerBound = durationOf(optimistic);
    if (optimistic === undefined || duration <= lowerBound * (1 + RELATIVE_GAP)) return { path, lowerBound };
    if (diagram.refineAlong(optimistic)) continue;
    // No cell along this path can be bisected further; a path through other cells may still be shorter than the known
    // one.
    const other = pathThrough([...free, ...diagram.bisectable()], duration);
    if (durationOf(other) * (1 + RELATIVE_GAP) >= duration || !diagram.refineAlong(other!)) return { path, lowerBound };
  }
}
