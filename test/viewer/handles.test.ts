import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root, temporaryFolder } from '../host/cli/run.ts';
import { closePage, drawn, hasBrowser, launchBrowser, openPage, placeOf, serveView } from './browser.ts';

/** Pixels of a unit of the handles, as a share of the height of the stage: their size on the screen is constant. */
const UNIT = 1.9 / 8;

type Point = readonly number[];

const file = join(temporaryFolder(), 'own.yaml');
writeFileSync(file, readFileSync(join(root, 'scenes/shelf.yaml'), 'utf8').replace('name: shelf', 'name: own'));

describe.skipIf(!hasBrowser)('handles on the stage', () => {
  let browser: Browser;
  let server: { readonly url: string; readonly stop: () => void };
  beforeAll(async () => {
    browser = await launchBrowser();
    server = await serveView(file, '--write');
  });
  afterAll(async () => {
    server?.stop();
    await browser?.close();
  });

  test('the tool frame of a goal begins at the pose of its link, also if the tool center point is another frame', async () => {
    const scene = join(temporaryFolder(), 'poses.yaml');
    const pose = '{link: tool0, xyz: [0.4, 0.1, 0.3], rpy: [pi, 0, 0]}';
    const tcp = '{link: tool0, xyz: [0, 0, 0.1]}'; // the tool points down
    writeFileSync(
      scene,
      `format: elbowroom-scene/1\nrobot: ur5e\nstart: [0, -1.6, 1.6, -1.6, -1.6, 0]\ngoal: ${pose}\ntcp: ${tcp}\n`,
    );
    const own = await serveView(scene);
    try {
      const { page, errors } = await openPage(browser, own.url);
      await page.click('summary:text("Tool frame")');
      await page.click('#tool-goal');
      await page.waitForSelector('#branches button');
      expect(await toolPosition(page)).toEqual([0.4, 0.1, 0.2]);
      expect(errors).toEqual([]);
      await closePage(page);
    } finally {
      own.stop();
    }
  });

  test('goal poses and constraints have handles and numbers that write them into the scene', async () => {
    const scene = join(temporaryFolder(), 'frames.yaml');
    writeFileSync(
      scene,
      [
        'format: elbowroom-scene/1',
        'robot: ur5e',
        'start: [0, -1.6, 1.6, -1.6, -1.6, 0]',
        'goal: {xyz: [0.4, 100 mm, 0.3], rpy: [pi, 0, 0]} # where it ends',
        'constraints:',
        '  - {type: region, shape: {type: box, size: [3, 3, 3]}} # all around',
        '  - {name: level, type: tilt, axis: [0, 0, 1], towards: [0, 0, -1], within: 60 deg}',
        '',
      ].join('\n'),
    );
    const own = await serveView(scene, '--write');
    try {
      const { page, errors } = await openPage(browser, own.url);
      await page.click('summary:text("Tool frame")');
      await page.click('#tool-goal');
      await page.waitForSelector('#branches button');
      const axes = await axesOnScreen(page);
      const at = await placeOf(page.locator('#tool-tag'));
      await page.click('summary:text("Goal poses and constraints")');
      await page.click('[id="frame-goal"]');
      const goal = () => Promise.all([...'xyz'].map((axis) => page.inputValue(`[aria-label="goal ${axis}"]`)));
      expect(await goal()).toEqual(['0.4', '0.1', '0.3']);
      await dragFrom(page, at, [0, 0, 0.35], axes);
      await expect.poll(async () => Number((await goal())[2])).toBeGreaterThan(0.31);
      expect((await goal()).slice(0, 2)).toEqual(['0.4', '0.1']);
      expect(await page.isChecked('[id="frame-goal"]')).toBe(true); // the edit keeps the selection
      await setNumber(page, '1: region z', '0.2');
      await page.click('[id="frame-2: level"]');
      await setNumber(page, 'pitch', '10');
      await page.click('summary:text("Obstacles")');
      await page.click('#edit-save');
      await page.waitForFunction("document.getElementById('edit-status')?.textContent === 'Saved.'");
      const lines = readFileSync(scene, 'utf8').split('\n');
      expect(lines[3]).toMatch(/^goal: \{xyz: \[0\.4, 100 mm, 0\.3\d+\], rpy: \[pi, 0, 0\]\} # where it ends$/);
      expect(lines[5]).toMatch(/pose: \{ ?xyz: \[0, 0, 0\.2\] ?\} ?\} # all around$/);
      const [x, y, z] = /towards: \[(.*?)\]/.exec(lines[6])![1].split(',').map(Number);
      expect(Math.acos(-z / Math.hypot(x, y, z))).toBeCloseTo(Math.PI / 18, 6);
      expect(errors).toEqual([]);
      await closePage(page);
    } finally {
      own.stop();
    }
  });

  test('move a start and an obstacle along one axis or in one plane; the layers change the picture', async () => {
    const { page, errors } = await openPage(browser, server.url);
    await page.waitForFunction("document.getElementById('verdict')?.textContent?.startsWith('free')");
    await page.click('summary:text("Tool frame")');
    await page.click('#tool-start');
    await page.waitForSelector('#branches button');
    const axes = await axesOnScreen(page);

    const first = await toolPosition(page);
    await drag(page, page.locator('#tool-tag'), [0, 0, 0.35], axes);
    const lifted = await toolPosition(page);
    expect(lifted.slice(0, 2)).toEqual(first.slice(0, 2));
    expect(lifted[2] - first[2]).toBeGreaterThan(0.01);
    await drag(page, page.locator('#tool-tag'), [0.15, 0, 0.15], axes);
    const moved = await toolPosition(page);
    expect(moved[1]).toBe(lifted[1]);
    for (const k of [0, 2]) expect(Math.abs(moved[k] - lifted[k])).toBeGreaterThan(0.001);
    await page.fill('[aria-label="tool x"]', String(first[0]));
    await page.fill('[aria-label="tool y"]', String(first[1]));
    await page.fill('[aria-label="tool z"]', String(first[2] + 0.01));
    await page.press('[aria-label="tool z"]', 'Enter');
    await page.click('#branches button:text("free")');
    await page.waitForFunction("new URLSearchParams(location.hash.slice(1)).get('start') !== null");

    await page.click('summary:text("Obstacles")');
    await page.click('summary:text("Show")');
    const names = page.locator('label:text-is("names")');
    await names.click();
    const jar = page.locator('.tag:text-is("jar")');
    await jar.waitFor();
    await page.click('#obstacle-jar');
    expect(await page.inputValue('#edit-name')).toBe('jar');
    const position = async () => Promise.all([...'xyz'].map((axis) => page.inputValue(`[aria-label="jar ${axis}"]`)));
    const before = await position();
    await page.fill('[aria-label="jar x"]', '');
    await page.press('[aria-label="jar x"]', 'Enter'); // no number: the obstacle stays
    await drag(page, jar, [0, 0, 0.35], axes);
    await page.waitForFunction("document.getElementById('edit-status')?.textContent === 'Edited, not saved.'");
    const after = await position();
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(Number(after[2])).toBeGreaterThan(Number(before[2]) + 0.01);
    expect(await page.isChecked('#obstacle-jar')).toBe(true); // the edit keeps the selection
    await names.click();

    const layers = ['collision geometry', 'obstacles', 'minimum distances', 'transparent obstacles'];
    const picture = async () => (await page.locator('canvas').screenshot()).toString('base64');
    /** Takes pictures until one satisfies the condition; the page draws a change in one of its next frames. */
    const becomes = async (isWanted: (now: string) => boolean) => {
      for (let k = 0; k < 40; k++) {
        if (isWanted(await picture())) return true;
        await page.waitForTimeout(50);
      }
      return false;
    };
    let shown = '';
    const isSettled = (now: string) => {
      const before = shown;
      shown = now;
      return now === before;
    };
    expect(await becomes(isSettled)).toBe(true);
    const wrong: string[] = [];
    for (const layer of layers) {
      await page.click(`label:text-is("${layer}")`);
      if (!(await becomes((now) => now !== shown))) wrong.push(`${layer}: the picture is the same`);
      await page.click(`label:text-is("${layer}")`);
      if (!(await becomes((now) => now === shown))) wrong.push(`${layer}: the picture is another one afterwards`);
    }
    expect(wrong).toEqual([]);
    expect(errors).toEqual([]);
    await closePage(page);
  });
});

async function toolPosition(page: Page): Promise<number[]> {
  return Promise.all([...'xyz'].map(async (axis) => Number(await page.inputValue(`[aria-label="tool ${axis}"]`))));
}

/**
 * Returns the axes of the world at the tool frame as vectors on the screen, one unit of the handles long. The squared
 * lengths of the projections of three orthogonal unit vectors have a sum of 2.
 */
async function axesOnScreen(page: Page): Promise<Point[]> {
  const [step, tag] = [0.02, page.locator('#tool-tag')];
  const origin = await placeOf(tag);
  const moved: Point[] = [];
  for (const axis of 'xyz') {
    const field = page.locator(`[aria-label="tool ${axis}"]`);
    const value = await field.inputValue();
    for (const set of [String(Number(value) + step), value]) {
      await field.fill(set);
      await field.press('Enter');
      if (set !== value) moved.push((await placeOf(tag)).map((at, k) => at - origin[k]));
    }
  }
  const length = Math.sqrt(moved.reduce((sum, [x, y]) => sum + x * x + y * y, 0) / 2);
  const unit = UNIT * (await page.locator('canvas').boundingBox())!.height;
  return moved.map((one) => one.map((value) => (unit * value) / length));
}

/** Types a number, and waits until the edit has been written. */
async function setNumber(page: Page, label: string, value: string): Promise<void> {
  const written = page.waitForResponse(/\/edit$/);
  await page.fill(`[aria-label="${label}"]`, value);
  await page.press(`[aria-label="${label}"]`, 'Enter');
  await written;
  await drawn(page);
}

/** Drags the handle at these units of the axes from the place of a tag by half as much again. */
async function drag(page: Page, tag: Locator, at: Point, axes: readonly Point[]): Promise<void> {
  await dragFrom(page, await placeOf(tag), at, axes);
}

async function dragFrom(page: Page, origin: Point, at: Point, axes: readonly Point[]): Promise<void> {
  const point = (factor: number) =>
    [0, 1].map((k) => origin[k] + factor * at.reduce((sum, u, i) => sum + u * axes[i][k], 0));
  const [from, to] = [point(1), point(1.5)];
  await page.mouse.move(from[0], from[1]);
  await drawn(page);
  await page.mouse.down();
  await page.mouse.move(to[0], to[1], { steps: 4 });
  await page.mouse.up();
  await drawn(page);
}
