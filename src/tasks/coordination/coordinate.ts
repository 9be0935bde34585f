import type { CellDiagram, diagramDefaults } from '../../collision/cellDiagram.ts';
import { type DelayPoint, delayTolerance, type OtherRobot } from '../../planning/coordination/delayTolerance.ts';
import { earliestArrival } from '../../planning/coordination/earliestArrival.ts';
import { FreeRectangles, type TimeRectangle } from '../../planning/coordination/freeRectangles.ts';
import { prioritizedSchedules } from '../../planning/coordination/prioritizedSchedules.ts';
import { makespanOf, type Schedule, schedulesAlong } from '../../planning/coordination/schedule.ts';
import { type CoordinatedRobot, createPairDiagram, type SharedScene } from './pairDiagram.ts';

/** Coordination diagram of two robots, by their indices, a before b. */
export interface PairDiagram {
  readonly a: number;
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
  /** Tolerated delay of each robot over the time of the schedule. */
  readonly delays?: readonly (readonly DelayPoint[])[];
}

/**
 * Computes the coordination diagram of each pair of robots, and the schedule of least makespan that stays in free
 * cells: for two robots the optimum of their diagram; for more, the best of schedules by priority. Each trajectory must
 * be collision-free by itself.
 */
export function coordinateRobots(
  robots: readonly CoordinatedRobot[],
  scene: SharedScene,
  options: Partial<typeof diagramDefaults> = {},
): Coordination {
  const names = robots.map(({ name }) => name);
  const durations = robots.map(({ trajectory }) => trajectory.points.at(-1)!.time_from_start!);
  const pairs: PairDiagram[] = [];
  for (let a = 0; a < robots.length; a++) {
    for (let b = a + 1; b < robots.length; b++) {
      pairs.push(pairDiagram(a, b, createPairDiagram(robots[a], robots[b], scene, options)));
    }
  }
  const found = { robots: names, durations, pairs };
  const free = pairs.map((pair) => new FreeRectangles(pair.free));
  const schedules = schedulesOf(pairs, free, durations);
  if (schedules === undefined) return found;
  const makespan = makespanOf(schedules);
  const delays = schedules.map((late, i) => {
    const others = pairs.flatMap(({ a, b }, k): OtherRobot[] =>
      a === i || b === i ? [{ schedule: schedules[a === i ? b : a], free: free[k], lateIsX: a === i }] : [],
    );
    return delayTolerance(late, others, makespan);
  });
  return { ...found, schedules, makespan, delays };
}

function pairDiagram(a: number, b: number, diagram: CellDiagram): PairDiagram {
  const [free, colliding, undecided] = [diagram.free(), diagram.colliding(), diagram.undecided()];
  return { a, b, free, colliding, undecided, cells: diagram.checked };
}

function schedulesOf(
  pairs: readonly PairDiagram[],
  free: readonly FreeRectangles[],
  durations: readonly number[],
): readonly Schedule[] | undefined {
  if (pairs.length === 1) {
    const path = earliestArrival(free[0], durations[0], durations[1]);
    return path && schedulesAlong(path);
  }
  const diagrams = pairs.map(({ a, b }, k) => ({ a, b, free: free[k] }));
  return prioritizedSchedules(diagrams, durations);
}
