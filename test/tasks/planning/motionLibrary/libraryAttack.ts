import { verifyCertificate } from '../../../../src/core/certificate/verify.ts';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import { Random } from '../../../../src/core/math/random.ts';
import type { CollisionObject, Scene } from '../../../../src/core/scene/scene.ts';
import { createTrajectoryChecker } from '../../../../src/tasks/checking/checkTrajectory.ts';
import { createPlanner } from '../../../../src/tasks/createPlanner.ts';
import { buildLibrary } from '../../../../src/tasks/planning/motionLibrary/buildLibrary.ts';
import { PreparedLibrary, type SceneLibrary } from '../../../../src/tasks/planning/motionLibrary/keptEdges.ts';
import type { MotionLibrary } from '../../../../src/tasks/planning/motionLibrary/libraryFile.ts';
import { planningSpace } from '../../../../src/tasks/planning/planningSpace.ts';
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

/** Returns a library for queries of a scene. */
export const inScene = (library: PreparedLibrary, scene: Scene, robot = arm): SceneLibrary =>
  library.inScene(scene, new CollisionManager(new CollisionModel(robot, scene)).posed, planningSpace(robot));

/** Checks states on the edges that a library keeps in a changed scene; returns the wrong ones. */
export function attackLibrary(
  library: MotionLibrary,
  scene: Scene,
  random: Random,
  counts: { kept: number; dropped: number },
): string[] {
  const found = inScene(new PreparedLibrary(library, 'test'), scene);
  const manager = new CollisionManager(new CollisionModel(arm, scene));
  const wrong: string[] = [];
  for (const [edge, [from, to]] of library.edges.entries()) {
    if (!found.isKept(edge)) continue;
    for (let k = 0; k < 4; k++) {
      const t = random.between(0, 1);
      const q = Float64Array.from(library.points[from], (x, j) => {
        let way = library.points[to][j] - x;
        if (j === 1) way -= 2 * Math.PI * Math.round(way / (2 * Math.PI)); // it has no limits
        return x + t * way;
      });
      if (!manager.isCollisionFree(q)) wrong.push(`edge ${from}-${to} at ${t}`);
    }
  }
  counts.kept += found.stats.kept;
  counts.dropped += found.stats.dropped;
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

/**
 * Plans in ten changed scenes with the library of a random scene; judges motions by the checker and by the verifier of
 * certificates, and refusals by the states.
 */
export function attackAnswers(
  seed: number,
  counts: { scenes: number; proved: number; valid: number; kept: number; dropped: number; readonly wrong: string[] },
): void {
  const random = new Random(seed);
  const scene = postScene(seed);
  const library = new PreparedLibrary(libraryOf(scene), 'test');
  const planner = createPlanner({ scene, robot: arm.description, model: arm });
  for (let round = 0; round < 10; round++) {
    counts.scenes++;
    const own = changed(scene, random);
    planner.change({ obstacles: own.obstacles });
    const options = { planner: 'library', library, iterations: 300, certificate: true } as const;
    const { status, trajectory, certificate, stats } = planner.plan(options);
    counts.kept += stats.library!.kept;
    counts.dropped += stats.library!.dropped;
    const manager = new CollisionManager(new CollisionModel(arm, own));
    const isFree = (q: unknown) => manager.isCollisionFree(Float64Array.from(q as number[]));
    const ends = [own.start, ...own.goals.map((goal) => (goal.kind === 'joints' ? goal.joints : undefined))];
    const where = `seed ${seed}, round ${round}`;
    if (status === 'start-in-collision' || status === 'goal-in-collision') {
      if (ends.every(isFree)) counts.wrong.push(`${where}: ${status}, but both are free`);
    } else if (trajectory) {
      counts.proved++;
      if (createTrajectoryChecker(arm, manager)(trajectory).valid) counts.valid++;
      else counts.wrong.push(`${where}: the trajectory is not valid`);
      const verified = certificate && verifyCertificate(certificate, arm, own, trajectory);
      if (verified?.proved === false) counts.wrong.push(`${where}: ${verified.problems[0]}`);
    }
  }
}
