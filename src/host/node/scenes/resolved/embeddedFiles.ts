import { createHash } from 'node:crypto';
import { InputError } from '../../../../errors.ts';
import type { ProblemDraft } from '../../../../formats/scenes/sceneFile.ts';

/** Name of an embedded file: its SHA-256 and its ending. */
const EMBEDDED = /^([0-9a-f]{64})\.\w+$/;

/** Files that a resolved scene embeds. A scene that embeds files reads no other ones. */
export class EmbeddedFiles {
  private readonly contents: Readonly<Record<string, string>> | undefined;

  constructor({ raw }: Pick<ProblemDraft, 'raw'>) {
    this.contents = raw.meshes;
  }

  /**
   * Returns the bytes of a file that the scene names; undefined if the scene embeds none. Throws `InputError` if the
   * scene embeds others, or if the bytes do not have the hash.
   */
  bytesOf(file: string): Uint8Array | undefined {
    if (this.contents === undefined) return undefined;
    const [, hash] = EMBEDDED.exec(file) ?? [];
    if (hash === undefined)
      throw new InputError(`${file}: a scene with embedded files reads no other files`, 'Resolve the original again.');
    return this.content(hash, file);
  }

  /** Returns the bytes with a SHA-256. @param name of the file, for messages */
  content(hash: string, name: string): Uint8Array {
    const text = this.contents && Object.hasOwn(this.contents, hash) ? this.contents[hash] : undefined;
    if (text === undefined) throw new InputError(`meshes: there is none of hash ${hash}, which ${name} has`);
    const bytes = Buffer.from(text, 'base64');
    if (bytes.toString('base64') !== text || sha256Of(bytes) !== hash)
      throw new InputError(`meshes: ${hash} is not the SHA-256 of its bytes`, 'Resolve the original again.');
    return bytes;
  }
}

/** Returns the SHA-256 of bytes or of the UTF-8 bytes of a text in hexadecimal digits. */
export const sha256Of = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex');
