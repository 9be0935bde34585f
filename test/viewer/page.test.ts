import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, assert, beforeAll, describe, expect, test } from 'vitest';
import { trajectoryHash } from '../../src/core/trajectory/trajectoryHash.ts';
import { loadScene } from '../../src/host/node/files.ts';
import { planProgram } from '../../src/tasks/programs/planProgram.ts';
import { few, isLong } from '../cases.ts';
import { root } from '../host/cli/run.ts';
import { closePage, hasBrowser, launchBrowser, openPage } from './browser.ts';

const bin = join(root, 'bin/elbowroom.js');
/** Robots as published, where the workplace has them. */
const published = join(root, '../shared/data/robots');
const elbowroom = (...args: string[]) =>
  execFileSync(process.execPath, [bin, ...args], { cwd: root, encoding: 'utf8' });

describe.skipIf(!hasBrowser)('the page', () => {
  let browser: Browser;
  let folder: string;
  let server: { readonly url: string; readonly stop: () => void };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'elbowroom-page-'));
    browser = await launchBrowser();
    server = await serveView('scenes/shelf.yaml');
  });
  afterAll(async () => {
    server?.stop();
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The plan of the shelf and its report, written once. */
  function shelfReport() {
    const [motion, report] = [join(folder, 'shelf.json'), join(folder, 'shelf.html')];
    if (!existsSync(report)) elbowroom('plan', 'scenes/shelf.yaml', '-o', motion, '--report', report);
    return { motion, report };
  }

  test.runIf(isLong && existsSync(published)).each(['baxter'])(
    'the published %s loads without an error',
    async (name) => {
      const file = join(folder, `${name}.yaml`);
      const robot = { urdf: join(published, name, `${name}.urdf`), srdf: join(published, name, `${name}.srdf`) };
      writeFileSync(file, JSON.stringify({ format: 'elbowroom-scene/1', name, robot, obstacles: [] }));
      const own = await serveView(file);
      try {
        const { page, errors } = await openPage(browser, own.url);
        await page.waitForFunction("(document.getElementById('verdict')?.textContent ?? '') !== ''");
        expect(errors).toEqual([]);
        await closePage(page);
      } finally {
        own.stop();
      }
    },
  );

  test('a page that calls itself by another name is refused, and so is what is no page', async () => {
    const ask = (path: string, headers: Record<string, string> = {}) =>
      new Promise<number | undefined>((resolve) => {
        get(`${server.url}${path}`, { headers }, (answer) => resolve(answer.resume().statusCode));
      });
    expect(await ask('')).toBe(200);
    expect(await ask('', { host: 'elsewhere.example' })).toBe(403);
    expect(await ask('scenes/..%2f..%2fpackage.json')).toBe(404);
    expect(await ask('scenes/nothing.json')).toBe(404);
  });

  test('a joint that is dragged into a body turns the pair red and names it', async () => {
    const { page, errors } = await openPage(browser, `${server.url}#scene=table-top`);
    await page.waitForFunction("document.getElementById('verdict')?.textContent?.startsWith('free')");
    const q = readJson(elbowroom('plan', 'scenes/table-top.yaml', '--no-timing')).points[0].positions;
    await page.evaluate(`
      const slider = document.getElementById('joint-shoulder_lift_joint');
      slider.value = '0.3';
      slider.dispatchEvent(new Event('input'));`);
    await page.waitForFunction("document.getElementById('verdict')?.textContent?.startsWith('in collision')");
    const state = JSON.stringify([q[0], 0.3, ...q.slice(2)]);
    const said = spawnSync(process.execPath, [bin, 'validate', 'scenes/table-top.yaml', '--all'], {
      cwd: root,
      input: state,
      encoding: 'utf8',
    });
    const { collisions } = readJson(said.stdout);
    expect(collisions.length).toBeGreaterThan(0);
    const shown = await page.textContent('#verdict');
    for (const [a, b] of collisions.slice(0, 6)) expect(shown).toContain(`${a} and ${b}`);
    expect(errors).toEqual([]);
    await closePage(page);
  });

  const shelf = ['shelf', 3] as const;
  test.each(few([shelf, ['pick-and-place', 1], ['revolving-door', 1]], [shelf]))(
    'the address of %s with seed %i plans the motion of the command line, to the last bit',
    async (scene, seed) => {
      const { hash } = readJson(elbowroom('plan', `scenes/${scene}.yaml`, '--seed', String(seed)));
      const { page, errors } = await openPage(
        browser,
        `${server.url}#scene=${scene}&seed=${seed}&planner=rrt-connect&plan`,
      );
      await page.waitForSelector('#hash', { timeout: 30_000 });
      expect(await page.textContent('#hash')).toBe(hash);
      await page.waitForFunction("document.getElementById('proof')?.textContent?.startsWith('Proved')");
      expect(errors).toEqual([]);
      await closePage(page);
    },
  );

  test.runIf(isLong)(
    'a program with lines, an arc and blends within jerk limits has the trajectory of Node, to the last bit',
    async () => {
      const file = join(root, 'test/viewer/fixtures/jerkProgram.yaml');
      const { trajectory, reason } = planProgram(await loadScene(file));
      assert(trajectory, reason);
      const own = await serveView(file);
      try {
        const { page, errors } = await openPage(browser, `${own.url}#plan`);
        await page.waitForSelector('#hash', { timeout: 30_000 });
        expect(await page.textContent('#hash')).toBe(trajectoryHash(trajectory));
        expect(errors).toEqual([]);
        await closePage(page);
      } finally {
        own.stop();
      }
    },
  );

  test.runIf(isLong)(
    'an obstacle that was moved is in the address, and the motion is that of the scene so changed',
    async () => {
      const text = readFileSync(join(root, 'scenes/shelf.yaml'), 'utf8');
      const file = join(folder, 'shelf.yaml');
      expect(text).toContain('xyz: [0.76, -0.35, 0.15]');
      writeFileSync(file, text.replace('xyz: [0.76, -0.35, 0.15]', 'xyz: [0.4, 0.2, 0.6]'));
      const { hash } = readJson(elbowroom('plan', file));
      const { page } = await openPage(browser, `${server.url}#scene=shelf&at.jar=0.4,0.2,0.6&plan`);
      await page.waitForSelector('#hash', { timeout: 30_000 });
      expect(await page.textContent('#hash')).toBe(hash);
      expect(hash).not.toBe(readJson(readFileSync(shelfReport().motion, 'utf8')).hash);
      expect(page.url()).toContain('at.jar=0.4,0.2,0.6');
      await closePage(page);
    },
  );

  test('a report opens from disk, needs no network, is below 2 MB, and verifies its certificate', async () => {
    const { report: file, motion } = shelfReport();
    expect(statSync(file).size).toBeLessThan(2e6);
    const { page, errors } = await openPage(browser, 'about:blank');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    await page.waitForFunction("!document.getElementById('proof')?.textContent?.startsWith('Verifying')");
    expect(await page.textContent('#proof')).toMatch(/^Proved collision-free over continuous time, by \d+ planes/);
    expect(await page.textContent('#hash')).toBe(readJson(readFileSync(motion, 'utf8')).hash);
    expect(requests.filter((url) => !/^(file|data|blob):/.test(url))).toEqual([]);
    expect(errors).toEqual([]);
    await closePage(page);
  });

  test('a report in which one number was changed is not proved any more', async () => {
    const file = join(folder, 'changed.html');
    const html = readFileSync(shelfReport().report, 'utf8');
    const changed = html.replace(
      /("positions":\[)(-?\d+\.\d)/,
      (_, before: string, number: string) => `${before}${number}1`,
    );
    expect(changed).not.toBe(html);
    writeFileSync(file, changed);
    const { page } = await openPage(browser, pathToFileURL(file).href);
    await page.waitForFunction("!document.getElementById('proof')?.textContent?.startsWith('Verifying')");
    expect(await page.textContent('#proof')).toMatch(/^Not proved: .*hash/);
    await closePage(page);
  });

  test.runIf(isLong)('a report of a failed plan explains the failure and shows the trees of the search', async () => {
    const file = join(folder, 'failed.html');
    const scene = join(folder, 'walled.yaml');
    writeFileSync(scene, walled);
    const plan = spawnSync(
      process.execPath,
      [bin, 'plan', scene, '--iterations', '300', '--report', file, '--stats', '-'],
      { encoding: 'utf8' },
    );
    expect(plan.status).toBe(1);
    const { page, errors } = await openPage(browser, pathToFileURL(file).href);
    await page.waitForSelector('#reasons', { timeout: 50_000 });
    expect(await page.textContent('#reasons')).toMatch(/without wall a path exists/);
    expect(errors).toEqual([]);
    await closePage(page);
  });
});

/** A wall between start and goal that reaches farther than the arm. */
const walled = `format: elbowroom-scene/1
robot: scara4
start: [60 deg, 10 deg, 0.02, 0]
goal: [-60 deg, -10 deg, 0.02, 0]
obstacles:
  - {name: wall, type: box, size: [2, 0.02, 1], pose: {xyz: [1.1, 0, 0.2]}}
`;

const readJson = (text: string) => JSON.parse(text);

/** Starts `view` and waits until it says where the page is. */
function serveView(scene: string): Promise<{ url: string; stop: () => void }> {
  const child = spawn(process.execPath, [bin, 'view', scene, '--no-open'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
      const url = /http:\S+/.exec(said)?.[0];
      if (url) resolve({ url, stop: () => child.kill('SIGTERM') });
    });
    child.on('exit', () => reject(new Error(said)));
  });
}
