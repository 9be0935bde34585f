import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadScene } from '../../src/host/node/files.ts';
import { root } from '../host/cli/run.ts';
import { closePage, hasBrowser, launchBrowser, openPage, serveView } from './browser.ts';

const original = readFileSync(join(root, 'scenes/shelf.yaml'), 'utf8');
let folder: string;
let file: string;
let server: { readonly url: string; readonly stop: () => void };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'elbowroom-editing-'));
  file = join(folder, 'own.yaml');
  writeFileSync(file, original.replace('name: shelf', 'name: own'));
  server = await serveView(file, '--write');
});
afterAll(() => {
  server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('requests of the page that edits a scene', () => {
  const text = () => readFileSync(file, 'utf8');
  const sourceOf = async () => {
    const page = await (await fetch(server.url)).text();
    return JSON.parse(/id="page-data">([^<]*)</.exec(page)![1]).source as { text: string; base: string };
  };

  test('of other sites, and of forms, are refused', async () => {
    const before = text();
    const body = JSON.stringify({ scene: 'own', text: `${before}# changed\n`, base: (await sourceOf()).base });
    const own = { origin: server.url.slice(0, -1), 'content-type': 'application/json' };
    expect(await post('/save', body, { ...own, origin: 'http://elsewhere.example' })).toBe(403);
    expect(await post('/save', body, { 'content-type': 'application/json' })).toBe(403);
    expect(await post('/save', body, { ...own, 'content-type': 'text/plain' })).toBe(403);
    expect(await post('/save', body, { ...own, host: 'elsewhere.example', origin: 'http://elsewhere.example' })).toBe(
      403,
    );
    expect(text()).toBe(before);
  });

  test('save no other scene, no changed file, no invalid text and no path', async () => {
    const before = text();
    const { base } = await sourceOf();
    const own = { origin: server.url.slice(0, -1), 'content-type': 'application/json' };
    const save = (given: object) => post('/save', JSON.stringify({ scene: 'own', text: before, base, ...given }), own);
    expect(await save({ scene: 'shelf' })).toBe(400);
    expect(await save({ scene: '../own.yaml' })).toBe(400);
    expect(await save({ base: base.replace(/^./, (one) => (one === '0' ? '1' : '0')) })).toBe(400);
    expect(await save({ text: 'format: elbowroom-scene/1\nrobot: [' })).toBe(400);
    expect(await post('/save', '{', own)).toBe(400);
    writeFileSync(file, `${before}# by somebody else\n`);
    expect(await save({ text: `${before}# by this page\n` })).toBe(400);
    expect(text()).toBe(`${before}# by somebody else\n`);
    writeFileSync(file, before);
    const [a, b] = await Promise.all([save({ text: `${before}# a\n` }), save({ text: `${before}# b\n` })]);
    expect([a, b].sort()).toEqual([200, 400]);
    writeFileSync(file, before);
  });

  test('a page that is loaded again shows the file as it is now, and can save it', async () => {
    const before = text();
    const own = { origin: server.url.slice(0, -1), 'content-type': 'application/json' };
    const moved = before.replace('name: own', 'name: own # changed');
    const { base } = await sourceOf();
    expect(await post('/save', JSON.stringify({ scene: 'own', text: moved, base }), own)).toBe(200);
    const again = await sourceOf();
    expect(again.text).toBe(moved);
    expect(await post('/save', JSON.stringify({ scene: 'own', text: before, base: again.base }), own)).toBe(200);
    expect((await sourceOf()).text).toBe(before);
    writeFileSync(file, 'format: elbowroom-scene/1\nrobot: [');
    expect((await fetch(server.url)).status).toBe(500);
    writeFileSync(file, before);
    expect((await sourceOf()).text).toBe(before);
  });
});

describe.skipIf(!hasBrowser)('the page that edits a scene', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test('adds, copies, renames, resizes and deletes obstacles, undoes, redoes, and saves with comments', async () => {
    const { page, errors } = await openPage(browser, server.url);
    await page.waitForFunction("document.getElementById('verdict')?.textContent?.startsWith('free')");
    await page.click('#plan');
    await page.waitForFunction("document.getElementById('proof')?.textContent?.startsWith('Proved')");
    await page.click('summary:text("Obstacles")');
    await page.click('#edit-add');
    await page.waitForSelector('#obstacle-box-2');
    expect(await page.locator('#proof').count()).toBe(0); // the proof was of another scene
    expect(await page.textContent('.plan .status')).toBe('');

    await page.click('#obstacle-jar');
    await page.click('#edit-duplicate');
    await page.waitForSelector('#obstacle-jar-2:checked');
    await page.click('#obstacle-jar');
    await page.fill('#edit-name', 'vase');
    await page.click('#edit-rename');
    await page.waitForSelector('#obstacle-vase:checked');
    await page.click('#edit-size');
    await page.fill('#size-radius-0', '0.06');
    await edited(page, () => page.press('#size-radius-0', 'Enter'));
    await page.waitForFunction("document.activeElement?.id === 'size-radius-0'"); // edited again at once
    await page.click('#obstacle-middle');
    await page.click('#edit-delete');
    await page.waitForSelector('#obstacle-middle', { state: 'detached' });
    await page.click('#edit-undo');
    await page.waitForSelector('#obstacle-middle');
    await page.click('#edit-redo');
    await page.waitForSelector('#obstacle-middle', { state: 'detached' });
    await page.fill('[aria-label="board_3 z"]', '0.9');
    await edited(page, () => page.press('[aria-label="board_3 z"]', 'Enter'));
    await page.waitForFunction("document.getElementById('edit-status')?.textContent === 'Edited, not saved.'");
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#edit-download')]);
    await page.click('#edit-save');
    await page.waitForFunction("document.getElementById('edit-status')?.textContent === 'Saved.'");
    expect(readFileSync((await download.path())!, 'utf8')).toBe(readFileSync(file, 'utf8'));
    const saved = readFileSync(file, 'utf8');
    expect(saved).toContain('  # boards 20 mm thick, bays 0.44 m wide and 0.38 m high\n');
    const { scene } = await loadScene(file);
    const found = Object.fromEntries(scene.obstacles.map((one) => [one.name, one]));
    expect(Object.keys(found)).toEqual(
      'floor board_1 board_2 board_3 side_left side_right back vase jar-2 box-2'.split(' '),
    );
    expect(found['vase'].parts[0].shape).toMatchObject({ radius: 0.06, length: 0.16 });
    expect(found['board_3'].pose.xyz).toEqual([0.72, 0, 0.9]);
    expect(errors).toEqual([]);
    await closePage(page);
  });

  test('an obstacle that is clicked on the stage is selected, turned by its fields, and written as it is shown', async () => {
    const { page, errors } = await openPage(browser, server.url);
    await page.waitForFunction("(document.getElementById('verdict')?.textContent ?? '') !== ''");
    const { x, y, width, height } = (await page.locator('canvas').boundingBox())!;
    await page.mouse.click(x + 0.62 * width, y + 0.45 * height);
    const chosen = page.locator('.obstacles input:checked');
    const name = (await chosen.getAttribute('id'))!.replace('obstacle-', '');
    expect(name).toMatch(/^(board|side)_/);
    expect(await page.locator('.tag:visible', { hasText: name }).count()).toBe(1);
    await page.fill('[aria-label=yaw]', '30');
    await page.press('[aria-label=yaw]', 'Enter');
    await page.waitForURL(/&at\./);
    const place = new URLSearchParams(new URL(page.url()).hash.slice(1)).get(`at.${name}`)!.split(',').map(Number);
    expect(place).toHaveLength(7);
    expect(place[3]).toBeCloseTo(Math.cos(Math.PI / 12), 9);
    expect(place[6]).toBeCloseTo(Math.sin(Math.PI / 12), 9);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#edit-download')]);
    const copy = join(folder, 'turned.yaml');
    await download.saveAs(copy);
    const { scene } = await loadScene(copy);
    const { pose } = scene.obstacles.find((one) => one.name === name)!;
    expect([...pose.xyz, ...pose.quat_wxyz]).toEqual(place);
    expect(errors).toEqual([]);
    await closePage(page);
  });

  test('a plan that ends after an edit is not shown as certified', async () => {
    const { page } = await openPage(browser, server.url);
    await page.waitForFunction("document.getElementById('verdict')?.textContent !== ''");
    await page.click('summary:text("Obstacles")');
    await page.evaluate(`
      document.getElementById('plan').click();
      const field = document.querySelector('[aria-label="jar-2 x"]') ?? document.querySelector('[aria-label="jar x"]');
      field.value = '0.5';
      field.dispatchEvent(new Event('change'));`);
    await page.waitForFunction("document.getElementById('plan').disabled === false");
    expect(await page.textContent('.plan .status')).toBe('The scene was changed while planning. Plan again.');
    expect(await page.locator('#proof').count()).toBe(0);
    await closePage(page);
  });
});

/** Sends a request and returns the status. */
function post(path: string, body: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${server.url.slice(0, -1)}${path}`, { method: 'POST', headers }, (answer) =>
      resolve(answer.resume().statusCode),
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Resolves when the server has answered the edit that the action makes. */
const edited = (page: Page, action: () => Promise<void>) => Promise.all([page.waitForResponse(/\/edit$/), action()]);
