import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bin, root } from '../host/cli/run.ts';
import { closePage, hasBrowser, launchBrowser, openPage, placeOf } from './browser.ts';

/** Limits of the page without data, gzipped, and of reports whose certificates are short. */
const MAX_PAGE = 580e3;
const MAX_REPORT = 2e6;

describe.skipIf(!hasBrowser)('reports that replay what happens over time', () => {
  let browser: Browser;
  let folder: string;
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [bin, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  const open = async (name: string) => {
    const requests: string[] = [];
    const { page, errors } = await openPage(browser, 'about:blank');
    await page.setViewportSize({ width: 900, height: 520 }); // fewer pixels: there is no GPU
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(pathToFileURL(join(folder, name)).href);
    await page.waitForSelector('.player:not([hidden])');
    const finish = async () => {
      expect(requests.filter((url) => !/^(file|data|blob):/.test(url))).toEqual([]);
      await expectNoOverflow(page);
      expect(errors).toEqual([]);
      await closePage(page);
    };
    return { page, finish };
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'elbowroom-replays-'));
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a program: its steps are listed, a click goes to one, and a part moves with the gripper', async () => {
    run('plan', 'pick-and-place', '-o', 'job.json', '--report', 'job.html');
    const { segments, events } = readJson(join(folder, 'job.json'));
    const { page, finish } = await open('job.html');
    expect(await page.locator('#steps button').count()).toBe(segments.length + events.length);
    expect(await page.locator('.timeline .bar').count()).toBe(segments.length);
    expect(await page.locator('.timeline .event').count()).toBe(events.length);
    await showNames(page);

    const carry = segments.find(({ name }: { name?: string }) => name === 'above the pallet');
    const part = await tagAt(page, 'part', 0);
    await page.click(`#steps li:nth-child(${carry.step + 1}) button`);
    expect(await page.textContent('.time')).toContain(`${carry.from.toFixed(2)} / `);
    expect(await page.textContent('#steps button[aria-current]')).toContain('above the pallet');
    const [lifted, carried] = [await tagAt(page, 'part', carry.from), await tagAt(page, 'part', carry.to)];
    expect(distance(part, lifted)).toBeGreaterThan(10);
    expect(distance(lifted, carried)).toBeGreaterThan(50);
    const gripper = await tagAt(page, 'gripper', carry.to);
    expect(distance(gripper, carried)).toBeLessThan(60);
    const end = segments.at(-1).to;
    const detached = events.find(({ detach }: { detach?: string }) => detach === 'part').time;
    expect(distance(await tagAt(page, 'part', detached + 1e-3), await tagAt(page, 'part', end))).toBeLessThan(1);

    await page.click('.timeline', { position: { x: 2, y: 4 } });
    expect(await page.textContent('#steps button[aria-current]')).toContain('above the part');
    await proved(page);
    await finish();
  });

  test('moving obstacles move with time, and other robots stand beside them', async () => {
    run('plan', 'conveyor-pick', '-o', 'belt.json', '--report', 'belt.html');
    expect(statSync(join(folder, 'belt.html')).size).toBeLessThan(MAX_REPORT);
    const { page, finish } = await open('belt.html');
    await showNames(page);
    const [start, middle, end] = [0, 3, 6].map((time) => () => tagAt(page, 'tall carton', time));
    const [a, b, c] = [await start(), await middle(), await end()];
    expect(distance(a, b)).toBeGreaterThan(40);
    expect(distance(b, c)).toBeGreaterThan(40);
    await proved(page);
    await finish();
  });

  test('a fall is replayed with energy and deepest overlap, and nothing can be planned in it', async () => {
    run('settle', 'bin-of-parts', '-o', 'bin.yaml', '--report', 'fall.html');
    expect(statSync(join(folder, 'fall.html')).size).toBeLessThan(MAX_REPORT);
    const { page, finish } = await open('fall.html');
    expect(await page.textContent('#fall .proof')).toMatch(/^At rest: after .* s \(\d+ steps\): 12 bodies/);
    expect(await page.locator('#fall figure').allTextContents()).toEqual([
      expect.stringMatching(/^Energy, J/),
      expect.stringMatching(/^Deepest overlap, mm/),
    ]);
    expect(await page.locator('#plan, .joints').count()).toBe(0);
    await showNames(page);
    const top = await tagAt(page, 'block_2', 0);
    const settled = await tagAt(page, 'block_2', Number(await page.getAttribute('.player input', 'max')));
    expect(settled.y - top.y).toBeGreaterThan(20); // downwards on the screen
    await page.locator('#fall figure svg').first().click();
    expect(await page.inputValue('.player input')).not.toBe('0');
    await finish();
  });

  test('margins of constraints are plotted, and a violated one is named', async () => {
    run('plan', 'waiter', '-o', 'tray.json', '--report', 'tray.html');
    const { page, finish } = await open('tray.html');
    expect(await proved(page)).toMatch(/The constraints are proved, too\. \d+ pairs are not checked/);
    expect(await page.locator('#margins figure').allTextContents()).toEqual([
      expect.stringMatching(/^Margins of constraints, degrees.*upright$/s),
    ]);
    expect(await page.textContent('#constraints')).toContain('upright tilt within 10°');
    await page.evaluate(`
      const slider = document.getElementById('joint-wrist_1_joint');
      slider.value = '-1.4';
      slider.dispatchEvent(new Event('input'));`);
    await page.waitForFunction("document.getElementById('verdict')?.textContent?.includes('upright is violated')");
    expect(await page.textContent('#constraints li')).toMatch(/^violated upright/);
    await finish();
  });

  test('robots on a schedule move along the diagram, and a click in it selects a time', async () => {
    const scene = join(root, 'test/viewer/fixtures/twoArms.yaml');
    const motion = join(root, 'test/viewer/fixtures/sweep.json');
    run('coordinate', scene, motion, motion, '-o', 'schedule.json', '--report', 'schedule.html');
    const { makespan } = readJson(join(folder, 'schedule.json'));
    const { page, finish } = await open('schedule.html');
    expect(await page.textContent('#coordination dd')).toBe(`${makespan.toFixed(3)} s`);
    expect(await page.textContent('.time')).toBe(`0.00 / ${makespan.toFixed(2)} s`);
    await seek(page, makespan);
    const point = page.locator('.diagram .now');
    const [x, y] = [Number(await point.getAttribute('cx')), Number(await point.getAttribute('cy'))];
    expect(y).toBeCloseTo(0, 1); // the upper right vertex
    await page.locator('.diagram svg').click({ position: { x: 60, y: 300 } });
    expect(Number(await point.getAttribute('cx'))).toBeLessThan(x / 2);
    expect(await page.locator('#plan').count()).toBe(0);
    await page.waitForSelector('figcaption:text("Clearance between robots")');
    await finish();
  });

  test('the page without data stays small', () => {
    expect(gzipSync(readFileSync(join(root, 'dist/viewer/index.html'))).length).toBeLessThan(MAX_PAGE);
  });
});

interface Point {
  readonly x: number;
  readonly y: number;
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

/** Selects a time as the slider does. */
const seek = (page: Page, time: number) =>
  page.evaluate(`(() => {
    const slider = document.querySelector('.player input');
    slider.value = '${time}';
    slider.dispatchEvent(new Event('input'));
  })()`);

/** Labels the objects on the stage with their names. */
async function showNames(page: Page): Promise<void> {
  await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
  await page.locator('.layers label', { hasText: /^names$/ }).click();
}

/** Returns where the label of an object is at a time, px. */
async function tagAt(page: Page, name: string, time: number): Promise<Point> {
  await seek(page, time);
  const [x, y] = await placeOf(page.locator('.stage .tag', { hasText: new RegExp(`^${name}$`) }));
  return { x, y };
}

/** Waits until the page has verified its certificate; returns what it says. */
async function proved(page: Page): Promise<string | null> {
  await page.waitForFunction("!document.getElementById('proof')?.textContent?.startsWith('Verifying')");
  const said = await page.textContent('#proof');
  expect(said).toMatch(/^Proved collision-free/);
  return said;
}

/** On a phone nothing is wider than the screen. */
async function expectNoOverflow(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}
