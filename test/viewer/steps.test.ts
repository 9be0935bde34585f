import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadScene } from '../../src/host/node/files.ts';
import { root } from '../host/cli/run.ts';
import { hasBrowser, launchBrowser, openPage, serveView } from './browser.ts';

describe.skipIf(!hasBrowser)('the steps of a program in the page', () => {
  test('of a tool path that cannot be followed are listed by what is reachable and blocked', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'elbowroom-spans-'));
    const points = [0.5, 0.6, 1.3, 0.6].map((x) => ({ xyz: [x, -0.1, 0.3], rpy: [Math.PI, 0, 0] }));
    const scene = { format: 'elbowroom-scene/1', robot: 'ur5e', start: [0, -1.5, 1.6, -1.7, -1.57, 0] };
    const file = join(folder, 'spans.json');
    writeFileSync(file, JSON.stringify({ ...scene, steps: [{ move: points[0] }, { path: { points } }] }));
    const server = await serveView(file);
    const browser = await launchBrowser();
    try {
      const { page, errors } = await openPage(browser, server.url);
      await page.click('#plan');
      await page.locator('#reasons li').nth(2).waitFor({ timeout: 100_000 });
      const lines = await page.locator('#reasons li').allTextContents();
      expect(lines[0]).toMatch(/^Way points 0 to 1: reachable; .*the end of its reach$/);
      expect(lines[1]).toMatch(/^Way points 2 to 2: blocked; the goal cannot be reached/);
      expect(lines[2]).toBe('Way points 3 to 3: reachable');
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
      server.stop();
      rmSync(folder, { recursive: true });
    }
  }, 120_000);

  test('name the joints that they move, and the labels of the least distances do not overlap', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'elbowroom-moves-'));
    const others = ['shoulder_pan', 'shoulder_lift', 'elbow', 'wrist_1', 'wrist_2'].map((name) => `${name}_joint`);
    const program = `format: elbowroom-scene/1
robot: {name: ur5e, joints: [${others}]}
tcp: {link: wrist_1_link}
start: [0, -1.5, 1.6, -1.7, -1.57]
steps: [{set: {joints: {wrist_3_joint: 0.5}, time: 1, lamp: true}}]`;
    const browser = await launchBrowser();
    try {
      writeFileSync(join(folder, 'program.yaml'), program);
      for (const scene of ['waiter', join(folder, 'program.yaml')]) {
        const server = await serveView(scene);
        const { page, errors } = await openPage(browser, server.url);
        if (scene !== 'waiter')
          expect(await page.locator('#steps .what').allTextContents()).toEqual([
            'set wrist_3_joint to 0.5, lamp: true',
          ]);
        else {
          await page.locator('.tag.near:visible').nth(1).waitFor();
          const tags = await page
            .locator('.tag.near')
            .evaluateAll((all) =>
              all.map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]),
            );
          const [upper, lower] = tags.sort(([a], [b]) => a - b);
          expect(upper[1]).toBeLessThanOrEqual(lower[0]);
        }
        expect(errors).toEqual([]);
        server.stop();
      }
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true });
    }
  }, 120_000);

  test('are inserted, moved, replaced and removed; a refused one changes nothing; the proof is discarded', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'elbowroom-steps-'));
    const file = join(folder, 'own.yaml');
    const original = readFileSync(join(root, 'scenes/pick-and-place.yaml'), 'utf8');
    writeFileSync(file, original.replace('name: pick-and-place', 'name: own'));
    const server = await serveView(file, '--write');
    const browser = await launchBrowser();
    try {
      const { page, errors } = await openPage(browser, server.url);
      const countIs = (count: number) =>
        page.waitForFunction(`document.querySelectorAll('#steps li').length === ${count}`);
      await countIs(13);
      await page.click('#plan');
      await page.waitForFunction("document.getElementById('proof')?.textContent?.startsWith('Proved')");
      await page.fill('#step-index', '5');
      await page.press('#step-index', 'Enter'); // the field of the text shows step 5
      expect(await page.inputValue('#step-text')).toBe('{wait: 0.3}');
      await page.selectOption('#step-kind', 'attach');
      const names = await page.evaluate(
        "[...document.querySelectorAll('#step-objects option')].map((one) => one.value)",
      );
      expect(names).toContain('part');
      await page.fill('[aria-label="step object"]', 'part');
      expect(await page.inputValue('#step-text')).toBe('{attach: part}');
      await page.selectOption('#step-kind', 'line to the shown tool pose');
      expect(await page.inputValue('#step-text')).toMatch(
        /^\{line: \{to: \{xyz: \[.+\], rpy: \[3.141593, 0, .+\]\}\}\}$/,
      );
      await page.selectOption('#step-kind', 'wait, s');
      await page.fill('[aria-label="step seconds"]', '0.75');
      await page.click('#step-insert');
      await countIs(14);
      expect(await page.locator('#proof').count()).toBe(0); // the proof was of another program
      await page.click('[aria-label="Move down step 5"]');
      await page.waitForFunction("document.querySelectorAll('#steps li')[6].textContent.includes('wait 0.75 s')");
      await page.click('[aria-label="Remove step 5"]');
      await countIs(13);
      await page.fill('#step-index', '5');
      await page.press('#step-index', 'Enter'); // the field of the text shows step 5
      await page.fill('#step-text', '{wait: soon}');
      await page.click('#step-set');
      await page.waitForFunction("document.getElementById('step-status').textContent !== ''");
      await countIs(13);
      await page.click('summary:text("Obstacles")');
      await page.click('#edit-save');
      await page.waitForFunction("document.getElementById('edit-status')?.textContent === 'Saved.'");
      const expected = original.replace('name: pick-and-place', 'name: own').replace('{wait: 0.3}', '{wait: 0.75}');
      expect(readFileSync(file, 'utf8')).toBe(expected);
      expect((await loadScene(file)).scene.steps).toHaveLength(13);
      expect(errors.filter((one) => !one.includes('400'))).toEqual([]); // the refused step
    } finally {
      await browser.close();
      server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
