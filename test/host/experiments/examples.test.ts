import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecords } from '../../../src/host/experiments/recordFile.ts';
import { elbowroom, root, temporaryFolder } from '../cli/run.ts';

const folder = join(root, 'examples/experiments');
const examples = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
/** These compare checkers on the same plans. */
const samePlans = ['checkers.yaml', 'early-termination.yaml', 'warm-starts.yaml'];

test.each(examples)(
  '%s runs, with one seed, to its report',
  async (name) => {
    const results = join(temporaryFolder(), 'results');
    const made = await elbowroom(['experiment', join(folder, name), '-o', results, '--seeds', '1']);
    expect(made.code, made.stderr).toBe(0);
    const { records } = readRecords(results);
    expect(records.filter(({ status }) => status === 'solved').length).toBeGreaterThan(records.length / 2);
    expect(records.filter(({ status }) => status === 'error')).toEqual([]);

    if (samePlans.includes(name)) {
      const hashes = new Map<string, Set<string | null>>();
      for (const { scene, hash } of records) hashes.set(scene, (hashes.get(scene) ?? new Set()).add(hash));
      expect(hashes.size).toBe(8);
      for (const [scene, different] of hashes) expect(different.size, scene).toBe(1);
    }

    const reported = await elbowroom(['experiment', 'report', results]);
    expect(reported.code, reported.stderr).toBe(0);
    expect(existsSync(join(results, 'report/cactus.svg'))).toBe(true);
  },
  180_000,
);
