// Takes the pictures of docs/concepts/2-growth-distance.md: steps of a planar pair and of a pair in space in the
// playground, which has been built. CHROMIUM names the browser.
import { writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import { chromium } from 'playwright-core';

const root = new URL('..', import.meta.url);
const PAIR = 'a=hexagon,-1.2,0.2,0.3&b=triangle,1,-0.1,0.5';
const SOLIDS = 'a=box,-0.5,0.1,0,0.3,0.4&b=octahedron,0.5,-0.1,0.2,0.5,0.2&view=-0.6,0.35';
const STEPS = { growth: [1, 2, 3], gjk: [2, 3], epa: [3, 6] };
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
  const pair = algorithm === 'epa' ? SOLIDS : PAIR;
  for (const step of steps) {
    await page.goto('about:blank');
    await page.goto(new URL(`dist/viewer/playground.html#algorithm=${algorithm}&step=${step}&${pair}`, root).href);
    await page.addStyleTag({ content: CROP });
    const file = `docs/pictures/playground-${algorithm}-${step}.png`;
    writeFileSync(new URL(file, root), await compact(await page.locator('main').screenshot()));
  }
}
await browser.close();

/** Reduces a screenshot to a palette of 216 colours: a quarter of the bytes. */
async function compact(png) {
  const source = `data:image/png;base64,${png.toString('base64')}`;
  const { width, height, pixels } = await page.evaluate(async (src) => {
    const image = new Image();
    image.src = src;
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    return { width: image.width, height: image.height, pixels: [...data] };
  }, source);
  const key = (i) => (pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2];
  const counts = new Map();
  for (let i = 0; i < pixels.length; i += 4) counts.set(key(i), (counts.get(key(i)) ?? 0) + 1);
  const palette = [...counts]
    .sort((p, q) => q[1] - p[1] || p[0] - q[0])
    .slice(0, 216)
    .map(([color]) => color);
  const distance = (p, q) =>
    ((p >> 16) - (q >> 16)) ** 2 + (((p >> 8) & 255) - ((q >> 8) & 255)) ** 2 + ((p & 255) - (q & 255)) ** 2;
  const index = new Map(
    [...counts.keys()].map((color) => [
      color,
      palette.reduce((best, q, k) => (distance(color, q) < distance(color, palette[best]) ? k : best), 0),
    ]),
  );
  const rows = Buffer.alloc((width + 1) * height); // each row begins with its filter, 0
  for (let i = 0; i < width * height; i++) rows[i + 1 + Math.floor(i / width)] = index.get(key(4 * i));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colors = Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]));
  const chunks = [chunk('IHDR', header), chunk('PLTE', colors), chunk('IDAT', deflateSync(rows, { level: 9 }))];
  return Buffer.concat([png.subarray(0, 8), ...chunks, chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
