import { describe, expect, test } from 'vitest';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { PosedParts } from '../../../src/core/collision/model/posedParts.ts';
import { MotionProver } from '../../../src/core/collision/motions/motionProver.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { certifyTrajectory } from '../../../src/tasks/checking/certifyTrajectory.ts';
import { proofDefaults } from '../../../src/tasks/checking/proofLimits.ts';
import { curveMotions } from '../../../src/tasks/checking/worldMotions.ts';
import { planMotion } from '../../../src/tasks/planning/planMotion.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { cases } from '../../cases.ts';
import { randomObstacles, randomRobot, sceneOf } from '../../helpers/robots.ts';

/** Metres by which the padding is below the minimum distance of the motion. */
const HEADROOM = [1e-12, 1e-10, 1e-9, 1.001e-9, 1.02e-9, 1.2e-9, 2e-9, 1e-8, 1e-7, 1e-6, 1e-5];

type Bodies = Pick<Scene, 'obstacles' | 'attached' | 'allow' | 'padding'>;

/** Returns the minimum distance over the motion: samples, then a ternary search around the smallest one. */
function leastDistance(robot: RobotModel, scene: Bodies, trajectory: Trajectory): number {
  const manager = new CollisionManager(new CollisionModel(robot, scene));
  const curve = new TrajectoryCurve(trajectory);
  const q = new Float64Array(curve.dof);
  const distanceAt = (t: number) => {
    curve.position(q, t);
    return manager.clearance(q).distance;
  };
  const step = (curve.end - curve.start) / 200;
  const distances = Array.from({ length: 201 }, (_, i) => distanceAt(curve.start + i * step));
  const nearest = distances.indexOf(Math.min(...distances));
  let from = curve.start + Math.max(0, nearest - 1) * step;
  let to = curve.start + Math.min(200, nearest + 1) * step;
  let least = distances[nearest];
  for (let k = 0; k < 50; k++) {
    const [left, right] = [from + (to - from) / 3, to - (to - from) / 3];
    const [before, after] = [distanceAt(left), distanceAt(right)];
    least = Math.min(least, before, after);
    if (before < after) to = right;
    else from = left;
  }
  return least;
}

interface Counts {
  /** Motions that the prover proves without a certificate; undefined: not counted. */
  proved?: number;
  certified: number;
}

/**
 * Each motion that the prover certifies for a padding close to the clearance has a certificate that the verifier
 * accepts.
 */
function expectVerified(robot: RobotModel, scene: Bodies, trajectory: Trajectory, counts: Counts, label: string): void {
  const least = leastDistance(robot, { ...scene, padding: 0 }, trajectory);
  for (const headroom of HEADROOM) {
    const padding = least - headroom;
    if (!(padding > 0 && padding < Number.POSITIVE_INFINITY)) continue;
    const padded = { ...scene, padding };
    const posed = new PosedParts(new CollisionModel(robot, padded));
    if (counts.proved !== undefined) {
      const prover = new MotionProver(posed, proofDefaults);
      const proved = curveMotions(new TrajectoryCurve(trajectory)).every((one) => prover.prove(one) === 'certified');
      if (proved) counts.proved++;
    }
    const certificate = certifyTrajectory(posed, trajectory);
    if (certificate === undefined) continue;
    counts.certified++;
    expect(verifyCertificate(certificate, robot, padded, trajectory).problems, `${label}, ${headroom} m`).toEqual([]);
  }
}

describe('certificates are verified when the padding is close to the clearance', () => {
  test.each(['shelf', 'gantry-bins', 'scara-trays', 'dual-arm-shelf'])('of %s', async (name) => {
    const loaded = await loadScene(`scenes/${name}.yaml`);
    const robot = createSceneRobot(loaded);
    const counts = { proved: 0, certified: 0 };
    for (let seed = 1; seed <= 2; seed++) {
      const { trajectory } = planMotion({ ...loaded, model: robot }, { seed, timing: seed === 1 });
      if (trajectory) expectVerified(robot, loaded.scene, trajectory, counts, `${name}, seed ${seed}`);
    }
    expect(counts.certified).toBeGreaterThan(5);
    expect(counts.certified).toBe(counts.proved);
  });

  /**
   * Paths of joints that turn a thousand times, of robots far away; with slides. Rounding errors there are much larger
   * than a nanometre.
   */
  test('in random worlds, near and far, of few turns and of thousands', () => {
    const random = new Random(21);
    const counts = { certified: 0 };
    for (let world = 0; world < cases(24); world++) {
      const description = randomRobot(random, 3 + random.below(4));
      const away = world % 3 === 0 ? 10 ** random.between(2, 5) : 0;
      const pose = { xyz: [away, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const;
      const robot = createRobotModel(description, { pose });
      if (robot.dof === 0) continue;
      const obstacles = randomObstacles(random, 3, 1.2).map((body) => {
        const [x, y, z] = body.pose.xyz;
        return { ...body, pose: { ...body.pose, xyz: [x + away, y, z] as const } };
      });
      const turns = 10 ** random.between(0, 4);
      const draw = () =>
        robot.variables.map(({ type }) =>
          type === 'continuous' && random.next() < 0.7 ? turns * random.between(-1, 1) : random.between(-0.5, 0.5),
        );
      const from = draw();
      const to = from.map((x) => x + random.between(-1, 1));
      const points = [{ positions: from }, { positions: to }];
      const trajectory = { jointNames: robot.variables.map((joint) => joint.name), points };
      expectVerified(robot, sceneOf(obstacles), trajectory, counts, `world ${world}`);
    }
    expect(counts.certified).toBeGreaterThan(cases(30));
  });
});
