import { createHash } from 'node:crypto';
import type { Scene } from '../../../core/scene/scene.ts';
import { InputError } from '../../../errors.ts';
import { editableParts, editSceneText, type SceneEdit } from '../../../formats/scenes/editing/sceneEdits.ts';
import type { SceneSource } from '../../../tasks/pictures/page.ts';
import { readText, writeAtomically } from '../../node/files.ts';
import { type LoadedScene, loadProblemsIn } from '../../node/scenes.ts';

/** Result of an edit: the edited source, and the scene that it states. */
export interface EditedScene {
  readonly source: SceneSource;
  readonly scene: Scene;
}

/**
 * Edits the scenes that a page shows, and saves the one that was opened. Edited texts are read by the reader of scene
 * files, so that the page shows exactly what the text states.
 */
export class SceneEditor {
  private saving: Promise<unknown> = Promise.resolve();

  /**
   * @param files files of the scenes that may be edited, by name
   * @param writable name of the scene whose file may be written; undefined: none
   * @param prepared converts a loaded scene to the scene of the page
   */
  constructor(
    private readonly files: Readonly<Record<string, string>>,
    private readonly writable: string | undefined,
    private readonly prepared: (scene: Scene) => Scene,
  ) {}

  /** Returns the source of a scene; undefined if its file cannot be edited: if it is a suite, or not a regular file. */
  async sourceOf(name: string): Promise<SceneSource | undefined> {
    try {
      const file = this.fileOf(name);
      const text = await readText(file);
      return await this.source(name, text, hashOf(text));
    } catch (error) {
      if (error instanceof InputError) return undefined;
      throw error;
    }
  }

  /** Edits a text. Throws `InputError` if an edit does not apply or the edited text is not a valid scene. */
  async edit(given: unknown): Promise<EditedScene> {
    const { scene, text, base, edits } = requireTexts(given, 'edits');
    if (!Array.isArray(edits)) throw new InputError('edits must be a list');
    const file = this.fileOf(scene);
    const edited = await editSceneText(text, file, edits as readonly SceneEdit[]);
    const loaded = await this.load(edited, file);
    return { source: await this.source(scene, edited, base), scene: this.prepared(loaded.scene) };
  }

  /**
   * Writes a text into the file of the opened scene, completely or not at all. Throws `InputError` if it is another
   * scene, if the file has changed since the page read it (`base` is the hash of the file as read), or if the text is
   * not valid. Returns the hash of the saved text.
   */
  save(given: unknown): Promise<{ readonly base: string }> {
    const saved = this.saving.then(() => this.write(given));
    this.saving = saved.catch(() => {});
    return saved;
  }

  private async write(given: unknown): Promise<{ readonly base: string }> {
    const { scene, text, base } = requireTexts(given);
    if (this.writable === undefined || scene !== this.writable)
      throw new InputError(
        `the scene "${scene}" is not saved by this server`,
        'Download it, or start view with --write.',
      );
    const file = this.fileOf(scene);
    await this.load(text, file);
    if (hashOf(await readText(file)) !== base)
      throw new InputError(
        `${file} has changed since this page loaded it`,
        'Download the scene, then reload the page.',
      );
    await writeAtomically(file, text);
    return { base: hashOf(text) };
  }

  private async load(text: string, file: string): Promise<LoadedScene> {
    const problems = await loadProblemsIn(text, file);
    if (problems.length !== 1 || problems[0].suite !== undefined) throw new InputError(`${file}: this is a suite`);
    return problems[0];
  }

  private fileOf(name: string): string {
    if (!Object.hasOwn(this.files, name)) throw new InputError(`the scene "${name}" cannot be edited here`);
    return this.files[name];
  }

  private async source(name: string, text: string, base: string): Promise<SceneSource> {
    const parts = await editableParts(text, this.fileOf(name));
    return { text, base, ...parts, writable: this.writable === name };
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function requireTexts(given: unknown, more?: 'edits') {
  const { scene, text, base, edits } = (given ?? {}) as Record<string, unknown>;
  if (typeof scene !== 'string' || typeof text !== 'string' || typeof base !== 'string')
    throw new InputError('scene, text and base must be texts');
  return { scene, text, base, ...(more ? { edits } : {}) };
}
