import type { Witness } from '../../../../src/core/certificate/cells/cellPartition.ts';
import type { Cells, InfeasibilityCertificate } from '../../../../src/core/certificate/cells/infeasibility.ts';
import { verifyInfeasibility } from '../../../../src/core/certificate/cells/verifyInfeasibility.ts';
import type { RobotModel } from '../../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import type { Scene } from '../../../../src/core/scene/scene.ts';
import { proveInfeasible } from '../../../../src/tasks/planning/infeasibility/proveInfeasible.ts';
import { planMotion } from '../../../../src/tasks/planning/planMotion.ts';
import { isMotionValid, poseGoalScene, post, randomCase, sceneOf } from './planarScenes.ts';

/** Metres: width to which a passage is bisected. */
const WIDTH = 1e-4;
/** Changes of each proof. */
const MUTATIONS = 10;

/** What became of one random arm: scenes judged, of these with a certified motion, proved impossible, and both. */
export interface PassageCounts {
  scenes: number;
  valid: number;
  proved: number;
  bisected: number;
  /** Proofs, as they are and changed, that are verified in a scene with a motion. */
  refused: number;
  readonly wrong: string[];
}

const never = () => false;
/** Iterations of a search for a motion that is proved not to exist. */
const ITERATIONS = 300;

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
    const [valid, proved] = [isValid(radius), proveInfeasible(robot, scene, never) !== undefined];
    counts.scenes++;
    if (valid) counts.valid++;
    if (proved) counts.proved++;
    if (valid && proved) counts.wrong.push(`seed ${seed}: a post at ${radius} m leaves a motion`);
  }
}

/**
 * As `attackPassage`, with the pose of the last link in the goal state as goal. Scenes that are proved impossible are
 * searched for a motion to any state of the pose, and their proofs verified in the scenes with a motion.
 */
export function attackPosePassage(seed: number, counts: PassageCounts): void {
  const { robot, posts, motion } = randomCase(seed);
  const goal = motion.at(-1)!;
  const sceneWith = (radius: number): Scene =>
    poseGoalScene(
      robot,
      sceneOf(
        motion[0],
        goal,
        posts.map((one, i) => post(`post${i}`, one.angle, i === 0 ? radius : one.radius)),
      ),
      goal,
    );
  const isValid = (radius: number) => isMotionValid(robot, sceneWith(radius), motion);
  let [low, high] = [0.1, 1.2];
  if (!isValid(high) || isValid(low)) return;
  while (high - low > WIDTH) {
    const middle = 0.5 * (low + high);
    if (isValid(middle)) high = middle;
    else low = middle;
  }
  counts.bisected++;
  for (const radius of [high, low, low - 0.02, low - 0.05]) {
    const scene = sceneWith(radius);
    if (!isMotionValid(robot, scene, [motion[0]])) continue;
    counts.scenes++;
    const known = isMotionValid(robot, scene, [goal]) ? [Float64Array.from(goal)] : [];
    const proof = proveInfeasible(robot, scene, never, known);
    if (isValid(radius)) counts.valid++;
    if (proof === undefined) continue;
    counts.proved++;
    if (isValid(radius)) counts.wrong.push(`seed ${seed}: a post at ${radius} m leaves a motion to the pose`);
    const random = new Random(seed);
    for (const certificate of [proof, ...Array.from({ length: MUTATIONS }, () => mutated(proof, random))]) {
      counts.refused++;
      if (verifyInfeasibility(certificate, robot, sceneWith(high)).proved)
        counts.wrong.push(`seed ${seed}: a changed proof with a post at ${radius} m holds with one at ${high} m`);
    }
    if (isSolved(robot, scene, seed)) counts.wrong.push(`seed ${seed}: a motion is found with a post at ${radius} m`);
  }
}

/** A proof of which one tree is changed: entries are left out, copied, moved, or claim something else. */
function mutated(proof: InfeasibilityCertificate, random: Random): InfeasibilityCertificate {
  const cells = [...proof.goals, ...proof.walls];
  const chosen = cells[random.below(cells.length)];
  const tree = [...chosen.tree];
  const claims = tree.filter((entry) => typeof entry !== 'number');
  for (let n = 0; n <= random.below(4); n++) {
    const i = random.below(tree.length);
    const entry = tree[i];
    const other = claims[random.below(claims.length)];
    if (typeof entry === 'number') tree[i] = random.below(2) === 0 ? other : random.below(chosen.joints.length);
    else if (entry === null || entry === false || random.below(2) === 0)
      tree[i] = random.below(3) === 0 ? false : other;
    else
      tree[i] = entry.map((x, k) =>
        k === 0 ? random.below(chosen.pairs.length) : x + random.between(-0.1, 0.1),
      ) as unknown as Witness;
  }
  const change = <T extends Cells>(one: T): T => (one === (chosen as Cells) ? { ...one, tree } : one);
  return { ...proof, goals: proof.goals.map(change), walls: proof.walls.map(change) };
}

const isSolved = (model: RobotModel, scene: Scene, seed: number): boolean =>
  planMotion({ robot: model.description, model, scene }, { seed, iterations: ITERATIONS }).status === 'solved';
