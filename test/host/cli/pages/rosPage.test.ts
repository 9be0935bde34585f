import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readPlanningScene } from '../../../../src/formats/scenes/moveit/planningScene.ts';
import { readRecord } from '../../../../src/formats/trajectories/trajectoryRecord.ts';
import { isLong } from '../../../cases.ts';
import { filledMessage, misfits } from '../../../formats/ros/messageDefinitions.ts';
import { root, temporaryFolder } from '../run.ts';
import { expectShownOutput } from './pageCommands.ts';

const page = readFileSync(join(root, 'docs/ros.md'), 'utf8');
const messages = new Map([...page.matchAll(/```yaml\n# (\S+)\n([\s\S]*?)```/g)].map(([, name, text]) => [name, text]));
/** YAML as ROS parses it. PyYAML, unlike YAML 1.1, reads the key `y` as a text: messages with poses are read as 1.2. */
const parsed = (text: string, version: '1.1' | '1.2' = '1.1') => parse(text, { version });

test.runIf(isLong)(
  'docs/ros.md shows what its commands print, and its messages are those of their definitions',
  async () => {
    expect(misfits('PlanningScene', parsed(messages.get('scene.yaml')!, '1.2'), 'scene')).toEqual([]);
    expect(misfits('MotionPlanRequest', parsed(messages.get('request.yaml')!), 'request')).toEqual([]);
    const folder = temporaryFolder();
    for (const [name, text] of messages) writeFileSync(join(folder, name), text);
    const blocks = [...page.matchAll(/```console\n([\s\S]*?)```/g)].map(([, block]) => block);
    expect(await expectShownOutput(blocks.join(''), folder)).toBe(8);
    const file = (name: string) => parsed(readFileSync(join(folder, name), 'utf8'));
    expect(misfits('JointTrajectory', file('motion.yaml'), 'motion')).toEqual([]);
    expect(misfits('FollowJointTrajectoryGoal', file('goals/goal-0.yaml'), 'goal')).toEqual([]);
    expect(file('motion.yaml').points.length).toBeGreaterThan(2);
  },
);

test('the tables of messages find faults', () => {
  expect(misfits('JointTrajectory', { joint_names: ['a'], points: [{ positions: [1], time: 0 }] }, 'x')).toHaveLength(
    1,
  );
  expect(misfits('Duration', { sec: 0.5, nanosec: -1 }, 'x')).toHaveLength(2);
  expect(misfits('Point', [1, 2, 3], 'x')).toHaveLength(1);
});

describe('a message with every field of its definition', () => {
  test.each(['JointTrajectory', 'RobotTrajectory', 'FollowJointTrajectoryGoal'])('%s is read', async (type) => {
    const message = filledMessage(type) as Record<string, Record<string, unknown>>;
    for (const key of ['multi_dof_trajectory', 'multi_dof_joint_trajectory'])
      if (message[key] !== undefined) message[key] = { joint_names: [], points: [] };
    expect(misfits(type, message, type)).toEqual([]);
    const trajectory = await readRecord(JSON.stringify(message), 'message.json');
    expect(trajectory).toMatchObject({ jointNames: ['text'], points: [{ positions: [0.5], velocities: [0.5] }] });
    expect(trajectory.points[0].time_from_start).toBe(1 + 1e-9);
  });

  test.each(['RobotTrajectory', 'FollowJointTrajectoryGoal'])('%s with multi-DOF joints is refused', async (type) => {
    const message = JSON.stringify(filledMessage(type));
    await expect(readRecord(message, 'message.json')).rejects.toThrow('is not supported');
  });

  test('PlanningScene and MotionPlanRequest are converted but for what is refused', async () => {
    const scene = {
      ...(filledMessage('PlanningScene') as object),
      ...{ allowed_collision_matrix: {}, world: {}, robot_state: {}, link_scale: [] },
    };
    const request = {
      ...(filledMessage('MotionPlanRequest') as object),
      ...{ path_constraints: {}, trajectory_constraints: {}, start_state: {}, max_cartesian_speed: 0 },
    };
    const convert = (scene: object, request: object) =>
      readPlanningScene(JSON.stringify(scene), 'scene.json', {
        request: { text: JSON.stringify(request), file: 'request.json' },
      });
    const { padding, speed, acceleration, goals } = await convert(scene, request);
    expect({ padding, speed, acceleration }).toEqual({ padding: 0.5, speed: 0.5, acceleration: 0.5 });
    expect(goals).toEqual([{ joints: { text: 0.5 } }]);
    await expect(convert({ ...scene, link_scale: [{ scale: 0.5 }] }, request)).rejects.toThrow('scaled links');
    await expect(convert(scene, { ...request, max_cartesian_speed: 0.5 })).rejects.toThrow('max_cartesian_speed');
    const joint = { joint_constraints: [{ joint_name: 'a', position: 0, weight: 1 }] };
    const { constraints } = await convert(scene, { ...request, path_constraints: joint });
    expect(constraints).toEqual([{ type: 'joint', joint: 'a', range: [0, 0] }]);
  });

  test.each([
    ['an empty path constraint', { path_constraints: { name: '', joint_constraints: [] } }],
    ['the defaults of the scales', { max_velocity_scaling_factor: 0, max_acceleration_scaling_factor: 1 }],
    [
      'links without padding',
      { link_padding: [{ link_name: 'a', padding: 0 }], link_scale: [{ link_name: 'a', scale: 1 }] },
    ],
  ])('%s is no omission', async (_, fields) => {
    const { notes } = await readPlanningScene(JSON.stringify({ world: {}, ...fields }), 'scene.json');
    expect(notes).toEqual([]);
  });
});
