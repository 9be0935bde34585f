import type { CollisionObject, Scene } from './scene.ts';

/**
 * Returns a frozen copy of a scene: later changes of the given data have no effect on it. Shapes are not copied but
 * frozen, with their lists of numbers: a change in place throws. Lists of points and descriptions of other robots are
 * shared as they are, and must not be changed.
 */
export function ownedScene({ obstacles, attached, robots, ...rest }: Scene): Scene {
  return Object.freeze({
    ...frozenCopy(rest),
    obstacles: obstacles.map(ownedObject),
    attached: attached.map(ownedObject),
    ...(robots && {
      robots: Object.freeze(robots.map(({ description, ...robot }) => ({ ...frozenCopy(robot), description }))),
    }),
  });
}

/** As `ownedScene`, for one object. */
export function ownedObject<B extends CollisionObject>({ parts, ...body }: B): B {
  const own = parts.map(({ shape, ...part }) => {
    for (const list of Object.values(shape))
      if (Array.isArray(list) && typeof list[0] === 'number') Object.freeze(list);
    return Object.freeze({ ...frozenCopy(part), shape: Object.freeze(shape) });
  });
  return Object.freeze({ ...frozenCopy(body), parts: Object.freeze(own) }) as B;
}

/** Returns a frozen copy of plain data; typed arrays in it are copied, which cannot be frozen. */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) return structuredClone(value);
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, frozenCopy(item)]))) as T;
}
