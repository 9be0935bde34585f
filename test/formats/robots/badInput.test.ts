import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, assert, describe, test } from 'vitest';
import { InputError, InputErrors } from '../../../src/errors.ts';
import { loadProblems, loadRobot, loadScene } from '../../../src/host/node/files.ts';

/** Files that are stored beside the project on some machines; the tests are skipped elsewhere. */
const data = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const folder = join(data, 'badinput');
const present = existsSync(join(folder, 'index.json'));

interface Case {
  readonly id: string;
  readonly file: string;
  readonly kind: string;
  readonly title: string;
  readonly expected: {
    readonly outcome: 'reject' | 'warn' | 'accept' | 'either';
    readonly mentions?: readonly string[];
    readonly value?: {
      readonly triangles?: number;
      readonly hullVertices?: number;
      readonly extents?: Record<string, number[]>;
    };
  };
}

const index: { cases: Case[]; packageMap: Record<string, string> } = present
  ? JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'))
  : { cases: [], packageMap: {} };
const packages = Object.fromEntries(Object.entries(index.packageMap).map(([name, path]) => [name, join(folder, path)]));
const scratch = mkdtempSync(join(tmpdir(), 'elbowroom-'));
afterAll(() => rmSync(scratch, { recursive: true }));

describe.skipIf(!present)('broken and tricky files', () => {
  for (const { id, file, kind, title, expected } of index.cases) {
    if (kind === 'states') continue;
    test(`${id} ${file} (${title}): ${expected.outcome}`, async () => {
      const answer = await load(kind, join(folder, file)).catch((error: unknown) => {
        if (error instanceof InputError) return error;
        throw error;
      });
      assert.isUndefined(({} as { polluted?: unknown }).polluted);
      if (answer instanceof InputError) {
        assert.include(['reject', 'either'], expected.outcome, answer.message);
        assert.include(answer.message, basename(file));
        assertMentions(`${answer.message} ${answer.note}`, expected.mentions, file);
        assert.notMatch(answer.message, /root:.*:0:0:/);
      } else {
        assert.notEqual(expected.outcome, 'reject');
        if (expected.outcome === 'accept') assert.deepEqual(answer.warnings, []);
        if (expected.outcome === 'warn') assertMentions(answer.warnings.join('\n'), expected.mentions, file);
      }
    });
  }
});

function assertMentions(text: string, mentions: readonly string[] = [], file: string): void {
  const rest = text.toLowerCase().replaceAll(basename(file).toLowerCase(), '');
  for (const mention of mentions) {
    const found = mention
      .toLowerCase()
      .split('|')
      .some((word) => rest.includes(word));
    assert.isTrue(found, `"${mention}" in: ${text}`);
  }
}

async function load(kind: string, file: string): Promise<{ warnings: readonly string[] }> {
  if (kind === 'urdf') return loadRobot(file, { packages });
  if (kind === 'scene') return loadScene(file);
  const urdf = join(scratch, `one-${basename(file)}.urdf`);
  writeFileSync(
    urdf,
    `<robot name="one"><link name="part"><collision><geometry><mesh filename="package://case/${basename(file)}"/></geometry></collision></link></robot>`,
  );
  return loadRobot(urdf, { packages: { case: dirname(file) } });
}

describe.skipIf(!present)('known robots and scenes', () => {
  const robots = present
    ? readdirSync(join(data, 'robots'), { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []))
    : [];
  for (const robot of robots) {
    test(`${robot} loads without a warning`, async () => {
      const name = readdirSync(join(data, 'robots', robot)).find((file) => file.endsWith('.urdf'))!;
      const urdf = join(data, 'robots', robot, name);
      const { warnings, links, joints } = await loadRobot(urdf, { srdf: urdf.replace(/urdf$/, 'srdf') });
      assert.deepEqual(warnings, []);
      assert.equal(links.length, joints.length + 1);
    });
  }

  const files = present ? readdirSync(join(data, 'problems'), { recursive: true, encoding: 'utf8' }) : [];
  for (const file of files.filter((name) => name.endsWith('.json') && isScene(join(data, 'problems', name)))) {
    test(`${file} loads`, async ({ skip }) => {
      const problems = await loadProblems(join(data, 'problems', file)).catch((error: unknown) => {
        if (isAboutPlannedKeys(error)) skip(`not implemented: ${(error as Error).message}`);
        throw error;
      });
      assert.isAbove(problems.length, 0);
    });
  }
});

/** Returns true for scenes and suites; their folders also contain trajectories and tables of expected results. */
function isScene(file: string): boolean {
  const { format } = JSON.parse(readFileSync(file, 'utf8')) as { format?: unknown };
  return typeof format === 'string' && /^elbowroom-(scene|suite)\//.test(format);
}

/**
 * Keys of the scene format that are specified and may not be implemented yet. Scenes with an implemented key are
 * loaded.
 */
const PLANNED_KEYS = ['steps', 'defaults', 'constraints', 'motion', 'robots'];

/** Returns true if the error is about an unknown key that is planned. */
function isAboutPlannedKeys(error: unknown): boolean {
  const errors = error instanceof InputErrors ? error.problems : [error];
  return errors.some((one) => {
    const key = one instanceof InputError ? /(\w+): unknown key/.exec(one.message)?.[1] : undefined;
    return key !== undefined && PLANNED_KEYS.includes(key);
  });
}
