import { describe, expect, test } from 'vitest';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import type { Trajectory, TrajectoryEvent } from '../../../src/core/trajectory/trajectory.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { createTrajectoryChecker } from '../../../src/tasks/checking/checkTrajectory.ts';
import { Recertifier } from '../../../src/tasks/checking/recertify.ts';
import { planMotion } from '../../../src/tasks/planning/planMotion.ts';
import { repairTrajectory } from '../../../src/tasks/repair/repairTrajectory.ts';
import { verifyReport } from '../../../src/tasks/reports/verifyReport.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { WatchedMotion } from '../../../src/tasks/watching/watchedMotion.ts';

describe('a motion with events of a program, in a scene without steps', async () => {
  const { scene, robot } = await loadScene('scenes/shelf.yaml');
  const model = createSceneRobot({ scene, robot });
  const { trajectory, certificate } = planMotion({ scene, robot, model }, { certificate: true });
  const withEvent = (event: Partial<TrajectoryEvent>): Trajectory => ({
    ...trajectory!,
    events: [{ step: 0, time: 0, ...event }],
  });
  const check = createTrajectoryChecker(model, new CollisionManager(new CollisionModel(model, scene)));

  test.each([
    { attach: 'jar', link: 'tool0' },
    { detach: 'jar' },
    { allow: [['jar', 'tool0']] as const },
    { forbid: [['jar', 'tool0']] as const },
  ])('that changes the scene (%j) is not judged', (event) => {
    const motion = withEvent(event);
    const refusal = /motion.json: events\[0\] is .*, but the scene has no steps/;
    expect(() => check(motion, 'motion.json')).toThrow(refusal);
    expect(() => repairTrajectory(motion, model, scene, {}, {}, 'motion.json')).toThrow(refusal);
    expect(() => new WatchedMotion(model, motion, 'motion.json')).toThrow(refusal);
    expect(() => new Recertifier({ robot: model, scene }).recertify(motion, certificate, 'motion.json')).toThrow(
      refusal,
    );
    expect(verifyReport(certificate!, model, scene, motion)).toMatchObject({
      proved: false,
      problems: [expect.stringMatching(/^events\[0\] is .*, but the scene has no steps$/)],
    });
  });

  test('that only sets an output is judged', () => {
    const signals = [{ step: 0, time: 0.1, on: true }];
    for (const motion of [withEvent({ set: { gripper: 1 } }), { ...trajectory!, signals }]) {
      expect(check(motion).valid).toBe(true);
      expect(verifyReport(certificate!, model, scene, motion).proved).toBe(true);
    }
  });
});
