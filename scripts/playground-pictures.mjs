// Takes the pictures of docs/concepts/2-growth-distance.md: five steps of one pair in the playground, which has been
// built. CHROMIUM names the browser.
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = new URL('..', import.meta.url);
const PAIR = 'a=hexagon,-1.2,0.2,0.3&b=triangle,1,-0.1,0.5';
const STEPS = { growth: [1, 2, 3], gjk: [2, 3] };
/** Beside the Minkowski difference: the step in words, and its bounds. Shapes, buttons and algorithms are left out. */
const CROP = `
  figure:has(select), section:has([role=radiogroup]), .player button { display: none }
  main { grid-template-columns: 26rem 26rem !important; width: max-content; padding: 0.5rem }
  .story { min-height: 8.5rem !important }`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage({ viewport: { width: 1000, height: 800 }, colorScheme: 'light' });
for (const [algorithm, steps] of Object.entries(STEPS)) {
  for (const step of steps) {
    await page.goto('about:blank');
    await page.goto(new URL(`dist/viewer/playground.html#algorithm=${algorithm}&step=${step}&${PAIR}`, root).href);
    await page.addStyleTag({ content: CROP });
    const file = `docs/pictures/playground-${algorithm}-${step}.png`;
    await page.locator('main').screenshot({ path: fileURLToPath(new URL(file, root)) });
  }
}
await browser.close();
