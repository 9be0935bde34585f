import { StraightMotion } from '../../src/core/collision/motions/motion.ts';
import { MotionProver } from '../../src/core/collision/motions/motionProver.ts';
import { proverDefaults } from '../../src/core/collision/proofs/proverOptions.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { Random } from '../../src/core/math/random.ts';
import { PlainSampling } from './plainSampling.ts';
import { type Findings, shareOf, type World } from './worlds.ts';

/** Distance of consecutive samples when a certified motion is sampled again, rad. */
const SECOND_LOOK = 0.0002;
/** Lengths of the motions, rad (L2). */
const LENGTHS = [0.1, 0.3, 0.75, 1.5, 3];
/** Every second motion is proved in pieces of at most so much (L2), as those of planners are. */
const PIECE = 0.5;
/** States drawn for a free one before a world is given up. */
const MOST_DRAWS = 2000;
/** Metres: what a moment named as a collision may be apart for the plain solver. */
const TOUCHING = 1e-9;

/**
 * Checks the prover on random straight motions from free states. Every certified motion is sampled again; every motion
 * in collision must be in collision at the reported time. The number of unresolved motions is reported, but no failure.
 */
export function tryEdges(worlds: readonly World[], count: number, seed: number): Findings {
  const seen = { certified: 0, collision: 0, unresolved: 0 };
  const wrong: string[] = [];
  const fruitless: string[] = [];
  for (const [w, world] of worlds.entries()) {
    const random = new Random(seed, w);
    const { space, model, name } = world;
    const manager = new CollisionManager(model);
    const provers = [Number.POSITIVE_INFINITY, PIECE].map(
      (piece) => new MotionProver(manager.posed, proverDefaults, piece),
    );
    const plain = new PlainSampling(world);
    const motion = new StraightMotion(space.dof);
    for (let k = shareOf(count, w, worlds.length); k > 0; k--) {
      if (!drawMotion(motion, random, world, manager)) {
        fruitless.push(name);
        break;
      }
      const prover = provers[k % 2];
      const verdict = prover.prove(motion);
      seen[verdict]++;
      const repeat = `${name} from [${motion.qFrom}] to [${motion.qTo}]`;
      if (verdict === 'certified') {
        const touch = plain.firstTouch(motion.qFrom, motion.qTo, SECOND_LOOK);
        if (touch)
          wrong.push(
            `certified, but ${touch.pair.join(' and ')} are ${touch.distance} m apart at ${touch.t}: ${repeat}`,
          );
      }
      if (verdict === 'collision') {
        const q = new Float64Array(space.dof);
        motion.positionAt(q, prover.time);
        const pair = model.namesOf(prover.pair);
        const distance = plain.distanceOf(q, pair);
        if (!(distance <= world.scene.padding + TOUCHING))
          wrong.push(
            `found in collision at ${prover.time}, but ${pair.join(' and ')} are ${distance} m apart: ${repeat}`,
          );
      }
    }
  }
  const all = seen.certified + seen.collision + seen.unresolved;
  const percent = (n: number) => `${((100 * n) / all).toFixed(3)} %`;
  const lines = [
    `${all} motions of ${LENGTHS.join(', ')} rad: ${seen.certified} certified, ${seen.collision} in collision, ${seen.unresolved} unresolved (${percent(seen.unresolved)})`,
    `certified ones sampled again at ${SECOND_LOOK} rad`,
    ...(fruitless.length > 0
      ? [`no free state found in ${fruitless.length} worlds: ${fruitless.slice(0, 5).join(', ')}`]
      : []),
  ];
  return { lines, wrong };
}

/**
 * Puts the motion on a free state and on another of the given lengths, within the limits; false where no free state is
 * found.
 */
function drawMotion(motion: StraightMotion, random: Random, { space }: World, manager: CollisionManager): boolean {
  const [from, far, to] = [1, 2, 3].map(() => new Float64Array(space.dof));
  let draws = 0;
  do {
    if (++draws > MOST_DRAWS) return false;
    space.sample(from, random);
  } while (!manager.isCollisionFree(from));
  space.sample(far, random);
  space.interpolate(to, from, far, Math.min(1, LENGTHS[random.below(LENGTHS.length)] / space.distance(from, far)));
  motion.qFrom = from;
  motion.qTo = to;
  return true;
}
