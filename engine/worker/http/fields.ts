/** Of one notification all bodies are equally long; of a few, a few. */
const MAX_LENGTHS = 8;

/**
 * All fields of a request but its path, names and values in turn: the same array for the same headers and
 * length, so that the encoder can see that nothing changed.
 */
export function createFieldsOf(
  authority: string,
): (headers: readonly string[], bodyBytes: number) => readonly string[] {
  const byHeaders = new WeakMap<readonly string[], Map<number, readonly string[]>>();

  return function fieldsOf(headers, bodyBytes) {
    let byLength = byHeaders.get(headers);
    if (byLength === undefined) {
      byLength = new Map();
      byHeaders.set(headers, byLength);
    }
    const known = byLength.get(bodyBytes);
    if (known !== undefined) return known;
    if (byLength.size >= MAX_LENGTHS) byLength.clear();
    const fields = [
      ...[':method', 'POST', ':scheme', 'https', ':authority', authority],
      ...headers,
      ...['content-length', String(bodyBytes)],
    ];
    byLength.set(bodyBytes, fields);
    return fields;
  };
}
