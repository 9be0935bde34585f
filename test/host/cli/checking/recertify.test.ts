import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { fixtures, posts, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

/**
 * A library of two motions past the ball of posts.yaml, one of them as CSV, and the proof of the first; and scenes with
 * the ball elsewhere.
 */
const folder = temporaryFolder();
const file = (name: string) => join(folder, name);
const [around, table] = [file('around.json'), file('table.csv')];

beforeAll(async () => {
  mkdirSync(file('proofs/deep'), { recursive: true });
  const proof = file('proofs/deep/of-around.json');
  const planned = await elbowroom(['plan', posts, '--corners', 'stop', '-o', around, '--certificate', proof]);
  expect(planned.code, planned.stderr).toBe(0);
  const { points, joint_names } = JSON.parse(readFileSync(around, 'utf8'));
  type Point = { time_from_start: number; positions: number[]; velocities: number[] };
  const rows = points.map(({ time_from_start, positions, velocities }: Point) =>
    [time_from_start + 1, ...positions, ...velocities].join(','),
  );
  const velocityNames = joint_names.map((name: string) => `vel_${name}`);
  writeFileSync(table, `time,${[...joint_names, ...velocityNames].join(',')}\n${rows.join('\n')}\n`);
  writeFileSync(file('proofs/notes.json'), '[1, 2]');
  symlinkSync(file('nowhere'), file('proofs/gone.json'));
  writeFileSync(file('nearer.yaml'), withBallAt('[0.8, -0.005, 0.1]'));
  writeFileSync(file('below.yaml'), withBallAt('[0.8, 0, -2]'));
  writeFileSync(file('in-the-way.yaml'), withBallAt('[0.4, 0.2, 0.1]'));
});

function withBallAt(xyz: string): string {
  const scene = readFileSync(posts, 'utf8').replace('arm.urdf', join(fixtures, 'arm.urdf'));
  return scene.replace('[0.8, 0, 0.1]', xyz);
}

const linesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('recertify', () => {
  test('without certificates, certifies every trajectory and reports its room; the written certificates are accepted', async () => {
    const proofs = file('written');
    const { code, stdout, stderr } = await elbowroom(['recertify', posts, around, table, '--certificate', proofs]);
    expect(code, stderr).toBe(0);
    const lines = linesOf(stdout);
    expect(lines.map(({ trajectory, status, pairs }) => ({ trajectory, status, pairs }))).toEqual(
      [around, table].map((trajectory) => ({
        trajectory,
        status: 'proved',
        pairs: { unchanged: 0, kept: 0, renewed: 2, lost: 0 },
      })),
    );
    for (const { room } of lines) {
      expect(Object.keys(room)).toEqual(['ball']);
      expect(Object.keys(room.ball)).toEqual(['x', 'y', 'z']);
      for (const [back, forth] of Object.values(room.ball as Record<string, (number | null)[]>)) {
        expect(back ?? 0).toBeLessThanOrEqual(0);
        expect(forth ?? 0).toBeGreaterThanOrEqual(0);
      }
    }
    expect(stderr).toContain('2 of 2 motions are proved\n');
    for (const [proof, motion] of [
      ['around.json', around],
      ['table.json', table],
    ] as const) {
      const verified = await elbowroom(['verify', join(proofs, proof), posts, motion]);
      expect(verified.code, verified.stderr).toBe(0);
    }
  });

  test('finds the certificate of a motion by its hash, keeps what holds, and skips what did not change', async () => {
    const old = ['--certificates', file('proofs'), '--no-room'];
    const tried = await elbowroom(['recertify', posts, around, ...old]);
    expect(linesOf(tried.stdout)).toEqual([
      {
        trajectory: around,
        status: 'proved',
        pairs: { unchanged: 0, kept: 2, renewed: 0, lost: 0 },
        unchecked: { pairs: 1, reasons: { Adjacent: 1 } },
      },
    ]);
    const skipped = await elbowroom(['recertify', posts, around, ...old, '--before', posts]);
    expect(linesOf(skipped.stdout)[0].pairs).toEqual({ unchanged: 2, kept: 0, renewed: 0, lost: 0 });
    const moved = await elbowroom(['recertify', file('below.yaml'), around, ...old, '--before', posts]);
    expect(moved.code).toBe(0);
    expect(linesOf(moved.stdout)[0].pairs).toMatchObject({ unchanged: 0, lost: 0 });
    expect(moved.stderr).toMatch(/around\.json: proved \(0 pairs unchanged, \d kept, \d renewed, 0 lost\)\n$/);
  });

  test('a motion that is lost: exit 1, the bodies and the moment on both streams, and no certificate', async () => {
    const target = file('lost');
    const args = ['recertify', file('in-the-way.yaml'), around, '--certificate', target];
    const { code, stdout, stderr } = await elbowroom(args);
    expect(code).toBe(1);
    const [line] = linesOf(stdout);
    expect(line.status).toBe('collision');
    expect(line.lost[0]).toEqual({ pair: line.collision.pair, time: line.collision.from, status: 'collision' });
    expect(line.collision.pair).toEqual([expect.any(String), 'ball']);
    expect(line).not.toHaveProperty('room');
    expect(stderr).toContain(`${line.collision.pair[0]} and ball collide, first at `);
    expect(existsSync(target)).toBe(false);
  });

  test('a file that cannot be used: an error in its place, the other results are printed, exit 2', async () => {
    const { code, stdout, stderr } = await elbowroom(['recertify', posts, file('nowhere.json'), around, '--no-room']);
    expect(code).toBe(2);
    const [first, second] = linesOf(stdout);
    expect(first).toEqual({
      trajectory: file('nowhere.json'),
      error: `${file('nowhere.json')}: there is no such file`,
    });
    expect(second).toMatchObject({ trajectory: around, status: 'proved' });
    expect(stderr).toContain(`elbowroom: error: ${file('nowhere.json')}: there is no such file\n`);
  });

  test.each([
    ['no motion', [posts], 'recertify: TRAJECTORY is missing'],
    [
      '--before without old planes',
      [posts, around, '--before', posts],
      '--before needs the certificates of that scene',
    ],
    ['proofs into a file', [posts, around, '--certificate', posts], 'posts.yaml is a file'],
    ['proofs in the place of motions', [posts, around, '--certificate', folder], 'around.json is one of the motions'],
    [
      'two proofs in one place',
      [posts, around, join(folder, 'proofs', '..', 'around.json'), '--certificate', file('p')],
      'would both write',
    ],
    ['no certificate', [posts, around, '--certificates', around], 'is not elbowroom-certificate/1'],
  ])('%s: exit 2 and nothing on stdout', async (_, args, message) => {
    const { code, stdout, stderr } = await elbowroom(['recertify', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
