import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadScene } from '../../src/host/node/files.ts';
import { configurationOf, createSceneRobot, forwardKinematics, framePose, RobotState, tcpOf } from '../../src/index.ts';
import { root } from '../host/cli/run.ts';
import { closePage, hasBrowser, launchBrowser, openPage, placeOf, serveView } from './browser.ts';

let folder: string;
let browser: Browser;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'elbowroom-tool-'));
  if (hasBrowser) browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!hasBrowser)('the tool frame of the page', () => {
  let file: string;
  let server: { readonly url: string; readonly stop: () => void };
  beforeAll(async () => {
    file = join(folder, 'own.yaml');
    writeFileSync(file, readFileSync(join(root, 'scenes/shelf.yaml'), 'utf8').replace('name: shelf', 'name: own'));
    server = await serveView(file, '--write');
  });
  afterAll(() => server?.stop());

  test('sets the goal to a chosen IK solution, in the text too, and discards the proof at once', async () => {
    const { page, errors } = await openPage(browser, server.url);
    await prove(page);
    await page.click('summary:text("Tool frame")');
    await page.click('#tool-goal');
    await page.waitForSelector('#branches button');
    expect(await page.locator('#proof').count()).toBe(1); // nothing has been changed yet
    await setField(page, 'tool z', (z) => z + 0.02);
    await setField(page, 'tool yaw', (yaw) => yaw + 10);
    await page.waitForSelector('#branches button:text("free")');
    const aim = await fieldsOf(page);
    const listed = await page.locator('#branches button').allTextContents();
    expect(listed.length).toBeGreaterThan(1);
    const away = listed.map((text) => Number.parseFloat(text));
    expect(away).toEqual([...away].sort((a, b) => a - b));
    const seen = await page.evaluate(`(() => {
      [...document.querySelectorAll('#branches button')].find((one) => one.textContent.includes('free')).click();
      return [document.getElementById('proof'), document.querySelector('.plan .status').textContent];
    })()`);
    expect(seen).toEqual([null, '']);
    await page.click('summary:text("Obstacles")');
    await page.waitForFunction("document.getElementById('edit-status')?.textContent === 'Edited, not saved.'");
    await page.click('#edit-save');
    await page.waitForFunction("document.getElementById('edit-status')?.textContent === 'Saved.'");

    // The pose of the saved goal, by forward kinematics alone, is the pose that the fields showed.
    const { tcp, goal, address } = await savedGoal(file, page);
    expect(Math.hypot(...tcp.xyz.map((value, k) => value - aim[k]))).toBeLessThan(1e-4);
    expect(address).toEqual(goal);
    expect(errors).toEqual([]);
    await closePage(page);
  });

  test('undoes and redoes by keys, not while a field is edited, and discards each proof', async () => {
    const { page } = await openPage(browser, server.url);
    await page.waitForFunction("document.getElementById('verdict')?.textContent?.startsWith('free')");
    await page.click('summary:text("Obstacles")');
    await page.click('button:text("Goal here")');
    await page.waitForFunction("document.getElementById('edit-undo')?.disabled === false");
    const goal = () => page.evaluate<string>("new URLSearchParams(location.hash.slice(1)).get('goal')");
    const changed = await goal();
    expect(changed).not.toBeNull();
    await page.focus('#seed');
    await page.keyboard.press('Control+z');
    await page.evaluate('document.activeElement.blur()');
    expect(await page.evaluate("document.getElementById('edit-undo').disabled")).toBe(false);
    await page.keyboard.press('Control+z');
    await page.waitForFunction("document.getElementById('edit-redo')?.disabled === false");
    expect(await goal()).toBeNull();
    await prove(page);
    await page.keyboard.press('Control+Shift+z');
    await page.waitForFunction("document.getElementById('edit-redo')?.disabled === true");
    expect(await page.locator('#proof').count()).toBe(0);
    expect(await goal()).toBe(changed);
    await closePage(page);
  });

  test('follows the pointer, and lists the collisions of solutions inside obstacles', async () => {
    const { page, errors } = await openPage(browser, server.url);
    await page.waitForFunction("document.getElementById('verdict')?.textContent?.startsWith('free')");
    await page.click('summary:text("Tool frame")');
    await page.click('#tool-state');
    await page.waitForSelector('#branches button');
    const before = await fieldsOf(page);
    const handle = await placeOf(page.locator('#tool-tag'));
    await page.mouse.move(handle[0], handle[1]);
    await page.mouse.down();
    await page.mouse.move(handle[0] + 30, handle[1] - 20, { steps: 5 });
    await page.mouse.up();
    const after = await fieldsOf(page);
    expect(Math.hypot(...after.slice(0, 3).map((value, k) => value - before[k]))).toBeGreaterThan(0.005);
    expect(after.slice(3)).toEqual(before.slice(3));
    await page.waitForSelector('#branches button');

    for (const [name, value] of [
      ['tool x', 0.72],
      ['tool y', 0],
      ['tool z', 0.4],
    ] as const)
      await setField(page, name, () => value);
    await page.waitForSelector('#branches button.colliding');
    expect(await page.locator('#branches button.colliding').first().textContent()).toContain('collide');
    await setField(page, 'tool x', () => 9);
    await page.waitForFunction("document.getElementById('tool-status')?.textContent?.includes('out of reach')");
    expect(await page.locator('#branches button').count()).toBe(0);
    expect(errors).toEqual([]);
    await closePage(page);
  });

  test('a plan that ends after the goal was changed is not shown as certified', async () => {
    const { page } = await openPage(browser, server.url);
    await page.waitForFunction("document.getElementById('verdict')?.textContent !== ''");
    await page.evaluate(`
      document.getElementById('plan').click();
      [...document.querySelectorAll('.ends button')].find((one) => one.textContent === 'Goal here').click();`);
    await page.waitForFunction("document.getElementById('plan').disabled === false");
    expect(await page.textContent('.plan .status')).toBe('The scene was changed while planning. Plan again.');
    expect(await page.locator('#proof').count()).toBe(0);
    await closePage(page);
  });
});

async function prove(page: Page): Promise<void> {
  await page.waitForFunction("document.getElementById('verdict')?.textContent?.startsWith('free')");
  await page.click('#plan');
  await page.waitForFunction("document.getElementById('proof')?.textContent?.startsWith('Proved')");
}

async function fieldsOf(page: Page): Promise<number[]> {
  const names = ['x', 'y', 'z', 'roll', 'pitch', 'yaw'];
  return Promise.all(names.map(async (name) => Number(await page.inputValue(`[aria-label="tool ${name}"]`))));
}

async function setField(page: Page, label: string, value: (now: number) => number): Promise<void> {
  const field = page.locator(`[aria-label="${label}"]`);
  await field.fill(String(value(Number(await field.inputValue()))));
  await field.press('Enter');
}

async function savedGoal(file: string, page: Page) {
  const loaded = await loadScene(file);
  const model = createSceneRobot(loaded);
  const [saved] = loaded.scene.goals;
  if (saved.kind !== 'joints') throw new Error('the goal is a pose');
  const q = configurationOf(model, saved.joints, 'goal');
  const state = new RobotState(model);
  forwardKinematics(state, q);
  const address = await page.evaluate<string>("new URLSearchParams(location.hash.slice(1)).get('goal')");
  return {
    tcp: framePose(state, tcpOf(model, loaded.scene.tcp)),
    goal: [...q],
    address: address.split(',').map(Number),
  };
}
