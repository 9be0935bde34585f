import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { expect, test, vi } from 'vitest';
import { few } from '../../../cases.ts';
import { root, temporaryFolder } from '../run.ts';
import { expectShownOutput } from './pageCommands.ts';

vi.setConfig({ testTimeout: 600_000 });

const docs = join(root, 'docs');
const read = (page: string) => readFileSync(join(docs, page), 'utf8');
const book = read('README.md');
const titleOf = (page: string) => /^# (.+)\n/.exec(read(page))![1];
/** The pages in the order of the book. */
const pages = [...book.matchAll(/^\d+\. \[(.+)\]\((.+\.md)\): .+$/gm)].map(([, title, page]) => ({ title, page }));

/** Pages whose examples other files run, and what of the page these files mention. */
const RUN_ELSEWHERE: Readonly<Record<string, readonly [file: string, mention: string]>> = {
  'tutorial.md': ['test/host/cli/pages/tutorial.test.ts', 'docs/tutorial.md'],
  'programs.md': ['test/host/cli/pages/programsPage.test.ts', 'docs/programs.md'],
  'cell-limits.md': ['test/tasks/checking/cellLimits.test.ts', 'LIMIT_CASES'],
  'moving.md': ['test/host/cli/pages/movingPage.test.ts', 'docs/moving.md'],
  'coordinate.md': ['test/host/cli/pages/coordinatePage.test.ts', 'docs/coordinate.md'],
  'settle.md': ['test/host/cli/pages/settlePage.test.ts', 'docs/settle.md'],
  'repair.md': ['test/host/cli/checking/repair.test.ts', 'docs/repair.md'],
  'gate.md': ['test/host/cli/checking/gate.test.ts', 'docs/gate.md'],
  'results.md': ['test/host/experiments/resultsPage.test.ts', 'docs/results.md'],
  'robots.md': ['test/host/cli/pages/robotsPage.test.ts', 'docs/robots.md'],
  'robots-sdf-mjcf.md': ['test/host/node/robotFormats.test.ts', 'sdf'],
  'ros.md': ['test/host/cli/pages/rosPage.test.ts', 'docs/ros.md'],
  'python.md': ['test/clients/python.test.ts', 'docs/python.md'],
  'ompl.md': ['test/clients/ompl.test.ts', 'ompl'],
  'serve.md': ['test/host/cli/pages/examples.test.ts', 'docs/serve.md'],
  'troubleshooting.md': ['test/host/cli/pages/troubleshooting.test.ts', 'docs/troubleshooting.md'],
  'library.md': ['test/host/cli/pages/examples.test.ts', 'docs/library.md'],
  'accuracy.md': ['test/core/narrowphase/certificates/accuracy.test.ts', 'docs/accuracy.md'],
  'benchmarks.md': ['bench/run.mjs', 'docs/benchmarks.md'],
  'tried.md': ['docs/benchmarks.md', 'tried.md'],
  'architecture.md': ['test/additions.test.ts', 'docs/architecture.md'],
  'package.md': ['test/host/cli/pages/package.test.ts', 'types'],
  'glossary.md': ['scripts/check-words.mjs', 'docs/glossary.md'],
  'references.md': ['test/architecture.test.ts', 'docs/references.md'],
};

/** Replaces numbers: durations and counts vary with the version. */
const withoutNumbers = (text: string) => text.replace(/(?<!exit code )\b\d+(\.\d+)?(e-?\d+)?|null/g, '#').trim();

test('the book lists every page of docs once, by its title', () => {
  const files = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
  const own = files.map((file) => file.replaceAll('\\', '/')).filter((file) => !/^(README\.md$|api\/)/.test(file));
  expect(pages.map(({ page }) => page).sort()).toEqual(own.sort());
  for (const { title, page } of pages) expect({ page, title }).toEqual({ page, title: titleOf(page) });
});

test('the parts of the book are the tutorial, concepts, how-to and reference', () => {
  expect([...book.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
    'Tutorial',
    'Concepts',
    'How-to',
    'Reference',
  ]);
  expect(pages.filter(({ page }) => page.startsWith('concepts/'))).toHaveLength(5);
});

test('each page begins with what its reader can do after it', () => {
  for (const { page } of pages) expect(read(page), page).toMatch(/^# .+\n\nAfter this page you can [^\n]+\.\n\n/);
});

test('each page ends with a link to the next page, the last one with a link to the book', () => {
  const all = [{ title: '', page: 'README.md' }, ...pages];
  for (const [i, { page }] of all.entries()) {
    const next = all[(i + 1) % all.length].page;
    const path = posix.relative(posix.dirname(page), next);
    expect(read(page).trimEnd().split('\n').at(-1), page).toBe(`Next: [${titleOf(next)}](${path})`);
  }
});

const shown = pages.map(({ page }) => page).filter((page) => !(page in RUN_ELSEWHERE));
/** Of a concept, of a how-to with files, and of a proof. The others run by `npm run test:long`. */
const SOME = ['concepts/4-planning.md', 'recertify.md', 'constraints.md'];

test.each(few(shown, SOME))('docs/%s shows what its commands print', async (page) => {
  const folder = temporaryFolder();
  cpSync(join(root, 'examples/concepts'), folder, { recursive: true });
  const own = /\n## Try it\n[\s\S]*/.exec(read(page))?.[0] ?? read(page);
  const blocks = [...own.matchAll(/```console\n([\s\S]*?)```/g)];
  const commands = await expectShownOutput(blocks.map(([, block]) => block).join(''), folder, withoutNumbers);
  expect(commands).toBeGreaterThan(0);
});

test('the example of each other page is run by the file that is named for it', () => {
  for (const [page, [file, mention]] of Object.entries(RUN_ELSEWHERE)) {
    expect(existsSync(join(docs, page)), page).toBe(true);
    expect(readFileSync(join(root, file), 'utf8'), `${basename(file)} mentions ${mention}`).toContain(mention);
  }
});

test('the figures show what the library computes', () => {
  const { stderr, status } = spawnSync(process.execPath, ['scripts/figures.mjs', '--check'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
});
