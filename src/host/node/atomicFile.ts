import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { cannotWrite, type OutputTarget, outputTarget } from './outputTarget.ts';

const PERMISSIONS = 0o777;
/** Permissions of a new file, less those that the process masks. */
const NEW_FILE = 0o666;
/** Delay before writing to a full pipe again, ms. */
const PIPE_PAUSE = 5;
/** Bytes per write to a descriptor. */
const CHUNK = 1 << 20;

/**
 * A file that is written completely or not at all: the content goes to a temporary file beside the target, which it
 * replaces once it is complete. An existing file keeps its mode, and its owner if the process may set it; of a symbolic
 * link, the file behind it is replaced. Holds no more than the text of one call, so that streams never need to fit into
 * memory.
 */
export class AtomicFile {
  private static readonly open = new Set<AtomicFile>();
  private readonly target: OutputTarget;
  /** Undefined if the target is written directly. */
  private readonly temporary: string | undefined;
  /** The first folder that was created for the file. */
  private createdFolder: string | undefined;
  /** Undefined for stdout and stderr, whose streams keep the order of what else is written there. */
  private descriptor: number | undefined;

  /** Creates missing parent folders. Throws InputError if the file cannot be written: see `outputTarget`. */
  constructor(readonly file: string) {
    const target = outputTarget(file);
    this.target = target;
    if (target.kind === 'stdout' || target.kind === 'stderr') return;
    try {
      if (target.kind === 'device') {
        this.descriptor = openSync(target.path, constants.O_WRONLY | constants.O_NONBLOCK);
      } else {
        this.createdFolder = mkdirSync(dirname(target.path), { recursive: true });
        const created = createTemporary(target.path, target.existing);
        [this.temporary, this.descriptor] = [created.path, created.descriptor];
      }
    } catch (error) {
      this.removeFolders();
      throw cannotWrite(file, error);
    }
    AtomicFile.open.add(this);
  }

  async write(content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
    try {
      if (this.descriptor === undefined) await this.writeToStream(bytes);
      else await writeFully(this.descriptor, bytes);
    } catch (error) {
      this.discard();
      throw cannotWrite(this.file, error);
    }
  }

  /** Ends the writing; the target is unchanged until `commit`. Some file systems report a full disk only now. */
  finish(): void {
    if (this.descriptor === undefined) return;
    try {
      closeSync(this.descriptor);
      this.descriptor = undefined;
    } catch (error) {
      this.descriptor = undefined; // closed by the system all the same
      this.discard();
      throw cannotWrite(this.file, error);
    }
  }

  /** Replaces the target by what was written. */
  commit(): void {
    this.finish();
    if (!AtomicFile.open.delete(this)) return;
    try {
      if (this.temporary !== undefined && this.target.kind === 'file') renameSync(this.temporary, this.target.path);
    } catch (error) {
      if (this.temporary !== undefined) rmSync(this.temporary, { force: true });
      throw cannotWrite(this.file, error);
    }
  }

  /** Removes what was written, and the folders that were created for it; the target is unchanged. */
  discard(): void {
    if (!AtomicFile.open.delete(this)) return;
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    if (this.temporary !== undefined) rmSync(this.temporary, { force: true });
    this.removeFolders();
  }

  /** Discards all files that are being written, before the process ends early; the last first, in its folder. */
  static discardAll(): void {
    for (const file of [...AtomicFile.open].reverse()) file.discard();
  }

  /** Removes the folders that were created for the file, unless others have written there. */
  private removeFolders(): void {
    if (this.createdFolder === undefined || this.target.kind !== 'file') return;
    const first = resolve(this.createdFolder);
    try {
      for (let folder = resolve(dirname(this.target.path)); ; folder = dirname(folder)) {
        rmdirSync(folder);
        if (folder === first) return;
      }
    } catch {} // not empty
  }

  private writeToStream(bytes: Uint8Array): Promise<void> {
    const stream = this.target.kind === 'stderr' ? process.stderr : process.stdout;
    return new Promise((resolve, reject) => stream.write(bytes, (error) => (error ? reject(error) : resolve())));
  }
}

/**
 * Creates a temporary file in the folder of `target`. The name is unique although threads share a process id,
 * containers share a folder, and killed processes leave files: creation is exclusive, and the next number is tried if
 * the name exists.
 */
function createTemporary(target: string, existing: Stats | undefined): { path: string; descriptor: number } {
  for (let number = 0; ; number++) {
    const path = join(dirname(target), `.elbowroom-${process.pid}-${number}.part`);
    try {
      const descriptor = openSync(path, 'wx', existing ? existing.mode & PERMISSIONS : NEW_FILE);
      if (existing) keepOwnerAndMode(descriptor, existing);
      return { path, descriptor };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** The owner first: changing it clears bits of the mode. Some file systems have neither; the content matters more. */
function keepOwnerAndMode(descriptor: number, { uid, gid, mode }: Stats): void {
  try {
    if (uid !== process.getuid?.() || gid !== process.getgid?.()) fchownSync(descriptor, uid, gid);
  } catch {}
  try {
    fchmodSync(descriptor, mode & PERMISSIONS);
  } catch {}
}

/** A full pipe refuses bytes for a while (EAGAIN). */
async function writeFully(descriptor: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(descriptor, bytes, done, Math.min(CHUNK, bytes.length - done));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      await new Promise((resolve) => setTimeout(resolve, PIPE_PAUSE));
    }
  }
}

/** Writes a file atomically (completely or not at all) and creates missing parent folders. */
export async function writeAtomically(file: string, content: string | Uint8Array): Promise<void> {
  const whole = new AtomicFile(file);
  await whole.write(content);
  whole.commit();
}
