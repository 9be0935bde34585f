import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { quantile, type Table } from './measure.ts';

export const about = 'the page: bytes, first paint, and what a frame costs its main thread';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const RUNS = 7;
const OBSTACLES = 100;
/** Seconds of replay before those that are measured, and of these: the replay takes 12 s. */
const WARM_UP = 3;
const REPLAY = 3;

/** The report of a UR5e among 100 obstacles, opened from disk in a headless Chromium without a GPU. */
export async function* run(): AsyncGenerator<Table> {
  if (!existsSync(CHROMIUM)) {
    yield { title: 'The page', rows: [], notes: [`There is no ${CHROMIUM}: CHROMIUM names another.`] };
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'elbowroom-bench-'));
  try {
    const report = writeReport(folder);
    const runs: Figures[] = [];
    for (let i = 0; i < RUNS; i++) runs.push(await measured(report));
    const script = readFileSync('dist/viewer/index.html');
    const row = (what: string, unit: string, values: readonly number[], target: string) => ({
      what,
      unit,
      least: Number(Math.min(...values).toFixed(2)),
      median: Number(quantile(values, 0.5).toFixed(2)),
      target,
    });
    yield {
      title: `The page: UR5e among ${OBSTACLES} obstacles, replay, Chromium without GPU`,
      rows: [
        row('page, gzipped', 'kB', [gzipSync(script).length / 1e3], '1200'),
        row('report', 'kB', [statSync(report).size / 1e3], '2000'),
        row(
          'first contentful paint',
          'ms',
          runs.map(({ paint }) => paint),
          '1500',
        ),
        row(
          'main thread, a frame',
          'ms',
          runs.map(({ frame }) => frame),
          '8',
        ),
        row(
          'of it script',
          'ms',
          runs.map(({ script: ms }) => ms),
          '',
        ),
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Figures {
  readonly paint: number;
  readonly frame: number;
  readonly script: number;
}

function writeReport(folder: string): string {
  const posts = Array.from({ length: OBSTACLES }, (_, i) => {
    const angle = (2 * Math.PI * i) / OBSTACLES;
    return {
      name: `post_${i}`,
      type: 'cylinder',
      radius: 0.03,
      length: 0.5,
      pose: { xyz: [1.2 * Math.cos(angle), 1.2 * Math.sin(angle), 0.25] },
    };
  });
  const start = [0, -1.57, 1.57, -1.57, -1.57, 0];
  const scene = {
    format: 'elbowroom-scene/1',
    robot: 'ur5e',
    start,
    goal: [2, -1.2, 1.2, -1.57, -1.57, 1],
    obstacles: posts,
  };
  writeFileSync(join(folder, 'posts.json'), JSON.stringify(scene));
  const report = join(folder, 'report.html');
  execFileSync(process.execPath, [
    'bin/elbowroom.js',
    'plan',
    join(folder, 'posts.json'),
    '-o',
    join(folder, 'motion.json'),
    '--report',
    report,
  ]);
  return report;
}

async function measured(report: string): Promise<Figures> {
  const { chromium } = await import('playwright-core');
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--enable-unsafe-swiftshader',
    '--disable-background-networking',
    '--no-first-run',
  ];
  const browser = await chromium.launch({ executablePath: CHROMIUM, args });
  try {
    // A quarter of the pixels in each direction: rasterization, the work of a GPU, is not to slow the measured thread.
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, deviceScaleFactor: 0.25 });
    await page.goto(pathToFileURL(report).href);
    await page.waitForFunction("document.getElementById('proof')?.textContent?.startsWith('Proved')");
    const paint = await page.evaluate<number>(
      "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN",
    );
    return { paint, ...(await replayed(page)) };
  } finally {
    await browser.close();
  }
}

/** Run in the page: how many frames there are in the time of the replay. */
const COUNT_FRAMES = `new Promise((resolve) => {
  let count = 0;
  const end = performance.now() + ${1000 * REPLAY};
  const tick = () => (++count, performance.now() < end ? requestAnimationFrame(tick) : resolve(count));
  requestAnimationFrame(tick);
})`;

/** Busy time of the main thread over the frames of a replay, by the browser's own counters. */
async function replayed(page: Page): Promise<{ frame: number; script: number }> {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' }); // the thread's own time, whatever else the machine does
  const counters = async () => {
    const { metrics } = await client.send('Performance.getMetrics');
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  };
  await page.selectOption('.player select', '0.1');
  await page.click('.player button');
  await page.waitForTimeout(1000 * WARM_UP);
  const before = await counters();
  const frames = await page.evaluate<number>(COUNT_FRAMES);
  const after = await counters();
  const per = (name: string) => (1000 * (after[name] - before[name])) / frames;
  return { frame: per('TaskDuration'), script: per('ScriptDuration') };
}
