import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import { Random } from '../../../../src/core/math/random.ts';
import type { CollisionObject, Scene } from '../../../../src/core/scene/scene.ts';
import { buildLibrary } from '../../../../src/tasks/planning/motionLibrary/buildLibrary.ts';
import { sceneLibrary } from '../../../../src/tasks/planning/motionLibrary/keptEdges.ts';
import type { MotionLibrary } from '../../../../src/tasks/planning/motionLibrary/libraryFile.ts';
import { planarArm, post, sceneOf } from '../infeasibility/planarScenes.ts';

export const arm = planarArm([0.35, 0.3, 0.2], 0.05, [3, Number.POSITIVE_INFINITY, 2.4]);

/** A scene of the arm among posts; with padding and a clearance, edges must keep these distances. */
export function postScene(seed: number): Scene {
  const random = new Random(seed);
  const posts = Array.from({ length: 4 }, (_, i) => post(`post${i}`, random.between(-3, 3), random.between(0.5, 0.9)));
  return {
    ...sceneOf([0, 0.5, 0], [1, -0.5, 0.5], posts),
    padding: 0.002,
    clearances: [{ a: 'link3', b: 'post0', distance: 0.02 }],
  };
}

export const libraryOf = (scene: Scene, nodes = 60): MotionLibrary =>
  buildLibrary(
    { scene, robot: arm.description, model: arm },
    {
      nodes,
      mostNumbers: 1e7,
      seed: 1,
      states: Array.from({ length: 12 }, (_, i) => Float64Array.of(Math.sin(i), Math.sin(2 * i + 1), Math.cos(i))),
      isOver: () => false,
    },
  );

/** Returns a scene in which posts have moved, or are added or removed. */
export function changed(scene: Scene, random: Random): Scene {
  const moved = (one: CollisionObject) =>
    random.below(2) === 0 ? one : { ...post(one.name, random.between(-3, 3), random.between(0.3, 1)) };
  const kept = scene.obstacles.filter(({ name }) => name === 'post0' || random.below(5) > 0).map(moved);
  const added = random.below(3) === 0 ? [post('added', random.between(-3, 3), random.between(0.3, 1))] : [];
  return { ...scene, obstacles: [...kept, ...added] };
}

/** Checks states on the edges that a library keeps in a changed scene; returns the wrong ones. */
export function attackLibrary(
  library: MotionLibrary,
  scene: Scene,
  random: Random,
  counts: { kept: number; dropped: number },
): string[] {
  const model = new CollisionModel(arm, scene);
  const { roadmap, kept, dropped } = sceneLibrary(
    library,
    'test',
    { scene, robot: arm.description, model: arm },
    model,
  );
  counts.kept += kept;
  counts.dropped += dropped;
  const manager = new CollisionManager(model);
  const wrong: string[] = [];
  for (const [from, to] of roadmap.free)
    for (let k = 0; k < 4; k++) {
      const t = random.between(0, 1);
      const q = Float64Array.from(roadmap.points[from], (x, j) => {
        let way = roadmap.points[to][j] - x;
        if (j === 1) way -= 2 * Math.PI * Math.round(way / (2 * Math.PI)); // it has no limits
        return x + t * way;
      });
      if (!manager.isCollisionFree(q)) wrong.push(`edge ${from}-${to} at ${t}`);
    }
  return wrong;
}

/** Builds the library of a random scene, and checks what it keeps in ten changed ones. */
export function attackChanges(
  seed: number,
  counts: { scenes: number; kept: number; dropped: number; readonly wrong: string[] },
): void {
  const random = new Random(seed);
  const scene = postScene(seed);
  const library = libraryOf(scene);
  for (let round = 0; round < 10; round++) {
    counts.scenes++;
    const wrong = attackLibrary(library, changed(scene, random), random, counts);
    counts.wrong.push(...wrong.map((one) => `seed ${seed}: ${one}`));
  }
}
