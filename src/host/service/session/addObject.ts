import { weld as distinctPoints } from '../../../core/hulls/pointCloud.ts';
import { firstBeyond, lengthProblem } from '../../../core/math/magnitudes.ts';
import type { CollisionObject, CollisionObjectPart } from '../../../core/scene/scene.ts';
import type { ConvexShape, ShapeSpec } from '../../../core/shapes/shape.ts';
import { InputError } from '../../../errors.ts';
import type { RawPose, RawServiceBody } from '../../../formats/schemas/serviceMessages.ts';
import { bodiesText } from '../resultTexts.ts';
import type { ServiceLimits } from '../serviceLimits.ts';
import type { Carrying, Regrouped, SessionScene } from '../sessionScene.ts';
import { within } from '../threadMethods/context.ts';
import type { Turn } from '../turns.ts';
import { bytesOfParts, objectBytes } from './objectBytes.ts';

/** What an added object needs of its session. */
export interface AddingContext extends ChangeContext {
  readonly limits: ServiceLimits;
}

/** An object to be added. */
export interface AddedBody {
  readonly type: string;
  readonly name: string;
  readonly pose?: RawPose | undefined;
  readonly link?: string | undefined;
}

/**
 * Adds an object to the scene of a session.
 * @param points of a cloud as x, y, z, if a binary frame contains them
 */
export async function addObject(
  context: AddingContext,
  body: AddedBody,
  replace: boolean,
  points?: Float64Array,
): Promise<string> {
  const { scene, limits, shapeOf } = context;
  const otherObjects = scene.objects.filter(({ name }) => !(replace && name === body.name));
  if (otherObjects.length >= limits.bodies)
    throw new InputError(`params.body: the scene has ${limits.bodies} objects, which is the limit`);
  const place = points ? 'arrays.points' : 'params.body.points';
  const given = points ?? flatPoints(body);
  const isCloud = body.type === 'cloud';
  if (given) requirePoints(given.length / 3, { limits, added: scene.addedPoints(otherObjects), isCloud, place });
  const finite = isCloud ? finitePoints(given!, place) : undefined;
  const others = scene.addedBytes(otherObjects);
  const change = async () => {
    let parts: CollisionObject['parts'] = [partOf(body)];
    if (finite) {
      reserve(context, others + objectBytes(1, finite.length / 3));
      const cloud = { points: distinctPoints(finite), radius: radiusOf(body) };
      parts = scene.clouds.group(cloud, body.link !== undefined);
    }
    const bytes = bytesOfParts(parts);
    reserve(context, others + bytes);
    if (finite) await prepareShapes(context, parts);
    else within('params.body', () => shapeOf(parts[0].shape)); // validates its sizes
    within('params.body', () => scene.add(body, parts, { replace, bytes }));
  };
  await reservedChange(context, change);
  const skipped = finite ? (given!.length - finite.length) / 3 : 0;
  const warning = `${place}: ${skipped} of its ${given ? given.length / 3 : 0} points are not finite, and are skipped`;
  return bodiesText(scene, { pose: body.pose, place: 'body.pose', ...(skipped > 0 && { warning }) });
}

const radiusOf = (body: AddedBody) => (body as unknown as { readonly radius: number }).radius;

/** Returns the only part of an object that is no cloud. */
function partOf(body: AddedBody): CollisionObjectPart {
  const { name: _, pose: __, link: ___, touches: ____, ...shape } = body as RawServiceBody;
  return { shape: shape as unknown as ShapeSpec };
}

/** Returns the coordinates of all points of a body; undefined if it has none. */
function flatPoints(body: AddedBody): Float64Array | undefined {
  const { points } = body as { readonly points?: readonly (readonly number[])[] };
  if (!points) return undefined;
  const flat = new Float64Array(3 * points.length);
  for (let i = 0; i < points.length; i++) flat.set(points[i], 3 * i);
  return flat;
}

/** Limits the points of an object. */
function requirePoints(
  count: number,
  {
    limits: { points, allPoints },
    added,
    isCloud,
    place,
  }: {
    readonly limits: ServiceLimits;
    readonly added: number;
    readonly isCloud: boolean;
    readonly place: string;
  },
): void {
  const note = isCloud
    ? 'Downsample the cloud, for example to one point per voxel of its radius.'
    : 'Give the vertices of its convex hull only, or fewer of them.';
  const most = isCloud ? allPoints : points;
  if (count > most) throw new InputError(`${place}: it has ${count} points, the limit is ${most}`, note);
  if (added + count > allPoints)
    throw new InputError(`${place}: with these the objects of the session have more than ${allPoints} points`, note);
}

