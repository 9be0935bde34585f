import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { buildPeer, type CppPeer, writeForPeer } from '../peers/cpp.ts';
import { sceneWords } from '../peers/words.ts';
import { type BenchScene, coherentStates, randomStates } from './samples.ts';

export interface StateRow {
  readonly [column: string]: string | number;
  readonly scene: string;
}

const ROUNDS = 12;

/** FCL's dynamic AABB tree over the same states; undefined where FCL is not installed. */
export const buildFclStates = (): CppPeer | undefined => buildPeer('fclStates', ['fcl', 'ccd']);

/** Microseconds a state: random ones, the free ones among them, and states along edges; ours and FCL's in turn. */
export function stateRow({ name, robot, scene }: BenchScene, fcl: CppPeer | undefined): StateRow {
  const manager = new CollisionManager(new CollisionModel(robot, scene));
  const random = randomStates(robot, 3000, 2);
  const free = random.filter((q) => manager.isCollisionFree(q));
  const sets = { random, free, coherent: coherentStates(free.slice(0, 50), 3) };
  const words = fcl && sceneWords(manager.model);
  const sceneFile = words && writeForPeer('scene.txt', words);
  const row: Record<string, string | number> = {
    scene: name,
    obstacles: scene.obstacles.length,
    pairs: manager.model.pairCount,
    'free %': (100 * free.length) / random.length,
  };
  let differ = 0;
  for (const [kind, states] of Object.entries(sets)) {
    const statesFile = sceneFile && writeForPeer('states.txt', [states.length, ...states.flatMap((q) => [...q])]);
    const ours: number[] = [];
    const theirs: number[] = [];
    const verdicts = new Uint8Array(states.length);
    for (let block = 0; block < 3; block++) {
      for (let round = 0; round < ROUNDS; round++) {
        const before = performance.now();
        for (let i = 0; i < states.length; i++) verdicts[i] = manager.isCollisionFree(states[i]) ? 1 : 0;
        ours.push(((performance.now() - before) * 1e3) / states.length);
      }
      if (!fcl || !sceneFile || !statesFile) continue;
      const { least, free } = fcl.run<{ least: number; free: string }>(sceneFile, statesFile, 5);
      theirs.push(least / 1000);
      if (block === 0) for (let i = 0; i < states.length; i++) if (free[i] !== String(verdicts[i])) differ++;
    }
    row[`${kind} µs`] = Math.min(...ours);
    if (theirs.length > 0) {
      row[`FCL, ${kind} µs`] = Math.min(...theirs);
      row[`${kind}: ours / FCL`] = Math.min(...ours) / Math.min(...theirs);
    }
    manager.counters.pairChecks = 0;
    for (const q of states) manager.isCollisionFree(q);
    row[`checks, ${kind}`] = manager.counters.pairChecks / states.length;
  }
  if (words) row['verdicts that differ'] = differ;
  return row as unknown as StateRow;
}
