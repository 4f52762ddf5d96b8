/**
 * Structural sharing. A scene is made anew for every change, though most of it is as before. Components compare by
 * identity: whatever is the same object as last time is not drawn again.
 */

/** The new value, made of the parts of the old one wherever they are equal; the old value itself if nothing differs. */
export function share<T>(old: unknown, value: T): T;
export function share(old: unknown, value: unknown): unknown {
  if (Object.is(old, value) || !isTree(old) || !isTree(value)) return value;
  if (Array.isArray(old) !== Array.isArray(value)) return value;
  const keys = Object.keys(value);
  const parts = keys.map((key) => share(old[key], value[key]));
  const isSame =
    keys.length === Object.keys(old).length && keys.every((key, at) => key in old && parts[at] === old[key]);
  if (isSame) return old;
  return Array.isArray(value) ? parts : Object.fromEntries(keys.map((key, at) => [key, parts[at]]));
}

/** Share each value with the one before it. */
export function sharing<T>(): (value: T) => T {
  const last: { value: T | null } = { value: null };
  return (value) => (last.value = share(last.value, value));
}

/** Plain objects and arrays, which is all that a scene is made of. */
const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
