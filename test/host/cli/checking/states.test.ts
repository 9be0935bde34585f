import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixtures, posts, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const urdf = join(fixtures, 'arm.urdf');
const lines = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('validate', () => {
  test('prints the result of each state with its id, in order, to the character', async () => {
    const input =
      '{"id": "free", "q": [1, 0]}\n[0, 0]\n{"id": {"n": 3}, "q": [3.5, 2]}\n{"id": 4, "q": {"elbow": 0, "shoulder": 1}}\n';
    expect(await elbowroom(['validate', posts], { input })).toEqual({
      code: 1,
      signal: null,
      stderr: '',
      stdout: [
        '{"id":"free","valid":true,"collisions":[],"limits":[]}\n',
        '{"id":2,"valid":false,"collisions":[["fore","ball"]],"limits":[]}\n',
        '{"id":{"n":3},"valid":false,"collisions":[],"limits":["shoulder"]}\n',
        '{"id":4,"valid":true,"collisions":[],"limits":[]}\n',
      ].join(''),
    });
  });

  test('warns that limits of torque, momentum and power are not judged', async () => {
    const scene = join(temporaryFolder(), 'torque.yaml');
    writeFileSync(scene, 'format: elbowroom-scene/1\nrobot: ur5e\ntorque: true\nsafety: {power: 40}\nstart: home\n');
    const { code, stderr } = await elbowroom(['validate', scene], { input: '[0, -1.5, 1.5, 0, 0, 0]\n' });
    expect(stderr).toContain('limits of torque and power are not judged');
    expect(code).toBe(0);
  });

  test('the clearance of a state is the distance to the ball, and below zero the depth', async () => {
    // The stretched arm at 90° is a bar on the y axis: the ball's centre is 0.8 m - 0.02 m from its side, its radius
    // 0.1 m.
    const { stdout } = await elbowroom(['validate', posts, '--clearance', '--all'], {
      input: '[1.5707963267948966, 0]\n[0, 0]\n',
    });
    const [free, hit] = lines(stdout);
    expect(free.clearance).toBeCloseTo(0.68, 9);
    expect(hit.clearance).toBeCloseTo(-0.12, 6); // half the bar's thickness and the ball's radius
    expect(hit.collisions).toEqual([['fore', 'ball']]);
  });

  test('lines that cannot be read have an error in their place, and exit 2 at the end', async () => {
    const input =
      '\ufeff{"id":"a","q":[1,0]}\r\n\r\n{"id":"b","q":[1]}\r\n[1,NaN]\r\n{"id":"c","q":[1,null]}\r\n{"id":"d"}\r\n{"q":{"elbo":1}}\r\n[1,0]';
    const { code, stdout, stderr } = await elbowroom(['validate', posts, '-'], { input });
    expect(lines(stdout).map(({ id, line, error, valid }) => [id, line, error ?? valid])).toEqual([
      ['a', undefined, true],
      ['b', 3, 'q has 1 values, the robot has 2 planned joints'],
      [null, 4, 'not JSON: [1,NaN]'],
      ['c', 5, 'q[1] (elbow) is null, not a finite number'],
      ['d', 6, 'q is missing'],
      [7, 7, 'q names the joint "elbo". Did you mean "elbow"? Use one of: shoulder, elbow.'],
      [8, undefined, true],
    ]);
    expect(code).toBe(2);
    expect(stderr).toBe(
      'elbowroom: error: stdin: 5 of 7 states could not be read\n  note: Their results give line and reason.\n',
    );
  });

  test('CSV is read with and without a header', async () => {
    const bare = await elbowroom(['validate', posts], { input: '# comment\n1,0\n0, 0\n' });
    expect(lines(bare.stdout).map((answer) => [answer.id, answer.valid])).toEqual([
      [2, true],
      [3, false],
    ]);
    const headed = await elbowroom(['validate', posts], {
      input: 'id,elbow,shoulder,note\nx,0,1,"a"\ny,0,zero,b\nz,0\n',
    });
    expect(lines(headed.stdout).map((answer) => [answer.id, answer.valid ?? answer.error])).toEqual([
      ['x', true],
      ['y', 'q[0] (shoulder) is null, not a finite number'],
      ['z', '2 columns, 4 are expected'],
    ]);
    const incomplete = await elbowroom(['validate', posts], { input: 'id,elbow\nx,0\n' });
    expect(incomplete).toMatchObject({ code: 2, stdout: '' });
    expect(incomplete.stderr).toContain('stdin:1: the CSV header has no column shoulder');
  });

  test('-o writes all results, and nothing if the input cannot be read', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'deep/answers.jsonl');
    expect(await elbowroom(['validate', posts, '-o', file], { input: '[1,0]\n' })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(readFileSync(file, 'utf8')).toBe('{"id":1,"valid":true,"collisions":[],"limits":[]}\n');
    await elbowroom(['validate', posts, '-o', join(folder, 'none.jsonl')], { input: 'id,elbow\nx,0\n' });
    expect(readdirSync(folder)).toEqual(['deep']);
    expect(readdirSync(join(folder, 'deep'))).toEqual(['answers.jsonl']);
  });

  test('a result is printed before the next state arrives', async () => {
    const answered: string[] = [];
    const { stdout } = await elbowroom(['validate', posts], {
      input: (child) => child.stdin!.write('[1,0]\n'),
      onStdout: (text, child) => {
        answered.push(text);
        if (answered.length === 1) child.stdin!.end('[0,0]\n');
      },
    });
    expect(answered.length).toBe(2);
    expect(lines(stdout).map((answer) => answer.valid)).toEqual([true, false]);
  });

  test('a reader that leaves early ends it without a word', async () => {
    const { stderr, code } = await elbowroom(['validate', posts], {
      input: (child) => {
        const block = '[1,0]\n'.repeat(1000);
        const feed = () => {
          while (child.stdin!.writable && child.stdin!.write(block));
        };
        child.stdin!.on('drain', feed);
        feed();
      },
      onStdout: (_, child) => child.stdout!.destroy(),
    });
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  });

  test('an interrupt ends it with 130 and leaves no file', async () => {
    const folder = join(temporaryFolder(), 'out');
    mkdirSync(folder);
    const { code, stderr } = await elbowroom(['validate', posts, '-o', join(folder, 'answers.jsonl')], {
      input: (child) => {
        child.stdin!.write('[1,0]\n');
        const whenOpen = setInterval(() => {
          if (readdirSync(folder).length === 0) return; // its draft is there as soon as it answers
          clearInterval(whenOpen);
          child.kill('SIGINT');
        }, 20);
      },
    });
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
    expect(readdirSync(folder)).toEqual([]);
    expect(existsSync(join(folder, 'answers.jsonl'))).toBe(false);
  });
});

