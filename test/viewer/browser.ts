import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const EXECUTABLE = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Tests of the page need a browser; where there is none they are skipped, and say so. */
export const hasBrowser = existsSync(EXECUTABLE);
if (!hasBrowser) console.warn(`tests in a browser are skipped: there is no ${EXECUTABLE} (CHROMIUM names another)`);

export function launchBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader', '--disable-background-networking'];
  return chromium.launch({
    executablePath: EXECUTABLE,
    args: [...args, '--disable-component-update', '--disable-sync', '--no-first-run'],
  });
}

/** Page that collects its errors: uncaught ones, and those of the console. */
export async function openPage(browser: Browser, url: string): Promise<{ page: Page; errors: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(url);
  return { page, errors };
}
