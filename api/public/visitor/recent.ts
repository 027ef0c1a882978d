/** The most recently used `maxEntries` answers of a function that costs something. */
export function createRecent<Value>(maxEntries: number, compute: (key: string) => Value) {
  const values = new Map<string, Value>();
  return function recent(key: string): Value {
    const found = values.get(key);
    const value = found === undefined ? compute(key) : found;
    // Maps keep the order of insertion: the first entry is the one that was used longest ago.
    values.delete(key);
    values.set(key, value);
    const [oldest] = values.keys();
    if (values.size > maxEntries && oldest !== undefined) values.delete(oldest);
    return value;
  };
}
