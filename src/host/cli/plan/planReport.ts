import { pageWith } from '../../../tasks/pictures/page.ts';
import type { PlanMotionResult } from '../../../tasks/planning/planMotion.ts';
import type { Problem } from '../../../tasks/sceneRobot.ts';
import { readPageTemplate } from '../../node/pageTemplate.ts';

/** Returns the HTML page of a plan: its motion, or the reason why there is none. */
export async function planReport(
  { scene, robot }: Problem,
  { status, reason, trajectory, certificate, stats }: PlanMotionResult,
): Promise<string> {
  return pageWith(await readPageTemplate(), {
    format: 'elbowroom-page/1',
    title: scene.name,
    problem: { scene, robot },
    stats,
    ...(trajectory ? { trajectory } : {}),
    ...(certificate ? { certificate } : {}),
    ...(status === 'solved' ? {} : { failure: reason }),
  });
}
