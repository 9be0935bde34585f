import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from './run.ts';
import { elbowroom } from './runHere.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'elbowroom-demo-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shelf = join(root, 'scenes/shelf.yaml');

test('demo leaves a motion, a certificate that verify accepts, and a page', async () => {
  const { code, stdout, stderr } = await elbowroom(['demo'], { cwd: folder });
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr.split('\n').length).toBeLessThan(24); // one screen
  const [motion, certificate, page] = ['motion.json', 'certificate.json', 'report.html'].map((name) =>
    join(folder, 'elbowroom-demo', name),
  );
  expect(readFileSync(page, 'utf8')).toContain('<title>shelf</title>');
  expect((await elbowroom(['verify', certificate, shelf, motion])).code).toBe(0);
});

test('report writes the page of any motion, with the certificate given or one of its own', async () => {
  const motion = join(folder, 'motion.csv');
  expect((await elbowroom(['plan', shelf, '--format', 'csv', '-o', motion])).code).toBe(0);
  const { code, stdout } = await elbowroom(['report', shelf, motion]);
  expect(code).toBe(0);
  const data = JSON.parse(/id="page-data">([^<]*)</.exec(stdout)![1]);
  expect(data).toMatchObject({
    format: 'elbowroom-page/1',
    title: 'shelf',
    certificate: { format: 'elbowroom-certificate/1' },
  });
});

test('report refuses what is no motion, and leaves no file', async () => {
  const file = join(folder, 'nothing.json');
  writeFileSync(file, '{"points": 3}');
  const page = join(folder, 'page.html');
  const { code, stderr } = await elbowroom(['report', shelf, file, '-o', page]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/nothing\.json:1: .*points/);
  expect(existsSync(page)).toBe(false);
});

test('view names a port that is taken, and a scene that is not there', async () => {
  expect((await elbowroom(['view', join(folder, 'no.yaml'), '--no-open'])).stderr).toMatch(
    /no\.yaml: there is no such file/,
  );
  let second: Promise<{ code: number | null; stderr: string }> | undefined;
  const first = elbowroom(['view', shelf, '--no-open'], {
    input: (child) => {
      child.stderr?.on('data', (said) => {
        const port = /:(\d+)\//.exec(String(said))?.[1];
        if (!port) return;
        second = elbowroom(['view', shelf, '--no-open', '--port', port]);
        void second.then(() => child.kill('SIGTERM'));
      });
    },
  });
  expect((await first).code).toBe(0);
  expect(await second).toMatchObject({ code: 2, stderr: expect.stringMatching(/port \d+ is taken/) });
});
