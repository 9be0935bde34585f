import type { Slices } from '../../../core/math/slices.ts';
import type { CollisionObject } from '../../../core/scene/scene.ts';
import { bodiesText } from '../resultTexts.ts';
import type { Work } from '../scheduler.ts';
import type { Carrying, Regrouped } from '../sessionScene.ts';
import { within } from '../threadMethods/context.ts';
import { bytesOfParts, objectBytes } from './objectBytes.ts';
import { type ChangeContext, preparedShapes, reserve, reservedChange } from './reservedChange.ts';

/** Attaches an obstacle to a link, in slices: a cloud is grouped anew. */
export function* attachObject(context: ChangeContext, name: string, place: Carrying): Work<string> {
  const { scene } = context;
  const { parts } = within('params', () => scene.obstacle(name));
  yield* regrouped(context, parts, true, (of) => within('params', () => scene.attach(name, place, of)));
  return bodiesText(scene, { pose: place.pose });
}

/** Detaches an object from its link, in slices. */
export function* detachObject(context: ChangeContext, name: string, place: Omit<Carrying, 'link'>): Work<string> {
  const { scene } = context;
  const { parts } = within('params', () => scene.carried(name));
  yield* regrouped(context, parts, false, (of) => within('params', () => scene.detach(name, place, of)));
  return bodiesText(scene, { pose: place.pose });
}

/** Calls `change` with the parts of an object on a link, or as an obstacle, while their memory is reserved. */
function* regrouped(
  context: ChangeContext,
  before: CollisionObject['parts'],
  isAttached: boolean,
  change: (regrouped: Regrouped) => void,
): Slices<void> {
  const { scene } = context;
  const others = scene.addedBytes(scene.objects.filter(({ parts }) => parts !== before));
  const regrouping = function* (): Slices<void> {
    const points = scene.clouds.regroupedPoints(before, isAttached);
    if (points > 0) reserve(context, others + objectBytes(1, points));
    const parts = yield* scene.clouds.regrouping(before, isAttached);
    const bytes = points > 0 ? bytesOfParts(parts) : scene.addedBytes([{ parts }]);
    reserve(context, others + bytes);
    if (points > 0) yield* preparedShapes(context, parts);
    change({ parts, bytes });
  };
  yield* reservedChange(context, regrouping());
}
