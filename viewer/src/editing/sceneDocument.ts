import type { Pose, Scene, SceneEdit } from 'elbowroom';
import type { SceneSource } from 'elbowroom/types';

/** A state of the edited scene. */
interface Version {
  readonly scene: Scene;
  readonly source: SceneSource;
  /** Edits that the scene has already but the text has not; the next request includes them. */
  readonly unwritten: readonly SceneEdit[];
}

/** The text of the scene and its versions. The server edits and reads the text, so that scene and text agree. */
export class SceneDocument {
  private readonly past: Version[] = [];
  private readonly future: Version[] = [];
  private now: Version;
  private saved: string;
  private base: string;
  /** Edits wait for each other: each one applies to the text of the one before. */
  private pending: Promise<unknown> = Promise.resolve();
  /** Result of the last request, for the user. */
  message = '';
  /** Called after each change of `message`. */
  onMessage: () => void = () => {};

  constructor(
    scene: Scene,
    source: SceneSource,
    private readonly show: (scene: Scene) => void,
  ) {
    this.now = { scene, source, unwritten: [] };
    this.saved = source.text;
    this.base = source.base;
  }

  get source(): SceneSource {
    return this.now.source;
  }

  /** Returns the pose of an obstacle as the text states it. */
  poseOf(name: string): Pose | undefined {
    return this.now.scene.obstacles.find((one) => one.name === name)?.pose;
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  get isChanged(): boolean {
    return this.now.unwritten.length > 0 || this.now.source.text !== this.saved;
  }

  /** Sets edits that the shown scene has already but the text has not; the next request includes them. */
  begin(scene: Scene, edits: readonly SceneEdit[]): void {
    this.now = { ...this.now, scene, unwritten: edits };
  }

  /** Applies an edit, and shows the edited scene. A refused edit shows the reason and the scene before it. */
  apply(...edits: readonly SceneEdit[]): Promise<void> {
    return this.queue(async () => {
      const before = this.now;
      try {
        const { source, unwritten } = before;
        const { text } = source;
        const answer = await this.send('edit', { text, edits: [...unwritten, ...edits] });
        this.past.push(before);
        this.future.length = 0;
        this.now = { ...(answer as Pick<Version, 'scene' | 'source'>), unwritten: [] };
        this.message = '';
      } catch (error) {
        this.message = reasonOf(error);
      }
      this.show(this.now.scene);
    });
  }

  undo(): Promise<void> {
    return this.queue(async () => this.step(this.past, this.future));
  }

  redo(): Promise<void> {
    return this.queue(async () => this.step(this.future, this.past));
  }

  /** Returns the text with all edits, those under way included. */
  async complete(): Promise<string> {
    await this.pending;
    if (this.now.unwritten.length > 0) await this.apply();
    return this.source.text;
  }

  /** Saves the text into the file of the scene. */
  async save(): Promise<void> {
    await this.complete();
    return this.queue(async () => {
      const { text } = this.source;
      try {
        const { base } = (await this.send('save', { text })) as { readonly base: string };
        this.base = base;
        this.saved = text;
        this.message = 'Saved.';
      } catch (error) {
        this.message = reasonOf(error);
      }
      this.onMessage();
    });
  }

  private queue(work: () => Promise<void>): Promise<void> {
    const done = this.pending.then(work);
    this.pending = done.catch(() => {});
    return done;
  }

  private step(from: Version[], to: Version[]): void {
    const version = from.pop();
    if (!version) return;
    to.push(this.now);
    this.now = version;
    this.message = '';
    this.show(version.scene);
  }

  private async send(path: 'edit' | 'save', given: object): Promise<unknown> {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ scene: this.now.scene.name, base: this.base, ...given }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
