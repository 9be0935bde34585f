import { expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { configurationOf } from '../../../src/core/scene/configurationOf.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { StateValidityChecker } from '../../../src/tasks/validation/stateValidityChecker.ts';
import { ValidityBatch } from '../../../src/tasks/validation/validityBatch.ts';

test.each(['shelf', 'waiter', 'gantry-bins', 'dual-arm-shelf'])(
  'states of %s that are checked together are valid if and only if each is',
  async (name) => {
    const loaded = await loadScene(`scenes/${name}.yaml`);
    const robot = createSceneRobot(loaded);
    const checker = new StateValidityChecker(robot, loaded.scene);
    const single = new StateValidityChecker(robot, loaded.scene);
    const start = configurationOf(robot, loaded.scene.start!, 'start');
    const random = new Random(8);
    const dof = start.length;
    const states = Array.from({ length: 403 }, (_, i) =>
      Array.from(start, (value, k) =>
        i % 3 === 0
          ? random.between(checker.lower[k], checker.upper[k])
          : value + 0.01 * (i % 7) * random.between(-1, 1),
      ),
    );
    states[100][dof - 1] = Number.NaN;
    states[200][0] = Number.POSITIVE_INFINITY;
    states[300][0] = checker.upper[0] + 1e-12;
    const valid = new Float64Array(states.length).fill(7);
    const batch = new ValidityBatch(checker, valid);
    const flat = Float64Array.from(states.flat());
    for (const i of states.keys()) {
      batch.add(flat, i * dof, i);
      if (i % 5 === 0) checker.isValid(states[(7 * i) % states.length]); // other queries in between
    }
    batch.finish();
    const expected = states.map((q) => (single.isValid(q) ? 1 : 0));
    expect([...valid]).toEqual(expected);
    expect(new Set(expected).size).toBe(2);
  },
);
