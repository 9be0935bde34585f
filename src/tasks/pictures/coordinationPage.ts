import type { Coordination } from '../coordination/coordinate.ts';
import type { CoordinatedRobot } from '../coordination/pairDiagram.ts';
import type { PageData } from './page.ts';

/**
 * Returns the data of the page that shows robots on their schedules, with the diagram of each pair.
 * @param robots the robot of the scene, then its other robots, in their order
 */
export function coordinationPage(
  { scene, robot }: PageData['problem'],
  robots: readonly CoordinatedRobot[],
  { durations, pairs, schedules, makespan, delays, robots: names }: Coordination,
): PageData {
  const others = (scene.robots ?? []).map((other, i) => ({
    ...other,
    trajectory: robots[i + 1].trajectory,
    startTime: 0,
  }));
  return {
    format: 'elbowroom-page/1',
    title: scene.name,
    problem: { scene: { ...scene, robots: others }, robot },
    trajectory: robots[0].trajectory,
    coordination: {
      robots: names,
      durations,
      pairs: pairs.map(({ a, b, free, undecided }) => ({ a, b, free: rounded(free), undecided: rounded(undecided) })),
      ...(schedules && { schedules }),
      ...(makespan !== undefined && { makespan }),
      ...(delays && { delays }),
    },
    ...(schedules ? {} : { failure: 'No schedule was found: the robots are shown on their own trajectories.' }),
  };
}

type Cells = Coordination['pairs'][number]['free'];

/** Rounds cells to milliseconds: for drawings. */
const rounded = (cells: Cells): Cells =>
  cells.map(([x0, x1, y0, y1]) => [inMilliseconds(x0), inMilliseconds(x1), inMilliseconds(y0), inMilliseconds(y1)]);

const inMilliseconds = (time: number) => Math.round(1000 * time) / 1000;
