import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { root } from '../host/cli/run.ts';
import { closePage, hasBrowser, launchBrowser, openPage, seriousViolations, serveView } from './browser.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const address = pathToFileURL(join(root, 'dist/viewer/playground.html')).href;
const pair = '&a=hexagon,-1.2,0.2,0.3&b=triangle,1,-0.1,0.5';
const solids = '&a=box,-0.5,0.1,0,0.3,0.4&b=octahedron,0.5,-0.1,0.2,0.5,0.2&view=-0.6,0.35';
const apart = solids.replace('octahedron,0.5', 'icosahedron,1.6');

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

  test('steps through the expanding polytope in space until the bounds are the depth', async () => {
    const { page, errors } = await openPage(browser, `${address}#algorithm=epa&step=1${solids}`);
    const [, count] = (await page.textContent('output'))!.split(' of ');
    const depth = Number(/depth ([\d.]+) m/.exec((await page.textContent('.answer'))!)![1]);
    let [lower, upper] = [0, Number.POSITIVE_INFINITY];
    for (let k = 1; k <= Number(count); k++) {
      const bounds = await boundsOf(page);
      expect(bounds[0]).toBeGreaterThanOrEqual(lower);
      expect(bounds[1]).toBeLessThanOrEqual(upper);
      [lower, upper] = bounds;
      if (k < Number(count)) await page.click('[aria-label="Next"]');
    }
    for (const bound of [lower, upper]) expect(Math.abs(bound - depth)).toBeLessThan(1e-4);
    expect(await seriousViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
    await closePage(page);
  });

  test('moves shapes and the view in space by keys and by pointer; the address reproduces them', async () => {
    const { page, errors } = await openPage(browser, `${address}#algorithm=portal&step=2${solids}`);
    await page.focus('.handle.a');
    for (const key of ['ArrowRight', 'PageUp', '[', '{']) await page.keyboard.press(key);
    expect(decodeURIComponent(page.url())).toContain('a=box,-0.45,0.1,0.05,0.387,0.487');
    await page.focus('figure svg');
    await page.keyboard.press('ArrowLeft');
    expect(decodeURIComponent(page.url())).toContain('view=-0.775,0.35');
    const box = (await page.locator('figure svg').nth(1).boundingBox())!;
    await page.mouse.move(box.x + 30, box.y + 30);
    await page.mouse.down();
    await page.mouse.move(box.x + 90, box.y + 60, { steps: 3 });
    await page.mouse.up();
    const [drawing, url] = [await page.innerHTML('figure:nth-of-type(2) svg'), page.url()];
    expect(decodeURIComponent(url)).not.toContain('view=-0.775,0.35');
    await page.goto('about:blank');
    await page.goto(url);
    // The address states the view to a thousandth of a radian.
    const numbers = (text: string) => [...text.matchAll(/-?\d+\.\d+(e-?\d+)?/g)].map(([number]) => Number(number));
    const again = numbers(await page.innerHTML('figure:nth-of-type(2) svg'));
    const before = numbers(drawing);
    expect(again.length).toBe(before.length);
    for (const [k, number] of again.entries()) expect(Math.abs(number - before[k])).toBeLessThan(0.02);
    expect(errors).toEqual([]);
    await closePage(page);
  });

  test('shows two algorithms side by side, each at its last step when the other has more', async () => {
    const { page, errors } = await openPage(browser, `${address}#algorithm=gjk&beside=growth&step=99${apart}`);
    const answers = await page.locator('.answer').allTextContents();
    expect(answers[0]).toMatch(/^separated: distance/);
    expect(answers[1]).toMatch(/^separated: growth distance/);
    for (const story of await page.locator('.story').allTextContents()) expect(story).toContain('last point');
    await page.selectOption('[aria-label="Algorithm beside it"]', '');
    expect(await page.locator('.answer:visible').count()).toBe(1);
    expect(page.url()).not.toContain('beside');
    expect(errors).toEqual([]);
    await closePage(page);
  });

  test.each([
    ['a planar pair', pair, 'separated', 5],
    ['a pair in space', apart, 'separated', 7],
    ['an overlap in space', solids, 'colliding', 7],
  ])('every algorithm gives the same verdict of %s, and fits a phone', async (_, shapes, verdict, count) => {
    const { page, errors } = await openPage(browser, `${address}#algorithm=growth&beside=gjk&step=1${shapes}`);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    const verdicts: string[] = [];
    for (const button of await page.locator('[role=radio]').all()) {
      await button.click();
      verdicts.push((await page.textContent('.answer'))!.split(':')[0]);
    }
    expect(verdicts).toEqual(Array.from({ length: count }, () => verdict));
    expect(errors).toEqual([]);
    await closePage(page);
  });

  test('the buttons change between the plane and space', async () => {
    const { page, errors } = await openPage(browser, `${address}#algorithm=barycode&step=2${pair}`);
    await page.click('text=In space');
    expect(decodeURIComponent(page.url())).toContain('algorithm=growth&step=1&a=box,');
    expect(await page.getAttribute('text=In space', 'aria-pressed')).toBe('true');
    await page.click('text=In the plane');
    expect(decodeURIComponent(page.url())).toContain('a=hexagon,');
    expect(errors).toEqual([]);
    await closePage(page);
  });

  test('an address that mixes planar and solid shapes, or is damaged, opens with known parts', async () => {
    for (const hash of [
      '#a=box,0,0,0,0,0&b=disc,1,0,0',
      '#a=box,0,0&b=ball',
      '#a=ball,1e9,0,0,0,0&view=x,&step=-3',
      '#%',
    ]) {
      const { page, errors } = await openPage(browser, `${address}${hash}`);
      expect(await page.textContent('.answer')).toMatch(/separated|colliding/);
      expect(errors).toEqual([]);
      await closePage(page);
    }
  });

  test('no label leaves its picture', async () => {
    for (const [algorithm, shapes] of [
      ['growth', pair],
      ['gjk', pair],
      ['growth', solids],
      ['epa', solids],
      ['portal', apart],
    ]) {
      const { page } = await openPage(browser, `${address}#algorithm=${algorithm}&step=1${shapes}`);
      const outside = await page.evaluate(`[...document.querySelectorAll('svg text')].filter((label) => {
        const [inner, outer] = [label, label.ownerSVGElement].map((one) => one.getBoundingClientRect());
        return inner.width > 0 && (inner.left < outer.left || inner.right > outer.right || inner.top < outer.top || inner.bottom > outer.bottom);
      }).map((label) => label.textContent)`);
      expect(outside, algorithm).toEqual([]);
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
