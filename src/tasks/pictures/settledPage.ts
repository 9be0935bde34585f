import type { Obstacle, Scene } from '../../core/scene/scene.ts';
import type { SettledScene } from '../settling/settleScene.ts';
import type { PageData } from './page.ts';

/**
 * Returns a scene with the final poses of its free objects, dropped ones included; if the simulation was recorded, they
 * have the motions of the fall.
 * @param names of all obstacles, then of the dropped objects
 */
export function sceneAfterFall(scene: Scene, result: SettledScene, names: readonly string[]): Scene {
  const { moved, dropped, fall } = result;
  const { drop, obstacles, ...rest } = scene;
  const own = obstacles.map((obstacle, i): Obstacle => ({ ...obstacle, pose: moved.get(i) ?? obstacle.pose }));
  const created = dropped.map((pose, i): Obstacle => {
    const { parts, free } = drop!.shapes[i % drop!.shapes.length];
    return { name: names[obstacles.length + i], parts, free, pose };
  });
  let body = 0;
  const withMotion = (obstacle: Obstacle): Obstacle => {
    const motion = obstacle.free === undefined ? undefined : fall?.motions[body++];
    return motion === undefined ? obstacle : { ...obstacle, motion };
  };
  return { ...rest, obstacles: [...own, ...created].map(withMotion) };
}

/**
 * Returns the data of the page that replays a recorded simulation.
 * @param summary the outcome in one line
 * @param names as in `sceneAfterFall`
 */
export function settledPage(
  { scene, robot }: PageData['problem'],
  result: SettledScene,
  summary: string,
  names: readonly string[],
): PageData {
  const { status, fall } = result;
  return {
    format: 'elbowroom-page/1',
    title: scene.name,
    problem: { scene: sceneAfterFall(scene, result, names), robot },
    settling: {
      summary,
      atRest: status === 'rest',
      end: fall!.end,
      energy: fall!.energy,
      overlap: fall!.overlap,
    },
  };
}
