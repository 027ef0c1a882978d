/** A cache of the most recently used values, made once per key. */
export interface Recent<Key, Value> {
  /** The key's value, made where it is not kept; from now on the most recently used. */
  use(key: Key): Value;
  /** Without making it, and without using it. */
  peek(key: Key): Value | undefined;
  values(): Value[];
}

/** Keeps `maxEntries`: past it the one that was used longest ago is forgotten. */
export function createRecent<Key, Value>(maxEntries: number, make: (key: Key) => Value): Recent<Key, Value> {
  // Maps keep the order of insertion: the first entry is the one that was used longest ago.
  const kept = new Map<Key, { readonly value: Value }>();
  return {
    use(key) {
      const entry = kept.get(key) ?? { value: make(key) };
      kept.delete(key);
      kept.set(key, entry);
      const oldest = kept.keys().next();
      if (kept.size > maxEntries && !oldest.done) kept.delete(oldest.value);
      return entry.value;
    },
    peek: (key) => kept.get(key)?.value,
    values: () => Array.from(kept.values(), ({ value }) => value),
  };
}
