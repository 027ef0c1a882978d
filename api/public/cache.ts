interface Entry<Value> {
  readonly value: Promise<Value>;
  readonly until: number;
}

/**
 * Remembers answers for a while, the most recently asked `maxEntries` of them. Calls for a key that is being
 * read share that read; a read that fails is forgotten.
 */
export function createCache<Value>(options: { readonly maxEntries: number; readonly keepMs: number }) {
  const entries = new Map<string, Entry<Value>>();
  return function remember(key: string, read: () => Promise<Value>, now = Date.now()): Promise<Value> {
    const found = entries.get(key);
    if (found !== undefined && found.until > now) return found.value;
    const value = read();
    const entry = { value, until: now + options.keepMs };
    entries.delete(key);
    entries.set(key, entry);
    value.catch(() => entries.get(key) === entry && entries.delete(key));
    const [oldest] = entries.keys();
    if (entries.size > options.maxEntries && oldest !== undefined) entries.delete(oldest);
    return value;
  };
}
