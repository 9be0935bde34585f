import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { bin } from '../host/cli/run.ts';

const EXECUTABLE = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Tests of the page need a browser; where there is none they are skipped, and say so. */
export const hasBrowser = existsSync(EXECUTABLE);
if (!hasBrowser) console.warn(`tests in a browser are skipped: there is no ${EXECUTABLE} (CHROMIUM names another)`);

/** @param more further arguments of Chromium */
export function launchBrowser(...more: string[]): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader', '--disable-background-networking'];
  return chromium.launch({
    executablePath: EXECUTABLE,
    args: [...args, '--disable-component-update', '--disable-sync', '--no-first-run', ...more],
  });
}

/** Pages that tests have left, by browser: a page that is opened again starts in half the time of a new one. */
const idle = new WeakMap<Browser, Page[]>();
/** The viewport of a page; half as many pixels in each direction are drawn, since rendering may be in software. */
const VIEWPORT = { width: 1280, height: 720 };

/** Page that collects its errors: uncaught ones, and those of the console. `closePage` ends its use. */
export async function openPage(browser: Browser, url: string): Promise<{ page: Page; errors: string[] }> {
  const page = idle.get(browser)?.pop() ?? (await browser.newPage({ viewport: VIEWPORT, deviceScaleFactor: 0.5 }));
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(url);
  return { page, errors };
}

/** Empties a page and keeps it for the next test. */
export async function closePage(page: Page): Promise<void> {
  for (const event of ['pageerror', 'console', 'request'] as const) page.removeAllListeners(event);
  await page.setViewportSize(VIEWPORT);
  await page.goto('about:blank');
  const browser = page.context().browser()!;
  idle.set(browser, [...(idle.get(browser) ?? []), page]);
}

/** Starts `elbowroom view` with these arguments, and returns the address of its page. */
export function serveView(...args: string[]): Promise<{ readonly url: string; readonly stop: () => void }> {
  const child = spawn(process.execPath, [bin, 'view', ...args, '--no-open'], { stdio: ['ignore', 'ignore', 'pipe'] });
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

/** Waits until what the page shows has been drawn. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

/** Returns where a label of the stage points to, in pixels of the page, once the page has been drawn. */
export async function placeOf(tag: Locator): Promise<number[]> {
  await drawn(tag.page());
  return tag.evaluate((one) => {
    const frame = one.parentElement!.getBoundingClientRect();
    const [x, y] = one.style.translate.split(' ').map(Number.parseFloat);
    return [frame.left + x, frame.top + y];
  });
}

/** Rules of axe-core that a page violates seriously, with the elements. */
export async function seriousViolations(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  return page.evaluate<string[]>(`axe.run({ preload: false }).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`);
}
