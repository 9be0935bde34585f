import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { root } from '../host/cli/run.ts';
import { closePage, hasBrowser, launchBrowser, openPage, seriousViolations, serveView } from './browser.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const address = pathToFileURL(join(root, 'dist/viewer/playground.html')).href;
const pair = '&a=hexagon,-1.2,0.2,0.3&b=triangle,1,-0.1,0.5';

describe.skipIf(!hasBrowser)('the playground', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  const boundsOf = async (page: Page) => (await page.textContent('.story'))!.match(/\d\.\d{4}/g)!.map(Number);

  test('steps through growth distance until the bounds are the answer', async () => {
    const { page, errors } = await openPage(browser, `${address}#algorithm=growth&step=1${pair}`);
    const first = await boundsOf(page);
    const [, count] = (await page.textContent('output'))!.split(' of ');
    for (let k = 1; k < Number(count); k++) await page.click('[aria-label="Next"]');
    const last = await boundsOf(page);
    const answer = Number(/growth distance ([\d.]+)/.exec((await page.textContent('.answer'))!)![1]);
    expect(first[0]).toBeGreaterThan(answer);
    expect(first[1]).toBeLessThan(answer);
    for (const bound of last) expect(Math.abs(bound - answer)).toBeLessThan(1e-4);
    expect(page.url()).toContain(`step=${count}`);
    expect(await seriousViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
    await closePage(page);
  });

  test('moves a shape by keys and by pointer; the address reproduces the state', async () => {
    const { page, errors } = await openPage(browser, `${address}#algorithm=gjk&step=2${pair}`);
    await page.focus('.handle.a');
    for (const key of ['ArrowRight', 'ArrowUp', '[']) await page.keyboard.press(key);
    expect(decodeURIComponent(page.url())).toContain('a=hexagon,-1.15,0.25,0.387');
    const box = (await page.locator('.handle.b .body').boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 - 60, box.y + box.height / 2 + 30, { steps: 3 });
    await page.mouse.up();
    const [answer, url] = [await page.textContent('.answer'), page.url()];
    expect(decodeURIComponent(url)).not.toContain('b=triangle,1,-0.1,0.5');
    await page.goto('about:blank');
    await page.goto(url);
    expect(await page.textContent('.answer')).toBe(answer);
    expect(errors).toEqual([]);
    await closePage(page);
  });

  test('every algorithm gives the same verdict, and fits a phone', async () => {
    const { page, errors } = await openPage(browser, `${address}#algorithm=growth&step=1${pair}`);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    const verdicts = new Set<string>();
    for (const button of await page.locator('[role=radio]').all()) {
      await button.click();
      verdicts.add((await page.textContent('.answer'))!.split(':')[0]);
    }
    expect([...verdicts]).toEqual(['separated']);
    expect(errors).toEqual([]);
    await closePage(page);
  });

  test('no label leaves its picture', async () => {
    for (const algorithm of ['growth', 'gjk']) {
      const { page } = await openPage(browser, `${address}#algorithm=${algorithm}&step=1${pair}`);
      const outside = await page.evaluate(`[...document.querySelectorAll('svg text')].filter((label) => {
        const [inner, outer] = [label, label.ownerSVGElement].map((one) => one.getBoundingClientRect());
        return inner.left < outer.left || inner.right > outer.right || inner.top < outer.top || inner.bottom > outer.bottom;
      }).map((label) => label.textContent)`);
      expect(outside).toEqual([]);
      await closePage(page);
    }
  });

  test('view --playground serves it under its content security policy', async () => {
    const { url, stop } = await serveView('--playground');
    const { page, errors } = await openPage(browser, url);
    expect(await page.textContent('.answer')).toContain('growth distance');
    expect(errors).toEqual([]);
    await closePage(page);
    stop();
  });
});
