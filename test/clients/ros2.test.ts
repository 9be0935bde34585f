import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rosGoal } from '../../src/formats/trajectories/rosGoals.ts';
import { temporaryFolder } from '../host/cli/run.ts';

const python = (args: readonly string[]) => spawnSync('python3', args, { encoding: 'utf8' });
const hasYaml = python(['-c', 'import yaml']).status === 0;

test.runIf(hasYaml)('the script for ROS 2 sends the goals of a program in order, each after its events', () => {
  const at = (time: number, x: number) => ({ time_from_start: time, positions: [x], velocities: [0] });
  const segment = (step: number, from: number, to: number) => ({ step, kind: 'move' as const, from, to });
  const files = rosGoal.files({
    jointNames: ['turn'],
    interpolation: 'cubic',
    points: [at(0, 0), at(1, 1), at(3, 0)],
    segments: [segment(1, 0, 1), segment(4, 1, 3)],
    events: [
      { step: 0, time: 0, set: 'lamp' },
      { step: 2, time: 1, set: { gripper: 'close' } },
      { step: 3, time: 1, attach: 'part', link: 'tool0' },
      { step: 5, time: 3, detach: 'part' },
    ],
  });
  const folder = temporaryFolder();
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  const { stdout, stderr, status } = python(['clients/ros2/send_program.py', folder, '--print']);
  expect(status, stderr).toBe(0);
  expect(stdout.trim().split('\n')).toEqual([
    '{"step": 0, "time": 0, "set": "lamp"}',
    'goal of 2 points, 1 s',
    '{"step": 2, "time": 1, "set": {"gripper": "close"}}',
    '{"step": 3, "time": 1, "attach": "part", "link": "tool0"}',
    'goal of 2 points, 2 s',
    '{"step": 5, "time": 3, "detach": "part"}',
  ]);
});
