import { assert, expect, test } from 'vitest';
import { loadScene } from '../../../src/host/node/files.ts';
import { loadProblemsIn } from '../../../src/host/node/scenes.ts';
import { planMotion } from '../../../src/tasks/planning/planMotion.ts';
import { completeGoals, partialGoalNotes } from '../../../src/tasks/programs/completeGoals.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';

const START = [0.3, -1.4, 1.5, -1.7, -1.57, 0.2];
const head = `format: elbowroom-scene/1\nname: part\nrobot: ur5e\nstart: [${START.join(', ')}]\n`;
const problem = async (text: string) => (await loadProblemsIn(head + text, 'part.yaml'))[0];

test('joints without a goal keep their values at the start, with a note', async () => {
  const { scene, robot } = await problem('goal: {elbow_joint: 1.2}');
  const model = createSceneRobot({ scene, robot });
  const { status, trajectory, reason } = planMotion({ scene, robot });
  assert.strictEqual(status, 'solved', reason);
  expect(trajectory!.points.at(-1)!.positions).toEqual(START.map((value, i) => (i === 2 ? 1.2 : value)));
  expect(partialGoalNotes(model, scene)).toEqual([
    'part: goal: joints without a goal keep their values: shoulder_pan_joint, shoulder_lift_joint, wrist_1_joint, wrist_2_joint, wrist_3_joint',
  ]);
});

test('joints without a goal in a step keep their values where the step begins', async () => {
  const { scene, robot } = await problem('steps: [{move: {elbow_joint: 1.2}}, {wait: 1}, {move: {wrist_3_joint: 1}}]');
  const { steps } = completeGoals(createSceneRobot({ scene, robot }), scene);
  const goals = steps!.flatMap((step) => (step.kind === 'move' ? step.goals : []));
  const first = START.map((value, i) => (i === 2 ? 1.2 : value));
  expect(goals.map((goal) => goal.kind === 'joints' && goal.joints)).toEqual([first, [...first.slice(0, 5), 1]]);
});

test('a partial goal after a pose is refused: the joint values before it are not known', async () => {
  const text = 'steps: [{move: {xyz: [0.4, 0.1, 0.4], rpy: [pi, 0, 0]}}, {move: {elbow_joint: 1.2}, name: b}]';
  const { scene, robot } = await problem(text);
  expect(() => completeGoals(createSceneRobot({ scene, robot }), scene)).toThrow(
    /step 1 .*"b".*no value for shoulder_pan_joint, .*their values where it begins are not known/,
  );
});

test('scenes whose goals give all joints are not changed', async () => {
  const { scene, robot } = await loadScene('pick-and-place');
  expect(completeGoals(createSceneRobot({ scene, robot }), scene)).toBe(scene);
});
