import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { packageFolder } from '../../packageFolder.ts';
import { readBytes } from '../../readFiles.ts';
import { sha256Of } from './embeddedFiles.ts';

/** Largest embedded file, bytes. */
const MAX_FILE_SIZE = 256 * 1024 * 1024;

/** Files that a resolved scene was made from, and their embedded contents. */
export class FileTable {
  readonly hashes: Record<string, string> = {};
  readonly meshes: Record<string, string> = {};
  private readonly root = dirname(packageFolder('robots') ?? resolve('.'));

  /** @param folder of the scene, to which names of files outside of this package are relative */
  constructor(readonly folder: string) {}

  /** Notes a file. Returns its SHA-256. */
  add(path: string, bytes: Uint8Array): string {
    const own = relative(this.root, resolve(path));
    const isOwn = !own.startsWith('..') && !isAbsolute(own);
    const name = isOwn ? own : relative(resolve(this.folder), resolve(path));
    const hash = sha256Of(bytes);
    this.hashes[name.replaceAll('\\', '/')] = hash;
    return hash;
  }

  /** Notes a file by its path. Returns its SHA-256. */
  async addFile(path: string): Promise<string> {
    return this.add(path, await readBytes(path, MAX_FILE_SIZE));
  }

  /** Notes and embeds a file. Returns its SHA-256. */
  embed(path: string, bytes: Uint8Array): string {
    const hash = this.add(path, bytes);
    this.meshes[hash] = Buffer.from(bytes).toString('base64');
    return hash;
  }

  /** Notes and embeds a file that the scene names. Returns the name that the resolved scene uses. */
  async embedFile(file: string): Promise<string> {
    const path = isAbsolute(file) ? file : join(this.folder, file);
    const ending = /\.\w+$/.exec(file)?.[0] ?? '.txt';
    return `${this.embed(path, await readBytes(path, MAX_FILE_SIZE))}${ending.toLowerCase()}`;
  }
}
