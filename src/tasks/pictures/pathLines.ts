import { forwardKinematics, RobotState } from '../../core/kinematics/forwardKinematics.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import type { Scene } from '../../core/scene/scene.ts';
import type { PathLine } from '../../formats/picture/picture.ts';
import type { PathSpan } from '../planning/planStats.ts';
import { pathFrame } from '../programs/toolPaths.ts';

/** Line of the legend of a picture with tool paths. */
export const PATH_LEGEND = 'tool path: green reachable, yellow slow, red blocked';

/** Returns the spans of tool paths with the way to them, where the frames of the paths are at a configuration. */
export function pathLines(
  robot: RobotModel,
  scene: Pick<Scene, 'steps' | 'obstacles'>,
  spans: readonly PathSpan[],
  q: Configuration,
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
