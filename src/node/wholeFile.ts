import { closeSync, mkdirSync, openSync, renameSync, rmSync, type Stats, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { InputError } from '../errors.ts';

/**
 * A file that is there whole or not at all: what is written goes beside it, and takes its name when it is complete. Holds no more than
 * the text at hand, so it serves streams that never fit into memory.
 */
export class WholeFile {
  private static readonly open = new Set<WholeFile>();
  /** Undefined where the name stands for a pipe or a device, which is written to as it is. */
  private readonly temporary: string | undefined;
  private readonly descriptor: number;

  /** Makes the folders on the way. Throws InputError where nothing can be written. */
  constructor(readonly file: string) {
    refuseFolder(file);
    const existing = statusOf(file);
    this.temporary = existing && !existing.isFile() ? undefined : `${file}.${process.pid}.part`;
    try {
      mkdirSync(dirname(file), { recursive: true });
      this.descriptor = openSync(this.temporary ?? file, 'w');
    } catch (error) {
      throw cannotWrite(file, error);
    }
    WholeFile.open.add(this);
  }

  async write(content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.descriptor, bytes, done);
    } catch (error) {
      this.discard();
      throw cannotWrite(this.file, error);
    }
  }

  /** From here on the file is there. */
  commit(): void {
    closeSync(this.descriptor);
    WholeFile.open.delete(this);
    if (this.temporary === undefined) return;
    try {
      renameSync(this.temporary, this.file);
    } catch (error) {
      rmSync(this.temporary, { force: true });
      throw cannotWrite(this.file, error);
    }
  }

  /** As if it had never been begun. */
  discard(): void {
    if (!WholeFile.open.delete(this)) return;
    closeSync(this.descriptor);
    if (this.temporary !== undefined) rmSync(this.temporary, { force: true });
  }

  /** For those who end the process early. */
  static discardAll(): void {
    for (const file of WholeFile.open) file.discard();
  }
}

/** For those who would otherwise find out at the end of their work. */
export function refuseFolder(file: string): void {
  if (statusOf(file)?.isDirectory()) throw new InputError(`${file}: this is a folder`, 'Name a file in it.');
}

/** Undefined where nothing is known of it: writing then tells why. */
function statusOf(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

function cannotWrite(file: string, error: unknown): InputError {
  const reason = error instanceof Error ? error.message.split(',')[0] : String(error);
  return new InputError(`${file}: cannot be written (${reason})`, 'Name a file in a folder that you may write to.');
}
