import { expect, test } from 'vitest';
import { posts } from '../run.ts';
import { elbowroom } from '../runHere.ts';

/**
 * Many chunks of 64 kB: states around the post's ball, with ids, blank lines, comments, and some that cannot be read.
 */
const states = Array.from({ length: 12_000 }, (_, i) => {
  const q = [Math.sin(i) * 3.5, Math.cos(1.3 * i) * 2.5];
  if (i % 997 === 5) return '[1, "two"]';
  if (i % 991 === 7) return '# a comment';
  if (i % 983 === 9) return '';
  return i % 3 === 0 ? JSON.stringify({ id: `state ${i}`, q }) : JSON.stringify(q);
});

test.each([
  ['states', ['--clearance'], `${states.join('\n')}\n`],
  [
    'CSV, with a header and Windows ends of lines',
    [],
    `\ufeffelbow,id,shoulder\r\n${states.map((_, i) => `${Math.sin(i)},s${i},${i % 501 ? Math.cos(i) : 'x'}\r\n`).join('')}`,
  ],
  [
    'motions',
    ['--motions'],
    Array.from(
      { length: 3000 },
      (_, i) => `[[${Math.sin(i)},${Math.cos(i)}],[${Math.sin(2 * i)},${i % 301 ? 0 : '"a"'}]]\n`,
    ).join(''),
  ],
])('two threads print the same bytes for %s as one', async (_, options, input) => {
  const one = await elbowroom(['validate', posts, ...options], { input });
  const two = await elbowroom(['validate', posts, ...options, '--jobs', '2'], { input });
  expect(one.code).toBe(2); // some lines cannot be read
  expect(two.stdout === one.stdout).toBe(true);
  expect({ ...two, stdout: '' }).toEqual({ ...one, stdout: '' });
  expect(one.stdout.split('\n').length).toBeGreaterThan(2900);
});

test('with threads, too, a result is printed before the next state arrives', async () => {
  const answered: string[] = [];
  const { code } = await elbowroom(['validate', posts, '--jobs', '2'], {
    input: (child) => child.stdin!.write('[1,0]\n'),
    onStdout: (text, child) => {
      answered.push(text);
      if (answered.length < 4) child.stdin!.write('[1,0]\n');
      else child.stdin!.end();
    },
  });
  expect({ code, answers: answered.length }).toEqual({ code: 0, answers: 4 });
});

test('a header that cannot be used, and a bad number of threads, end it with a line', async () => {
  const header = await elbowroom(['validate', posts, '--jobs', '2'], { input: 'id,elbow\nx,0\n' });
  expect(header).toMatchObject({ code: 2, stdout: '' });
  expect(header.stderr).toContain('the CSV header has no column shoulder');
  const none = await elbowroom(['validate', posts, '--jobs', '0'], { input: '' });
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('--jobs is "0"') });
});
