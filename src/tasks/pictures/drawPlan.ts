import { svgPicture } from '../../formats/picture/svgPicture.ts';
import type { PathSpan, PlanMotionResult } from '../planning/planStats.ts';
import { createSceneRobot, type Problem } from '../sceneRobot.ts';
import { drawMotion, standing } from './drawMotion.ts';
import { longestStart, PATH_LEGEND, pathLines } from './pathLines.ts';

/** Draws the motion of a plan, or the parts of a tool path that fails, as an SVG document; undefined for others. */
export async function drawPlan(
  problem: Problem,
  { trajectory, stats: { spans } }: PlanMotionResult,
): Promise<string | undefined> {
  const caption = problem.scene.description ?? '';
  if (trajectory) return drawMotion(problem, trajectory, { caption, ...(spans && { spans }) });
  return spans && drawSpans(problem, spans);
}

/** Draws the spans of a tool path, with the robot where the longest that has a start begins. */
function drawSpans(problem: Problem, spans: readonly PathSpan[]): Promise<string> {
  const robot = createSceneRobot(problem);
  const { scene } = problem;
  const q = longestStart(spans) ?? new Float64Array(robot.dof);
  const lines = pathLines(robot, scene, spans, q);
  const title = `${scene.name}: parts of a tool path`;
  return svgPicture({ ...standing(robot, scene, q), title, caption: PATH_LEGEND, lines });
}
