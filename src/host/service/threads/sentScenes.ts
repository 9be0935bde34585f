import { RecentMap } from '../../../core/math/recentMap.ts';
import type { CollisionObject, Scene } from '../../../core/scene/scene.ts';
import { bytesOfParts } from '../session/objectBytes.ts';
import { KeptParts } from './keptParts.ts';
import { type PackedParts, packParts, unpackParts } from './packedParts.ts';
import { changedScene, changeOf, type SceneChange } from './sceneChange.ts';

type Parts = CollisionObject['parts'];

/** A scene as sent to a thread. */
export interface SentScene {
  readonly change: SceneChange;
  /** All parts of added objects; those that the thread has cached are not sent again. */
  readonly parts: readonly { readonly id: number; readonly weight: number; readonly packed?: PackedParts }[];
}

/** Encodes scenes for one thread; knows what it has received. */
export class SceneSender {
  private readonly sent: KeptParts<true>;

  /** @param most of the parts that the thread keeps: their weight */
  constructor(
    private readonly original: Scene,
    most?: number,
  ) {
    this.sent = new KeptParts(most);
  }

  /** Returns what is sent for a scene, in the order of the messages; undefined for the original one. */
  encode(scene: Scene): SentScene | undefined {
    const added = new Map<number, Parts>();
    const change = changeOf(this.original, scene, added);
    if (!change) return undefined;
    const parts = [...added].map(([id, list]) => {
      const weight = bytesOfParts(list);
      const isKnown = this.sent.has(id);
      this.sent.use(id, weight, true);
      return { id, weight, ...(!isKnown && { packed: packParts(list) }) };
    });
    this.sent.trim(parts.length);
    return { change, parts };
  }
}

/** Scenes that a thread keeps. */
const MAX_SCENES = 32;

/** Decodes scenes in a thread; returns the same object for the same scene, so that caches by object are used. */
export class SceneReceiver {
  private readonly parts: KeptParts<Parts>;
  /** By version, the most recently used last. */
  private readonly scenes = new RecentMap<number, { readonly scene: Scene; readonly ids: readonly number[] }>(
    MAX_SCENES,
  );

  /** @param most as of its sender */
  constructor(
    private readonly original: Scene,
    most?: number,
  ) {
    this.parts = new KeptParts(most);
  }

  /** Must be called for each message, in order. */
  decode(sent: SentScene | undefined): Scene {
    if (!sent) return this.original;
    const { change, parts } = sent;
    for (const { id, weight, packed } of parts) this.parts.use(id, weight, this.parts.get(id) ?? unpackParts(packed!));
    const dropped = new Set(this.parts.trim(parts.length));
    if (dropped.size > 0)
      for (const [version, { ids }] of this.scenes) if (ids.some((id) => dropped.has(id))) this.scenes.delete(version);
    const { version } = change;
    const ids = parts.map(({ id }) => id);
    const scene = this.scenes.get(version)?.scene ?? changedScene(this.original, change, (id) => this.parts.get(id)!);
    this.scenes.set(version, { scene, ids });
    return scene;
  }
}
