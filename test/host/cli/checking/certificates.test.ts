import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writers } from '../../../../src/formats/trajectories/index.ts';
import { posts, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

/** Formats round times or leave accelerations out, so each carries a motion of its own, if only by the last digit. */
describe.each(Object.keys(writers))('a motion as %s', (format) => {
  const folder = temporaryFolder();
  const [motion, planned, checked] = ['motion', 'planned', 'checked'].map((name) => join(folder, name));

  test('has the certificate that verify wants, from plan and from check alike', async () => {
    const plan = await elbowroom(['plan', posts, '--format', format, '-o', motion, '--certificate', planned]);
    expect(plan.code, plan.stderr).toBe(0);
    const verify = await elbowroom(['verify', planned, posts, motion]);
    expect(verify.code, verify.stderr).toBe(0);
    const check = await elbowroom(['check', posts, motion, '--certificate', checked]);
    expect(check.code, check.stderr).toBe(0);
    expect(readFileSync(checked, 'utf8')).toBe(readFileSync(planned, 'utf8'));
  });
});

describe('check --certificate', () => {
  const folder = temporaryFolder();
  const file = (name: string, ...rows: string[]) => {
    writeFileSync(
      join(folder, name),
      `${['time,shoulder,elbow,vel_shoulder,vel_elbow', ...rows.map((row) => `${row},0,0`)].join('\n')}\n`,
    );
    return join(folder, name);
  };

  test('proves motions of others that begin late, from 0 on', async () => {
    const motion = file('late.csv', '3,-1,0', '4.5,-0.6,0.3');
    const proof = join(folder, 'late.json');
    expect((await elbowroom(['check', posts, motion, '--certificate', proof])).code).toBe(0);
    expect(JSON.parse(readFileSync(proof, 'utf8'))).toMatchObject({ duration: 4.5 });
    const verify = await elbowroom(['verify', proof, posts, motion]);
    expect(verify.code, verify.stderr).toBe(0);
  });

  test('writes nothing for a motion that is not valid', async () => {
    const proof = join(folder, 'none.json');
    const through = file('through.csv', '0,-1,0', '5,1,0');
    expect((await elbowroom(['check', posts, through, '--certificate', proof])).code).toBe(1);
    expect(existsSync(proof)).toBe(false);
  });

  test('a motion that begins before 0 is invalid and has no certificate', async () => {
    const early = file('early.csv', '-1,-1,0', '1,-0.6,0.3');
    const proof = join(folder, 'early.json');
    const { code, stdout } = await elbowroom(['check', posts, early, '--certificate', proof]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      valid: false,
      faults: ['time -1 s is before 0: controllers begin at 0'],
    });
    expect(existsSync(proof)).toBe(false);
  });
});
