import { expect, test } from 'vitest';
import { RobotJointSpace } from '../../../src/core/collision/validators/robotJointSpace.ts';
import { Random } from '../../../src/core/math/random.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { createStateValidator } from '../../../src/tasks/validation/validateStates.ts';
import { ValidationLines } from '../../../src/tasks/validation/validationLines.ts';

async function shelf() {
  const loaded = await loadScene('scenes/shelf.yaml');
  const robot = createSceneRobot(loaded);
  const space = new RobotJointSpace(robot);
  const random = new Random(1);
  const states = Array.from({ length: 60 }, () => {
    const q = new Float64Array(robot.dof);
    space.sample(q, random);
    return q;
  });
  return { ...loaded, robot, states };
}

test('results do not depend on how a list is divided, with errors and blank lines in between', async () => {
  const { robot, scene, states } = await shelf();
  const lines = states.map((q) => JSON.stringify([...q]));
  lines.splice(5, 0, '', '[1, 2]', '# note', '{"id": "x", "q": [0, 0, 0, 0, 0, null]}', '[9, 9, 9, 9, 9, 9]');
  const inParts = (size: number) => {
    const results = new ValidationLines(robot, scene, {}, 'list');
    let text = '';
    for (let i = 0; i < lines.length; i += size) text += results.to(lines.slice(i, i + size));
    return { text, counts: [results.read, results.invalid, results.unreadable] };
  };
  const single = inParts(1);
  expect(single.text).toContain('"error"');
  expect(single.text).toContain('"valid":true');
  for (const size of [2, 3, 4, 5, 7, lines.length]) expect(inParts(size)).toEqual(single);
});

test('a state that changes after it was prepared gets the verdict of its new values', async () => {
  const { robot, scene, states } = await shelf();
  const [prepared, plain] = [createStateValidator(robot, scene), createStateValidator(robot, scene)];
  const verdicts = states.map((q) => plain(q));
  const q = new Float64Array(robot.dof);
  for (let i = 1; i < states.length; i++) {
    q.set(states[i - 1]);
    prepared.prepare([q]);
    expect(prepared(q)).toEqual(verdicts[i - 1]);
    q.set(states[i]);
    expect(prepared(q)).toEqual(verdicts[i]);
  }
  expect(verdicts.some(({ valid }) => valid)).toBe(true);
  expect(verdicts.some(({ valid }) => !valid)).toBe(true);
});
