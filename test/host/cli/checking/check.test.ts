import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { posts, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

describe('check', () => {
  const motion = (points: object[]) => {
    const file = join(temporaryFolder(), 'motion.json');
    writeFileSync(
      file,
      JSON.stringify({ format: 'elbowroom-trajectory/1', joint_names: ['shoulder', 'elbow'], points }),
    );
    return file;
  };

  const repairHint = (file: string) => `to repair it: elbowroom repair ${posts} ${file} -o repaired.json`;

  test('the straight line through the ball is refused, with bodies and place', async () => {
    const file = motion([{ positions: [-1, 0] }, { positions: [1, 0] }]);
    const { code, stdout, stderr } = await elbowroom(['check', posts, file]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `fore and ball collide, first at waypoint 0.424716, until waypoint 0.575284, 120 mm deep\n${repairHint(file)}\n`,
    );
    const { contacts, unchecked, ...rest } = JSON.parse(stdout);
    expect(contacts).toEqual([
      {
        pair: ['fore', 'ball'],
        from: expect.closeTo(0.424716, 5),
        until: expect.closeTo(0.575284, 5),
        depth: expect.closeTo(0.12, 6),
      },
    ]);
    expect(rest).toEqual({ valid: false, points: 2, faults: [stderr.split('\n')[0]] });
  });

  test('limits that are broken between the points are found', async () => {
    const rest = { velocities: [0, 0] };
    const points = [
      { time_from_start: 0, positions: [1, 0], ...rest },
      { time_from_start: 1, positions: [1.9, 0], ...rest },
    ];
    const file = motion(points);
    const { code, stderr } = await elbowroom(['check', posts, file, '--any-start']);
    expect(code).toBe(1);
    expect(stderr.split('\n')).toEqual([
      'shoulder: velocity 1.35 rad/s at 0.5 s, its limit is 1 rad/s',
      'shoulder: acceleration 5.4 rad/s² at 0 s, its limit is 4 rad/s²',
      repairHint(`${file} --any-start`),
      '',
    ]);
  });

  test("joints that are not the robot's are bad input", async () => {
    const file = join(temporaryFolder(), 'motion.json');
    writeFileSync(
      file,
      JSON.stringify({
        format: 'elbowroom-trajectory/1',
        joint_names: ['shoulder', 'ellbow'],
        points: [{ positions: [1, 0] }],
      }),
    );
    const { code, stdout, stderr } = await elbowroom(['check', posts, file]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('no planned joint "ellbow"');
    expect(stderr).toContain('Did you mean "elbow"?');
  });
});