describe('fk', () => {
  test('poses of the links of a bent arm', async () => {
    const { code, stdout } = await elbowroom(['fk', urdf, '-'], {
      input: '{"id":"bent","q":[0,1.5707963267948966]}\n',
    });
    expect(code).toBe(0);
    const [{ id, links }] = lines(stdout);
    expect(id).toBe('bent');
    expect(Object.keys(links)).toEqual(['post', 'upper', 'fore']);
    expect(links.upper.xyz).toEqual([0, 0, 0.1]);
    expect(links.fore.xyz).toEqual([0.5, 0, 0.1]);
    expect(links.fore.quat_wxyz[3]).toBeCloseTo(Math.SQRT1_2, 12);
  });
});

describe('robot', () => {
  test('--json is the contract', async () => {
    const { code, stdout, stderr } = await elbowroom(['robot', urdf, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const arm = JSON.parse(stdout);
    expect(arm).toMatchObject({
      name: 'arm',
      root: 'post',
      dof: 2,
      allowed: [['upper', 'fore', 'Adjacent']],
      warnings: [],
    });
    expect(arm.links[0]).toEqual({
      name: 'post',
      parent: null,
      collisions: 0,
      bounds: null,
      triangles: 0,
      hull_vertices: 0,
      volume: 0,
    });
    expect(arm.links[1].bounds).toEqual({ min: [0, -0.02, -0.02], max: [0.5, 0.02, 0.02] });
    expect(arm.joints[1]).toEqual({
      name: 'elbow',
      type: 'revolute',
      parent: 'upper',
      child: 'fore',
      axis: [0, 0, 1],
      limits: { lower: -2.8, upper: 2.8, velocity: 2, effort: 10 },
      soft_limits: null,
      mimic: null,
    });
  });

  test('people get tables', async () => {
    const { stdout } = await elbowroom(['robot', urdf]);
    expect(stdout).toMatchSnapshot();
  });
});
