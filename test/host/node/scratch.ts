import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

/** Creates a folder that is removed after the tests of the file; `put` writes a file there and returns its path. */
export function scratchFolder() {
  const root = mkdtempSync(join(tmpdir(), 'elbowroom-files-'));
  afterAll(() => rmSync(root, { recursive: true }));
  const put = (path: string, text: string): string => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  return { root, put };
}
