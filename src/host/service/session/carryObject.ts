import type { CollisionObject } from '../../../core/scene/scene.ts';
import { bodiesText } from '../resultTexts.ts';
import type { Carrying, Regrouped } from '../sessionScene.ts';
import { within } from '../threadMethods/context.ts';
import { bytesOfParts, objectBytes } from './objectBytes.ts';
import { type ChangeContext, prepareShapes, reserve, reservedChange } from './reservedChange.ts';

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
