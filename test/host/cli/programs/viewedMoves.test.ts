import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../run.ts';
import { runHere } from '../runHere.ts';

const cwd = temporaryFolder();
const [from, to] = [
  [-0.9, -1.2, 1.4, -1.7, -1.6, 0],
  [-0.6, -1.1, 1.3, -1.7, -1.6, 0.2],
];

/** A free port on 127.0.0.1. */
const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/** Runs `view`, and returns its page and its output. */
async function viewed(scene: string, file: string) {
  const port = await freePort();
  const before = process.listeners('SIGTERM');
  const run = runHere(['view', scene, file, '--no-open', '--port', String(port)]);
  let page = '';
  const isOver = run.then(() => true);
  while (page === '' && !(await Promise.race([isOver, new Promise((resolve) => setTimeout(resolve, 20, false))])))
    page = await fetch(`http://127.0.0.1:${port}/`).then(
      (response) => response.text(),
      () => '',
    );
  for (const stop of process.listeners('SIGTERM')) if (!before.includes(stop)) stop('SIGTERM');
  return { page, ...(await run) };
}

test('view shows the motion of a UR program, and states what it assumes', async () => {
  const script = join(cwd, 'turn.script');
  writeFileSync(script, `def turn():\n movej([${from}], t=2)\n movej([${to}])\nend\n`);
  const { code, page, stderr } = await viewed('table-top', script);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain(
    'turn.script: one of several motions is shown: line 2: the manual does not state how a move with a time t accelerates',
  );
  const data = /<script[^>]*id="page-data"[^>]*>(.*?)<\/script>/s.exec(page)![1];
  const { trajectory, label } = JSON.parse(data);
  const { points } = trajectory;
  expect([label, points[0].positions, points.at(-1).positions]).toEqual(['turn.script', expect.anything(), to]);
  const miss = ({ positions }: { positions: number[] }) => Math.max(...from.map((x, j) => Math.abs(positions[j] - x)));
  expect(Math.min(...points.map(miss))).toBeLessThan(1e-9);
});

test('view names the calls that a UR program without steps lacks in a scene with steps', async () => {
  const script = join(cwd, 'pick.script');
  writeFileSync(script, `def pick():\n movej([${to}])\nend\n`);
  const { code, page, stderr } = await viewed('pick-and-place', script);
  expect([code, page.length]).toEqual([2, 0]);
  expect(stderr).toContain('pick.script: the scene has steps, but the script begins none');
  expect(stderr).toContain('on_step(INDEX)');
});
