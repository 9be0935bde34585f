/**
 * Returns a function that computes data of an immutable object once, and keeps it as long as the object exists. As a
 * field of the object, the data would be copied with it by `{ ...object, changed }` and be wrong for the copy.
 */
export function derived<K extends object, V extends object>(compute: (object: K) => V): (object: K) => V {
  const known = new WeakMap<K, V>();
  return (object) => {
    let value = known.get(object);
    if (value === undefined) {
      value = compute(object);
      known.set(object, value);
    }
    return value;
  };
}
