import { expect, test } from 'vitest';
import { withoutStart } from '../../src/core/scene/configurationOf.ts';
import type { Trajectory } from '../../src/core/trajectory/trajectory.ts';
import { loadProblemsIn } from '../../src/host/node/scenes.ts';
import { goalsOf } from '../../src/host/service/ikMethod.ts';
import { checkProgram } from '../../src/tasks/programs/checks/checkProgram.ts';
import { createSceneRobot } from '../../src/tasks/sceneRobot.ts';

const START = [0.3, -1.4, 1.5, -1.7, -1.57, 0.2];
const problem = async (text: string) => {
  const head = `format: elbowroom-scene/1\nname: part\nrobot: ur5e\nstart: [${START.join(', ')}]\n`;
  const [{ scene, robot }] = await loadProblemsIn(head + text, 'part.yaml');
  return { scene, robot: createSceneRobot({ scene, robot }) };
};

test('without a start, joints without a goal keep the values of the first point, not 0', async () => {
  const { scene, robot } = await problem('steps: [{move: {elbow_joint: 1.2}}]');
  const verdictOf = (end: readonly number[]) => {
    const rest = START.map(() => 0);
    const trajectory: Trajectory = {
      jointNames: robot.variables.map(({ name }) => name),
      points: [
        { time_from_start: 0, positions: START, velocities: rest },
        { time_from_start: 20, positions: [...end], velocities: rest },
      ],
      segments: [{ step: 0, kind: 'move', from: 0, to: 20 }],
      events: [],
    };
    const { valid, stepFaults } = checkProgram(robot, withoutStart(scene), trajectory, {
      checker: 'growth-distance',
    });
    return { valid, faults: stepFaults.length };
  };
  expect(verdictOf(START.map((value, j) => (j === 2 ? 1.2 : value)))).toEqual({ valid: true, faults: 0 });
  expect(verdictOf(START.map((_, j) => (j === 2 ? 1.2 : 0)))).toMatchObject({ valid: false, faults: 1 });
});

test('the service describes a goal with the start values of the joints that it does not give', async () => {
  const { scene, robot } = await problem('goal: {elbow_joint: 1.2}');
  expect(goalsOf(robot, scene)).toEqual([{ q: START.map((value, j) => (j === 2 ? 1.2 : value)) }]);
});
