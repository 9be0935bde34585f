import { convexHull } from '../../../core/hulls/hull.ts';
import type { meshParts } from '../../../core/hulls/meshParts.ts';
import type { Pose } from '../../../core/kinematics/robotModel.ts';
import type { CollisionObjectPart, Drop } from '../../../core/scene/scene.ts';
import type { ShapeSpec } from '../../../core/shapes/shape.ts';
import type { InputError } from '../../../errors.ts';
import type { Path, SourceText } from '../../text/sourceText.ts';
import type { ObjectDraft } from '../objectDraft.ts';
import { buildObject, type SceneFiles } from '../sceneObjects.ts';
import type { SceneReader } from '../sceneReader.ts';
import type { RawBody, RawDrop } from '../sceneSchema.ts';

/** Objects that `settle` creates; their files have not been read yet. */
export interface DropDraft {
  readonly from: { readonly shape: ShapeSpec; readonly pose: Pose };
  readonly count: number;
  /** Kinds of objects; their names mean nothing. */
  readonly shapes: readonly ObjectDraft[];
}

/** Reads `drop` of a scene. */
export function readDrop(reader: SceneReader, { from, count, shapes }: RawDrop): DropDraft {
  const region = reader.body(from as RawBody, ['drop', 'from'], 'from');
  const type = String(from.type);
  if (region.shape === undefined || type === 'halfspace' || type === 'convex') {
    const note = 'Use a box, sphere, cylinder, capsule, cone, frustum or ellipsoid.';
    reader.report(['drop', 'from', 'type'], `it is ${JSON.stringify(type)}, which is not a region for a drop`, note);
  }
  return {
    from: { shape: region.shape ?? { type: 'sphere', radius: 1 }, pose: region.pose },
    count,
    shapes: shapes.map((shape, i) => reader.body(shape as RawBody, ['drop', 'shapes', i], `shape-${i + 1}`)),
  };
}

/** Creates an error with its place in the file. */
type ErrorAt = (path: Path, what: string, note?: string, source?: SourceText) => Promise<InputError>;

/** Builds the parts of the objects, after the files have been read. */
export async function buildDrop(
  { from, count, shapes }: DropDraft,
  files: SceneFiles,
  methods: typeof meshParts,
  errorAt: ErrorAt,
): Promise<Drop> {
  const built: Drop['shapes'][number][] = [];
  for (const draft of shapes) {
    const { parts } = await buildObject(draft, files, methods, errorAt);
    await requireVolume(draft, parts, errorAt);
    built.push({ parts, free: draft.free! });
  }
  return { from, count, shapes: built };
}

/** Volume, relative to the cube of the largest extent, below which an object is flat. */
const FLAT = 1e-9;

/**
 * Throws an error with its place if a free object is flat, since it has no inertia. Shapes of other types always have a
 * volume.
 */
export async function requireVolume(
  { path, source, mesh }: ObjectDraft,
  parts: readonly CollisionObjectPart[],
  errorAt: ErrorAt,
): Promise<void> {
  for (const { shape } of parts) {
    if (shape.type !== 'convex' || (shape.margin ?? 0) > 0) continue;
    const points = Float64Array.from((shape.points as number[][]).flat());
    const extents = [0, 1, 2].map((k) => extentOf(points, k));
    const hull = points.length === 0 ? undefined : await convexHull(points);
    const size = Math.max(...extents);
    if (hull !== undefined && hull.volume > FLAT * size * size * size) continue;
    const place = mesh === undefined ? [...path, 'points'] : [...path, 'file'];
    const what = `${mesh === undefined ? 'the points are' : `${mesh.file}: the mesh is`} flat, so that it has no mass`;
    throw await errorAt(place, what, 'Free objects need a volume; give it a margin, or leave out free.', source);
  }
}

function extentOf(points: Float64Array, k: number): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = k; i < points.length; i += 3) {
    low = Math.min(low, points[i]);
    high = Math.max(high, points[i]);
  }
  return high - low;
}
