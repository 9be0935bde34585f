import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
// @ts-expect-error a script without declarations
import { CHARTS, drawChart } from '../../scripts/charts.mjs';
// @ts-expect-error a script without declarations
import { brokenLinks } from '../../scripts/site.mjs';
import { root, temporaryFolder } from '../host/cli/run.ts';
import { closePage, hasBrowser, launchBrowser, openPage, seriousViolations } from './browser.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const site = join(temporaryFolder(), 'site');
const { stdout, stderr, status } = spawnSync(process.execPath, ['scripts/site.mjs', '--no-api', '--out', site], {
  cwd: root,
  encoding: 'utf8',
});

test('the site is built without broken links, and its first page is small', () => {
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  expect(stdout).toMatch(/ \d+ pages, first page \d+ kB gzipped, 0 problems\n$/);
});

test('the site has every page of the book', () => {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md') && !file.startsWith('api/'));
  expect(pages.length).toBeGreaterThan(35);
  for (const page of pages) expect(existsSync(join(site, 'docs', page.replace(/md$/, 'html'))), page).toBe(true);
});

test('the check of links finds missing files and missing anchors', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/other.html'), '<h1 id="here">Other</h1>');
  const links = ['docs/other.html#here', 'docs/other.html#gone', 'nowhere.html', 'https://example.org', '#own'];
  const page = `<p id="own">${links.map((link) => `<a href="${link}">x</a>`).join('')}<img src="none.svg"></p>`;
  writeFileSync(join(folder, 'index.html'), page);
  expect(brokenLinks(folder)).toEqual([
    'index.html: docs/other.html#gone',
    'index.html: nowhere.html',
    'index.html: none.svg',
  ]);
});

test('charts have a dot for each number of their tables, and the command that made these', () => {
  const table = readFileSync(join(root, 'docs/benchmarks.md'), 'utf8').split('<!-- bench ompl -->')[1];
  const rows = table.split('<!-- end -->')[0].match(/^\| .*\d\/\d+ \|/gm) ?? [];
  expect(rows.length).toBeGreaterThan(5);
  const dots = readFileSync(join(site, 'charts/ompl.svg'), 'utf8').match(
    /<circle [^>]*><title>[^<]+: [\d.]+<\/title>/g,
  );
  expect(dots).toHaveLength(2 * rows.length);
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  const whole = cells.map(([, name, , , all]) => `${name}, elbowroom, certified: ${Number(all)}<`);
  expect(whole.filter((text) => !dots!.join().includes(text))).toEqual([]);
  const page = readFileSync(join(site, 'charts.html'), 'utf8');
  expect(page.match(/class="chart"/g)!.length).toBe(CHARTS.length);
  expect(page.match(/<code>npm run bench -- /g)!.length).toBe(CHARTS.length);
});

test('a chart of a table or a column that is not there is refused', () => {
  const page = '`npm run bench -- a` · 1\n\n**times**\n\n| what | ms |\n| --- | --: |\n| one | 2 |\n| two | – |\n\n';
  const chart = { name: 'a', title: 'A', table: 'times', series: { ours: 'ms' } };
  expect(drawChart(chart, page).svg.match(/<circle [^>]*><title>/g)).toHaveLength(1);
  expect(() => drawChart({ ...chart, table: 'lengths' }, page)).toThrow('no table "lengths"');
  expect(() => drawChart({ ...chart, series: { ours: 'rad' } }, page)).toThrow('no column "rad"');
});

describe.skipIf(!hasBrowser)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  const urlOf = (page: string) => pathToFileURL(join(site, page)).href;

  test.each([
    ['desktop', 1280, 800],
    ['phone', 390, 844],
  ])('pages fit the width of a %s and load all of their pictures', async (_, width, height) => {
    const pages = readdirSync(site, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
    const { page, errors } = await openPage(browser, urlOf('index.html'));
    await page.setViewportSize({ width, height });
    for (const file of pages.filter((name) => name.endsWith('.html') && !name.startsWith('scenes/'))) {
      await page.goto(urlOf(file));
      expect(await page.evaluate('document.documentElement.scrollWidth'), file).toBe(width);
      const broken = 'Array.from(document.images).filter((image) => image.naturalWidth === 0).length';
      expect(await page.evaluate(broken), file).toBe(0);
      if (/^(index|charts|scenes|docs\/tutorial)\.html$/.test(file))
        expect(await seriousViolations(page), file).toEqual([]);
    }
    expect(errors).toEqual([]);
    await closePage(page);
  });

  test('search finds a section, and the keyboard opens it', async () => {
    const { page, errors } = await openPage(browser, urlOf('docs/ros.html'));
    await page.keyboard.press('/');
    await page.keyboard.type('gripers that move'); // a typing error is no obstacle
    await page.locator('search li:first-child a', { hasText: 'Grippers that move' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/programs\.html#grippers-that-move$/);
    await page.keyboard.press('/');
    await page.keyboard.type('zzqx');
    await page.locator('search li', { hasText: 'Nothing about “zzqx”.' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('search li').count()).toBe(0);
    expect(errors).toEqual([]);
    await closePage(page);
  });

  test('pages of the book have its parts, their own contents, and links to the pages before and after', async () => {
    const { page, errors } = await openPage(browser, urlOf('docs/programs.html'));
    expect(await page.locator('.book h2').allInnerTexts()).toContain('How-to: Robots');
    expect(await page.locator('.book [aria-current]').innerText()).toBe('Programs: steps instead of a goal');
    expect(await page.locator('.contents a').allInnerTexts()).toContain('Grippers that move');
    expect(await page.locator('.turn [rel=prev]').getAttribute('href')).toBe('../docs/scenes.html');
    expect(await page.locator('.turn [rel=next]').getAttribute('href')).toBe('../docs/tool-paths.html');
    expect(await page.locator('pre .hljs-attr').count()).toBeGreaterThan(20);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.locator('.book').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Pages' }).click();
    expect(await page.locator('.book').isVisible()).toBe(true);
    expect(errors).toEqual([]);
    await closePage(page);
  });

  test('both themes have enough contrast; the choice of one holds on the next page', async () => {
    const { page, errors } = await openPage(browser, urlOf('docs/programs.html'));
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Dark' }).click();
    expect(await seriousViolations(page)).toEqual([]);
    await page.goto(urlOf('docs/scenes.html'));
    expect(await page.getAttribute('html', 'data-theme')).toBe('dark');
    await page.getByRole('button', { name: 'Light' }).click();
    expect(errors).toEqual([]);
    await closePage(page);
  });

  test('a scene plans in the browser, without a server, and verifies its certificate', async () => {
    const { page, errors } = await openPage(browser, urlOf('scenes/table-top.html'));
    await page.waitForFunction("(document.getElementById('verdict')?.textContent ?? '') !== ''");
    await page.click('#plan');
    await page.waitForFunction("document.getElementById('proof')?.textContent?.startsWith('Proved')", undefined, {
      timeout: 300_000,
    });
    expect(errors).toEqual([]);
    await closePage(page);
  });
});