/** Returns the points of a cloud without those that are not finite: missing returns of a sensor. */
function finitePoints(all: Float64Array, place: string): Float64Array {
  let count = 0;
  const points = new Float64Array(all.length);
  for (let i = 0; i < all.length; i += 3) {
    if (!(Number.isFinite(all[i]) && Number.isFinite(all[i + 1]) && Number.isFinite(all[i + 2]))) continue;
    for (let k = 0; k < 3; k++) points[count++] = all[i + k];
  }
  if (count === 0) {
    const what = all.length === 0 ? 'it has no points' : `none of its ${all.length / 3} points is finite`;
    const note = 'Remove the object with scene.remove if nothing is there.';
    throw new InputError(`${place}: the cloud is empty: ${what}`, note);
  }
  const beyond = firstBeyond(points.subarray(0, count));
  if (beyond < 0) return count === all.length ? points : points.slice(0, count);
  throw new InputError(`${place}: the coordinate ${points[beyond]} ${lengthProblem(points[beyond])}`);
}

/** Attaches an obstacle to a link; a cloud is grouped anew. */
export async function attachObject(context: ChangeContext, name: string, place: Carrying): Promise<string> {
  const { scene } = context;
  const { parts } = within('params', () => scene.obstacle(name));
  await regroup(context, parts, true, (of) => within('params', () => scene.attach(name, place, of)));
  return bodiesText(scene, { pose: place.pose });
}

/** Detaches an object from its link. */
export async function detachObject(
  context: ChangeContext,
  name: string,
  place: Omit<Carrying, 'link'>,
): Promise<string> {
  const { scene } = context;
  const { parts } = within('params', () => scene.carried(name));
  await regroup(context, parts, false, (of) => within('params', () => scene.detach(name, place, of)));
  return bodiesText(scene, { pose: place.pose });
}

/** Calls `change` with the parts of an object on a link, or as an obstacle, while their memory is reserved. */
async function regroup(
  context: ChangeContext,
  before: CollisionObject['parts'],
  isAttached: boolean,
  change: (regrouped: Regrouped) => void,
): Promise<void> {
  const { scene } = context;
  const others = scene.addedBytes(scene.objects.filter(({ parts }) => parts !== before));
  await reservedChange(context, async () => {
    const points = scene.clouds.regroupedPoints(before, isAttached);
    if (points > 0) reserve(context, others + objectBytes(1, points));
    const parts = scene.clouds.regroup(before, isAttached);
    const bytes = points > 0 ? bytesOfParts(parts) : scene.addedBytes([{ parts }]);
    reserve(context, others + bytes);
    if (points > 0) await prepareShapes(context, parts);
    change({ parts, bytes });
  });
}

/** What a change of the objects of a session needs. */
interface ChangeContext {
  readonly scene: SessionScene;
  /** Sets the bytes that all added objects reserve. Throws `RpcError` if the memory budget is exhausted. */
  readonly keep: (bytes: number) => void;
  /** Returns the shape of a spec, built once. */
  readonly shapeOf: (spec: ShapeSpec) => ConvexShape;
  /** Turns of the running request. */
  readonly turn: Turn;
}

/**
 * Runs a change of the objects of a session; afterwards, also if it fails or the request ends early, the session
 * reserves the memory of the objects that it has. The change calls `reserve` before it allocates.
 */
async function reservedChange({ scene, keep }: ChangeContext, change: () => Promise<void>): Promise<void> {
  try {
    await change();
  } finally {
    keep(scene.addedBytes()); // at most what is reserved: releases memory, or none
  }
}

/**
 * Reserves memory for the objects after a change, or for those before it if they take more: nothing has to be reserved
 * again if it fails. Throws `RpcError` if the memory budget is exhausted.
 */
function reserve({ scene, keep }: ChangeContext, bytes: number): void {
  keep(Math.max(bytes, scene.addedBytes()));
}

/** Creates the shapes of the parts of a cloud, during which other requests may run. */
async function prepareShapes(
  { shapeOf, turn }: ChangeContext,
  parts: readonly { readonly shape: ShapeSpec }[],
): Promise<void> {
  for (const { shape } of parts) {
    shapeOf(shape);
    if (turn.isOver) await turn.next();
  }
}
