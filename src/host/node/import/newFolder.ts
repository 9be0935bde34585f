import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { InputError } from '../../../errors.ts';
import { cannotWrite } from '../outputTarget.ts';

/** Content of a file: its text, or the path of the file to copy. */
export type FileContent = { readonly text: string } | { readonly from: string };

/** Throws `InputError` if a path is neither free nor an empty folder. */
export function requireEmptyFolder(folder: string): void {
  if (!existsSync(folder)) return;
  const isFolder = statSync(folder).isDirectory();
  if (isFolder && readdirSync(folder).length === 0) return;
  throw new InputError(
    `${folder}: it exists already${isFolder ? ' and is not empty' : ''}`,
    'Give the path of a new folder: none of its files is replaced.',
  );
}

/**
 * Creates a folder with all files or not at all: they are written to a temporary folder beside it, which is renamed.
 * @param check receives the temporary folder; if it throws, nothing is left
 */
export async function writeNewFolder(
  folder: string,
  files: ReadonlyMap<string, FileContent>,
  check: (folder: string) => Promise<void>,
): Promise<void> {
  requireEmptyFolder(folder);
  const target = resolve(folder);
  let temporary: string | undefined;
  const discard = () => {
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
  };
  process.once('exit', discard); // also after Ctrl-C
  try {
    mkdirSync(dirname(target), { recursive: true });
    temporary = mkdtempSync(join(dirname(target), `.${basename(target)}-`));
    chmodSync(temporary, 0o777 & ~process.umask());
    for (const [path, content] of files) {
      const file = join(temporary, path);
      mkdirSync(dirname(file), { recursive: true });
      if ('text' in content) await writeFile(file, content.text);
      else await copyFile(content.from, file);
    }
    await check(temporary);
    if (existsSync(target)) rmdirSync(target);
    renameSync(temporary, target);
  } catch (error) {
    discard();
    throw error instanceof Error && 'code' in error ? cannotWrite(folder, error) : error;
  } finally {
    process.off('exit', discard);
  }
}
