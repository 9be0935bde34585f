import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../host/cli/run.ts';
import { closePage, hasBrowser, launchBrowser, openPage, serveView } from './browser.ts';

const scenes = readdirSync(join(root, 'scenes')).flatMap((file) => (file.endsWith('.yaml') ? [file.slice(0, -5)] : []));
/** Without start and trajectories: its robots are shown with their joints at 0. */
const WITHOUT_STATES = 'two-ur5e-bins';

describe.skipIf(!hasBrowser)('the page of every bundled scene', () => {
  let browser: Browser;
  let server: { readonly url: string; readonly stop: () => void };
  beforeAll(async () => {
    browser = await launchBrowser();
    server = await serveView(join(root, 'scenes/shelf.yaml'));
  });
  afterAll(async () => {
    server?.stop();
    await browser?.close();
  });

  test.each(scenes)('%s loads and is judged without an error', async (scene) => {
    const { page, errors } = await openPage(browser, `${server.url}#scene=${scene}`);
    await page.waitForFunction("(document.getElementById('verdict')?.textContent ?? '') !== ''");
    expect(await page.textContent('#verdict')).toMatch(scene === WITHOUT_STATES ? /^in collision/ : /^free/);
    expect(errors).toEqual([]);
    await closePage(page);
  });
});
