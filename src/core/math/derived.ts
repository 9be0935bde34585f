/**
 * Returns a function that computes data of an immutable object once, and keeps it as long as the object exists: under a
 * symbol that copies of the object, such as `{ ...object, changed }`, do not have. A `WeakMap`, which only frozen
 * objects need, would keep data of objects that are gone until V8 collects its old generation: its other collections
 * treat all values of the map as reachable.
 */
export function derived<K extends object, V extends object>(compute: (object: K) => V): (object: K) => V {
  const key = Symbol('derived');
  const ofFrozen = new WeakMap<K, V>();
  return (object: K & { readonly [key]?: V }) => {
    const known = Object.hasOwn(object, key) ? object[key] : ofFrozen.get(object);
    if (known !== undefined) return known;
    const value = compute(object);
    if (!Reflect.defineProperty(object, key, { value })) ofFrozen.set(object, value);
    return value;
  };
}
