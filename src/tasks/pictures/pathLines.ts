import { forwardKinematics, RobotState } from '../../core/kinematics/forwardKinematics.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import type { Scene } from '../../core/scene/scene.ts';
import type { PathLine } from '../../formats/picture/picture.ts';
import type { PathSpan } from '../planning/planStats.ts';
import { pathFrame } from '../programs/toolPaths.ts';

/** Line of the legend of a picture with tool paths. */
export const PATH_LEGEND = 'tool path: green reachable, yellow slow, red blocked';

/** Returns the first configuration of the longest span whose start is known; undefined if none is known. */
export function longestStart(spans: readonly PathSpan[]): Configuration | undefined {
  const begun = spans.filter(({ start }) => start !== undefined);
  const start = begun.toSorted((a, b) => b.to - b.from - (a.to - a.from)).at(0)?.start;
  return start && Float64Array.from(start);
}

/**
 * Returns the spans of tool paths (`PlanStats.spans`) with the lines that lead to them, in the world.
 * @param q configuration that places the frames of the paths; default: that at which the longest span begins
 */
export function pathLines(
  robot: RobotModel,
  scene: Pick<Scene, 'steps' | 'obstacles'>,
  spans: readonly PathSpan[],
  q: Configuration = longestStart(spans) ?? new Float64Array(robot.dof),
): PathLine[] {
  const state = new RobotState(robot);
  forwardKinematics(state, q);
  return spans.flatMap(({ step: index, from, to, status }) => {
    const step = scene.steps?.[index];
    if (step?.kind !== 'path') return [];
    const frame = pathFrame(robot, scene, step);
    const T = typeof frame === 'number' ? state.T_world_link[frame] : frame;
    const points = step.points
      .slice(Math.max(0, from - 1), to + 1)
      .flatMap(({ xyz: [x, y, z] }) => [0, 4, 8].map((i) => T[i] * x + T[i + 1] * y + T[i + 2] * z + T[i + 3]));
    return [{ status, points }];
  });
}
