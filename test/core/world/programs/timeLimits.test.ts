import { assert, test } from 'vitest';
import { loadScene } from '../../../../src/host/node/files.ts';
import { planProgram } from '../../../../src/tasks/programs/planProgram.ts';
import { createSceneRobot } from '../../../../src/tasks/sceneRobot.ts';
import { cases, isLong } from '../../../cases.ts';

test('a program among moving objects that any time limit ends fails with a step, or is marked as cut short', async () => {
  const { scene, robot } = await loadScene('scenes/conveyor-program.yaml');
  const model = createSceneRobot({ scene, robot });
  let failed = 0;
  for (let readings = 20; readings < 30_000; readings *= isLong ? 1.6 : 2.6) {
    let now = 0;
    const clock = () => now++;
    const result = planProgram({ scene, robot, model }, { timeLimit: readings / 1000, iterations: 300 }, { clock });
    if (result.status === 'solved') continue;
    failed++;
    assert.equal(result.status, 'step-failed', result.reason);
    assert.isTrue(result.cutShort, `${readings}: ${result.reason}`);
  }
  assert.isAbove(failed, cases(5));
});
