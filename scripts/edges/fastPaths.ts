import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { PosedParts } from '../../src/core/collision/model/posedParts.ts';
import { StraightMotion } from '../../src/core/collision/motions/motion.ts';
import { MotionProver } from '../../src/core/collision/motions/motionProver.ts';
import { proverDefaults } from '../../src/core/collision/proofs/proverOptions.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { RobotJointSpace } from '../../src/core/collision/validators/robotJointSpace.ts';
import { createRobotModel } from '../../src/core/kinematics/createRobotModel.ts';
import type { Configuration } from '../../src/core/math/configuration.ts';
import { Random } from '../../src/core/math/random.ts';
import { randomObstacles, sceneOf } from '../../test/helpers/robots.ts';
import type { Findings } from './worlds.ts';
import { loadRobots, shareOf } from './worlds.ts';

/** Scenes with random obstacles per robot. */
const SCENES = 4;
/** States per edge. */
const STATES = 10;

/** Verdicts of the four-lane filter and of the tables, each beside the exact check without them. */
class Comparison {
  readonly wrong: string[] = [];
  states = 0;
  free = 0;
  edges = 0;
  certified = 0;
  private readonly fast: CollisionManager;
  private readonly exact: CollisionManager;
  private readonly provers: readonly MotionProver[];
  private readonly space: RobotJointSpace;
  private readonly motion: StraightMotion;
  private readonly batch: readonly Configuration[];
  private readonly pairs = new Int32Array(4);

  constructor(
    private readonly label: string,
    model: CollisionModel,
  ) {
    [this.fast, this.exact] = [new CollisionManager(model), new CollisionManager(model)];
    const posed = new PosedParts(model);
    this.provers = [true, false].map((usesTables) => new MotionProver(posed, { ...proverDefaults, usesTables }));
    this.space = new RobotJointSpace(model.robot);
    this.motion = new StraightMotion(model.robot.dof);
    this.batch = [0, 1, 2, 3].map(() => new Float64Array(model.robot.dof));
  }

  /** Four random states; near a contact: close together around a contact between the first two, if there is one. */
  compareStates(random: Random, isNearContact: boolean): void {
    const { fast, exact, batch, pairs, space } = this;
    for (const q of batch) space.sample(q, random);
    if (isNearContact) this.moveToContact(random);
    fast.batch.firstCollidingPairs(pairs, batch, batch.length);
    for (const [i, q] of batch.entries()) {
      const expected = exact.firstCollision(q)?.join();
      const found = pairs[i] < 0 ? undefined : fast.model.namesOf(pairs[i]).join();
      if (found !== expected) this.wrong.push(`${this.label}: [${q.join()}] ${found} instead of ${expected}`);
      this.states++;
      if (expected === undefined) this.free++;
    }
  }

  /** Moves the four states to within 1e-3 to 1e-7 rad of a contact between the first two of them. */
  private moveToContact(random: Random): void {
    const { exact, space, batch } = this;
    const [from, to] = [batch[0].slice(), batch[1].slice()];
    const isFree = exact.isCollisionFree(from);
    if (isFree === exact.isCollisionFree(to)) return;
    let [low, high] = [0, 1];
    for (let step = 0; step < 24; step++) {
      const middle = 0.5 * (low + high);
      space.interpolate(batch[0], from, to, middle);
      if (exact.isCollisionFree(batch[0]) === isFree) low = middle;
      else high = middle;
    }
    const scale = 10 ** -(3 + random.below(5));
    for (const q of batch) space.interpolate(q, from, to, low + scale * (random.next() - 0.5));
  }

  compareEdge(random: Random): void {
    const { provers, space, motion } = this;
    const { qFrom, qTo } = motion;
    space.sample(qFrom, random);
    space.sample(qTo, random);
    const length = random.next() ** 2;
    for (let v = 0; v < qTo.length; v++) qTo[v] = qFrom[v] + length * (qTo[v] - qFrom[v]);
    const [fast, plain] = provers.map((prover) => {
      const verdict = prover.prove(motion);
      return verdict === 'certified' ? verdict : `${verdict} of pair ${prover.pair} at ${prover.time}`;
    });
    if (fast !== plain) this.wrong.push(`${this.label}: [${qFrom.join()}] to [${qTo.join()}] ${fast}, not ${plain}`);
    this.edges++;
    if (fast === 'certified') this.certified++;
  }
}

/**
 * Compares all robots of the project and the shared ones, among random obstacles: `count` states, half of them near
 * contacts where these are found, and a tenth as many edges.
 */
export async function compareFastPaths(count: number, seed: number): Promise<Findings> {
  const lines: string[] = [];
  const wrong: string[] = [];
  const robots = await loadRobots();
  for (const [r, description] of robots.entries()) {
    const robot = createRobotModel(description);
    const random = new Random(seed, r);
    const totals = { states: 0, free: 0, edges: 0, certified: 0 };
    for (let s = 0; s < SCENES; s++) {
      const obstacles = randomObstacles(random, s === 0 ? 0 : 3 * s, 1.2);
      const comparison = new Comparison(
        `${robot.name} seed ${seed} scene ${s}`,
        new CollisionModel(robot, sceneOf(obstacles)),
      );
      const states = shareOf(count, r * SCENES + s, robots.length * SCENES);
      for (let i = 0; i < states; i += 4) comparison.compareStates(random, i % 8 === 0);
      for (let i = 0; i < states; i += STATES) comparison.compareEdge(random);
      for (const key of Object.keys(totals) as (keyof typeof totals)[]) totals[key] += comparison[key];
      wrong.push(...comparison.wrong);
    }
    const { states, free, edges, certified } = totals;
    lines.push(`${robot.name}: ${states} states, ${free} free; ${edges} edges, ${certified} certified`);
  }
  return { lines, wrong };
}
