import { proveInfeasible } from '../../../../src/tasks/planning/infeasibility/proveInfeasible.ts';
import { isMotionValid, post, randomCase, sceneOf } from './planarScenes.ts';

/** Metres: width to which a passage is bisected. */
const WIDTH = 1e-4;

/** What became of one random arm: scenes judged, of these with a certified motion, proved impossible, and both. */
export interface PassageCounts {
  scenes: number;
  valid: number;
  proved: number;
  bisected: number;
  readonly wrong: string[];
}

/**
 * Judges the scenes of one random arm: as it is, and with the passage beside its first post bisected to its narrowest
 * width that a certified motion passes, to one that it does not, and closed by 5 cm more.
 */
export function attackPassage(seed: number, counts: PassageCounts): void {
  const { robot, posts, motion } = randomCase(seed);
  const sceneWith = (radius: number) =>
    sceneOf(
      motion[0],
      motion.at(-1)!,
      posts.map((one, i) => post(`post${i}`, one.angle, i === 0 ? radius : one.radius)),
    );
  const isValid = (radius: number) => isMotionValid(robot, sceneWith(radius), motion);
  const radii = [posts[0].radius];
  let [low, high] = [0.1, 1.2];
  if (isValid(high) && !isValid(low)) {
    while (high - low > WIDTH) {
      const middle = 0.5 * (low + high);
      if (isValid(middle)) high = middle;
      else low = middle;
    }
    counts.bisected++;
    radii.push(high, low, low - 0.05);
  }
  for (const radius of radii) {
    const scene = sceneWith(radius);
    if (![motion[0], motion.at(-1)!].every((q) => isMotionValid(robot, scene, [q]))) continue;
    const [valid, proved] = [isValid(radius), proveInfeasible(robot, scene, () => false) !== undefined];
    counts.scenes++;
    if (valid) counts.valid++;
    if (proved) counts.proved++;
    if (valid && proved) counts.wrong.push(`seed ${seed}: a post at ${radius} m leaves a motion`);
  }
}
