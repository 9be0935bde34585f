import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContext, type CDPSession, devices, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bin, root, temporaryFolder } from '../host/cli/run.ts';
import {
  closePage,
  drawn,
  hasBrowser,
  launchBrowser,
  openPage,
  placeOf,
  seriousViolations,
  serveView,
} from './browser.ts';

const folder = temporaryFolder();
const elbowroom = (...args: string[]) =>
  execFileSync(process.execPath, [bin, ...args], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

describe.skipIf(!hasBrowser)('the page as a workbench', () => {
  const file = join(folder, 'own.yaml');
  let browser: Browser;
  let server: { readonly url: string; readonly stop: () => void };
  beforeAll(async () => {
    const text = readFileSync(join(root, 'scenes/table-top.yaml'), 'utf8');
    writeFileSync(file, text.replace('name: table-top', 'name: own').concat('\npadding: 2 mm\n'));
    browser = await launchBrowser();
    server = await serveView(file);
  });
  afterAll(async () => {
    server?.stop();
    await browser?.close();
  });

  test('shows a robot without a scene: joints as numbers, limits, pairs that may touch, diagnostics', async () => {
    const urdf = join(folder, 'two-links.urdf');
    const box = '<collision><geometry><box size="0.1 0.1 0.4"/></geometry></collision>';
    writeFileSync(
      urdf,
      `<robot name="two-links"><link name="foot">${box}</link><link name="arm">${box}</link>
       <joint name="hip" type="revolute"><parent link="foot"/><child link="arm"/><origin xyz="0 0 0.5"/>
       <axis xyz="0 1 0"/><limit lower="-1" upper="2" velocity="1.5" effort="0"/></joint></robot>`,
    );
    const { url, stop } = await serveView(urdf);
    const { page, errors } = await openPage(browser, url);
    const field = page.locator('.joints input[type=number]');
    await field.fill('90');
    await field.press('Enter');
    expect(Number(await page.inputValue('#joint-hip'))).toBeCloseTo(Math.PI / 2, 2);
    await field.fill('150');
    await field.press('Enter');
    await page.waitForFunction("document.querySelector('#verdict').textContent.includes('hip is out of its limits')");
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    expect(await page.textContent('#limits tr:last-child')).toContain('hip-57.3114.685.9');
    const finding = page.locator('#findings li').filter({ hasText: 'no acceleration limit' });
    expect(await finding.locator('small').textContent()).toBe(`${urdf}:3`);
    await finding.locator('button').click();
    expect(await page.locator('summary').allTextContents()).not.toContain('Plan');
    expect(await seriousViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
    await closePage(page);
    stop();
  });

  test('a search shows its time and can be cancelled; the next one works', async () => {
    const { page, errors } = await openPage(browser, server.url);
    await page.waitForFunction("(document.getElementById('verdict')?.textContent ?? '') !== ''");
    await page.selectOption('#planner', 'rrt-star'); // it improves its path until the limit
    await page.fill('#time-limit', '600');
    await page.click('#plan');
    await page.waitForFunction("document.querySelector('progress').value > 0.3");
    expect(await page.isDisabled('#plan')).toBe(true);
    await page.click('#cancel');
    await page.waitForFunction("document.querySelector('.plan .status').textContent === 'Cancelled.'");
    expect(await page.locator('progress').isVisible()).toBe(false);
    await page.selectOption('#planner', 'rrt-connect');
    await page.click('#plan');
    await page.waitForFunction("document.getElementById('proof')?.textContent?.startsWith('Proved')");
    expect(errors).toEqual([]);
    await closePage(page);
  });

  test('without WebGL the stage states why it is empty, and a motion is planned and proved', async () => {
    const bare = await launchBrowser('--disable-3d-apis');
    const { page, errors } = await openPage(bare, server.url);
    await page.locator('.no-webgl', { hasText: 'hardware acceleration' }).waitFor();
    await page.click('#plan');
    await page.waitForFunction("document.getElementById('proof')?.textContent?.startsWith('Proved')");
    expect(errors).toEqual([]);
    await bare.close();
  });

  test('keeps each plan, compares its figures and curves accessibly, and opens it again', async () => {
    const motions = ['1', '2'].map((seed) => JSON.parse(elbowroom('plan', file, '--seed', seed)));
    const { page, errors } = await openPage(browser, server.url);
    for (const seed of ['1', '2']) await plan(page, seed);
    await page.waitForFunction("document.querySelectorAll('.plans td').length > 0");
    await page.waitForFunction(
      "[...document.querySelectorAll('.plans td')].filter((one) => one.textContent === 'proved').length === 2",
    );
    const cells = await rowOf(page, 'duration, s');
    expect(cells).toEqual(motions.map(({ points }) => points.at(-1).time_from_start.toFixed(3)));
    const clearances = (await rowOf(page, 'to obstacles, mm')).map(Number);
    for (const clearance of clearances) expect(clearance).toBeGreaterThanOrEqual(2);
    for (const figure of await page.locator('.plans figure').all())
      expect(await figure.locator('path.curve').count()).toBe(2);

    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    await page.click('#tool-state');
    await page.waitForSelector('#branches button');
    expect(await seriousViolations(page)).toEqual([]);
    expect(await page.textContent('#hash')).toBe(motions[1].hash);
    await page.click('.kept li:first-child button');
    expect(await page.textContent('#hash')).toBe(motions[0].hash);
    await page.click('.kept li:last-child button[aria-label^="Remove"]');
    expect(await page.locator('.kept li').count()).toBe(1);
    await page.click('button:text("Goal here")'); // the plans were of another query
    expect(await page.locator('.kept li').count()).toBe(0);
    expect(errors).toEqual([]);
    await closePage(page);
  });

  test('shows the clearance to obstacles and to itself, the limiting pairs and the padding', async () => {
    const { page, errors } = await openPage(browser, server.url);
    await plan(page, '1');
    await page.waitForSelector('#clearance');
    const chart = page.locator('#clearance figure');
    expect(await chart.locator('path.curve').count()).toBe(2);
    expect(await chart.locator('.legend').textContent()).toBe('to obstaclesto itself');
    expect(await chart.locator('text:text("padding 2 mm")').count()).toBe(1);
    const pairs = await page.textContent('#limiting-pairs');
    expect(pairs).toMatch(/^At 0\.00: [\d.]+ mm to obstacles: \S+ and \S+; [\d.]+ mm to itself: \S+ and \S+\.$/);
    await chart.locator('svg').scrollIntoViewIfNeeded();
    const svg = await chart.locator('svg').boundingBox();
    await page.mouse.click(svg!.x + svg!.width / 2, svg!.y + svg!.height / 2);
    expect(await page.textContent('#limiting-pairs')).not.toBe(pairs);
    expect(errors).toEqual([]);
    await closePage(page);
  });

  test('records the replay as a video and as an animated GIF that the browser can read', async () => {
    const { page, errors } = await openPage(browser, server.url);
    await plan(page, '1');
    await page.click('summary:text("Record")');
    await page.selectOption('.player select', '2');
    const read = async (button: string) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
      return readFileSync((await download.path())!).toString('base64');
    };
    const gif = await read('#record-gif');
    const decoded = await page.evaluate(async (base64) => {
      const data = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      // biome-ignore lint/suspicious/noExplicitAny: ImageDecoder is not in the types
      const decoder = new (globalThis as any).ImageDecoder({ data, type: 'image/gif' });
      await Promise.all([decoder.completed, decoder.tracks.ready]);
      const { frameCount } = decoder.tracks.selectedTrack;
      const sums: number[] = [];
      for (const frameIndex of [0, frameCount - 1]) {
        const { image } = await decoder.decode({ frameIndex });
        const pixels = new Uint8Array(image.allocationSize({ format: 'RGBA' }));
        await image.copyTo(pixels, { format: 'RGBA' });
        sums.push(pixels.reduce((sum, value, i) => (sum + value * (1 + (i % 8191))) % 1e9, 0));
      }
      return { frameCount, sums };
    }, gif);
    expect(decoded.frameCount).toBeGreaterThan(5);
    expect(decoded.sums[0]).not.toBe(decoded.sums[1]); // the robot has moved
    const video = await read('#record-video');
    const blank = await browser.newPage(); // the policy of the page itself allows no media
    const size = await blank.evaluate(
      `new Promise((resolve, reject) => {
        const video = document.createElement('video');
        video.onloadeddata = () => resolve([video.videoWidth, video.videoHeight]);
        video.onerror = () => reject(new Error(video.error.message));
        const data = Uint8Array.from(atob('${video}'), (character) => character.charCodeAt(0));
        video.src = URL.createObjectURL(new Blob([data], { type: 'video/webm' }));
      })`,
    );
    await blank.close();
    expect(size).toEqual(
      await page.evaluate("[document.querySelector('canvas').width, document.querySelector('canvas').height]"),
    );
    expect(errors).toEqual([]);
    await closePage(page);
  });

  test('turns the view by keys, plays by space, and colours the path by time on request', async () => {
    const { page, errors } = await openPage(browser, server.url);
    await plan(page, '1');
    await page.focus('canvas');
    const before = await tagAt(page);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => tagAt(page)).not.toEqual(before);
    await page.keyboard.press('Space');
    await page.waitForFunction("document.querySelector('.player input').valueAsNumber > 0.05");
    const isAnnounced = (live: string) =>
      page.waitForFunction(`document.getElementById('verdict').getAttribute('aria-live') === '${live}'`);
    await isAnnounced('off');
    await page.selectOption('.player select', '4');
    await page.waitForFunction("document.querySelector('.player button').textContent === '▶'");
    await isAnnounced('polite');
    const end = Number(await page.getAttribute('.player input', 'max'));
    expect(await page.textContent('#limiting-pairs')).toContain(`At ${end.toFixed(2)}:`); // texts show the end, too
    expect(await page.locator('.time-scale').isVisible()).toBe(true);
    await page.click('summary:text("Show")');
    await page.click('label:text("path coloured by time")');
    expect(await page.locator('.time-scale').isVisible()).toBe(false);
    expect(errors).toEqual([]);
    await closePage(page);
  });

  test('a report of two trajectories compares them', async () => {
    for (const name of ['a', 'b'])
      elbowroom('plan', file, '--seed', name === 'a' ? '3' : '4', '-o', join(folder, `${name}.json`));
    elbowroom(
      'report',
      file,
      ...['a', 'b'].map((name) => join(folder, `${name}.json`)),
      '-o',
      join(folder, 'both.html'),
    );
    const { page, errors } = await openPage(browser, pathToFileURL(join(folder, 'both.html')).href);
    await page.waitForFunction(
      "[...document.querySelectorAll('.plans td')].filter((one) => one.textContent === 'proved').length === 2",
    );
    const labels = await page.locator('.kept li > button:not([aria-label])').allTextContents();
    expect(labels.map((label) => label.replace(/^\d\s+/, '')).sort()).toEqual(['a.json', 'b.json']);
    expect(errors).toEqual([]);
    await closePage(page);
  });

  describe('on a phone', () => {
    let context: BrowserContext;
    let page: Page;
    let touch: CDPSession;
    const errors: string[] = [];
    beforeAll(async () => {
      context = await browser.newContext({ ...devices['Pixel 7'], colorScheme: 'dark' });
      page = await context.newPage();
      page.on('pageerror', (error) => errors.push(error.message));
      touch = await context.newCDPSession(page);
      await page.goto(server.url);
    });
    afterAll(() => context?.close());

    test('plans by a tap, with the stage in sight, and nothing is wider than the screen', async () => {
      await page.waitForFunction("document.getElementById('verdict')?.textContent?.startsWith('free')");
      await page.tap('#plan');
      await page.waitForFunction("document.getElementById('proof')?.textContent?.startsWith('Proved')");
      await page.tap('summary:text("Show")');
      await page.locator('summary:text("Show")').scrollIntoViewIfNeeded();
      const box = await page.locator('canvas').boundingBox();
      expect(box!.y).toBeGreaterThanOrEqual(0);
      expect(box!.height).toBeGreaterThan(0.3 * page.viewportSize()!.height);
      expect(await page.evaluate('document.scrollingElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await page.tap('.player button');
      await page.waitForFunction("document.querySelector('.player input').valueAsNumber > 0.05");
      await page.tap('.player button');
    });

    test('a finger turns the view, and drags the tool frame', async () => {
      const before = await tagAt(page);
      const box = (await page.locator('canvas').boundingBox())!;
      await swipe(touch, [box.x + 40, box.y + box.height - 30], [box.x + 130, box.y + box.height - 30]);
      await expect.poll(() => tagAt(page)).not.toEqual(before);

      await openSection(page, 'Tool frame', '#tool-state');
      await page.tap('#tool-state');
      await page.waitForSelector('#branches button');
      const at = await placeOf(page.locator('#tool-tag'));
      const field = () => Promise.all(['x', 'y', 'z'].map((k) => page.inputValue(`[aria-label="tool ${k}"]`)));
      const was = await field();
      await swipe(touch, [at[0], at[1]], [at[0] + 30, at[1] - 25]);
      await expect.poll(field).not.toEqual(was);
      await page.waitForSelector('#branches button');
    });

    test('a finger adds an obstacle, drags it, and undoes that', async () => {
      await openSection(page, 'Obstacles', '#edit-add');
      await page.tap('#edit-add');
      await page.waitForSelector('#obstacle-box-2:checked');
      await page.tap('label:text-is("names")');
      const field = () => Promise.all([...'xyz'].map((axis) => page.inputValue(`[aria-label="box-2 ${axis}"]`)));
      const was = await field();
      const at = await placeOf(page.locator('.tag:text-is("box-2")'));
      const written = page.waitForResponse(/\/edit$/);
      await swipe(touch, at, [at[0] + 30, at[1] - 25]);
      await expect.poll(field).not.toEqual(was);
      await written;
      await page.tap('#edit-undo');
      await expect.poll(field).toEqual(was);
    });

    test('has no serious accessibility violation in the dark theme', async () => {
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      expect(await seriousViolations(page)).toEqual([]);
      expect(errors).toEqual([]);
    });
  });
});

async function plan(page: Page, seed: string): Promise<void> {
  await page.waitForFunction("document.getElementById('verdict')?.textContent?.startsWith('free')");
  await page.fill('#seed', seed);
  await page.click('#plan');
  await page.waitForFunction(
    `document.getElementById('plan').disabled === false && document.querySelector('.kept [aria-current]')?.textContent.endsWith('seed ${seed}')`,
  );
  await page.waitForFunction("document.getElementById('proof')?.textContent?.startsWith('Proved')");
}

/** Cells of a row of the table of plans. */
const rowOf = (page: Page, name: string) => page.locator(`.plans tr:has(th:text-is("${name}")) td`).allTextContents();

/** Place of the labels of minimum distances on the screen. */
const tagAt = (page: Page) =>
  page.evaluate("[...document.querySelectorAll('.tag.near')].map((one) => one.style.translate).join()");

/** Opens a section of the side panel by taps: the browser may take the first one after a swipe for a part of it. */
async function openSection(page: Page, name: string, content: string): Promise<void> {
  const isOpen = () => page.locator(content).isVisible();
  for (let k = 0; k < 3 && !(await isOpen()); k++) {
    await page.tap(`summary:text("${name}")`);
    await drawn(page);
  }
  expect(await isOpen()).toBe(true);
}

/** Moves one finger. */
async function swipe(touch: CDPSession, from: readonly number[], to: readonly number[]): Promise<void> {
  const points = (share: number) => [
    { x: from[0] + (to[0] - from[0]) * share, y: from[1] + (to[1] - from[1]) * share },
  ];
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points(0) });
  for (let i = 1; i <= 5; i++)
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: points(i / 5) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}
